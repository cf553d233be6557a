// A guarded kernel on x: legal, with its bound.
// RUN: %opt --passes=print-certificate %s | FileCheck %s
// CHECK: certificate of 'main'
// CHECK-NEXT: authored size: 64x1x1
// CHECK-NEXT: resize: legal
// CHECK-NEXT: ids to rewrite: no
// CHECK-NEXT: axis x: used, guarded
// CHECK-NEXT: legal.comp:[[#@LINE+7]]:{{.*}}gid.x < push_constant[0]
// CHECK-NEXT: axis y: unused
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
layout(push_constant) uniform P { uint n; };
void main() {
  if (gl_GlobalInvocationID.x < n)
    b[gl_GlobalInvocationID.x] = 1;
}
