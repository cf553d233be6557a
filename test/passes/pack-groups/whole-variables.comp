// Loads and stores of whole variables, and atomics on scalars, go through one access chain at the
// head of the function.
// RUN: %opt --passes='canonicalize-workgroup-size,pack-groups<size=64>,strip-debug' --verify-each %s -o %t.spv
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s
// CHECK: %[[COPY:.*]] = OpShiftRightLogical
// CHECK-DAG: %[[Z:.*]] = OpAccessChain %_ptr_Workgroup_uint %{{.*}} %[[COPY]]
// CHECK-DAG: %[[M:.*]] = OpAccessChain %_ptr_Workgroup_mat2v2float %{{.*}} %[[COPY]]
// CHECK: OpStore %[[M]]
// CHECK: OpAtomicIAdd %uint %[[Z]]
// CHECK: OpLoad %mat2v2float %[[M]]
// CHECK: OpLoad %uint %[[Z]]
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
shared uint z;
shared mat2 m;
void main() {
  if (gl_LocalInvocationID.x == 0)
    m = mat2(a[gl_WorkGroupID.x]);
  atomicAdd(z, 1);
  barrier();
  mat2 all = m;
  a[gl_GlobalInvocationID.x] = z + uint(all[0].x);
}
