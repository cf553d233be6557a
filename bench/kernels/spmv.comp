#version 450
// y = A·x for a sparse matrix in compressed rows, a row an invocation. Row starts are kept as
// their distance from even spacing, a byte each, which is how formats that save bandwidth keep
// them.
layout(local_size_x = 64) in;

layout(push_constant) uniform Params {
  uint rows;
  uint spacing; // of row starts, on average
} params;

layout(std430, set = 0, binding = 0) readonly buffer Starts { uint starts[]; }; // four bytes each
layout(std430, set = 0, binding = 1) readonly buffer Columns { uint columns[]; };
layout(std430, set = 0, binding = 2) readonly buffer Values { float values[]; };
layout(std430, set = 0, binding = 3) readonly buffer X { float x[]; };
layout(std430, set = 0, binding = 4) writeonly buffer Y { float y[]; };

uint startOf(uint row) {
  return row * params.spacing + bitfieldExtract(starts[row / 4], int(row % 4) * 8, 8);
}

void main() {
  uint row = gl_GlobalInvocationID.x;
  if (row >= params.rows)
    return;
  uint end = startOf(row + 1);
  float sum = 0.0;
  for (uint i = startOf(row); i < end; ++i)
    sum += values[i] * x[columns[i]];
  y[row] = sum;
}
