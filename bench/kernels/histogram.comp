#version 450
// Counts of 256 byte values, four to a word, with atomics on the buffer itself.
layout(local_size_x = 256) in;

layout(std430, set = 0, binding = 0) readonly buffer Src { uint src[]; };
layout(std430, set = 0, binding = 1) buffer Counts { uint counts[256]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= uint(src.length()))
    return;
  uint word = src[i];
  for (uint shift = 0; shift < 32; shift += 8)
    atomicAdd(counts[(word >> shift) & 255u], 1u);
}
