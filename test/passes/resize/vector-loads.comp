// The global id spelled over whole vectors; y is 1 wide. GlobalInvocationId is declared, the ids
// that are no longer read leave the interface.
// RUN: %opt --passes='canonicalize-workgroup-size,resize<size=16x2x1>,strip-debug' --verify-each %s -o %t.spv
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s
// CHECK: OpEntryPoint GLCompute %[[MAIN:.*]] "main" %[[GID:[^ ]*]]{{$}}
// CHECK: OpExecutionMode %[[MAIN]] LocalSize 16 2 1
// CHECK: OpDecorate %[[GID]] BuiltIn GlobalInvocationId
// CHECK: %[[G:.*]] = OpLoad %v3uint %[[GID]]
// CHECK-DAG: %[[X:.*]] = OpCompositeExtract %uint %[[G]] 0
// CHECK-DAG: %[[Y:.*]] = OpCompositeExtract %uint %[[G]] 1
// CHECK-DAG: %[[Z:.*]] = OpCompositeExtract %uint %[[G]] 2
// CHECK-DAG: %[[GROUP:.*]] = OpCompositeConstruct %v3uint %uint_0 %[[Y]] %[[Z]]
// CHECK-DAG: %[[LOCAL:.*]] = OpCompositeConstruct %v3uint %[[X]] %uint_0 %uint_0
// CHECK: %[[A:.*]] = OpIMul %v3uint %[[GROUP]]
// CHECK: OpIAdd %v3uint %[[A]] %[[LOCAL]]
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
layout(push_constant) uniform P { uint width, height; };
void main() {
  uvec3 id = gl_WorkGroupID * uvec3(32, 1, 1) + gl_LocalInvocationID;
  if (id.x < width && id.y < height)
    b[id.y * width + id.x] = id.x;
}
