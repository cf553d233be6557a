// Conditions that lead to a block decide those inside of it; barriers of what is never run go too.
// RUN: %opt --passes='propagate-ranges,strip-debug' --verify-each %s -o %t.spv
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s
// CHECK-NOT: OpControlBarrier
// CHECK: OpUGreaterThanEqual %bool %[[N:.*]] %uint_100
// CHECK-NOT: OpULessThan %bool %[[N]]
// CHECK: OpStore %{{.*}} %uint_1{{$}}
// CHECK: OpLoopMerge
// CHECK: OpStore %{{.*}} %uint_5{{$}}
// CHECK-NOT: OpStore %{{.*}} %uint_6{{$}}
// CHECK: OpFunctionEnd
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(push_constant) uniform P { uint limit; };
void main() {
  uint lane = gl_LocalInvocationID.x, n = limit;
  if (lane >= gl_WorkGroupSize.x)
    barrier();
  if (n >= 100)
    return;
  a[0] = n < 100 ? 1 : 2;
  for (uint offset = 1; offset < 64; offset <<= 1)
    if (lane + 64 >= offset && offset != 48)
      a[1] = 5;
    else
      a[2] = 6;
}
