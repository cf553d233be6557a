// S = 6x3 and P = 4x5x2: quotients and remainders of the global id; D·4/6 without the common factor. On z,
// where S is 1, the group is the global id and the local id 0.
// RUN: %opt --passes='canonicalize-workgroup-size,remap-ids<size=4x5x2>,strip-debug' --verify-each %s -o %t.spv
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s
// CHECK: OpDecorate %[[G:gl_GlobalInvocationID]] BuiltIn GlobalInvocationId
// CHECK: OpFunction
// CHECK: %[[G3:.*]] = OpLoad %v3uint %[[G]]
// CHECK-DAG: %[[GX:.*]] = OpCompositeExtract %uint %[[G3]] 0
// CHECK-DAG: %[[GY:.*]] = OpCompositeExtract %uint %[[G3]] 1
// CHECK-DAG: %[[GZ:.*]] = OpCompositeExtract %uint %[[G3]] 2
// CHECK-DAG: %[[WX:.*]] = OpUDiv %uint %[[GX]] %uint_6
// CHECK-DAG: %[[WY:.*]] = OpUDiv %uint %[[GY]] %uint_3
// CHECK-DAG: OpCompositeConstruct %v3uint %[[WX]] %[[WY]] %[[GZ]]
// CHECK-DAG: %[[LX:.*]] = OpUMod %uint %[[GX]] %uint_6
// CHECK-DAG: %[[LY:.*]] = OpUMod %uint %[[GY]] %uint_3
// CHECK-DAG: OpCompositeConstruct %v3uint %[[LX]] %[[LY]] %uint_0
// CHECK-DAG: %[[LY6:.*]] = OpIMul %uint %[[LY]] %uint_6
// CHECK-DAG: OpIAdd %uint %[[LX]] %[[LY6]]
// CHECK-DAG: %[[D2:.*]] = OpShiftLeftLogical %uint %{{.*}} %uint_1
// CHECK-DAG: OpUDiv %uint %[[D2]] %uint_3
#version 450
layout(local_size_x = 6, local_size_y = 3) in;
layout(set = 0, binding = 0) buffer B { uvec4 b[]; };
void main() {
  b[gl_GlobalInvocationID.x] = uvec4(gl_WorkGroupID, gl_LocalInvocationIndex);
  b[gl_GlobalInvocationID.y] += uvec4(gl_LocalInvocationID, gl_NumWorkGroups.x);
}
