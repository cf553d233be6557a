#version 450
// The Mandelbrot set with smooth colours. Neighbouring pixels leave the loop at different times.
layout(local_size_x = 8, local_size_y = 8) in;

layout(push_constant) uniform Params {
  vec2 centre;
  float scale; // half the height of the view
  int maxIterations;
} params;

layout(set = 0, binding = 0, rgba8) writeonly uniform image2D target;

void main() {
  ivec2 size = imageSize(target);
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  if (p.x >= size.x || p.y >= size.y)
    return;

  vec2 c = params.centre + params.scale * (2.0 * vec2(p) - vec2(size)) / float(size.y);
  vec2 z = vec2(0.0);
  int i = 0;
  while (i < params.maxIterations && dot(z, z) < 64.0) {
    z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
    ++i;
  }

  vec3 color = vec3(0.0);
  if (i < params.maxIterations) {
    float t = float(i) + 1.0 - log2(0.5 * log2(dot(z, z)));
    color = 0.5 + 0.5 * cos(0.15 * t + vec3(3.0, 3.6, 4.2));
  }
  imageStore(target, p, vec4(color, 1.0));
}
