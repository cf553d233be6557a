#version 450
// A coarser level of a grid of voxels: each takes the colours of 2x2x2 finer ones, by their opacity.
layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;

layout(set = 0, binding = 0, rgba8) readonly uniform image3D src;
layout(set = 0, binding = 1, rgba8) writeonly uniform image3D dst;

void main() {
  ivec3 size = imageSize(dst);
  ivec3 p = ivec3(gl_GlobalInvocationID);
  if (p.x >= size.x || p.y >= size.y || p.z >= size.z)
    return;
  ivec3 last = imageSize(src) - 1;
  vec4 sum = vec4(0.0);
  for (int i = 0; i < 8; ++i) {
    ivec3 corner = ivec3(i & 1, (i >> 1) & 1, i >> 2);
    vec4 voxel = imageLoad(src, min(2 * p + corner, last));
    sum += vec4(voxel.rgb * voxel.a, voxel.a);
  }
  vec3 colour = sum.a > 0.0 ? sum.rgb / sum.a : vec3(0.0);
  imageStore(dst, p, vec4(colour, sum.a / 8.0));
}
