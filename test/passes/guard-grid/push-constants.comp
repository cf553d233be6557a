// The grid behind the kernel's own block, which ends at 12: x, y, z from there. Its type is a copy with the
// decorations, the old one is gone. The check stands in front of everything.
// RUN: %opt --passes='canonicalize-workgroup-size,guard-grid' --verify-each %s -o %t.spv 2>&1 | FileCheck %s --check-prefix=NOTE
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s
// NOTE: push-constants.comp: note: the grid of 'main' goes into push constants, 12 bytes at offset 12
// CHECK: OpMemberName %P 2 "gridX"
// CHECK: OpMemberDecorate %P 1 Offset 4
// CHECK: OpDecorate %P Block
// CHECK: OpMemberDecorate %P 2 Offset 12
// CHECK: OpMemberDecorate %P 3 Offset 16
// CHECK: OpMemberDecorate %P 4 Offset 20
// CHECK-NOT: OpTypeStruct %uint %_arr_float_uint_2{{$}}
// CHECK: %P = OpTypeStruct %uint %_arr_float_uint_2 %uint %uint %uint
// CHECK-NOT: OpVariable %{{.*}} PushConstant
// CHECK: %p = OpVariable %{{.*}} PushConstant
// CHECK-NOT: OpVariable %{{.*}} PushConstant
// CHECK: %main = OpFunction
// CHECK: OpVariable %_ptr_Function_float Function
// CHECK: %[[G:.*]] = OpLoad %v3uint %gl_GlobalInvocationID
// CHECK: %[[X:.*]] = OpCompositeExtract %uint %[[G]] 0
// CHECK: %[[PX:.*]] = OpAccessChain %_ptr_PushConstant_uint %p %uint_2
// CHECK: %[[NX:.*]] = OpLoad %uint %[[PX]]
// CHECK: %[[IX:.*]] = OpULessThan %bool %[[X]] %[[NX]]
// CHECK: %[[IY:.*]] = OpULessThan %bool
// CHECK: %[[IXY:.*]] = OpLogicalAnd %bool %[[IX]] %[[IY]]
// CHECK: %[[IZ:.*]] = OpULessThan %bool
// CHECK: %[[ALL:.*]] = OpLogicalAnd %bool %[[IXY]] %[[IZ]]
// CHECK: OpSelectionMerge %[[BODY:.*]] None
// CHECK: OpBranchConditional %[[ALL]] %[[BODY]] %[[OUT:.*]]
// CHECK: %[[OUT]] = OpLabel
// CHECK-NEXT: OpReturn
// CHECK: %[[BODY]] = OpLabel
// CHECK-NOT: OpVariable
// CHECK: OpAccessChain %{{.*}} %p %int_1
#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer B { float b[]; };
layout(push_constant) uniform P { uint width; float v[2]; } p;
void main() {
  float sum = p.v[1];
  if (gl_GlobalInvocationID.x < p.width)
    b[gl_GlobalInvocationID.x] = sum;
}
