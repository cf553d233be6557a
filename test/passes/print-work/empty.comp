// A kernel that does nothing, and one that touches no global memory.
// RUN: %opt --passes=print-work %s | FileCheck %s --match-full-lines
// CHECK: work of an invocation of 'main'
// CHECK-NEXT:   floating-point operations per byte of global memory: none
// CHECK-NEXT:   operations under control flow that may differ: 0.0 % in a subgroup, 0.0 % in a workgroup
// CHECK-NEXT:   live values: none
// CHECK-NOT: {{.+}}
#version 450
layout(local_size_x = 64) in;
void main() {}
