#version 450
// Exclusive prefix sums of blocks of 512 elements, by Blelloch's tree in workgroup memory. The
// sum of each block goes to a buffer of its own, for a second pass over the blocks.
layout(local_size_x = 256) in;

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
  uint low = gl_WorkGroupID.x * kBlock + lane;
  uint high = low + kBlock / 2;
  tree[lane] = low < params.n ? src[low] : 0;
  tree[lane + kBlock / 2] = high < params.n ? src[high] : 0;

  uint stride = 1;
  for (uint pairs = kBlock / 2; pairs > 0; pairs /= 2) {
    barrier();
    if (lane < pairs) {
      uint left = stride * (2 * lane + 1) - 1;
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
    if (lane < pairs) {
      uint left = stride * (2 * lane + 1) - 1;
      uint sum = tree[left];
      tree[left] = tree[left + stride];
      tree[left + stride] += sum;
    }
  }
  barrier();
  if (low < params.n)
    dst[low] = tree[lane];
  if (high < params.n)
    dst[high] = tree[lane + kBlock / 2];
}
