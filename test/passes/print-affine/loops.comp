// Trip counts: a number, a value of the host, one that is only right if nothing wraps, and none.
// RUN: %opt --passes=print-affine %s | FileCheck %s
// CHECK: affine expressions of 'main' at 8x8x1
// CHECK-NEXT: loop i0 depth 1 at {{.*}}loops.comp:[[#@LINE+14]]: trips n{{$}}
// CHECK-NEXT: loop i1 depth 2 at {{.*}}loops.comp:[[#@LINE+14]]: trips 16{{$}}
// CHECK-NEXT: loop i2 depth 1 at {{.*}}loops.comp:[[#@LINE+16]]: trips (n - lid.x + 7) / 8 (if nothing wraps)
// CHECK-NEXT: loop i3 depth 1 at {{.*}}loops.comp:[[#@LINE+21]]: trips 3, tested at the end
// CHECK-NEXT: loop i4 depth 1 at {{.*}}loops.comp:[[#@LINE+21]]: trips not known
// CHECK: OpStore '{{.*}}' at 4*gid.y*width + 64*i0 + 4*i1 ({{.*}}loops.comp:[[#@LINE+11]])
// CHECK: OpStore '{{.*}}' at 32*i2 + 4*lid.x ({{.*}}loops.comp:[[#@LINE+13]])
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(push_constant) uniform P { uint n, width; };
layout(set = 0, binding = 0) buffer b { uint data[]; };
layout(set = 0, binding = 1) buffer c { uint other[]; };
void main() {
  uint base = gl_GlobalInvocationID.y * width;
  for (uint i = 0; i < n; ++i) {
    for (uint j = 0; j < 16; ++j)
      data[base + i * 16 + j] = 1;
  }
  for (uint i = gl_LocalInvocationID.x; i < n; i += 8)
    data[i] = 2;
  uint k = 0;
  do {
    data[k] = 3;
    k += 2;
  } while (k < 6);
  while (data[k] != 0)
    k = other[k];
}
