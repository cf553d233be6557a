#version 450
// Takes time in proportion to the push constant.
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(push_constant) uniform Push { uint rounds; };
void main() {
  uint v = data[gl_GlobalInvocationID.x];
  for (uint i = 0; i < rounds; ++i)
    v = v * 1664525u + 1013904223u;
  data[gl_GlobalInvocationID.x] = v;
}
