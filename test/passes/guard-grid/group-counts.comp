// The number of groups is that of the authored dispatch, however many groups then run; on an axis that is
// not guarded it stays the device's.
// RUN: %opt --passes='canonicalize-workgroup-size,guard-grid<axes=xz>,strip-debug' --verify-each %s -o %t.spv
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s
// CHECK: OpDecorate %[[COUNT:.*]] BuiltIn NumWorkgroups
// CHECK: OpReturn
// CHECK: %[[PX:.*]] = OpAccessChain %_ptr_PushConstant_uint %{{.*}} %uint_0
// CHECK: %[[NX:.*]] = OpLoad %uint %[[PX]]
// CHECK: %[[GX:.*]] = OpUDiv %uint %[[NX]] %uint_6
// CHECK: %[[C:.*]] = OpLoad %v3uint %[[COUNT]]
// CHECK: %[[GY:.*]] = OpCompositeExtract %uint %[[C]] 1
// CHECK: %[[PZ:.*]] = OpAccessChain %_ptr_PushConstant_uint %{{.*}} %uint_2
// CHECK: %[[NZ:.*]] = OpLoad %uint %[[PZ]]
// CHECK: OpCompositeConstruct %v3uint %[[GX]] %[[GY]] %[[NZ]]
#version 450
layout(local_size_x = 6, local_size_y = 5) in;
layout(set = 0, binding = 0) buffer B { uvec4 b[]; };
void main() { b[gl_GlobalInvocationID.x] = uvec4(gl_NumWorkGroups, 0); }
