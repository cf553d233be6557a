// Barriers in a loop whose trip count hangs off a push constant, and one that only some invocations reach.
// RUN: %opt --passes=print-barriers %s | FileCheck %s --match-full-lines
// CHECK: barriers of 'main'
// CHECK-NEXT:   control barrier at {{.*}}tile.comp:29: execution Workgroup, memory Workgroup, semantics AcquireRelease|WorkgroupMemory
// CHECK-NEXT:     loop depth 1, runs params.n times; control flow is the same per dispatch
// CHECK-NEXT:   control barrier at {{.*}}tile.comp:32: execution Workgroup, memory Workgroup, semantics AcquireRelease|WorkgroupMemory
// CHECK-NEXT:     loop depth 2, runs 4*params.n times; control flow is the same per dispatch
// CHECK-NEXT:   control barrier at {{.*}}tile.comp:36: execution Workgroup, memory Workgroup, semantics AcquireRelease|WorkgroupMemory
// CHECK-NEXT:     loop depth 0, runs 1 time; control flow is the same per workgroup
// CHECK-NEXT:     groups along x may reach it differently
// CHECK-NEXT:       because {{.*}}tile.comp:35: {{.*}}
// CHECK:            because {{.*}}WorkgroupId{{.*}}
// CHECK-NEXT:   control barrier at {{.*}}tile.comp:38: execution Workgroup, memory Workgroup, semantics AcquireRelease|WorkgroupMemory
// CHECK-NEXT:     loop depth 0, runs 1 time; control flow is the same per invocation
// CHECK-NEXT:     divergent barrier
// CHECK-NEXT:       because {{.*}}tile.comp:37: {{.*}}
// CHECK:            because {{.*}}LocalInvocationId{{.*}}
// CHECK:        memory barrier at {{.*}}tile.comp:39: scope Workgroup, semantics AcquireRelease|UniformMemory|WorkgroupMemory|AtomicCounterMemory|ImageMemory
// CHECK-NEXT:     loop depth 0, runs 1 time
#version 450
layout(local_size_x = 64) in;
layout(push_constant) uniform Params { uint n; } params;
layout(set = 0, binding = 0) buffer A { uint a[]; };
shared uint tile[64];
void main() {
  uint x = gl_LocalInvocationID.x;
  for (uint i = 0; i < params.n; ++i) {
    tile[x] = a[i];
    barrier();
    for (uint j = 0; j < 4; ++j) {
      tile[63 - x] += j;
      barrier();
    }
  }
  if (gl_WorkGroupID.x < params.n)
    barrier();
  if (x < 32)
    barrier();
  groupMemoryBarrier();
  a[gl_GlobalInvocationID.x] = tile[x];
}
