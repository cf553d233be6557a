// The authored size is always legal, also for a kernel that no other size suits.
// RUN: glslangValidator -V --target-env vulkan1.1 %s -o %t.glslang.spv
// RUN: %opt --passes=canonicalize-workgroup-size %t.glslang.spv -o %t.in.spv
// RUN: %opt --passes='resize<size=64>' --verify-each %t.in.spv -o %t.spv
// RUN: cmp %t.in.spv %t.spv
// RUN: spirv-val %t.spv
// RUN: not %opt --passes='canonicalize-workgroup-size,resize<size=32>' %s -o %t.none.spv 2>&1 | FileCheck %s
// RUN: not ls %t.none.spv
// CHECK: authored-size.comp:[[#@LINE+6]]: error: workgroup memory 'tile' is shared inside a workgroup
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
shared uint tile[64];
void main() {
  tile[gl_LocalInvocationIndex] = b[gl_GlobalInvocationID.x];
  barrier();
  b[gl_GlobalInvocationID.x] = tile[63 - gl_LocalInvocationIndex];
}
