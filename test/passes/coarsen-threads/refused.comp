// RUN: glslangValidator -V --target-env vulkan1.1 %s -o %t.spv
// RUN: not %opt --passes='canonicalize-workgroup-size,coarsen-threads<size=32x1x1>' %s -o %t.out.spv 2>&1 | FileCheck %s
// RUN: not ls %t.out.spv
// RUN: not %opt --passes='canonicalize-workgroup-size,coarsen-threads<size=24x1x1>' %s -o %t.out.spv 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: not %opt --passes='coarsen-threads<size=32x1x1,form=diagonal>' %s -o %t.out.spv 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not %opt --passes='coarsen-threads' %s -o %t.out.spv 2>&1 | FileCheck %s --check-prefix=SIZE
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
layout(push_constant) uniform P { uint n; };
shared uint tile[64];
void main() {
  uint lane = gl_LocalInvocationID.x;
  tile[lane] = b[lane];
  if (lane < 16) {
    if (n > 0)
      barrier();
    tile[lane] = 1;
  }
  b[lane] = tile[lane];
}
// CHECK: refused.comp:17{{.*}}: error: whether a control barrier is reached, or how often, is not proven to be the same for a whole workgroup
// CHECK-NEXT: note: control flow depends on this branch
// SAME: error: whether a control barrier is reached
// FORM: error: the form is 'cyclic' or 'blocked', not 'diagonal'
// SIZE: error: the pass 'coarsen-threads' needs its option size=AxBxC
