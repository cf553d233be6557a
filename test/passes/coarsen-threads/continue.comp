// The rest of a loop's body, where some invocations go on with the next iteration: repeated in a
// switch of one case, which they leave instead. The loop, its counter and its barriers stand once.
// RUN: glslangValidator -V --target-env vulkan1.1 %s -o %t.in.spv
// RUN: %opt --passes='canonicalize-workgroup-size,coarsen-threads<size=32x1x1>' --verify-each %t.in.spv -o %t.spv
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { float b[]; };
layout(push_constant) uniform P { uint n; };
shared float tile[64];
void main() {
  uint lane = gl_LocalInvocationID.x;
  float v = b[lane];
  for (uint i = 0; i < n; ++i) {
    tile[lane] = v;
    barrier();
    float w = tile[(lane + i) & 63u];
    barrier();
    if (w < 0)
      continue;
    v = v + w;
  }
  b[lane] = v;
}
// CHECK: OpLoopMerge %{{[0-9]+}} [[next:%[0-9]+]] None
// CHECK: OpControlBarrier
// CHECK: OpControlBarrier
// CHECK-NOT: OpControlBarrier
// CHECK: OpSelectionMerge [[end:%[0-9]+]] None
// CHECK-NEXT: OpSwitch %uint_0 [[start:%[0-9]+]]
// CHECK-NEXT: [[start]] = OpLabel
// CHECK-NEXT: OpSelectionMerge
// CHECK-NEXT: OpBranchConditional
// CHECK: OpBranch [[end]]
// CHECK: OpFAdd %float
// CHECK-NEXT: OpBranch [[end]]
// CHECK: [[end]] = OpLabel
// CHECK-NEXT: [[x:%[0-9]+]] = OpPhi %float
// CHECK: OpSelectionMerge [[end2:%[0-9]+]] None
// CHECK-NEXT: OpSwitch %uint_0
// CHECK: [[end2]] = OpLabel
// CHECK-NEXT: [[y:%[0-9]+]] = OpPhi %float
// CHECK: OpBranch [[next]]
// CHECK: [[next]] = OpLabel
// CHECK: OpIAdd %uint
// CHECK-NEXT: OpBranch
