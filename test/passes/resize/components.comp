// Components through access chains with literal indices. GlobalInvocationId is read already, so it
// is in the interface once.
// RUN: %opt --passes='canonicalize-workgroup-size,resize<size=16x2x1>,strip-debug' --verify-each %s -o %t.spv
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s
// CHECK: OpEntryPoint GLCompute %{{.*}} "main" %[[GID:[^ ]*]]{{$}}
// CHECK: OpDecorate %[[GID]] BuiltIn GlobalInvocationId
// WorkgroupId.x is 0, LocalInvocationId.x is the global id, WorkgroupId.y is the global id: read once,
// at the head of the function, behind its variables.
// CHECK: OpVariable %_ptr_Function_uint Function
// CHECK-NOT: OpStore
// CHECK: %[[G:.*]] = OpLoad %v3uint %[[GID]]
// CHECK-DAG: %[[X:.*]] = OpCompositeExtract %uint %[[G]] 0
// CHECK-DAG: %[[Y:.*]] = OpCompositeExtract %uint %[[G]] 1
// CHECK: %[[A:.*]] = OpIMul %uint %uint_0 %uint_32
// CHECK: OpIAdd %uint %[[A]] %[[X]]
// CHECK: OpStore %{{.*}} %[[Y]]
// The body's own read of it stays.
// CHECK: OpAccessChain %_ptr_Input_uint %[[GID]] %uint_0
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
layout(push_constant) uniform P { uint width; };
void main() {
  uint x = gl_WorkGroupID.x * 32 + gl_LocalInvocationID.x;
  uint y = gl_WorkGroupID.y;
  if (x < width)
    b[y * width + x] = gl_GlobalInvocationID.x;
}
