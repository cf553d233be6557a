#version 450
// Descriptors in arrays.
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) readonly buffer In { uint data[]; } source[3];
layout(set = 0, binding = 1) writeonly buffer Out { uint data[]; } sink;
void main() {
  uint i = gl_GlobalInvocationID.x;
  sink.data[i] = source[0].data[i] + 10 * source[1].data[i] + 100 * source[2].data[i];
}
