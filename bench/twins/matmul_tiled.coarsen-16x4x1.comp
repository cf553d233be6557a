#version 450
// matmul_tiled by hand with four rows of the tile an invocation, four apart.
#define TILE 16
#define ROWS 4
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

uint x = gl_LocalInvocationID.x;
uint y = gl_LocalInvocationID.y;
uint column = gl_WorkGroupID.x * TILE + x;
uint row = gl_WorkGroupID.y * TILE + y;

float left(uint first, uint step) {
  return row + step < params.m && first + x < params.k ? a[(row + step) * params.k + first + x]
                                                       : 0.0;
}

float right(uint first, uint step) {
  uint line = first + y + step;
  return column < params.n && line < params.k ? b[line * params.n + column] : 0.0;
}

void main() {
  vec4 sum = vec4(0.0);
  for (uint first = 0; first < params.k; first += TILE) {
    vec4 fromA = vec4(left(first, 0), left(first, STEP), left(first, 2 * STEP),
                      left(first, 3 * STEP));
    vec4 fromB = vec4(right(first, 0), right(first, STEP), right(first, 2 * STEP),
                      right(first, 3 * STEP));
    tileA[y][x] = fromA.x;
    tileA[y + STEP][x] = fromA.y;
    tileA[y + 2 * STEP][x] = fromA.z;
    tileA[y + 3 * STEP][x] = fromA.w;
    tileB[y][x] = fromB.x;
    tileB[y + STEP][x] = fromB.y;
    tileB[y + 2 * STEP][x] = fromB.z;
    tileB[y + 3 * STEP][x] = fromB.w;
    barrier();
    for (uint i = 0; i < TILE; ++i) {
      vec4 lines = vec4(tileA[y][i], tileA[y + STEP][i], tileA[y + 2 * STEP][i],
                        tileA[y + 3 * STEP][i]);
      sum += lines * tileB[i][x];
    }
    barrier();
  }
  if (column >= params.n)
    return;
  if (row < params.m)
    c[row * params.n + column] = sum.x;
  if (row + STEP < params.m)
    c[(row + STEP) * params.n + column] = sum.y;
  if (row + 2 * STEP < params.m)
    c[(row + 2 * STEP) * params.n + column] = sum.z;
  if (row + 3 * STEP < params.m)
    c[(row + 3 * STEP) * params.n + column] = sum.w;
}
