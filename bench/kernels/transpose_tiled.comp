#version 450
// dst = transpose of src through a tile in workgroup memory, padded against bank conflicts.
#define TILE 16
layout(local_size_x = TILE, local_size_y = TILE) in;

layout(push_constant) uniform Params {
  uint width;
  uint height;
} params;

layout(std430, set = 0, binding = 0) readonly buffer Src { float src[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Dst { float dst[]; };

shared float tile[TILE][TILE + 1];

void main() {
  uvec2 local = gl_LocalInvocationID.xy;
  uvec2 p = gl_WorkGroupID.xy * TILE + local;
  if (p.x < params.width && p.y < params.height)
    tile[local.y][local.x] = src[p.y * params.width + p.x];
  barrier();
  uvec2 q = gl_WorkGroupID.yx * TILE + local;
  if (q.x < params.height && q.y < params.width)
    dst[q.y * params.height + q.x] = tile[local.x][local.y];
}
