// Specialization constants, asked for or because 117 bytes of 128 are taken. Their SpecIds are new.
// RUN: %opt --passes='canonicalize-workgroup-size,guard-grid<source=spec-constants>' --verify-each -DN=1 %s -o %t.spv 2>&1 | FileCheck %s --check-prefix=NOTE
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s
// RUN: %opt --passes='canonicalize-workgroup-size,guard-grid' --verify-each -DN=30 %s -o %t.full.spv 2>&1 | FileCheck %s --check-prefix=NOTE
// RUN: spirv-dis --no-header %t.full.spv | FileCheck %s
// RUN: %opt --passes='canonicalize-workgroup-size,guard-grid' --verify-each -DN=29 %s -o %t.fits.spv 2>&1 | FileCheck %s --check-prefix=FITS
// NOTE: note: the grid of 'main' goes into specialization constants 8, 9, 10
// FITS: note: the grid of 'main' goes into push constants, 12 bytes at offset 116
// CHECK: OpDecorate %[[X:.*]] SpecId 8
// CHECK: OpDecorate %[[Y:.*]] SpecId 9
// CHECK: OpDecorate %[[Z:.*]] SpecId 10
// CHECK: %[[X]] = OpSpecConstant %uint 0
// CHECK: OpULessThan %bool %{{.*}} %[[X]]
// CHECK: OpULessThan %bool %{{.*}} %[[Y]]
// CHECK: OpULessThan %bool %{{.*}} %[[Z]]
#version 450
layout(local_size_x = 8) in;
layout(constant_id = 7) const uint scale = 3;
layout(set = 0, binding = 0) buffer B { uint b[]; };
layout(push_constant) uniform P { uint v[N]; } p;
void main() { b[gl_GlobalInvocationID.x] = p.v[0] * scale; }
