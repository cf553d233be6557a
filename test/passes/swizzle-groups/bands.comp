// Bands of 4 rows. What is computed is in the pass's header, and test/unit runs it for all small grids.
// RUN: %opt --passes='canonicalize-workgroup-size,swizzle-groups<rows=4>,strip-debug' --verify-each %s -o %t.spv
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s
// CHECK-DAG: OpDecorate %[[W:.*]] BuiltIn WorkgroupId
// CHECK-DAG: OpDecorate %[[N:.*]] BuiltIn NumWorkgroups
// CHECK: OpFunction
// CHECK: %[[W3:.*]] = OpLoad %v3uint %[[W]]
// CHECK: %[[X:.*]] = OpCompositeExtract %uint %[[W3]] 0
// CHECK: %[[Y:.*]] = OpCompositeExtract %uint %[[W3]] 1
// CHECK: %[[N3:.*]] = OpLoad %v3uint %[[N]]
// CHECK: %[[GX:.*]] = OpCompositeExtract %uint %[[N3]] 0
// CHECK: %[[ROW:.*]] = OpBitwiseAnd %uint %[[Y]] %uint_3
// CHECK: %[[BAND:.*]] = OpISub %uint %[[Y]] %[[ROW]]
// CHECK: %[[GY:.*]] = OpCompositeExtract %uint %[[N3]] 1
// CHECK: %[[LEFT:.*]] = OpISub %uint %[[GY]] %[[BAND]]
// CHECK: %[[LESS:.*]] = OpULessThan %bool %[[LEFT]] %uint_4
// CHECK: %[[H:.*]] = OpSelect %uint %[[LESS]] %[[LEFT]] %uint_4
// CHECK: %[[ROWX:.*]] = OpIMul %uint %[[ROW]] %[[GX]]
// CHECK: %[[R:.*]] = OpIAdd %uint %[[ROWX]] %[[X]]
// CHECK: %[[COLUMN:.*]] = OpUDiv %uint %[[R]] %[[H]]
// CHECK: %[[FITS:.*]] = OpULessThanEqual %bool %[[GX]] %uint_1073741823
// CHECK: %[[NX:.*]] = OpSelect %uint %[[FITS]] %[[COLUMN]] %[[X]]
// CHECK: OpShiftLeftLogical %uint %[[NX]] %uint_3
// CHECK-NOT: OpUDiv
#version 450
layout(local_size_x = 8, local_size_y = 2) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
void main() { b[gl_GlobalInvocationID.x] = gl_WorkGroupID.y; }
