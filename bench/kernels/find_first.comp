#version 450
// Where a value first stands in each segment of a buffer, a segment a workgroup. The lanes search
// side by side, and all stop after the step in which one of them has found it.
layout(local_size_x = 128) in;

layout(push_constant) uniform Params {
  uint n;
  uint segment; // elements of a segment
  uint value;
} params;

layout(std430, set = 0, binding = 0) readonly buffer Src { uint src[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Found { uint found[]; };

const uint kNowhere = 0xffffffffu;

shared uint first;

void main() {
  uint lane = gl_LocalInvocationID.x;
  uint begin = gl_WorkGroupID.x * params.segment;
  uint end = min(begin + params.segment, params.n);
  if (lane == 0)
    first = kNowhere;
  barrier();
  uint place = kNowhere;
  for (uint base = begin; base < end; base += gl_WorkGroupSize.x) {
    uint i = base + lane;
    if (i < end && src[i] == params.value)
      atomicMin(first, i);
    barrier();
    place = first;
    barrier();
    if (place != kNowhere)
      break;
  }
  if (lane == 0)
    found[gl_WorkGroupID.x] = place;
}
