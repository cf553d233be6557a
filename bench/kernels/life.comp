#version 450
// A generation of Conway's game of life, a word a cell, on a board whose edges meet.
layout(local_size_x = 16, local_size_y = 16) in;

layout(push_constant) uniform Params {
  int width;
  int height;
} params;

layout(std430, set = 0, binding = 0) readonly buffer Src { uint src[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Dst { uint dst[]; };

uint cell(ivec2 p) {
  ivec2 q = (p + ivec2(params.width, params.height)) % ivec2(params.width, params.height);
  return src[q.y * params.width + q.x];
}

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  if (p.x >= params.width || p.y >= params.height)
    return;
  uint neighbours = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx != 0 || dy != 0)
        neighbours += cell(p + ivec2(dx, dy));
  bool alive = cell(p) != 0;
  bool next = neighbours == 3 || (alive && neighbours == 2);
  dst[p.y * params.width + p.x] = next ? 1 : 0;
}
