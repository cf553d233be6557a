#version 450
// Counts of 256 byte values: a private histogram in workgroup memory, then one atomic a bin.
layout(local_size_x = 256) in;

layout(std430, set = 0, binding = 0) readonly buffer Src { uint src[]; };
layout(std430, set = 0, binding = 1) buffer Counts { uint counts[256]; };

shared uint bins[256];

void main() {
  uint lane = gl_LocalInvocationID.x;
  bins[lane] = 0;
  barrier();
  uint i = gl_GlobalInvocationID.x;
  if (i < uint(src.length())) {
    uint word = src[i];
    for (uint shift = 0; shift < 32; shift += 8)
      atomicAdd(bins[(word >> shift) & 255u], 1u);
  }
  barrier();
  atomicAdd(counts[lane], bins[lane]);
}
