// Two groups along x and three along y in one: ids by mod and div of the authored size, the copy's
// number in front of the tile's indices.
// RUN: %opt --passes='canonicalize-workgroup-size,pack-groups<size=16x12x1>,strip-debug' --verify-each %s -o %t.spv
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s
// CHECK: OpExecutionMode %{{.*}} LocalSize 16 12 1
// CHECK: %[[SIX:.*]] = OpConstant %uint 6
// CHECK: %[[ALL:.*]] = OpTypeArray %[[TILE:_arr__arr_float_uint_9_uint_4]] %[[SIX]]
// CHECK: %[[TO_ALL:.*]] = OpTypePointer Workgroup %[[ALL]]
// CHECK: %[[VAR:.*]] = OpVariable %[[TO_ALL]] Workgroup
// The copy: x/8 + 2*(y/4).
// CHECK: %[[L:.*]] = OpLoad %v3uint
// CHECK: %[[LX:.*]] = OpCompositeExtract %uint %[[L]] 0
// CHECK: %[[GX:.*]] = OpShiftRightLogical %uint %[[LX]] %uint_3
// CHECK: %[[LY:.*]] = OpCompositeExtract %uint %[[L]] 1
// CHECK: %[[GY:.*]] = OpShiftRightLogical %uint %[[LY]] %uint_2
// CHECK: %[[GY2:.*]] = OpShiftLeftLogical %uint %[[GY]] %uint_1
// CHECK: %[[COPY:.*]] = OpIAdd %uint %[[GX]] %[[GY2]]
// Local ids, then the group's: 3*y + y/4.
// CHECK: OpBitwiseAnd %uint %{{.*}} %uint_7
// CHECK: OpBitwiseAnd %uint %{{.*}} %uint_3
// CHECK: %[[W3:.*]] = OpIMul %uint %{{.*}} %uint_3
// CHECK: OpIAdd %uint %[[W3]]
// CHECK: OpAccessChain %_ptr_Workgroup_float %[[VAR]] %[[COPY]] %{{.*}} %{{.*}}
// CHECK: OpControlBarrier
// CHECK: OpAccessChain %_ptr_Workgroup_float %[[VAR]] %[[COPY]] %{{.*}} %{{.*}}
// CHECK-NOT: OpAccessChain %_ptr_Workgroup_float %[[VAR]] %[[COPY]]
#version 450
layout(local_size_x = 8, local_size_y = 4) in;
layout(set = 0, binding = 0) buffer A { float a[]; };
shared float tile[4][9];
void main() {
  uvec2 l = gl_LocalInvocationID.xy;
  tile[l.y][l.x] = a[gl_WorkGroupID.y * 64 + l.y];
  barrier();
  a[gl_GlobalInvocationID.y * 1024 + gl_GlobalInvocationID.x] = tile[3 - l.y][7 - l.x];
}
