// Lengths that hang off the size, off another constant, and off none: at the host's values, and at
// another size.
// RUN: %opt --passes='print-shared-memory<size=32x4>' --spec 0=16 --spec 1=8 %s | FileCheck %s
// RUN: %opt --passes='print-shared-memory<size=32x4>' --spec 0=16 --spec 1=8 --spec 3=10 %s | FileCheck %s --check-prefix=TEN
// CHECK: workgroup memory of 'main'
// CHECK-NEXT: 'tile': f32[size.y][size.x + 1], 544 bytes = 4*size.y*(size.x + 1), SpecId 0, SpecId 1, follows the size
// CHECK-NEXT: 'list': vec4<f32>[spec(3)], 96 bytes = 16*spec(3), SpecId 3{{$}}
// CHECK-NEXT: 'few': u32[9], 36 bytes{{$}}
// CHECK-NEXT: total at 16x8x1: 676 bytes
// CHECK-NEXT: total at 32x4x1: 660 bytes
// TEN: 'list': vec4<f32>[spec(3)], 160 bytes = 16*spec(3), SpecId 3{{$}}
// TEN: total at 32x4x1: 724 bytes
#version 450
layout(local_size_x_id = 0, local_size_y_id = 1) in;
layout(constant_id = 3) const uint K = 6;
layout(set = 0, binding = 0) buffer A { float a[]; };
shared float tile[gl_WorkGroupSize.y][gl_WorkGroupSize.x + 1];
shared vec4 list[K];
shared uint few[9];
void main() {
  tile[0][0] = 1.0;
  list[0] = vec4(2);
  few[0] = 1u;
  barrier();
  a[0] = tile[0][1] + list[1].x + float(few[1]);
}
