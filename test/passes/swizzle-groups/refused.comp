// A group that waits for the one before it may be started before it in another order.
// RUN: not %opt --passes='canonicalize-workgroup-size,swizzle-groups' %s 2>&1 | FileCheck %s
// RUN: not %opt --passes='swizzle-groups<rows=0>' %s 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not %opt --passes='swizzle-groups<rows=65536>' %s 2>&1 | FileCheck %s --check-prefix=MANY
// CHECK: refused.comp: error: invocations may wait on each other: the loop decides by memory that other invocations write
// CHECK: refused.comp:[[#@LINE+8]]: note: it is read here
// ROWS: --passes:1:21: error: '0' is not a number from 1 to 65535
// MANY: --passes:1:21: error: '65536' is not a number from 1 to 65535
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) coherent buffer B { uint done[]; };
void main() {
  uint me = gl_WorkGroupID.x;
  while (me != 0 && atomicAdd(done[me - 1], 0) == 0)
    ;
  atomicAdd(done[me], 1);
}
