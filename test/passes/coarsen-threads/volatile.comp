// Two copies of a load at one address are one, unless the load is marked Volatile.
// RUN: %opt --passes='canonicalize-workgroup-size,coarsen-threads<size=32x1x1>' --target-env vulkan1.2 --verify-each %s -o %t.spv
// RUN: spirv-val --target-env vulkan1.2 %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s
#version 450
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) volatile buffer B { uint now[]; };
layout(set = 0, binding = 2) readonly buffer C { uint once; };
void main() {
  now[gl_GlobalInvocationID.x + 1] = 1;
  a[gl_GlobalInvocationID.x] = once + now[0];
}
// CHECK: OpFunction
// CHECK: [[ONCE:%[0-9]+]] = OpLoad %uint %{{[0-9]+$}}
// CHECK-NOT: OpLoad %uint
// CHECK: [[P:%[0-9]+]] = OpLoad %uint %{{[0-9]+}} {{.*}}Volatile
// CHECK-NEXT: [[Q:%[0-9]+]] = OpLoad %uint %{{[0-9]+}} {{.*}}Volatile
// CHECK: OpIAdd %uint [[ONCE]] [[P]]
// CHECK: OpIAdd %uint [[ONCE]] [[Q]]
