// Each axis is a constant, a literal, or shares its constant with another axis.
// RUN: not %opt --passes='respecialize<size=8x4x2>' %s 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: not %opt --passes='respecialize<size=8x8x4>' %s 2>&1 | FileCheck %s --check-prefix=LITERAL
// RUN: not %opt --passes='respecialize<values=3:8;0:8>' %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not %opt --passes='respecialize<size=4x4x2,values=0:8>' %s 2>&1 | FileCheck %s --check-prefix=CONFLICT
// RUN: not %opt --passes='respecialize<values=0:0>' %s 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: %opt --passes='respecialize<size=8x8x2>,print-workgroup-size' --verify-each %s | FileCheck %s --check-prefix=SIZE
// SHARED: error: SpecId 0 is the size on x and on y, which cannot be 8 and 4
// LITERAL: error: the size on z is 2 and no specialization constant, so it cannot be 4
// UNKNOWN: --passes:1:21: error: the module has no specialization constant with SpecId 3
// CONFLICT: --passes:1:32: error: SpecId 0 cannot be 8 with a size of 4x4x2
// ZERO: error: the workgroup size is zero on the x axis
// SIZE: workgroup size of 'main': 8x8x2 (LocalSize)
#version 450
layout(local_size_x_id = 0, local_size_y_id = 0, local_size_z = 2) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
void main() { b[gl_GlobalInvocationID.x] = gl_GlobalInvocationID.y + gl_WorkGroupSize.x; }
