#version 450
// Sorts blocks of 1024 keys by a bitonic network in workgroup memory, a pair of keys an
// invocation.
layout(local_size_x = 512) in;

layout(push_constant) uniform Params {
  uint n;
} params;

layout(std430, set = 0, binding = 0) readonly buffer Src { uint src[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Dst { uint dst[]; };

shared uint keys[1024];

void main() {
  const uint block = 2 * gl_WorkGroupSize.x;
  uint lane = gl_LocalInvocationID.x;
  uint first = gl_WorkGroupID.x * block;
  for (uint i = lane; i < block; i += gl_WorkGroupSize.x)
    keys[i] = first + i < params.n ? src[first + i] : 0xffffffffu;

  for (uint length = 2; length <= block; length *= 2) {
    for (uint stride = length / 2; stride > 0; stride /= 2) {
      barrier();
      uint low = 2 * lane - (lane & (stride - 1));
      uint high = low + stride;
      bool ascending = (low & length) == 0;
      uint a = keys[low];
      uint b = keys[high];
      if ((a > b) == ascending) {
        keys[low] = b;
        keys[high] = a;
      }
    }
  }
  barrier();
  for (uint i = lane; i < block; i += gl_WorkGroupSize.x)
    if (first + i < params.n)
      dst[first + i] = keys[i];
}
