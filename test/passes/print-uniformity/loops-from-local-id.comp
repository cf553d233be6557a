// A loop from the local id to a constant beyond it turns equally often for all;
// with a bound that the host supplies the sum may wrap, and nothing is claimed.
// RUN: %opt --passes=print-uniformity %s | FileCheck %s
// CHECK: OpULessThan ({{.*}}loops-from-local-id.comp:[[#@LINE+11]]): dispatch
// CHECK-NEXT: block %[[#]]: dispatch
// CHECK: OpULessThan ({{.*}}loops-from-local-id.comp:[[#@LINE+11]]): invocation
// CHECK-NEXT: block %[[#]]: invocation
#version 450
layout(local_size_x = 64) in;
layout(push_constant) uniform P { uint n; } p;
layout(set = 0, binding = 0) buffer B { uint data[]; };
void main() {
  uint first = gl_LocalInvocationID.x, sum = 0;

  for (uint i = first; i < 1024 + first; i += 64)
    sum += data[i];
  for (uint i = first; i < p.n + first; i += 64)
    sum += data[i];
  data[gl_GlobalInvocationID.x] = sum;
}
