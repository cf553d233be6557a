#version 450
// A 5x5 binomial blur of an RGBA picture, from one storage image to another.
layout(local_size_x = 16, local_size_y = 16) in;

layout(set = 0, binding = 0, rgba8) readonly uniform image2D src;
layout(set = 0, binding = 1, rgba8) writeonly uniform image2D dst;

const float kWeight[5] = float[](1.0, 4.0, 6.0, 4.0, 1.0);

void main() {
  ivec2 size = imageSize(dst);
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  if (p.x >= size.x || p.y >= size.y)
    return;
  vec4 sum = vec4(0.0);
  for (int dy = -2; dy <= 2; ++dy) {
    for (int dx = -2; dx <= 2; ++dx) {
      ivec2 q = clamp(p + ivec2(dx, dy), ivec2(0), size - 1);
      sum += kWeight[dx + 2] * kWeight[dy + 2] * imageLoad(src, q);
    }
  }
  imageStore(dst, p, sum / 256.0);
}
