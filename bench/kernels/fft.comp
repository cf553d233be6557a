#version 450
// Fourier transforms of rows of 512 complex numbers, a row a workgroup: radix 2, decimation in
// time, in workgroup memory, a butterfly an invocation in each of nine stages. Roots of unity
// are looked up.
layout(local_size_x = 256) in;

layout(push_constant) uniform Params {
  uint rows;
  float direction; // -1 forward, 1 inverse
} params;

layout(std430, set = 0, binding = 0) readonly buffer Src { vec2 src[]; };
// roots[k] = exp(2·pi·i·k / 512)
layout(std430, set = 0, binding = 1) readonly buffer Roots { vec2 roots[256]; };
layout(std430, set = 0, binding = 2) writeonly buffer Dst { vec2 dst[]; };

const uint kLog2 = 9;
const uint kPoints = 1 << kLog2;

shared vec2 points[kPoints];

vec2 multiply(vec2 a, vec2 b) {
  return vec2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

void main() {
  uint row = gl_WorkGroupID.x;
  if (row >= params.rows)
    return;
  uint lane = gl_LocalInvocationID.x;
  for (uint i = lane; i < kPoints; i += kPoints / 2)
    points[bitfieldReverse(i) >> (32 - kLog2)] = src[row * kPoints + i];
  barrier();
  for (uint stage = 0; stage < kLog2; ++stage) {
    uint span = 1 << stage;
    uint offset = lane & (span - 1);
    uint low = 2 * lane - offset;
    vec2 root = roots[offset << (kLog2 - 1 - stage)];
    vec2 even = points[low];
    vec2 odd = multiply(points[low + span], vec2(root.x, params.direction * root.y));
    points[low] = even + odd;
    points[low + span] = even - odd;
    barrier();
  }
  for (uint i = lane; i < kPoints; i += kPoints / 2)
    dst[row * kPoints + i] = points[i];
}
