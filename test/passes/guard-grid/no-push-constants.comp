// No push constants yet: a block of its own, at offset 0. Only the axis that is asked for is checked.
// RUN: %opt --passes='canonicalize-workgroup-size,guard-grid<axes=y>,strip-debug' --verify-each %s -o %t.spv 2>&1 | FileCheck %s --check-prefix=NOTE
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s
// NOTE: note: the grid of 'main' goes into push constants, 12 bytes at offset 0
// CHECK: OpDecorate %gl_GlobalInvocationID
// CHECK-NEXT: OpDecorate %[[BLOCK:.*]] Block
// CHECK-NEXT: OpMemberDecorate %[[BLOCK]] 0 Offset 0
// CHECK: OpMemberDecorate %[[BLOCK]] 1 Offset 4
// CHECK: OpMemberDecorate %[[BLOCK]] 2 Offset 8
// CHECK: %[[BLOCK]] = OpTypeStruct %uint %uint %uint
// CHECK: OpULessThan
// CHECK-NOT: OpULessThan
#version 450
layout(local_size_x = 8, local_size_y = 4) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
void main() { b[gl_GlobalInvocationID.y * 64 + gl_GlobalInvocationID.x] = 1; }
