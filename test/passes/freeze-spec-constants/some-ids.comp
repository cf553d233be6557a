// Only the SpecIds asked for are frozen; what depends on another stays specializable.
// RUN: glslangValidator -V --target-env vulkan1.1 %s -o %t.in.spv
// RUN: %opt --passes='freeze-spec-constants<ids=0;2>' --verify-each %t.in.spv -o %t.spv
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s --implicit-check-not="SpecId 0" --implicit-check-not="SpecId 2"
// CHECK: OpDecorate %b SpecId 1
// CHECK: %a = OpConstant %uint 10
// CHECK: %b = OpSpecConstant %uint 20
// CHECK: OpSpecConstantOp %uint IAdd %a %b
// CHECK: %c = OpConstant %uint 30
#version 450
layout(local_size_x = 1) in;
layout(constant_id = 0) const uint a = 10;
layout(constant_id = 1) const uint b = 20;
const uint sum = a + b;
layout(constant_id = 2) const uint c = 30;
layout(set = 0, binding = 0) buffer B { uint x; };
void main() { x = sum * c; }
