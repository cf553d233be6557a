// Each class of contention, who executes, and a count of the groups that are done.
// RUN: %opt --passes=print-barriers %s | FileCheck %s --match-full-lines
// CHECK: barriers of 'main'
// CHECK-NEXT:   control barrier at {{.*}}atomics.comp:32: execution Workgroup, memory Workgroup, semantics AcquireRelease|WorkgroupMemory
// CHECK-NEXT:     loop depth 0, runs 1 time; control flow is the same per dispatch
// CHECK-NEXT:   atomic add on buffer 'A' at {{.*}}atomics.comp:23: result unused, scope Device, semantics None
// CHECK-NEXT:     per-lane (in a workgroup), all invocations; loop depth 0, runs 1 time
// CHECK-NEXT:   atomic max on workgroup 's' at {{.*}}atomics.comp:24: result unused, scope Device, semantics None
// CHECK-NEXT:     one-address (in a workgroup), all invocations; loop depth 0, runs 1 time
// CHECK-NEXT:   atomic or on buffer 'A' at {{.*}}atomics.comp:26: result unused, scope Device, semantics None
// CHECK-NEXT:     data-dependent, all invocations; loop depth 1, runs 3 times
// CHECK-NEXT:   atomic add on buffer 'A' at {{.*}}atomics.comp:31: result used, scope Device, semantics None
// CHECK-NEXT:     one-address (in a dispatch), one invocation per workgroup; loop depth 0, runs 1 time
// CHECK-NEXT:   last-group counter at {{.*}}atomics.comp:31: compared with a count made of NumWorkgroups
// CHECK-NEXT:       because {{.*}}atomics.comp:31: it counts here
// CHECK-NOT: {{.+}}
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
shared uint s;
void main() {
  atomicAdd(a[gl_GlobalInvocationID.x], 1u);
  atomicMax(s, gl_LocalInvocationIndex);
  for (uint i = 0; i < 3; ++i)
    atomicOr(a[b[gl_GlobalInvocationID.x + i]], 2u);


  bool last = false;
  if (gl_LocalInvocationIndex == 0)
    last = atomicAdd(a[0], 1u) == gl_NumWorkGroups.x - 1;
  barrier();
  if (last)
    a[1] = s;
}
