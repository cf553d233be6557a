// Ids, a geometric loop with its trip count, and addresses of workgroup memory.
// RUN: %opt --passes=print-affine %s | FileCheck %s
// CHECK: affine expressions of 'main' at 64x1x1
// CHECK-NEXT: loop i0 depth 1 at {{.*}}reduction.comp:[[#@LINE+13]]: trips 6
// CHECK: OpLoad '{{.*}}' at 4*gid.x ({{.*}}reduction.comp:[[#@LINE+11]])
// CHECK-NEXT: OpStore 'tile' at 4*lid.x
// CHECK: OpLoad 'tile' at {{.*}} + 4*lid.x
// CHECK: = wg.x in [0, 67108863]
// CHECK: OpStore '{{.*}}' at 4*wg.x
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
