#version 450
// A 5x5 binomial blur of a single-channel picture in a buffer, clamped at the edges.
layout(local_size_x = 8, local_size_y = 8) in;

layout(push_constant) uniform Params {
  int width;
  int height;
} params;

layout(std430, set = 0, binding = 0) readonly buffer Src { float src[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Dst { float dst[]; };

const float kWeight[5] = float[](1.0, 4.0, 6.0, 4.0, 1.0);

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  if (p.x >= params.width || p.y >= params.height)
    return;
  float sum = 0.0;
  for (int dy = -2; dy <= 2; ++dy) {
    int y = clamp(p.y + dy, 0, params.height - 1);
    for (int dx = -2; dx <= 2; ++dx) {
      int x = clamp(p.x + dx, 0, params.width - 1);
      sum += kWeight[dx + 2] * kWeight[dy + 2] * src[y * params.width + x];
    }
  }
  dst[p.y * params.width + p.x] = sum / 256.0;
}
