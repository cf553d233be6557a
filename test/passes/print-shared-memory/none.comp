// RUN: %opt --passes=print-shared-memory %s | FileCheck %s
// RUN: not %opt --passes='print-shared-memory<size=8x>' %s 2>&1 | FileCheck %s --check-prefix=SIZE
// CHECK: workgroup memory of 'main'
// CHECK-NEXT: total at 64x1x1: 0 bytes
// CHECK-NOT: {{.}}
// SIZE: error: {{.*}}size
#version 450
layout(local_size_x = 64) in;
void main() {}
