// 8x4 lanes: x and y of the authored local id from the lane's index i.
// RUN: %opt --passes='canonicalize-workgroup-size,swizzle-lanes<order=column>,strip-debug' --verify-each %s -o %t.column.spv
// RUN: spirv-val --target-env vulkan1.1 %t.column.spv
// RUN: spirv-dis --no-header %t.column.spv | FileCheck %s --check-prefixes=CHECK,COLUMN
// RUN: %opt --passes='canonicalize-workgroup-size,swizzle-lanes<order=morton>,strip-debug' --verify-each %s -o %t.morton.spv
// RUN: spirv-val --target-env vulkan1.1 %t.morton.spv
// RUN: spirv-dis --no-header %t.morton.spv | FileCheck %s --check-prefixes=CHECK,MORTON
// RUN: %opt --passes='canonicalize-workgroup-size,swizzle-lanes<order=tile,tile=2x2>,strip-debug' --verify-each %s -o %t.tile.spv
// RUN: spirv-val --target-env vulkan1.1 %t.tile.spv
// RUN: spirv-dis --no-header %t.tile.spv | FileCheck %s --check-prefixes=CHECK,TILE
// RUN: %opt --passes='canonicalize-workgroup-size,swizzle-lanes<order=row,size=32>,strip-debug' --verify-each %s -o %t.row.spv
// RUN: spirv-val --target-env vulkan1.1 %t.row.spv
// RUN: spirv-dis --no-header %t.row.spv | FileCheck %s --check-prefixes=CHECK,ROW
// CHECK: OpEntryPoint GLCompute %{{.*}} "main" %[[INDEX:.*]]{{$}}
// COLUMN: LocalSize 8 4 1
// ROW: LocalSize 32 1 1
// CHECK: OpDecorate %[[INDEX]] BuiltIn LocalInvocationIndex
// CHECK: %[[I:.*]] = OpLoad %uint %[[INDEX]]
// COLUMN-NEXT: %[[X:.*]] = OpShiftRightLogical %uint %[[I]] %uint_2
// COLUMN-NEXT: %[[Y:.*]] = OpBitwiseAnd %uint %[[I]] %uint_3
// ROW-NEXT: %[[X:.*]] = OpBitwiseAnd %uint %[[I]] %uint_7
// ROW-NEXT: %[[Y:.*]] = OpShiftRightLogical %uint %[[I]] %uint_3
// Bits 0 and 2 are x's, 1 and 3 y's, bit 4 is x's.
// MORTON-NEXT: %[[X0:.*]] = OpBitwiseAnd %uint %[[I]] %uint_1
// MORTON-NEXT: %[[I1:.*]] = OpShiftRightLogical %uint %[[I]] %uint_1
// MORTON-NEXT: %[[X1:.*]] = OpBitwiseAnd %uint %[[I1]] %uint_2
// MORTON-NEXT: %[[X01:.*]] = OpBitwiseOr %uint %[[X0]] %[[X1]]
// MORTON-NEXT: %[[I4:.*]] = OpShiftRightLogical %uint %[[I]] %uint_4
// MORTON-NEXT: %[[X2:.*]] = OpShiftLeftLogical %uint %[[I4]] %uint_2
// MORTON-NEXT: %[[X:.*]] = OpBitwiseOr %uint %[[X01]] %[[X2]]
// MORTON-NEXT: %[[Y0:.*]] = OpBitwiseAnd %uint %[[I1]] %uint_1
// MORTON-NEXT: %[[I2:.*]] = OpShiftRightLogical %uint %[[I]] %uint_2
// MORTON-NEXT: %[[Y1:.*]] = OpBitwiseAnd %uint %[[I2]] %uint_2
// MORTON-NEXT: %[[Y:.*]] = OpBitwiseOr %uint %[[Y0]] %[[Y1]]
// TILE-NEXT: %[[TILE:.*]] = OpShiftRightLogical %uint %[[I]] %uint_2
// TILE-NEXT: %[[IN:.*]] = OpBitwiseAnd %uint %[[I]] %uint_3
// TILE-NEXT: %[[TX:.*]] = OpBitwiseAnd %uint %[[TILE]] %uint_3
// TILE-NEXT: %[[IX:.*]] = OpBitwiseAnd %uint %[[IN]] %uint_1
// TILE-NEXT: %[[TX2:.*]] = OpShiftLeftLogical %uint %[[TX]] %uint_1
// TILE-NEXT: %[[X:.*]] = OpIAdd %uint %[[TX2]] %[[IX]]
// TILE-NEXT: %[[TY:.*]] = OpShiftRightLogical %uint %[[TILE]] %uint_2
// TILE-NEXT: %[[IY:.*]] = OpShiftRightLogical %uint %[[IN]] %uint_1
// TILE-NEXT: %[[TY2:.*]] = OpShiftLeftLogical %uint %[[TY]] %uint_1
// TILE-NEXT: %[[Y:.*]] = OpIAdd %uint %[[TY2]] %[[IY]]
// CHECK-NEXT: %[[L:.*]] = OpCompositeConstruct %v3uint %[[X]] %[[Y]] %uint_0
#version 450
layout(local_size_x = 8, local_size_y = 4) in;
layout(set = 0, binding = 0) buffer B { uvec4 b[]; };
void main() { b[gl_LocalInvocationID.x] = uvec4(gl_LocalInvocationID, 0); }
