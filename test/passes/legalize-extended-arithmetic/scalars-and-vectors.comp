// All four operations, scalars and vectors: none is left, nor their structures, and a second run finds nothing.
// RUN: glslangValidator -V --target-env vulkan1.1 %s -o %t.in.spv
// RUN: spirv-dis --no-header %t.in.spv | FileCheck %s --check-prefix=BEFORE
// RUN: %opt --passes=legalize-extended-arithmetic --verify-each %t.in.spv -o %t.spv
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s --implicit-check-not=Extended --implicit-check-not=Carry --implicit-check-not=Borrow --implicit-check-not=ResType
// RUN: %opt --passes=legalize-extended-arithmetic --verify-each %t.spv -o %t.again.spv
// RUN: cmp %t.spv %t.again.spv
// BEFORE: OpIAddCarry %ResType
// BEFORE: OpISubBorrow %ResType
// BEFORE: OpSMulExtended %ResType
// BEFORE: OpUMulExtended %ResType
// The carry: 1 where the sum is below its first part.
// CHECK: %[[A:.*]] = OpLoad %uint
// CHECK: %[[B:.*]] = OpLoad %uint
// CHECK: %[[SUM:.*]] = OpIAdd %uint %[[A]] %[[B]]
// CHECK: %[[LESS:.*]] = OpULessThan %bool %[[SUM]] %[[A]]
// CHECK: %[[CARRY:.*]] = OpSelect %uint %[[LESS]] %uint_1 %uint_0
// CHECK: OpStore %carry %[[CARRY]]
// CHECK: OpStore %{{.*}} %[[SUM]]
// The borrow, of vectors.
// CHECK: %[[X:.*]] = OpLoad %v3uint
// CHECK: %[[Y:.*]] = OpLoad %v3uint
// CHECK: OpISub %v3uint %[[X]] %[[Y]]
// CHECK: OpULessThan %v3bool %[[X]] %[[Y]]
// CHECK: OpSelect %v3uint
// Signs are read in the unsigned type.
// CHECK: OpBitcast %uint
// CHECK: OpIMul %uint
// CHECK: OpBitcast %int
// CHECK: OpIMul %v2uint
// CHECK: OpFunctionEnd
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { uint a, b; uvec3 x, y; ivec2 i; uvec2 u; uint outputs[]; };
void main() {
  uint carry, high, low;
  uvec3 borrow;
  outputs[0] = uaddCarry(a, b, carry);
  outputs[1] = carry;
  x = usubBorrow(x, y, borrow);
  y = borrow;
  int signedHigh, signedLow;
  imulExtended(i.x, i.y, signedHigh, signedLow);
  i = ivec2(signedHigh, signedLow);
  uvec2 highs, lows;
  umulExtended(u, u.yx, highs, lows);
  u = highs + lows;
}
