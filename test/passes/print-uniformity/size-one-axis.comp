// With size 1 on an axis that component of the ids is the group's; a literal that
// is the size divides the global id to the group's.
// RUN: %opt --passes=print-uniformity %s | FileCheck %s
// CHECK: uniformity of 'main' at 16x1x1
// CHECK-NEXT: block %[[#]]: dispatch
// CHECK: OpLoad ({{.*}}size-one-axis.comp:[[#@LINE+10]]): x invocation; y workgroup, pack x z; z workgroup, pack x y
// CHECK: OpUDiv ({{.*}}size-one-axis.comp:[[#@LINE+11]]): workgroup, pack y z
// CHECK: OpUDiv ({{.*}}size-one-axis.comp:[[#@LINE+11]]): invocation
// CHECK: OpLoad ({{.*}}size-one-axis.comp:[[#@LINE+11]]): x invocation; y dispatch; z dispatch
// CHECK-NOT: block
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer B { uint data[]; };
layout(constant_id = 0) const uint three = 3;
void main() {
  uvec3 global = gl_GlobalInvocationID;
  data[0] = global.y;
  data[1] = global.x / 16;
  data[2] = global.x / 15;
  uvec3 local = gl_LocalInvocationID;
  data[3] = local.x + local.y;
}
