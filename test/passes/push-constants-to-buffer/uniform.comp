// A block that uniform buffers can hold goes to the binding behind the last of set 0.
// RUN: glslangValidator -V --target-env vulkan1.1 %s -o %t.in.spv
// RUN: %opt --passes=push-constants-to-buffer --verify-each %t.in.spv -o %t.spv
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s --implicit-check-not=PushConstant
// RUN: %opt --passes=push-constants-to-buffer --verify-each %t.spv -o %t.again.spv
// RUN: cmp %t.spv %t.again.spv
// CHECK: OpMemberDecorate %P 1 Offset 8
// CHECK: OpDecorate %p DescriptorSet 0
// CHECK: OpDecorate %p Binding 3
// CHECK: %p = OpVariable %_ptr_Uniform_P Uniform
#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer A { vec2 a[]; };
layout(set = 0, binding = 2) buffer B { vec2 b[]; };
layout(push_constant) uniform P { uint n; layout(offset = 8) vec2 f; } p;
void main() { a[p.n] = p.f * b[gl_GlobalInvocationID.x]; }
