#version 450
// y = W·x for a matrix of 4-bit weights in blocks of 32, as language models are stored for small
// devices: a block has a scale, and a nibble q stands for scale·(q - 8). Four lanes share a row.
layout(local_size_x = 4, local_size_y = 32) in;

layout(push_constant) uniform Params {
  uint rows;
  uint blocks; // in a row
} params;

layout(std430, set = 0, binding = 0) readonly buffer Weights { uvec4 weights[]; };
layout(std430, set = 0, binding = 1) readonly buffer Scales { uint scales[]; }; // two halves each
layout(std430, set = 0, binding = 2) readonly buffer X { vec4 x[]; };
layout(std430, set = 0, binding = 3) writeonly buffer Y { float y[]; };

shared float partial[32][4];

// The product of eight weights with eight elements of x.
float dotEight(uint word, uint at) {
  vec4 low = vec4((uvec4(word) >> uvec4(0, 4, 8, 12)) & 15u) - 8.0;
  vec4 high = vec4((uvec4(word) >> uvec4(16, 20, 24, 28)) & 15u) - 8.0;
  return dot(low, x[at]) + dot(high, x[at + 1]);
}

void main() {
  uint lane = gl_LocalInvocationID.x;
  uint rowInGroup = gl_LocalInvocationID.y;
  uint row = gl_GlobalInvocationID.y;
  float sum = 0.0;
  if (row < params.rows) {
    for (uint block = lane; block < params.blocks; block += gl_WorkGroupSize.x) {
      uint at = row * params.blocks + block;
      vec2 pair = unpackHalf2x16(scales[at / 2]);
      float scale = (at & 1u) == 0u ? pair.x : pair.y;
      uvec4 words = weights[at];
      float products = dotEight(words.x, block * 8);
      products += dotEight(words.y, block * 8 + 2);
      products += dotEight(words.z, block * 8 + 4);
      products += dotEight(words.w, block * 8 + 6);
      sum += scale * products;
    }
  }
  partial[rowInGroup][lane] = sum;
  barrier();
  if (lane == 0 && row < params.rows)
    y[row] = partial[rowInGroup][0] + partial[rowInGroup][1] + partial[rowInGroup][2] +
             partial[rowInGroup][3];
}
