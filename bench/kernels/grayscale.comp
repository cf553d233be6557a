#version 450
// Luma (BT.709 weights) of a sampled picture, into a storage image.
layout(local_size_x = 8, local_size_y = 8) in;

layout(set = 0, binding = 0) uniform sampler2D src;
layout(set = 0, binding = 1, rgba8) writeonly uniform image2D dst;

void main() {
  ivec2 size = imageSize(dst);
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(p, size)))
    return;
  vec2 uv = (vec2(p) + 0.5) / vec2(size);
  vec3 color = textureLod(src, uv, 0.0).rgb;
  float luma = dot(color, vec3(0.2126, 0.7152, 0.0722));
  imageStore(dst, p, vec4(vec3(luma), 1.0));
}
