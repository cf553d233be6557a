#version 450
// histogram_shared by hand with four words and four bins an invocation, 64 apart.
#define BINS 256
#define LANES 64
layout(local_size_x = LANES) in;

layout(std430, set = 0, binding = 0) readonly buffer Src { uint src[]; };
layout(std430, set = 0, binding = 1) buffer Counts { uint counts[BINS]; };

shared uint bins[BINS];

void main() {
  uint lane = gl_LocalInvocationID.x;
  for (uint bin = lane; bin < BINS; bin += LANES)
    bins[bin] = 0;
  barrier();
  uint first = gl_WorkGroupID.x * BINS + lane;
  uint words = uint(src.length());
  uint word[BINS / LANES];
  for (uint at = 0; at < BINS / LANES; ++at)
    word[at] = first + at * LANES < words ? src[first + at * LANES] : 0;
  for (uint at = 0; at < BINS / LANES; ++at)
    if (first + at * LANES < words)
      for (uint shift = 0; shift < 32; shift += 8)
        atomicAdd(bins[(word[at] >> shift) & 255u], 1u);
  barrier();
  for (uint bin = lane; bin < BINS; bin += LANES)
    atomicAdd(counts[bin], bins[bin]);
}
