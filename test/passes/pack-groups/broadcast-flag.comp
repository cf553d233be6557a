// A flag that is the same in a group, and another one in the next: refused along every axis, for
// which the first speaks.
// RUN: not %opt --passes='canonicalize-workgroup-size,pack-groups<size=32x2x1>' %s 2>&1 | FileCheck %s
// CHECK: broadcast-flag.comp:[[#@LINE+13]]: error: whether a control barrier is reached, or how often, may differ between the groups along x
// CHECK: broadcast-flag.comp:[[#@LINE+10]]: note: it comes from workgroup memory: 'flag'
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
shared uint flag;
void main() {
  uint l = gl_LocalInvocationID.x;
  if (l == 0)
    flag = a[gl_WorkGroupID.x];
  barrier();
  if (flag != 0) {
    a[gl_GlobalInvocationID.x] = 1;
    barrier();
    a[gl_GlobalInvocationID.x + 1] = 2;
  }
}
