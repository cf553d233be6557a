// The third spelling, LocalSizeId, and a tile whose own constant the host must keep in step.
// RUN: %opt --target-env vulkan1.3 --passes='respecialize<size=32,values=1:32>' --spec 0=16 --spec 1=16 --verify-each %s -o %t.spv
// RUN: spirv-val --target-env vulkan1.3 %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s --implicit-check-not=SpecId --implicit-check-not=LocalSizeId
// CHECK: OpExecutionMode %{{.*}} LocalSize 32 1 1
// CHECK: %TILE = OpConstant %uint 32
// CHECK: OpTypeArray %uint %TILE
#version 450
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint TILE = 4;
layout(set = 0, binding = 0) buffer B { uint b[]; };
shared uint tile[TILE];
void main() {
  tile[gl_LocalInvocationID.x] = b[gl_GlobalInvocationID.x];
  barrier();
  b[gl_GlobalInvocationID.x] = tile[gl_WorkGroupSize.x - 1u - gl_LocalInvocationID.x];
}
