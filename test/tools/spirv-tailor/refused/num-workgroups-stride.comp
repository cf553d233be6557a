// A grid-stride loop: NumWorkgroups decides which invocation does what, and how often.
// RUN: %opt --passes=print-facts,print-certificate %s | FileCheck %s
// RUN: %tailor build --techniques resize %s --sizes 32 -o %t.tailor | FileCheck %s --check-prefix=BUILD
// CHECK: resize: refused
// CHECK-NEXT: num-workgroups-stride.comp:[[#@LINE+9]]: control flow depends on how the grid is cut into workgroups
// CHECK-NEXT: note: it comes from NumWorkgroups
// BUILD: num-workgroups-stride: 1 variant{{$}}
// BUILD-NEXT: resize is refused
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint b[]; };
layout(push_constant) uniform P { uint n; };
void main() {
  for (uint i = gl_GlobalInvocationID.x; i < n; i += gl_NumWorkGroups.x * gl_WorkGroupSize.x)
    b[i] = i;
}
