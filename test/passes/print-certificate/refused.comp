// RUN: %opt --passes=print-certificate %s | FileCheck %s
// CHECK: certificate of 'main'
// CHECK: resize: refused
// CHECK-NEXT: refused.comp:[[#@LINE+5]]:
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
void main() {
  b[gl_GlobalInvocationID.x] = gl_NumWorkGroups.x;
}
