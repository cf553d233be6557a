// Behind guard-grid: the number of groups comes from the grid on the guarded axis, from the device's on the other,
// and the ids are computed inside the guard alone.
// RUN: %opt --passes='canonicalize-workgroup-size,guard-grid<axes=x>,remap-ids<size=100x2>' --verify-each %s -o %t.spv
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s
// CHECK: LocalSize 100 2 1
// CHECK: %main = OpFunction
// CHECK: OpULessThan
// CHECK: OpReturn
// CHECK: OpAccessChain %_ptr_PushConstant_uint
// CHECK: %[[N:.*]] = OpLoad %uint
// CHECK: %[[GX:.*]] = OpShiftRightLogical %uint %[[N]] %uint_6
// CHECK: OpStore
#version 450
layout(local_size_x = 64, local_size_y = 4) in;
layout(set = 0, binding = 0) buffer B { uvec4 b[]; };
void main() {
  b[gl_GlobalInvocationID.x] =
      uvec4(gl_NumWorkGroups.x, gl_NumWorkGroups.y, gl_WorkGroupID.x, gl_LocalInvocationID.y);
}
