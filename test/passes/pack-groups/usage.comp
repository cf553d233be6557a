// What needs the canonical size says so.
// RUN: not %opt --passes='pack-groups<size=64>' %s 2>&1 | FileCheck %s
// CHECK: usage.comp: error: the pass 'pack-groups' requires the property 'canonical-size', which the module lacks
// CHECK: note: run 'canonicalize-workgroup-size' before it
#version 450
layout(local_size_x_id = 1) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
void main() { a[gl_GlobalInvocationID.x] = 1; }
