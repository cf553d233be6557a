#version 450
// c = a·b for row-major a (m x k) and b (k x n), through 16x16 tiles in workgroup memory.
#define TILE 16
layout(local_size_x = TILE, local_size_y = TILE) in;

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
  uvec2 local = gl_LocalInvocationID.xy;
  uint column = gl_GlobalInvocationID.x;
  uint row = gl_GlobalInvocationID.y;
  float sum = 0.0;
  for (uint first = 0; first < params.k; first += TILE) {
    bool inA = row < params.m && first + local.x < params.k;
    bool inB = column < params.n && first + local.y < params.k;
    tileA[local.y][local.x] = inA ? a[row * params.k + first + local.x] : 0.0;
    tileB[local.y][local.x] = inB ? b[(first + local.y) * params.n + column] : 0.0;
    barrier();
    for (uint i = 0; i < TILE; ++i)
      sum += tileA[local.y][i] * tileB[i][local.x];
    barrier();
  }
  if (row < params.m && column < params.n)
    c[row * params.n + column] = sum;
}
