#version 450
// y = a·x + y over n elements, in place.
layout(local_size_x = 64) in;

layout(push_constant) uniform Params {
  uint n;
  float a;
} params;

layout(std430, set = 0, binding = 0) readonly buffer X { float x[]; };
layout(std430, set = 0, binding = 1) buffer Y { float y[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= params.n)
    return;
  y[i] = params.a * x[i] + y[i];
}
