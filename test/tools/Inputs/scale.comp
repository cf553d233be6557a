#version 450
// Guarded on x: every size is legal, as exact or cover.
layout(local_size_x = 64) in;
layout(push_constant) uniform Params { uint n; } params;
layout(std430, set = 0, binding = 0) readonly buffer Src { uint src[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Dst { uint dst[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < params.n)
    dst[i] = src[i] * 3 + 1;
}
