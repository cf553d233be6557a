// A kernel that reads the global id alone: the literal size changes and nothing else.
// RUN: glslangValidator -V --target-env vulkan1.1 %s -o %t.glslang.spv
// RUN: %opt --passes=canonicalize-workgroup-size %t.glslang.spv -o %t.in.spv
// RUN: %opt --passes='resize<size=64x1x1>' --verify-each %t.in.spv -o %t.spv
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: spirv-dis %t.in.spv -o %t.in.txt
// RUN: sed 's/LocalSize 8 8 1/LocalSize 64 1 1/' %t.in.txt > %t.expected.txt
// RUN: grep "LocalSize 64 1 1" %t.expected.txt
// RUN: not cmp %t.in.txt %t.expected.txt
// RUN: spirv-dis %t.spv -o %t.txt
// RUN: cmp %t.txt %t.expected.txt
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
layout(push_constant) uniform P { uint width; };
void main() {
  uvec3 id = gl_GlobalInvocationID;
  if (id.x < width)
    b[id.y * width + id.x] = id.x;
}
