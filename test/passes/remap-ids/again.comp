// A remapped kernel reads ids as any other does: remapped twice it is the module of 32 once more, seen by what it
// writes; test/differential runs it. Other passes' kernels are no different.
// RUN: %opt --passes='canonicalize-workgroup-size,remap-ids<size=24>,remap-ids<size=32>,remap-ids<size=8x4>' --verify-each %s -o %t.spv
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s
// CHECK: LocalSize 8 4 1
// CHECK-NOT: OpAccessChain %{{.*}} %gl_LocalInvocationID
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
void main() { b[gl_GlobalInvocationID.x] = gl_LocalInvocationID.x + gl_WorkGroupID.x; }
