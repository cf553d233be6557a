// Where invocations may part, the whole stretch is repeated, one authored invocation after the
// other; a return becomes the end of its copy.
// RUN: glslangValidator -V --target-env vulkan1.1 %s -o %t.in.spv
// RUN: %opt --passes='canonicalize-workgroup-size,coarsen-threads<size=32x1x1>' --verify-each %t.in.spv -o %t.spv
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
layout(push_constant) uniform P { uint n; };
void main() {
  uint x = gl_GlobalInvocationID.x;
  if (x >= n)
    return;
  for (uint i = 0; i < x; ++i)
    b[x] = i;
}
// CHECK: OpExecutionMode %main LocalSize 32 1 1
// CHECK: OpSelectionMerge [[end:%[0-9]+]] None
// CHECK-NEXT: OpSwitch %uint_0 [[start:%[0-9]+]]
// CHECK-NEXT: [[start]] = OpLabel
// CHECK-NEXT: OpSelectionMerge
// CHECK-NEXT: OpBranchConditional
// CHECK: OpBranch [[end]]
// CHECK: OpLoopMerge
// CHECK: OpBranch [[end]]
// CHECK: [[end]] = OpLabel
// CHECK-NEXT: OpSelectionMerge [[end2:%[0-9]+]] None
// CHECK-NEXT: OpSwitch %uint_0 [[start2:%[0-9]+]]
// CHECK: OpLoopMerge
// CHECK: [[end2]] = OpLabel
// CHECK-NEXT: OpReturn
// CHECK-NEXT: OpFunctionEnd
