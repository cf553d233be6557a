// A sum over the subgroup, whose members change with the size.
// RUN: %opt --passes=print-facts,print-certificate %s | FileCheck %s
// RUN: %tailor build --techniques resize %s --sizes 32 -o %t.tailor | FileCheck %s --check-prefix=BUILD
// CHECK: class: subgroup
// CHECK: resize: refused
// CHECK-NEXT: subgroup-sum.comp:[[#@LINE+9]]: OpGroupNonUniformIAdd exchanges values inside a subgroup
// BUILD: subgroup-sum: 1 variant{{$}}
// BUILD-NEXT: resize is refused: {{.*}}subgroup-sum.comp:[[#@LINE+7]]: OpGroupNonUniformIAdd
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint b[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  b[i] = subgroupAdd(i);
}
