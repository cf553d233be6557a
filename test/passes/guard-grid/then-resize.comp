// A kernel that no bounds check protects, at a size that does not divide the authored one. What stores first is
// guarded too.
// RUN: %opt --passes='canonicalize-workgroup-size,guard-grid,resize<size=100>' --verify-each %s -o %t.spv
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s
// RUN: %opt --passes='print-certificate' %t.spv | FileCheck %s --check-prefix=CERTIFICATE
// CHECK: LocalSize 100 1 1
// CHECK: OpULessThan
// CHECK: OpReturn
// CHECK: OpStore
// CERTIFICATE: gid.x < push_constant[0]
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
void main() {
  b[gl_GlobalInvocationID.x] = 1;
  b[gl_WorkGroupID.x * 64 + gl_LocalInvocationID.x] += 2;
}
