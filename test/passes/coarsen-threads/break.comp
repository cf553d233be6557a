// Invocations that leave a loop with barriers at different times are refused with what parts them.
// RUN: not %opt --passes='canonicalize-workgroup-size,coarsen-threads<size=32x1x1>' %s -o %t.out.spv 2>&1 | FileCheck %s
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
layout(push_constant) uniform P { uint n; };
shared uint tile[64];
void main() {
  uint lane = gl_LocalInvocationID.x, v = b[lane];
  for (uint i = 0; i < n; ++i) {
    tile[lane] = v;
    barrier();
    v += tile[63 - lane];
    if (v > 99)
      break;
  }
  b[lane] = v;
}
// CHECK: break.comp:12{{.*}}: error: whether a control barrier is reached, or how often, is not proven to be the same for a whole workgroup
// CHECK-NEXT: break.comp:14{{.*}}: note: control flow depends on this branch
