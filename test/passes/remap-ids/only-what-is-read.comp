// One component is read, in a function that is called: it is computed there, and nothing else is.
// RUN: %opt --passes='canonicalize-workgroup-size,remap-ids<size=12>,strip-debug' --verify-each %s -o %t.spv
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s
// CHECK: OpEntryPoint GLCompute %{{[^ ]*}} "main" %[[G:[^ ]*]]{{$}}
// CHECK: OpDecorate %[[G]] BuiltIn GlobalInvocationId
// CHECK-NOT: OpUMod
// CHECK: = OpFunction %void
// CHECK-NOT: OpUMod
// CHECK: = OpFunction %uint
// CHECK: OpCompositeExtract %uint %{{.*}} 0
// CHECK: OpBitwiseAnd %uint %{{.*}} %uint_7
// CHECK-NOT: OpUMod
// CHECK-NOT: OpUDiv
#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
uint lane() { return gl_LocalInvocationID.x & 3; }
void main() { b[gl_GlobalInvocationID.x] = lane(); }
