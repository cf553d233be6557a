#version 450
// matmul_tiled by hand with two rows of the tile an invocation, eight apart.
#define TILE 16
#define ROWS 2
#define STEP (TILE / ROWS)
layout(local_size_x = TILE, local_size_y = STEP) in;

layout(push_constant) uniform Params {
  uint m;
  uint n;
  uint k;
} params;

layout(std430, set = 0, binding = 0) readonly buffer A { float a[]; };
layout(std430, set = 0, binding = 1) readonly buffer B { float b[]; };
layout(std430, set = 0, binding = 2) writeonly buffer C { float c[]; };

shared float tileA[TILE][TILE];
shared float tileB[TILE][TILE];

void main() {
  uint x = gl_LocalInvocationID.x;
  uint y0 = gl_LocalInvocationID.y;
  uint y1 = y0 + STEP;
  uint column = gl_WorkGroupID.x * TILE + x;
  uint row0 = gl_WorkGroupID.y * TILE + y0;
  uint row1 = row0 + STEP;
  float sum0 = 0.0;
  float sum1 = 0.0;
  for (uint first = 0; first < params.k; first += TILE) {
    bool columnA = first + x < params.k;
    bool columnB = column < params.n;
    float a0 = row0 < params.m && columnA ? a[row0 * params.k + first + x] : 0.0;
    float a1 = row1 < params.m && columnA ? a[row1 * params.k + first + x] : 0.0;
    float b0 = columnB && first + y0 < params.k ? b[(first + y0) * params.n + column] : 0.0;
    float b1 = columnB && first + y1 < params.k ? b[(first + y1) * params.n + column] : 0.0;
    tileA[y0][x] = a0;
    tileA[y1][x] = a1;
    tileB[y0][x] = b0;
    tileB[y1][x] = b1;
    barrier();
    for (uint i = 0; i < TILE; ++i) {
      float right = tileB[i][x];
      sum0 += tileA[y0][i] * right;
      sum1 += tileA[y1][i] * right;
    }
    barrier();
  }
  if (column < params.n) {
    if (row0 < params.m)
      c[row0 * params.n + column] = sum0;
    if (row1 < params.m)
      c[row1 * params.n + column] = sum1;
  }
}
