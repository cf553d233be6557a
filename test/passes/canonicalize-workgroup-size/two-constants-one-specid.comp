// The size and the array length hang off two constants under one SpecId: both are frozen to the
// host's value, so that the array keeps following the size, and no SpecId stays behind.
// RUN: glslangValidator -V --target-env vulkan1.1 %s -o %t.in.spv
// RUN: %opt --passes=print-workgroup-size %t.in.spv --spec 4=32 | FileCheck %s --check-prefix=SIZE
// RUN: %opt --passes=canonicalize-workgroup-size --verify-each --spec 4=32 %t.in.spv -o %t.spv
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s --implicit-check-not="SpecId 4" --implicit-check-not="BuiltIn WorkgroupSize"
// SIZE: workgroup size of 'main': 32x1x1 (WorkgroupSize, specialized)
// CHECK: OpExecutionMode %main LocalSize 32 1 1
// CHECK: OpDecorate %[[OTHER:.*]] SpecId 5
// CHECK: %[[LENGTH:.*]] = OpConstant %uint 64
// CHECK: OpTypeArray %uint %[[LENGTH]]
// CHECK: %[[OTHER]] = OpSpecConstant %uint 3
#version 450
layout(local_size_x_id = 4) in;
layout(constant_id = 5) const uint other = 3;
layout(set = 0, binding = 0) buffer B { uint b[]; };
shared uint tile[gl_WorkGroupSize.x * 2];
void main() {
  uint i = gl_LocalInvocationIndex;
  tile[i * 2] = i * other;
  barrier();
  b[gl_GlobalInvocationID.x] = tile[(i * 2 + 2) % (2 * gl_WorkGroupSize.x)];
}
