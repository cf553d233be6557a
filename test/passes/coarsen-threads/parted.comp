// All invocations reach the barriers, which a certificate may know. But some come to what follows
// them by the branch that has barriers, and others without: no stretch without a barrier holds it.
// RUN: not %opt --passes='canonicalize-workgroup-size,coarsen-threads<size=32x1x1>' %s -o %t.out.spv 2>&1 | FileCheck %s
// RUN: %opt --passes='canonicalize-workgroup-size,print-certificate' %s -o %t.out.spv 2>&1 | FileCheck %s --check-prefix=CERTIFICATE
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
layout(push_constant) uniform P { uint n; };
shared uint tile[64];
void main() {
  uint lane = gl_LocalInvocationID.x, v = b[lane];
  for (uint i = 0; i < n; ++i) {
    if (i == 5) {
      tile[lane] = v;
      barrier();
      uint w = tile[63 - lane];
      if (w > 9)
        continue;
    }
    v = v * 3u;
  }
  b[lane] = v;
}
// CHECK: parted.comp:15{{.*}}: error: a control barrier stands in a part of the kernel that invocations of a workgroup may go through in different ways
// CHECK-NEXT: parted.comp:17{{.*}}: note: they part at this branch
// CHECK-NEXT: parted.comp:16{{.*}}: note: it is read from 'tile' at an address that differs
// CERTIFICATE: coarsen: refused
// CERTIFICATE-NEXT: parted.comp:15{{.*}}: a control barrier stands in a part of the kernel
