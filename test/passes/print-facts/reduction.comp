// RUN: %opt --passes=print-facts %s | FileCheck %s
// CHECK: facts of 'main'
// CHECK-NEXT: size: 64x1x1 (WorkgroupSize)
// CHECK-NEXT: class: workgroup-memory
// CHECK-NEXT: workgroup memory: 256 bytes
// CHECK-NEXT: control barriers: 2, in loops: 1
// CHECK-NEXT: atomics: 0
// CHECK-NEXT: subgroup operations: none
// CHECK-NEXT: ids: {{.*}}GlobalInvocationId
// CHECK: store workgroup 'tile'
// CHECK: store buffer 'b' (set 0, binding 0) 4 bytes at {{.*}}reduction.comp:[[#@LINE+14]]
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer b { uint data[]; };
shared uint tile[64];
void main() {
  uint i = gl_LocalInvocationIndex;
  tile[i] = data[gl_GlobalInvocationID.x];
  for (uint s = 32; s > 0; s >>= 1) {
    barrier();
    if (i < s) tile[i] += tile[i + s];
  }
  barrier();
  if (i == 0)
    data[gl_WorkGroupID.x] = tile[0];
}
