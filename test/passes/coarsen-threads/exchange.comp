// Work side by side: each instruction stands once for each authored invocation, barriers and
// branches stand once, and what both have in common is computed once.
// RUN: glslangValidator -V --target-env vulkan1.1 %s -o %t.in.spv
// RUN: %opt --passes='canonicalize-workgroup-size,coarsen-threads<size=32x1x1>' --verify-each %t.in.spv -o %t.spv
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s
// RUN: %opt --passes='canonicalize-workgroup-size,coarsen-threads<size=32x1x1,form=blocked>' --verify-each %t.in.spv -o %t.blocked.spv
// RUN: spirv-dis --no-header %t.blocked.spv | FileCheck %s --check-prefix=BLOCKED
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { float b[]; };
layout(push_constant) uniform P { uint n; };
shared float tile[64];
void main() {
  uint lane = gl_LocalInvocationID.x;
  float v = b[lane];
  for (uint i = 0; i < n; ++i) {
    tile[lane] = v;
    barrier();
    v = v + tile[i & 63u];
    barrier();
  }
  b[lane] = v;
}
// CHECK: OpExecutionMode %main LocalSize 32 1 1
// CHECK: [[local:%[0-9]+]] = OpLoad %v3uint %gl_LocalInvocationID
// CHECK-NEXT: [[first:%[0-9]+]] = OpCompositeExtract %uint [[local]] 0
// CHECK-NEXT: [[second:%[0-9]+]] = OpIAdd %uint [[first]] %uint_32
// CHECK-NEXT: [[p:%[0-9]+]] = OpAccessChain %_ptr_{{(Uniform|StorageBuffer)}}_float %{{.*}} [[first]]
// CHECK-NEXT: [[q:%[0-9]+]] = OpAccessChain %_ptr_{{(Uniform|StorageBuffer)}}_float %{{.*}} [[second]]
// CHECK-NEXT: [[x:%[0-9]+]] = OpLoad %float [[p]]
// CHECK-NEXT: [[y:%[0-9]+]] = OpLoad %float [[q]]
// Two running values, one counter.
// CHECK: OpPhi %float [[x]]
// CHECK-NEXT: OpPhi %float [[y]]
// CHECK-NEXT: OpPhi %uint
// CHECK-NEXT: OpLoopMerge
// CHECK: OpStore [[t:%[0-9]+]]
// CHECK-NEXT: OpStore
// CHECK-NEXT: OpControlBarrier
// The address is the same for both, and so is what stands there.
// CHECK: OpLoad %float
// CHECK-NEXT: OpFAdd %float
// CHECK-NEXT: OpFAdd %float
// CHECK-NEXT: OpControlBarrier
// CHECK-NOT: OpControlBarrier
// CHECK: OpFunctionEnd

// BLOCKED: [[local:%[0-9]+]] = OpLoad %v3uint %gl_LocalInvocationID
// BLOCKED-NEXT: [[at:%[0-9]+]] = OpCompositeExtract %uint [[local]] 0
// BLOCKED-NEXT: [[first:%[0-9]+]] = OpIMul %uint [[at]] %uint_2
// BLOCKED-NEXT: OpIAdd %uint [[first]] %uint_1
