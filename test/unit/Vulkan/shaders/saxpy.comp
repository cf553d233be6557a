#version 450
// Uniform buffer in set 1, push constant, specialization constants of 4 bytes, a size by SpecId.
layout(local_size_x_id = 0) in;
layout(constant_id = 7) const float bias = 0.0;
layout(constant_id = 8) const bool negate = false;
layout(set = 1, binding = 3) uniform Scale { float factor; } scale;
layout(set = 0, binding = 0) readonly buffer X { float x[]; };
layout(set = 0, binding = 1) buffer Y { float y[]; };
layout(push_constant) uniform Push { uint n; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < n) {
    float v = scale.factor * x[i] + y[i] + bias;
    y[i] = negate ? -v : v;
  }
}
