#version 450
// dst = transpose of src, one element an invocation: reads along rows, writes down columns.
layout(local_size_x = 8, local_size_y = 8) in;

layout(push_constant) uniform Params {
  uint width;
  uint height;
} params;

layout(std430, set = 0, binding = 0) readonly buffer Src { float src[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Dst { float dst[]; };

void main() {
  uvec2 p = gl_GlobalInvocationID.xy;
  if (p.x >= params.width || p.y >= params.height)
    return;
  dst[p.x * params.height + p.y] = src[p.y * params.width + p.x];
}
