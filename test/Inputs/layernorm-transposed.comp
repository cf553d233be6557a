#version 450
// The layer normalisation of bench/kernels, its matrix the other way round: lanes that are neighbours
// read neighbouring elements.
layout(local_size_x = 64) in;

layout(push_constant) uniform Params {
  uint rows;
  uint columns;
  float epsilon;
} params;

layout(std430, set = 0, binding = 0) readonly buffer Src { float src[]; };
layout(std430, set = 0, binding = 1) readonly buffer Scale { float gamma[]; };
layout(std430, set = 0, binding = 2) readonly buffer Shift { float beta[]; };
layout(std430, set = 0, binding = 3) writeonly buffer Dst { float dst[]; };

void main() {
  uint row = gl_GlobalInvocationID.x;
  if (row >= params.rows)
    return;

  float sum = 0.0;
  for (uint i = 0; i < params.columns; ++i)
    sum += src[i * params.rows + row];
  float mean = sum / float(params.columns);

  float squares = 0.0;
  for (uint i = 0; i < params.columns; ++i) {
    float d = src[i * params.rows + row] - mean;
    squares += d * d;
  }
  float scale = inversesqrt(squares / float(params.columns) + params.epsilon);

  for (uint i = 0; i < params.columns; ++i)
    dst[i * params.rows + row] = (src[i * params.rows + row] - mean) * scale * gamma[i] + beta[i];
}
