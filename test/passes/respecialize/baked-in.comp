// The size is a constant for the host to set, but the tile and the loop hold literals: another size
// would be another program. Who names the technique all the same gets it.
// RUN: not %opt --passes='respecialize<size=32>' %s -o %t.none.spv 2>&1 | FileCheck %s
// RUN: not ls %t.none.spv
// CHECK: baked-in.comp:[[#@LINE+14]]:11: error: the size is a specialization constant, but nothing in the body follows it: lengths and loops hold literals
// CHECK: note: the length of 'tile' is fixed
// RUN: %opt --passes='respecialize<size=32,insist>,print-workgroup-size' %s | FileCheck %s --check-prefix=INSIST
// INSIST: workgroup size of 'main': 32x1x1 (LocalSize)
// The authored size is legal for every kernel:
// RUN: %opt --passes=canonicalize-workgroup-size %s -o %t.canonical.spv
// RUN: %opt --passes='respecialize<size=64>' --verify-each %s -o %t.same.spv
// RUN: cmp %t.canonical.spv %t.same.spv
#version 450
layout(local_size_x_id = 0) in;
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
shared uint tile[64];

void main() {
  tile[gl_LocalInvocationIndex] = b[gl_GlobalInvocationID.x];
  barrier();
  uint sum = 0;
  for (uint k = 0; k < 64; ++k)
    sum += tile[k];
  b[gl_GlobalInvocationID.x] = sum;
}
