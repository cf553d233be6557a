// RUN: not %opt --passes='canonicalize-workgroup-size,pack-groups<size=48>' %s 2>&1 | FileCheck %s
// RUN: not %opt --passes='canonicalize-workgroup-size,pack-groups<size=16>' %s 2>&1 | FileCheck %s --check-prefix=LESS
// RUN: not %opt --passes='canonicalize-workgroup-size,pack-groups<size=65536x65536>' %s 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not %opt --passes='canonicalize-workgroup-size,pack-groups' %s 2>&1 | FileCheck %s --check-prefix=USAGE
// CHECK: not-whole-groups.comp: error: a workgroup of 48x1x1 does not hold whole groups of 32x1x1 along x
// LESS: error: a workgroup of 16x1x1 does not hold whole groups of 32x1x1 along x
// MANY: error: a workgroup size of 65536x65536x1 has no invocations, or too many
// USAGE: error: the pass 'pack-groups' needs its option size=AxBxC
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
void main() { a[gl_GlobalInvocationID.x] = 1; }
