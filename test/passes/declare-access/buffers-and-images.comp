// Buffers that are never written, images that are read or written alone; atomics count as writes. A second run finds nothing.
// RUN: glslangValidator -V --target-env vulkan1.1 %s -o %t.in.spv
// RUN: %opt --passes=declare-access --verify-each %t.in.spv -o %t.spv
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s --implicit-check-not='OpDecorate %written Non' --implicit-check-not='OpDecorate %counted Non' --implicit-check-not='OpDecorate %both Non'
// RUN: %opt --passes=declare-access --verify-each %t.spv -o %t.again.spv
// RUN: cmp %t.spv %t.again.spv
// CHECK-DAG: OpDecorate %only_read NonWritable
// CHECK-DAG: OpDecorate %source NonWritable
// CHECK-DAG: OpDecorate %target NonReadable
#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer R { uint r[]; } only_read;
layout(set = 0, binding = 1) buffer W { uint w[]; } written;
layout(set = 0, binding = 2) buffer C { uint c; } counted;
layout(set = 0, binding = 3, rgba8) uniform image2D source;
layout(set = 0, binding = 4, rgba8) uniform image2D target;
layout(set = 0, binding = 5, r32f) uniform image2D both;
void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  written.w[p.x] = only_read.r[p.y] + only_read.r.length();
  atomicAdd(counted.c, 1u);
  imageStore(target, p, imageLoad(source, p) + vec4(imageSize(target), 0, 0));
  imageStore(both, p, imageLoad(both, p.yx));
}
