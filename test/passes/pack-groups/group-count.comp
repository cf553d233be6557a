// The kernel sees the number of authored groups: D·k.
// RUN: %opt --passes='canonicalize-workgroup-size,pack-groups<size=96x1x1>,strip-debug' --verify-each %s -o %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s
// CHECK: OpDecorate %[[N:.*]] BuiltIn NumWorkgroups
// CHECK: %[[LOAD:.*]] = OpLoad %v3uint %[[N]]
// CHECK: %[[D:.*]] = OpCompositeExtract %uint %[[LOAD]] 0
// CHECK: OpIMul %uint %[[D]] %uint_3
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
void main() { a[gl_GlobalInvocationID.x] = gl_NumWorkGroups.x; }
