// RUN: not %opt --passes='canonicalize-workgroup-size,coarsen-threads<size=24x1x1>' %s -o %t.spv 2>&1 | FileCheck %s
// RUN: not %opt --passes='canonicalize-workgroup-size,coarsen-threads<size=128x1x1>' %s -o %t.spv 2>&1 | FileCheck %s --check-prefix=LARGER
// RUN: %opt --passes='canonicalize-workgroup-size,coarsen-threads<size=64x1x1>' %s -o %t.same.spv
// RUN: %opt --passes='canonicalize-workgroup-size' %s -o %t.authored.spv
// RUN: cmp %t.same.spv %t.authored.spv
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
void main() { b[gl_GlobalInvocationID.x] += gl_LocalInvocationID.x; }
// CHECK: error: coarsen does not make 24x1x1 of 64x1x1
// LARGER: error: coarsen does not make 128x1x1 of 64x1x1
