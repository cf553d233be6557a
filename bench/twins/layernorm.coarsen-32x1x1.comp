#version 450
// layernorm by hand with two rows an invocation, 32 apart, which are walked side by side. Where the
// second is none, the first is walked in its place and written once.
#define LANES 32
layout(local_size_x = LANES) in;

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
  uint row = gl_WorkGroupID.x * 2 * LANES + gl_LocalInvocationID.x;
  if (row >= params.rows)
    return;
  bool both = row + LANES < params.rows;
  uint base0 = row * params.columns;
  uint base1 = both ? (row + LANES) * params.columns : base0;

  float sum0 = 0.0;
  float sum1 = 0.0;
  for (uint i = 0; i < params.columns; ++i) {
    sum0 += src[base0 + i];
    sum1 += src[base1 + i];
  }
  float mean0 = sum0 / float(params.columns);
  float mean1 = sum1 / float(params.columns);

  float squares0 = 0.0;
  float squares1 = 0.0;
  for (uint i = 0; i < params.columns; ++i) {
    float d0 = src[base0 + i] - mean0;
    float d1 = src[base1 + i] - mean1;
    squares0 += d0 * d0;
    squares1 += d1 * d1;
  }
  float scale0 = inversesqrt(squares0 / float(params.columns) + params.epsilon);
  float scale1 = inversesqrt(squares1 / float(params.columns) + params.epsilon);

  for (uint i = 0; i < params.columns; ++i) {
    float g = gamma[i];
    float b = beta[i];
    dst[base0 + i] = (src[base0 + i] - mean0) * scale0 * g + b;
    if (both)
      dst[base1 + i] = (src[base1 + i] - mean1) * scale1 * g + b;
  }
}
