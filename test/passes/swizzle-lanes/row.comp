// The authored order at the authored size is the module itself.
// RUN: %opt --passes='canonicalize-workgroup-size' %s -o %t.in.spv
// RUN: %opt --passes='swizzle-lanes<order=row>' --verify-each %t.in.spv -o %t.spv
// RUN: cmp %t.in.spv %t.spv
// RUN: %opt --passes='swizzle-lanes<order=row,size=8x4>' --verify-each %t.in.spv -o %t.spv
// RUN: cmp %t.in.spv %t.spv
// A kernel that reads no id of its lane is no other in another order.
// RUN: %opt --passes='canonicalize-workgroup-size' -DNONE %s -o %t.none.in.spv
// RUN: %opt --passes='swizzle-lanes<order=column>' --verify-each %t.none.in.spv -o %t.none.spv
// RUN: cmp %t.none.in.spv %t.none.spv
#version 450
layout(local_size_x = 8, local_size_y = 4) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
#ifdef NONE
#define AT gl_WorkGroupID.x
#else
#define AT gl_GlobalInvocationID.x
#endif
void main() { atomicAdd(b[AT], 1); }
