// At vulkan1.3 glslang writes LocalSizeId even for literals, over a constant that an unrelated use
// shares: the size becomes literal, the constant keeps its value.
// RUN: glslangValidator -V --target-env vulkan1.3 %s -o %t.in.spv
// RUN: spirv-dis --no-header %t.in.spv | FileCheck %s --check-prefix=BEFORE
// RUN: %opt --passes=canonicalize-workgroup-size --verify-each %t.in.spv -o %t.spv
// RUN: spirv-val --target-env vulkan1.3 %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s --implicit-check-not=LocalSizeId
// BEFORE: OpExecutionModeId %main LocalSizeId %uint_7 %uint_3 %uint_1
// CHECK: OpExecutionMode %main LocalSize 7 3 1
// CHECK: %uint_7 = OpConstant %uint 7
// CHECK: OpStore %{{.*}} %uint_7
#version 450
layout(local_size_x = 7, local_size_y = 3) in;
layout(set = 0, binding = 0) buffer B { uint b; };
void main() { b = 7u; }
