#version 450
// One pass of a radix sort: blocks of 512 keys are sorted by a digit of four bits, keeping the
// order of equal digits. Counts of the digits, digit after digit over all blocks, are for the
// scan that follows.
#define LANES 128
#define KEYS 4
#define BLOCK (LANES * KEYS)
#define DIGITS 16
#define SPAN (DIGITS * LANES / LANES)
layout(local_size_x = LANES) in;

layout(push_constant) uniform Params {
  uint n;
  uint shift;
} params;

layout(std430, set = 0, binding = 0) readonly buffer Src { uint src[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Dst { uint dst[]; };
layout(std430, set = 0, binding = 2) writeonly buffer Counts { uint counts[]; };

shared uint counters[DIGITS * LANES]; // digit after digit, a counter for each lane
shared uint laneSums[LANES];
shared uint sorted[BLOCK];

uint digitOf(uint key) {
  return (key >> params.shift) & (DIGITS - 1);
}

// Counters become exclusive prefix sums: where the lane's first key of that digit goes.
void scanCounters(uint lane) {
  uint sum = 0;
  for (uint i = 0; i < SPAN; ++i) {
    uint count = counters[lane * SPAN + i];
    counters[lane * SPAN + i] = sum;
    sum += count;
  }
  laneSums[lane] = sum;
  barrier();
  for (uint distance = 1; distance < LANES; distance *= 2) {
    uint other = lane >= distance ? laneSums[lane - distance] : 0;
    barrier();
    laneSums[lane] += other;
    barrier();
  }
  uint before = lane > 0 ? laneSums[lane - 1] : 0;
  for (uint i = 0; i < SPAN; ++i)
    counters[lane * SPAN + i] += before;
  barrier();
}

void main() {
  uint lane = gl_LocalInvocationID.x;
  uint first = gl_WorkGroupID.x * BLOCK;
  for (uint digit = 0; digit < DIGITS; ++digit)
    counters[digit * LANES + lane] = 0;
  uint keys[KEYS];
  for (uint i = 0; i < KEYS; ++i) {
    uint at = first + lane * KEYS + i;
    keys[i] = at < params.n ? src[at] : 0xffffffffu;
    ++counters[digitOf(keys[i]) * LANES + lane];
  }
  barrier();
  scanCounters(lane);

  for (uint i = 0; i < KEYS; ++i) {
    uint counter = digitOf(keys[i]) * LANES + lane;
    sorted[counters[counter]] = keys[i];
    ++counters[counter];
  }
  barrier();
  for (uint at = lane; at < BLOCK; at += LANES)
    if (first + at < params.n)
      dst[first + at] = sorted[at];
  // The last lane's counters now stand at the ends of the digits. Keys past n came last.
  if (lane < DIGITS) {
    uint valid = min(params.n - first, BLOCK);
    uint begin = lane > 0 ? counters[lane * LANES - 1] : 0;
    uint end = counters[lane * LANES + LANES - 1];
    counts[lane * gl_NumWorkGroups.x + gl_WorkGroupID.x] = min(end, valid) - min(begin, valid);
  }
}
