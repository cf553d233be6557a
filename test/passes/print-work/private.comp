// An array that stays in memory of the invocation's own; what nobody reads of it is free.
// RUN: %opt --passes=print-work %s | FileCheck %s --match-full-lines
// CHECK: work of an invocation of 'main'
// CHECK-NEXT:   floating-point operations: 16
// CHECK-NEXT:   integer operations: 17
// CHECK-NEXT:   loads: 18
// CHECK-NEXT:   stores: 9
// CHECK-NEXT:   buffer bytes: read 36, written 4
// CHECK-NEXT:   private bytes: read 36, written 32
// CHECK-NEXT:   floating-point operations per byte of global memory: 0.400
// CHECK:   private memory: 32 bytes
// CHECK-NOT: {{.+}}
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { float a[]; };
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
void main() {
  float kept[8], dropped[8];
  for (uint i = 0; i < 8; ++i) {
    kept[i] = a[i] * 0.5;
    dropped[i] = kept[i] + 1.0;
  }
  a[gl_GlobalInvocationID.x] = kept[b[0]];
}
