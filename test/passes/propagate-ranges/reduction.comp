// A tree reduction coarsened to half: the stride is at most 128, so no invocation but the first of
// the two is ever below it, nor is any but the first number 0.
// RUN: %opt --passes='canonicalize-workgroup-size,coarsen-threads<size=128>,propagate-ranges,strip-debug' --verify-each %s -o %t.spv
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s
// CHECK: LocalSize 128 1 1
// CHECK: %[[LANE:.*]] = OpCompositeExtract %uint %{{.*}} 0
// CHECK: OpControlBarrier
// CHECK: OpLoopMerge
// CHECK: OpULessThan %bool %[[LANE]]
// CHECK-NOT: OpULessThan
// CHECK-COUNT-1: OpFAdd
// CHECK-NOT: OpFAdd
// CHECK: OpControlBarrier
// CHECK: OpIEqual %bool %[[LANE]] %uint_0
// CHECK-NOT: OpIEqual
// CHECK-COUNT-3: OpStore
// CHECK-NOT: {{OpStore|OpFAdd}}
// CHECK: OpFunctionEnd
#version 450
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer A { float a[]; };
layout(set = 0, binding = 1) writeonly buffer B { float b[]; };
shared float part[256];
void main() {
  uint lane = gl_LocalInvocationID.x;
  part[lane] = a[gl_GlobalInvocationID.x];
  barrier();
  for (uint stride = gl_WorkGroupSize.x / 2; stride > 0; stride >>= 1) {
    if (lane < stride)
      part[lane] += part[lane + stride];
    barrier();
  }
  if (lane == 0) {
    b[gl_WorkGroupID.x] = part[0];
    b[gl_WorkGroupID.x + 1024] = part[0] * 2;
    b[gl_WorkGroupID.x + 2048] = part[0] * 3;
  }
}
