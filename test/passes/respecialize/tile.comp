// The size, the length of the tile and the trip count are one constant: all follow it.
// RUN: %opt --passes='respecialize<size=8x8>,strip-debug' --spec 0=16 --verify-each %s -o %t.spv
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s
// CHECK: OpExecutionMode %{{.*}} LocalSize 8 8 1
// CHECK: OpDecorate %[[GAIN:.*]] SpecId 7
// CHECK: OpTypeArray %uint %uint_64
// The gain stays the host's:
// CHECK: %[[GAIN]] = OpSpecConstant %uint 3
// RUN: %opt --spec 0=4 --passes='respecialize<size=8x8>,print-shared-memory,print-workgroup-size' %s | FileCheck %s --check-prefix=SHARED
// SHARED: 256
// SHARED: workgroup size of 'main': 8x8x1 (LocalSize)
#version 450
layout(local_size_x_id = 0, local_size_y_id = 0) in;
layout(constant_id = 0) const uint TILE = 4;
layout(constant_id = 7) const uint GAIN = 3;
layout(set = 0, binding = 0) buffer B { uint b[]; };
shared uint tile[TILE * TILE];
void main() {
  uint at = gl_LocalInvocationID.y * TILE + gl_LocalInvocationID.x;
  tile[at] = b[gl_GlobalInvocationID.x] * GAIN;
  barrier();
  uint sum = 0;
  for (uint k = 0; k < TILE; ++k)
    sum += tile[k * TILE + gl_LocalInvocationID.x];
  b[gl_GlobalInvocationID.x] = sum;
}
