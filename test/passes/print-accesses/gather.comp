// What data decides comes as bounds: where, and whether.
// RUN: %opt --passes=print-accesses %s | FileCheck %s
// CHECK: load buffer 'Index' (set 0, binding 0) 4 bytes at {{.*}}gather.comp:[[#@LINE+23]]
// CHECK-NEXT: address: 4*gid.x
// CHECK-NEXT: pattern: unit; next invocation: x 4, y 0, z 0
// CHECK-NEXT: workgroup (1, 0, 0): sectors 4 of at least 4; lines 1{{$}}
// CHECK-NEXT: load buffer 'Src' (set 0, binding 1) 16 bytes at {{.*}}gather.comp:[[#@LINE+19]]
// CHECK-NEXT: address: 16*%[[#]]
// CHECK-NEXT: pattern: gather{{$}}
// CHECK-NEXT: workgroup (1, 0, 0): sectors 1 to 32; lines 1 to 32 (data-dependent)
// CHECK-NEXT: load buffer 'Index' (set 0, binding 0) 4 bytes at {{.*}}gather.comp:[[#@LINE+16]]
// CHECK-NEXT: address: 28
// CHECK-NEXT: pattern: uniform; next invocation: x 0, y 0, z 0
// CHECK-NEXT: workgroup (1, 0, 0): sectors 1 of at least 1; lines 1{{$}}
// CHECK: store buffer 'Dst' (set 0, binding 2) 16 bytes at {{.*}}gather.comp:[[#@LINE+13]]
// CHECK-NEXT: address: 16*gid.x
// CHECK-NEXT: pattern: unit; next invocation: x 16, y 0, z 0
// CHECK-NEXT: workgroup (1, 0, 0): sectors 0 to 16; lines 0 to 4 (data-dependent)
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Index { uint at[]; };
layout(set = 0, binding = 1) readonly buffer Src { vec4 src[]; };
layout(set = 0, binding = 2) writeonly buffer Dst { vec4 dst[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  vec4 v = src[at[i]];
  if (at[7] > 3 && v.x > 0.0)
    dst[i] = v;
}
