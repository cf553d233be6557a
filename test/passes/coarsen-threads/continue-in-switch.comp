// A branch out of a switch leaves a loop alone, so that the rest of the body is repeated in one of
// one iteration.
// RUN: glslangValidator -V --target-env vulkan1.1 %s -o %t.in.spv
// RUN: %opt --passes='canonicalize-workgroup-size,coarsen-threads<size=32x1x1>' --verify-each %t.in.spv -o %t.spv
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
layout(push_constant) uniform P { uint n; };
shared uint tile[64];
void main() {
  uint lane = gl_LocalInvocationID.x, v = b[lane];
  for (uint i = 0; i < n; ++i) {
    tile[lane] = v;
    barrier();
    uint w = tile[(lane + i) & 63u];
    barrier();
    switch (w & 3u) {
    case 0:
      continue;
    case 1:
      v = v + w;
    }
    v = v * 3u;
  }
  b[lane] = v;
}
// CHECK: OpLoopMerge %{{[0-9]+}} [[next:%[0-9]+]] None
// CHECK: OpControlBarrier
// CHECK: OpControlBarrier
// CHECK-NOT: OpControlBarrier
// CHECK: OpBranch [[header:%[0-9]+]]
// CHECK-NEXT: [[header]] = OpLabel
// CHECK-NEXT: OpLoopMerge [[end:%[0-9]+]] [[left:%[0-9]+]] None
// CHECK: OpSwitch
// CHECK: OpBranch [[left]]
// CHECK: OpIMul
// CHECK-NEXT: OpBranch [[left]]
// CHECK: [[left]] = OpLabel
// CHECK-NEXT: OpPhi %uint
// CHECK-NEXT: OpBranchConditional %true [[end]] [[header]]
// CHECK: OpLoopMerge [[end2:%[0-9]+]] [[left2:%[0-9]+]] None
// CHECK: OpBranchConditional %true [[end2]]
// CHECK: OpBranch [[next]]
