#version 450
// transpose_tiled by hand with four rows of the tile an invocation, four apart.
#define TILE 16
#define STEP 4
layout(local_size_x = TILE, local_size_y = STEP) in;

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
  for (uint step = 0; step < TILE; step += STEP)
    if (p.x < params.width && p.y + step < params.height)
      tile[local.y + step][local.x] = src[(p.y + step) * params.width + p.x];
  barrier();
  uvec2 q = gl_WorkGroupID.yx * TILE + local;
  for (uint step = 0; step < TILE; step += STEP)
    if (q.x < params.height && q.y + step < params.width)
      dst[(q.y + step) * params.height + q.x] = tile[local.x][local.y + step];
}
