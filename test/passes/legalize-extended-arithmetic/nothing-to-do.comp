// A kernel without such operations stays as it is, byte for byte.
// RUN: glslangValidator -V --target-env vulkan1.1 %s -o %t.in.spv
// RUN: %opt --passes=legalize-extended-arithmetic --verify-each %t.in.spv -o %t.spv
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: cmp %t.in.spv %t.spv
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { uint a; };
void main() { a = a * a + 1; }
