// Blocks with an explicit layout share their bytes: the largest counts.
// RUN: %opt --passes=print-shared-memory --target-env=vulkan1.2 %s | FileCheck %s
// CHECK: 'X': X, 400 bytes, shares its bytes with other blocks{{$}}
// CHECK-NEXT: 'Y': Y, 160 bytes, shares its bytes with other blocks{{$}}
// CHECK-NEXT: total at 64x1x1: 400 bytes
#version 450
#extension GL_EXT_shared_memory_block : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { float a[]; };
shared X { float x[100]; };
shared Y { uvec4 y[10]; };
void main() {
  x[gl_LocalInvocationID.x] = 1.0;
  a[0] = float(y[0].x);
}
