// A loop that turns as often as its group's id says: the same for a workgroup, and
// for workgroups that differ on the other axes, not for the dispatch.
// RUN: %opt --passes=print-uniformity %s | FileCheck %s
// CHECK: uniformity of 'main' at 64x1x1
// CHECK-NEXT: block %[[#]]: dispatch
// CHECK-NEXT: block %[[#]]: workgroup, pack y z
// CHECK-NEXT: OpPhi ({{.*}}group-dependent-loop.comp:[[#@LINE+10]]): dispatch
// CHECK-NEXT: block %[[#]]: workgroup, pack y z
// CHECK: OpULessThanEqual ({{.*}}group-dependent-loop.comp:[[#@LINE+8]]): workgroup, pack y z
// CHECK: OpIAdd ({{.*}}group-dependent-loop.comp:[[#@LINE+7]]): dispatch
// CHECK-NEXT: block %[[#]]: dispatch
// CHECK-NEXT: OpAccessChain
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint data[]; };
void main() {
  for (uint i = 0; i <= gl_WorkGroupID.x; ++i)
    barrier();
  data[1] = 7u;
}
