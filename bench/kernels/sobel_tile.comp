#version 450
// Edge strength by Sobel's operator. Each workgroup reads its 16x16 pixels and a border of one
// pixel into workgroup memory once.
#define TILE 16
#define HALO (TILE + 2)
layout(local_size_x = TILE, local_size_y = TILE) in;

layout(push_constant) uniform Params {
  int width;
  int height;
  float gain;
} params;

layout(std430, set = 0, binding = 0) readonly buffer Src { float src[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Dst { float dst[]; };

shared float tile[HALO][HALO];

void main() {
  ivec2 origin = ivec2(gl_WorkGroupID.xy) * TILE - 1;
  for (uint i = gl_LocalInvocationIndex; i < HALO * HALO; i += TILE * TILE) {
    ivec2 inTile = ivec2(i % HALO, i / HALO);
    ivec2 q = clamp(origin + inTile, ivec2(0), ivec2(params.width, params.height) - 1);
    tile[inTile.y][inTile.x] = src[q.y * params.width + q.x];
  }
  barrier();

  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  if (p.x >= params.width || p.y >= params.height)
    return;
  uint x = gl_LocalInvocationID.x + 1;
  uint y = gl_LocalInvocationID.y + 1;
  float gx = (tile[y - 1][x + 1] + 2.0 * tile[y][x + 1] + tile[y + 1][x + 1]) -
             (tile[y - 1][x - 1] + 2.0 * tile[y][x - 1] + tile[y + 1][x - 1]);
  float gy = (tile[y + 1][x - 1] + 2.0 * tile[y + 1][x] + tile[y + 1][x + 1]) -
             (tile[y - 1][x - 1] + 2.0 * tile[y - 1][x] + tile[y - 1][x + 1]);
  dst[p.y * params.width + p.x] = clamp(params.gain * sqrt(gx * gx + gy * gy), 0.0, 1.0);
}
