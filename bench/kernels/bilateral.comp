#version 450
// A bilateral filter of a picture: neighbours within three pixels weigh by distance and by
// likeness.
layout(local_size_x = 16, local_size_y = 16) in;

layout(push_constant) uniform Params {
  float distanceFalloff; // 1 / (2·sigma²), in pixels
  float colourFalloff;
} params;

layout(set = 0, binding = 0, rgba8) readonly uniform image2D src;
layout(set = 0, binding = 1, rgba8) writeonly uniform image2D dst;

const int kRadius = 3;

void main() {
  ivec2 size = imageSize(src);
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(p, size)))
    return;
  vec4 centre = imageLoad(src, p);
  vec3 sum = vec3(0.0);
  float weights = 0.0;
  for (int dy = -kRadius; dy <= kRadius; ++dy) {
    for (int dx = -kRadius; dx <= kRadius; ++dx) {
      vec3 colour = imageLoad(src, clamp(p + ivec2(dx, dy), ivec2(0), size - 1)).rgb;
      vec3 d = colour - centre.rgb;
      float weight = exp(-float(dx * dx + dy * dy) * params.distanceFalloff -
                         dot(d, d) * params.colourFalloff);
      sum += weight * colour;
      weights += weight;
    }
  }
  imageStore(dst, p, vec4(sum / weights, centre.a));
}
