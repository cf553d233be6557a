// What invocations of a workgroup exchange.
// RUN: not %opt --passes='canonicalize-workgroup-size,remap-ids<size=16>' -DBARRIER %s 2>&1 | FileCheck %s --check-prefix=BARRIER
// RUN: not %opt --passes='canonicalize-workgroup-size,remap-ids<size=16>' -DSHARED %s 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: not %opt --passes='canonicalize-workgroup-size,remap-ids<size=16>' -DORDER %s 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not %opt --passes='canonicalize-workgroup-size,remap-ids<size=16>' -DVOTE %s 2>&1 | FileCheck %s --check-prefix=VOTE
// RUN: %opt --passes='canonicalize-workgroup-size,remap-ids<size=64>' --verify-each -DBARRIER %s -o %t.spv
// BARRIER: refused.comp:[[#@LINE+13]]: error: a control barrier makes the invocations of a workgroup meet
// SHARED: refused.comp:[[#@LINE+15]]: error: workgroup memory 't' is shared inside a workgroup
// SHARED: note: it is declared here
// ORDER: refused.comp:[[#@LINE+17]]: error: a memory barrier orders memory inside a workgroup or subgroup alone
// VOTE: refused.comp:[[#@LINE+19]]: error: OpGroupNonUniformAny exchanges values inside a subgroup
#version 450
#extension GL_KHR_shader_subgroup_vote : enable
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
shared uint t[64];
void main() {
  uint v = b[gl_GlobalInvocationID.x] + gl_LocalInvocationIndex;
#ifdef BARRIER
  barrier();
#endif
#ifdef SHARED
  t[gl_LocalInvocationIndex] = v;
  v = t[63 - gl_LocalInvocationIndex];
#endif
#ifdef ORDER
  groupMemoryBarrier();
#endif
#ifdef VOTE
  v += subgroupAny(v > 3) ? 1 : 0;
#endif
  b[gl_GlobalInvocationID.x] = v;
}
