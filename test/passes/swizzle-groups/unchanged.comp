// Bands of one row are the authored order; so is any order for a kernel that does not know its group.
// RUN: %opt --passes='canonicalize-workgroup-size' %s -o %t.in.spv
// RUN: %opt --passes='swizzle-groups<rows=1>' --verify-each %t.in.spv -o %t.spv
// RUN: cmp %t.in.spv %t.spv
// RUN: %opt --passes='canonicalize-workgroup-size' -DNONE %s -o %t.none.in.spv
// RUN: %opt --passes='swizzle-groups' --verify-each %t.none.in.spv -o %t.none.spv
// RUN: cmp %t.none.in.spv %t.none.spv
#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
#ifdef NONE
#define AT gl_LocalInvocationID.x
#else
#define AT gl_GlobalInvocationID.x
#endif
void main() { atomicAdd(b[AT], 1); }
