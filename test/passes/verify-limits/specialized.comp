// The size and the memory are those under the host's values.
// RUN: %opt --passes='verify-limits<max-invocations=64,max-shared-bytes=256>' %s --verify-each --spec 0=64 -o %t.spv
// RUN: spirv-val %t.spv
// RUN: not %opt --passes='verify-limits<max-invocations=64,max-shared-bytes=256>' %s --spec 0=65 2>&1 | FileCheck %s
// CHECK: error: the workgroup of 'main' has 65 invocations (65x1x1), the limit is 64
// CHECK: error: the workgroup of 'main' has 260 bytes of workgroup memory, the limit is 256: 4 bytes too many
#version 450
layout(local_size_x_id = 0) in;
layout(set = 0, binding = 0) buffer B { uint x[]; };
shared uint tile[gl_WorkGroupSize.x];
void main() {
  tile[gl_LocalInvocationIndex] = 1;
  barrier();
  x[gl_GlobalInvocationID.x] = tile[0];
}
