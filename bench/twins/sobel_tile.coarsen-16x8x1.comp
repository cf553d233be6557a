#version 450
// sobel_tile by hand with two rows of the tile an invocation, eight apart.
#define TILE 16
#define STEP 8
#define HALO (TILE + 2)
layout(local_size_x = TILE, local_size_y = STEP) in;

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
  ivec2 last = ivec2(params.width, params.height) - 1;
  for (uint i = gl_LocalInvocationIndex; i < HALO * HALO; i += TILE * STEP) {
    ivec2 inTile = ivec2(i % HALO, i / HALO);
    ivec2 q = clamp(origin + inTile, ivec2(0), last);
    tile[inTile.y][inTile.x] = src[q.y * params.width + q.x];
  }
  barrier();

  int column = int(gl_GlobalInvocationID.x);
  if (column >= params.width)
    return;
  uint x = gl_LocalInvocationID.x + 1;
  for (uint step = 0; step < TILE; step += STEP) {
    uint y = gl_LocalInvocationID.y + step + 1;
    int row = origin.y + int(y);
    if (row >= params.height)
      break;
    float gx = (tile[y - 1][x + 1] + 2.0 * tile[y][x + 1] + tile[y + 1][x + 1]) -
               (tile[y - 1][x - 1] + 2.0 * tile[y][x - 1] + tile[y + 1][x - 1]);
    float gy = (tile[y + 1][x - 1] + 2.0 * tile[y + 1][x] + tile[y + 1][x + 1]) -
               (tile[y - 1][x - 1] + 2.0 * tile[y - 1][x] + tile[y - 1][x + 1]);
    dst[row * params.width + column] = clamp(params.gain * sqrt(gx * gx + gy * gy), 0.0, 1.0);
  }
}
