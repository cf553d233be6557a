#version 450
// Softmax of the rows of a matrix, a row a workgroup: the largest element, the sum of
// exponentials, the quotients. Lanes stride over the row; both reductions go through workgroup
// memory.
layout(local_size_x = 256) in;

layout(push_constant) uniform Params {
  uint rows;
  uint columns;
} params;

layout(std430, set = 0, binding = 0) readonly buffer Src { float src[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Dst { float dst[]; };

shared float scratch[256];

void main() {
  uint row = gl_WorkGroupID.x;
  if (row >= params.rows)
    return;
  uint lane = gl_LocalInvocationID.x;
  uint base = row * params.columns;

  float largest = -3.402823e38;
  for (uint i = lane; i < params.columns; i += gl_WorkGroupSize.x)
    largest = max(largest, src[base + i]);
  scratch[lane] = largest;
  barrier();
  for (uint stride = gl_WorkGroupSize.x / 2; stride > 0; stride /= 2) {
    if (lane < stride)
      scratch[lane] = max(scratch[lane], scratch[lane + stride]);
    barrier();
  }
  largest = scratch[0];
  barrier();

  float sum = 0.0;
  for (uint i = lane; i < params.columns; i += gl_WorkGroupSize.x)
    sum += exp(src[base + i] - largest);
  scratch[lane] = sum;
  barrier();
  for (uint stride = gl_WorkGroupSize.x / 2; stride > 0; stride /= 2) {
    if (lane < stride)
      scratch[lane] += scratch[lane + stride];
    barrier();
  }
  float scale = 1.0 / scratch[0];

  for (uint i = lane; i < params.columns; i += gl_WorkGroupSize.x)
    dst[base + i] = exp(src[base + i] - largest) * scale;
}
