#version 450
// A separate image and sampler beside a combined one.
layout(local_size_x = 4, local_size_y = 4) in;
layout(set = 0, binding = 0) uniform texture2D image;
layout(set = 0, binding = 1) uniform sampler linearSampler;
layout(set = 0, binding = 2) uniform sampler2D nearest;
layout(set = 0, binding = 3) writeonly buffer Out { vec4 data[]; };
void main() {
  uvec2 p = gl_GlobalInvocationID.xy;
  vec2 uv = (vec2(p) + 1.0) / 4.0; // between texels
  float soft = textureLod(sampler2D(image, linearSampler), uv, 0).x;
  float hard = textureLod(nearest, (vec2(p) + 0.5) / 4.0, 0).x;
  float beyond = textureLod(sampler2D(image, linearSampler), vec2(1.125, 0.125), 0).x;
  data[p.y * 4 + p.x] = vec4(soft, hard, beyond, 1);
}
