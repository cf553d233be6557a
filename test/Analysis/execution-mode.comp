// Quads are made of local ids: a mode that gives them a meaning refuses each technique.
// RUN: %opt --passes=print-certificate %s | FileCheck %s --implicit-check-not=legal
// CHECK: resize: refused
// CHECK-NEXT: execution mode 5289 may depend on the workgroup size
// CHECK: remap: refused
// CHECK: pack: refused
// CHECK: coarsen: refused
// CHECK: swizzle: refused
// CHECK-NEXT: execution mode 5289 may depend on the workgroup size
#version 450
#extension GL_NV_compute_shader_derivatives : require
layout(local_size_x = 8, local_size_y = 8) in;
layout(derivative_group_quadsNV) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
void main() { a[gl_GlobalInvocationID.x] = 1; }
