#version 450
// reduction by hand with two blocks of 256 elements a workgroup.
#define BLOCK 256
#define BLOCKS 2
layout(local_size_x = BLOCK * BLOCKS) in;

layout(push_constant) uniform Params {
  uint n;
} params;

layout(std430, set = 0, binding = 0) readonly buffer Src { float src[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Partial { float partial[]; };

shared float scratch[BLOCK * BLOCKS];

void main() {
  uint at = gl_LocalInvocationID.x;
  uint lane = at % BLOCK;
  uint i = gl_GlobalInvocationID.x;
  scratch[at] = i < params.n ? src[i] : 0.0;
  barrier();
  for (uint stride = BLOCK / 2; stride > 0; stride /= 2) {
    if (lane < stride)
      scratch[at] += scratch[at + stride];
    barrier();
  }
  if (lane == 0)
    partial[gl_WorkGroupID.x * BLOCKS + at / BLOCK] = scratch[at];
}
