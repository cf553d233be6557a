// A group that returns before a barrier would leave the others of its workgroup waiting: refused
// along x, with the chain of causes, and made along y.
// RUN: not %opt --passes='canonicalize-workgroup-size,pack-groups<size=64>' %s 2>&1 | FileCheck %s -DFILE=group-return.comp
// RUN: not %opt --passes='canonicalize-workgroup-size,pack-groups<size=64x2x1>' %s 2>&1 | FileCheck %s -DFILE=group-return.comp
// RUN: %opt --passes='canonicalize-workgroup-size,pack-groups<size=32x2x2>' --verify-each %s -o %t.spv
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// CHECK: [[FILE]]:[[#@LINE+13]]: error: whether a control barrier is reached, or how often, may differ between the groups along x
// CHECK: [[FILE]]:[[#@LINE+9]]: note: control flow depends on this branch
// CHECK: it comes from WorkgroupId
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(push_constant) uniform P { uint n; };
shared uint t[32];
void main() {
  uint l = gl_LocalInvocationID.x;
  if (gl_WorkGroupID.x >= n)
    return;
  t[l] = a[l];
  barrier();
  a[gl_GlobalInvocationID.x] = t[31 - l];
}
