// An axis that is not packed keeps its ids; nothing is computed that is not read. Without
// workgroup memory there is nothing to copy.
// RUN: %opt --passes='canonicalize-workgroup-size,pack-groups<size=128x1x1>,strip-debug' --verify-each %s -o %t.spv
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s
// CHECK: LocalSize 128 1 1
// CHECK-NOT: OpTypePointer Workgroup
// CHECK: OpFunction
// CHECK-COUNT-1: OpBitwiseAnd %uint %{{.*}} %uint_31
// CHECK-NOT: OpShiftRightLogical
// CHECK-NOT: OpBitwiseAnd
// CHECK: OpFunctionEnd
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
void main() {
  a[gl_GlobalInvocationID.x] = gl_LocalInvocationID.x + gl_WorkGroupID.y + gl_LocalInvocationID.z;
}
