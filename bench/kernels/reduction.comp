#version 450
// Sums of 256 elements each, by a tree in workgroup memory: one partial sum a workgroup.
layout(local_size_x = 256) in;

layout(push_constant) uniform Params {
  uint n;
} params;

layout(std430, set = 0, binding = 0) readonly buffer Src { float src[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Partial { float partial[]; };

shared float scratch[256];

void main() {
  uint lane = gl_LocalInvocationID.x;
  uint i = gl_GlobalInvocationID.x;
  scratch[lane] = i < params.n ? src[i] : 0.0;
  barrier();
  for (uint stride = gl_WorkGroupSize.x / 2; stride > 0; stride /= 2) {
    if (lane < stride)
      scratch[lane] += scratch[lane + stride];
    barrier();
  }
  if (lane == 0)
    partial[gl_WorkGroupID.x] = scratch[0];
}
