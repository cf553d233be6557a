// Debug information names the block: its description goes behind the new one. The check stands in front of what
// describes the function.
// RUN: glslangValidator -V -gVS --target-env vulkan1.3 %s -o %t.in.spv
// RUN: %opt --passes='canonicalize-workgroup-size,guard-grid,remap-ids<size=5x3>,swizzle-groups,swizzle-lanes<order=column>' --verify-each %t.in.spv -o %t.spv
// RUN: spirv-val --target-env vulkan1.3 %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s
// CHECK: OpEntryPoint GLCompute %main "main" {{.*}}%p
// CHECK: {{^ *}}%p = OpVariable %_ptr_PushConstant_P PushConstant
// CHECK: DebugGlobalVariable {{.*}} %p %uint
#version 450
layout(local_size_x = 8, local_size_y = 4) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
layout(push_constant) uniform P { uint width; vec2 v; } p;
void main() {
  uint total = gl_LocalInvocationIndex;
  for (uint i = gl_GlobalInvocationID.x; i < p.width; i += gl_NumWorkGroups.x * 8)
    total += i + gl_WorkGroupID.y * gl_NumWorkGroups.y;
  b[gl_GlobalInvocationID.y * p.width + gl_GlobalInvocationID.x] = total;
}
