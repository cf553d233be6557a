// Components through access chains with literal indices. GlobalInvocationId is read already, so it
// is in the interface once.
// RUN: %opt --passes='canonicalize-workgroup-size,resize<size=16x2x1>,strip-debug' --verify-each %s -o %t.spv
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s
// CHECK: OpEntryPoint GLCompute %{{.*}} "main" %[[GID:[^ ]*]]{{$}}
// CHECK: OpDecorate %[[GID]] BuiltIn GlobalInvocationId
// WorkgroupId.x is 0, LocalInvocationId.x is the global id:
// CHECK: %[[GROUP:.*]] = OpCopyObject %uint %uint_0
// CHECK: OpIMul %uint %[[GROUP]] %uint_32
// CHECK: %[[A:.*]] = OpLoad %v3uint %[[GID]]
// CHECK-NEXT: OpCompositeExtract %uint %[[A]] 0
// WorkgroupId.y is the global id:
// CHECK: %[[B:.*]] = OpLoad %v3uint %[[GID]]
// CHECK-NEXT: OpCompositeExtract %uint %[[B]] 1
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
