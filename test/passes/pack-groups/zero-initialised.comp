// The initialiser grows with its variable.
// RUN: %opt --passes='canonicalize-workgroup-size,pack-groups<size=64>,strip-debug' --verify-each %s -o %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s
// CHECK: %[[ALL:.*]] = OpTypeArray %_arr_uint_uint_32 %uint_2
// CHECK: %[[TO_ALL:.*]] = OpTypePointer Workgroup %[[ALL]]
// CHECK: %[[NULL:.*]] = OpConstantNull %[[ALL]]
// CHECK: OpVariable %[[TO_ALL]] Workgroup %[[NULL]]
#version 450
#extension GL_EXT_null_initializer : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
shared uint t[32] = {};
void main() {
  atomicAdd(t[a[gl_GlobalInvocationID.x] & 31], 1);
  barrier();
  a[gl_GlobalInvocationID.x] = t[gl_LocalInvocationID.x];
}
