#version 450
// c = a·b for row-major a (m x k) and b (k x n), one element of c an invocation.
layout(local_size_x = 16, local_size_y = 16) in;

layout(push_constant) uniform Params {
  uint m;
  uint n;
  uint k;
} params;

layout(std430, set = 0, binding = 0) readonly buffer A { float a[]; };
layout(std430, set = 0, binding = 1) readonly buffer B { float b[]; };
layout(std430, set = 0, binding = 2) writeonly buffer C { float c[]; };

void main() {
  uint column = gl_GlobalInvocationID.x;
  uint row = gl_GlobalInvocationID.y;
  if (row >= params.m || column >= params.n)
    return;
  float sum = 0.0;
  for (uint i = 0; i < params.k; ++i)
    sum += a[row * params.k + i] * b[i * params.n + column];
  c[row * params.n + column] = sum;
}
