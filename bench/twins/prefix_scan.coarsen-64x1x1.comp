#version 450
// prefix_scan by hand with eight elements of a block an invocation, and the pairs of a level of the
// tree shared out among 64 lanes.
#define LANES 64
layout(local_size_x = LANES) in;

layout(push_constant) uniform Params {
  uint n;
} params;

layout(std430, set = 0, binding = 0) readonly buffer Src { uint src[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Dst { uint dst[]; };
layout(std430, set = 0, binding = 2) writeonly buffer Sums { uint sums[]; };

const uint kBlock = 512;

shared uint tree[kBlock];

void main() {
  uint lane = gl_LocalInvocationID.x;
  uint first = gl_WorkGroupID.x * kBlock;
  for (uint at = lane; at < kBlock; at += LANES)
    tree[at] = first + at < params.n ? src[first + at] : 0;

  uint stride = 1;
  for (uint pairs = kBlock / 2; pairs > 0; pairs /= 2) {
    barrier();
    for (uint pair = lane; pair < pairs; pair += LANES) {
      uint left = stride * (2 * pair + 1) - 1;
      tree[left + stride] += tree[left];
    }
    stride *= 2;
  }
  if (lane == 0) {
    sums[gl_WorkGroupID.x] = tree[kBlock - 1];
    tree[kBlock - 1] = 0;
  }
  for (uint pairs = 1; pairs < kBlock; pairs *= 2) {
    stride /= 2;
    barrier();
    for (uint pair = lane; pair < pairs; pair += LANES) {
      uint left = stride * (2 * pair + 1) - 1;
      uint sum = tree[left];
      tree[left] = tree[left + stride];
      tree[left + stride] += sum;
    }
  }
  barrier();
  for (uint at = lane; at < kBlock; at += LANES)
    if (first + at < params.n)
      dst[first + at] = tree[at];
}
