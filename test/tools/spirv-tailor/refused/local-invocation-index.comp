// Indexing by LocalInvocationIndex: what is stored, or where, depends on the group's shape.
// RUN: %opt --passes=print-facts,print-certificate %s | FileCheck %s
// RUN: %tailor build --techniques resize %s --sizes 32,8x8 -o %t.tailor | FileCheck %s --check-prefix=BUILD
// RUN: %tailor inspect %t.tailor | FileCheck %s --check-prefix=INSPECT --implicit-check-not=resize-
// CHECK: resize: refused
// CHECK-NEXT: local-invocation-index.comp:[[#@LINE+10]]: {{.*}} depends on how the grid is cut into workgroups
// CHECK-NEXT: note: it comes from LocalInvocationIndex
// BUILD: local-invocation-index: 1 variant{{$}}
// BUILD-NEXT: resize is refused: {{.*}}local-invocation-index.comp:[[#@LINE+7]]: {{.*}} depends on how
// INSPECT: authored
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint b[]; };
void main() {
  // Where it is added.
  atomicAdd(b[gl_LocalInvocationIndex], gl_GlobalInvocationID.x);
}
