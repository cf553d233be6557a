// Workgroup memory as a stack of each invocation's own, across the group and row by row; and two
// variables that are none: one is read by the neighbour, one has rows that overlap.
// RUN: %opt --passes=print-shared-memory %s | FileCheck %s
// CHECK: 'across': u32[16][64], 4096 bytes, each invocation keeps to its own bytes
// CHECK-NEXT: 'rows': u32[256], 1024 bytes, each invocation keeps to its own bytes
// CHECK-NEXT: 'tight': u32[256], 1024 bytes{{$}}
// CHECK-NEXT: 'shifted': u32[65], 260 bytes{{$}}
// CHECK-NEXT: total at 64x1x1: 6404 bytes
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
shared uint across[16][64];
shared uint rows[256];
shared uint shifted[65];
shared uint tight[256];
void main() {
  uint lid = gl_LocalInvocationID.x, gid = gl_GlobalInvocationID.x, top = 0u;
  while (b[gid + top] > 3u) {
    across[top][lid] = top;
    top += b[top];
  }
  for (uint j = 0; j < 4u; ++j) {
    rows[lid * 4u + j] = j;
    tight[lid * 3u + j] = j;
  }
  shifted[lid] = 1u;
  a[gid] = across[top][lid] + rows[lid * 4u + (b[gid] & 3u)] + shifted[lid + 1u] + tight[lid * 3u];
}
