// S = 64 and P = 16, 64 and 256 on x: shifts and masks of the device's ids, no division of the global id.
// RUN: %opt --passes='canonicalize-workgroup-size,remap-ids<size=16>,strip-debug' --verify-each %s -o %t.16.spv
// RUN: spirv-val --target-env vulkan1.1 %t.16.spv
// RUN: spirv-dis --no-header %t.16.spv | FileCheck %s --check-prefix=LESS
// RUN: %opt --passes='canonicalize-workgroup-size,remap-ids<size=256>,strip-debug' --verify-each %s -o %t.256.spv
// RUN: spirv-val --target-env vulkan1.1 %t.256.spv
// RUN: spirv-dis --no-header %t.256.spv | FileCheck %s --check-prefix=MORE
// RUN: %opt --passes='canonicalize-workgroup-size,remap-ids<size=64x2>,strip-debug' --verify-each %s -o %t.same.spv
// RUN: spirv-dis --no-header %t.same.spv | FileCheck %s --check-prefix=SAME
// LESS: LocalSize 16 1 1
// LESS-DAG: OpDecorate %[[W:.*]] BuiltIn WorkgroupId
// LESS-DAG: OpDecorate %[[L:.*]] BuiltIn LocalInvocationId
// LESS-DAG: OpDecorate %[[N:.*]] BuiltIn NumWorkgroups
// LESS: OpFunction
// LESS-DAG: %[[W3:.*]] = OpLoad %v3uint %[[W]]
// LESS-DAG: %[[WX:.*]] = OpCompositeExtract %uint %[[W3]] 0
// LESS-DAG: OpShiftRightLogical %uint %[[WX]] %uint_2
// LESS-DAG: %[[PART:.*]] = OpBitwiseAnd %uint %[[WX]] %uint_3
// LESS-DAG: %[[FIRST:.*]] = OpShiftLeftLogical %uint %[[PART]] %uint_4
// LESS-DAG: %[[L3:.*]] = OpLoad %v3uint %[[L]]
// LESS-DAG: %[[LX:.*]] = OpCompositeExtract %uint %[[L3]] 0
// LESS-DAG: OpIAdd %uint %[[FIRST]] %[[LX]]
// LESS-DAG: %[[N3:.*]] = OpLoad %v3uint %[[N]]
// LESS-DAG: %[[NX:.*]] = OpCompositeExtract %uint %[[N3]] 0
// LESS-DAG: OpShiftRightLogical %uint %[[NX]] %uint_2
// LESS-NOT: OpUDiv
// MORE: LocalSize 256 1 1
// MORE-DAG: OpDecorate %[[W:.*]] BuiltIn WorkgroupId
// MORE-DAG: OpDecorate %[[L:.*]] BuiltIn LocalInvocationId
// MORE: OpFunction
// MORE-DAG: %[[W3:.*]] = OpLoad %v3uint %[[W]]
// MORE-DAG: %[[WX:.*]] = OpCompositeExtract %uint %[[W3]] 0
// MORE-DAG: %[[FIRST:.*]] = OpShiftLeftLogical %uint %[[WX]] %uint_2
// MORE-DAG: %[[L3:.*]] = OpLoad %v3uint %[[L]]
// MORE-DAG: %[[LX:.*]] = OpCompositeExtract %uint %[[L3]] 0
// MORE-DAG: %[[AMONG:.*]] = OpShiftRightLogical %uint %[[LX]] %uint_6
// MORE-DAG: OpIAdd %uint %[[FIRST]] %[[AMONG]]
// MORE-DAG: OpBitwiseAnd %uint %[[LX]] %uint_63
// MORE-NOT: OpUDiv
// SAME: LocalSize 64 2 1
// SAME: OpFunction
// SAME-NOT: OpShift
// SAME-NOT: OpUDiv
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
void main() {
  b[gl_GlobalInvocationID.x] =
      gl_WorkGroupID.x * gl_NumWorkGroups.x * 1000 + gl_LocalInvocationID.x;
}
