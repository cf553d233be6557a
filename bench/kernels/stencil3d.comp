#version 450
// A step of the heat equation on a grid in three dimensions: each inner cell moves towards the
// mean of its six neighbours. Cells at the border keep their value.
layout(local_size_x = 8, local_size_y = 8, local_size_z = 4) in;

layout(push_constant) uniform Params {
  uint nx;
  uint ny;
  uint nz;
  float rate;
} params;

layout(std430, set = 0, binding = 0) readonly buffer Src { float src[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Dst { float dst[]; };

void main() {
  uvec3 p = gl_GlobalInvocationID;
  if (p.x >= params.nx || p.y >= params.ny || p.z >= params.nz)
    return;
  uint row = params.nx;
  uint plane = params.nx * params.ny;
  uint at = p.z * plane + p.y * row + p.x;
  float centre = src[at];
  float next = centre;
  if (p.x > 0 && p.x < params.nx - 1 && p.y > 0 && p.y < params.ny - 1 && p.z > 0 &&
      p.z < params.nz - 1) {
    float sum = src[at - 1] + src[at + 1] + src[at - row] + src[at + row] + src[at - plane] +
                src[at + plane];
    next = centre + params.rate * (sum - 6.0 * centre);
  }
  dst[at] = next;
}
