// A flag that one invocation writes to workgroup memory is the same for all who
// read it behind the barrier; each packed group has its own.
// RUN: %opt --passes='print-uniformity<causes>' %s | FileCheck %s
// CHECK: uniformity of 'main' at 64x1x1
// CHECK-NEXT: block %[[#]]: dispatch
// CHECK: OpIEqual ({{.*}}flag-broadcast.comp:[[#@LINE+16]]): invocation
// CHECK: block %[[#]]: invocation
// CHECK-NEXT: because {{.*}}flag-broadcast.comp:[[#@LINE+14]]: control flow depends on this branch
// CHECK-NEXT: because {{.*}}flag-broadcast.comp:[[#@LINE+13]]: its condition is computed here
// CHECK-NEXT: because {{.*}}flag-broadcast.comp:[[#@LINE+12]]: it comes from LocalInvocationIndex
// CHECK: OpAtomicIAdd ({{.*}}flag-broadcast.comp:[[#@LINE+12]]): invocation
// CHECK: block %[[#]]: dispatch
// CHECK: %[[#]] OpLoad ({{.*}}flag-broadcast.comp:[[#@LINE+12]]): workgroup{{$}}
// CHECK: block %[[#]]: workgroup{{$}}
// CHECK-NOT: because
// CHECK: block %[[#]]: dispatch
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint counter; uint data[]; };
shared uint flag;
void main() {
  if (gl_LocalInvocationIndex == 0)
    flag = atomicAdd(counter, 1u);
  barrier();
  if (flag == 3u)
    barrier();
}
