#version 450
// Causal attention, a query of a head a workgroup: scores against all keys up to the query's
// own, softmax, and the weighted sum of values. Heads have 64 components, a lane each in the
// last step.
#define HEAD 64
#define MAX_KEYS 1024
layout(local_size_x = HEAD) in;

layout(push_constant) uniform Params {
  uint positions; // in the sequence, at most MAX_KEYS
  float scale;
} params;

// Each is [head][position][component].
layout(std430, set = 0, binding = 0) readonly buffer Queries { float queries[]; };
layout(std430, set = 0, binding = 1) readonly buffer Keys { float keys[]; };
layout(std430, set = 0, binding = 2) readonly buffer Values { float values[]; };
layout(std430, set = 0, binding = 3) writeonly buffer Result { float result[]; };

shared float query[HEAD];
shared float scores[MAX_KEYS];
shared float scratch[HEAD];

float largestOf(float value, uint lane) {
  scratch[lane] = value;
  barrier();
  for (uint stride = HEAD / 2; stride > 0; stride /= 2) {
    if (lane < stride)
      scratch[lane] = max(scratch[lane], scratch[lane + stride]);
    barrier();
  }
  float largest = scratch[0];
  barrier();
  return largest;
}

float sumOf(float value, uint lane) {
  scratch[lane] = value;
  barrier();
  for (uint stride = HEAD / 2; stride > 0; stride /= 2) {
    if (lane < stride)
      scratch[lane] += scratch[lane + stride];
    barrier();
  }
  return scratch[0];
}

void main() {
  uint lane = gl_LocalInvocationID.x;
  uint position = gl_WorkGroupID.x;
  uint head = gl_WorkGroupID.y * params.positions * HEAD;
  uint visible = min(min(position + 1, params.positions), MAX_KEYS);

  query[lane] = queries[head + position * HEAD + lane] * params.scale;
  barrier();
  float largest = -3.402823e38;
  for (uint key = lane; key < visible; key += HEAD) {
    float score = 0.0;
    for (uint i = 0; i < HEAD; ++i)
      score += query[i] * keys[head + key * HEAD + i];
    scores[key] = score;
    largest = max(largest, score);
  }
  largest = largestOf(largest, lane);

  float sum = 0.0;
  for (uint key = lane; key < visible; key += HEAD) {
    float weight = exp(scores[key] - largest);
    scores[key] = weight;
    sum += weight;
  }
  sum = sumOf(sum, lane);

  float weighted = 0.0;
  for (uint key = 0; key < visible; ++key)
    weighted += scores[key] * values[head + key * HEAD + lane];
  result[head + position * HEAD + lane] = weighted / sum;
}
