#version 450
// The discrete cosine transform of 8x8 blocks as picture formats use it, a block a workgroup:
// along the rows, then along the columns. Blocks that reach over the edge repeat the last
// pixels.
layout(local_size_x = 8, local_size_y = 8) in;

layout(push_constant) uniform Params {
  uint width;
  uint height;
} params;

layout(std430, set = 0, binding = 0) readonly buffer Src { float src[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Dst { float coefficients[]; }; // by blocks

// kBasis[u][x] = c(u)·cos((2x + 1)·u·pi / 16); c(0) = sqrt(1/8), c(u) = 1/2 for the others.
const float kBasis[8][8] = float[8][8](
    float[8](0.353553, 0.353553, 0.353553, 0.353553, 0.353553, 0.353553, 0.353553, 0.353553),
    float[8](0.490393, 0.415735, 0.277785, 0.097545, -0.097545, -0.277785, -0.415735, -0.490393),
    float[8](0.461940, 0.191342, -0.191342, -0.461940, -0.461940, -0.191342, 0.191342, 0.461940),
    float[8](0.415735, -0.097545, -0.490393, -0.277785, 0.277785, 0.490393, 0.097545, -0.415735),
    float[8](0.353553, -0.353553, -0.353553, 0.353553, 0.353553, -0.353553, -0.353553, 0.353553),
    float[8](0.277785, -0.490393, 0.097545, 0.415735, -0.415735, -0.097545, 0.490393, -0.277785),
    float[8](0.191342, -0.461940, 0.461940, -0.191342, -0.191342, 0.461940, -0.461940, 0.191342),
    float[8](0.097545, -0.277785, 0.415735, -0.490393, 0.490393, -0.415735, 0.277785, -0.097545));

shared float block[8][8];

void main() {
  uvec2 local = gl_LocalInvocationID.xy;
  uvec2 p = min(gl_GlobalInvocationID.xy, uvec2(params.width, params.height) - 1);
  block[local.y][local.x] = src[p.y * params.width + p.x];
  barrier();
  float sum = 0.0;
  for (uint x = 0; x < 8; ++x)
    sum += kBasis[local.x][x] * block[local.y][x];
  barrier();
  block[local.y][local.x] = sum;
  barrier();
  sum = 0.0;
  for (uint y = 0; y < 8; ++y)
    sum += kBasis[local.y][y] * block[y][local.x];
  uint index = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  coefficients[index * 64 + gl_LocalInvocationIndex] = sum;
}
