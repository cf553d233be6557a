// The authored size is no variant: nothing changes.
// RUN: %opt --passes='canonicalize-workgroup-size' %s -o %t.a.spv
// RUN: %opt --passes='canonicalize-workgroup-size,pack-groups<size=32>' --verify-each %s -o %t.b.spv
// RUN: cmp %t.a.spv %t.b.spv
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
shared uint t[32];
void main() {
  t[gl_LocalInvocationID.x] = a[gl_GlobalInvocationID.x];
  barrier();
  a[gl_GlobalInvocationID.x] = t[31 - gl_LocalInvocationID.x];
}
