#version 450
// reduction by hand with two elements an invocation, whose sum is the first level of the tree.
#define BLOCK 256
#define LANES 128
layout(local_size_x = LANES) in;

layout(push_constant) uniform Params {
  uint n;
} params;

layout(std430, set = 0, binding = 0) readonly buffer Src { float src[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Partial { float partial[]; };

shared float scratch[LANES];

void main() {
  uint lane = gl_LocalInvocationID.x;
  uint i = gl_WorkGroupID.x * BLOCK + lane;
  float low = i < params.n ? src[i] : 0.0;
  float high = i + LANES < params.n ? src[i + LANES] : 0.0;
  scratch[lane] = low + high;
  barrier();
  for (uint stride = LANES / 2; stride > 0; stride /= 2) {
    if (lane < stride)
      scratch[lane] += scratch[lane + stride];
    barrier();
  }
  if (lane == 0)
    partial[gl_WorkGroupID.x] = scratch[0];
}
