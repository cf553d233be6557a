// A module with one literal LocalSize keeps every byte.
// RUN: glslangValidator -V --target-env vulkan1.1 %s -o %t.glslang.spv
// RUN: %opt --passes=canonicalize-workgroup-size %t.glslang.spv -o %t.in.spv
// RUN: %opt --passes=canonicalize-workgroup-size --verify-each %t.in.spv -o %t.spv
// RUN: cmp %t.in.spv %t.spv
// RUN: spirv-val %t.spv
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
void main() { b[gl_GlobalInvocationID.x] = 1u; }
