#version 450
// A 3x3 convolution with bias and rectifier, as networks have them: an output channel a layer of
// the grid. Zeros lie around the picture.
layout(local_size_x = 8, local_size_y = 8) in;

layout(push_constant) uniform Params {
  int width;
  int height;
  int inChannels;
  int outChannels;
} params;

layout(std430, set = 0, binding = 0) readonly buffer Src { float src[]; }; // [in][y][x]
layout(std430, set = 0, binding = 1) readonly buffer Weights { float weights[]; }; // [out][in][3][3]
layout(std430, set = 0, binding = 2) readonly buffer Bias { float bias[]; };
layout(std430, set = 0, binding = 3) writeonly buffer Dst { float dst[]; }; // [out][y][x]

void main() {
  ivec3 p = ivec3(gl_GlobalInvocationID);
  if (p.x >= params.width || p.y >= params.height || p.z >= params.outChannels)
    return;
  float sum = bias[p.z];
  for (int channel = 0; channel < params.inChannels; ++channel) {
    int filterStart = (p.z * params.inChannels + channel) * 9;
    int planeStart = channel * params.height * params.width;
    for (int ky = 0; ky < 3; ++ky) {
      int y = p.y + ky - 1;
      if (y < 0 || y >= params.height)
        continue;
      for (int kx = 0; kx < 3; ++kx) {
        int x = p.x + kx - 1;
        if (x < 0 || x >= params.width)
          continue;
        sum += weights[filterStart + ky * 3 + kx] * src[planeStart + y * params.width + x];
      }
    }
  }
  dst[(p.z * params.height + p.y) * params.width + p.x] = max(sum, 0.0);
}
