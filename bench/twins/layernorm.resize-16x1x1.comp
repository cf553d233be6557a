#version 450
// layernorm by hand with 16 rows a workgroup.
layout(local_size_x = 16) in;

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
  uint base = row * params.columns;

  float sum = 0.0;
  for (uint i = 0; i < params.columns; ++i)
    sum += src[base + i];
  float mean = sum / float(params.columns);

  float squares = 0.0;
  for (uint i = 0; i < params.columns; ++i) {
    float d = src[base + i] - mean;
    squares += d * d;
  }
  float scale = inversesqrt(squares / float(params.columns) + params.epsilon);

  for (uint i = 0; i < params.columns; ++i)
    dst[base + i] = (src[base + i] - mean) * scale * gamma[i] + beta[i];
}
