// Blocks with an explicit layout begin at one byte. The larger of the two has 80 bytes, aligned to
// 16: copies of both are 80 bytes apart, so that each is seen through its own of the other.
// RUN: %opt --target-env vulkan1.2 --passes='canonicalize-workgroup-size,pack-groups<size=64>' --verify-each %s -o %t.spv
// RUN: spirv-val --target-env vulkan1.2 %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s
// CHECK-DAG: OpDecorate %[[WORDS:.*]] ArrayStride 80
// CHECK-DAG: OpDecorate %[[QUADS:.*]] ArrayStride 80
// CHECK-DAG: OpDecorate %[[B1:_struct_[0-9]+]] Block
// CHECK-DAG: OpDecorate %[[B2:_struct_[0-9]+]] Block
// CHECK-DAG: OpMemberDecorate %[[B1]] 0 Offset 0
// CHECK-DAG: OpMemberDecorate %[[B2]] 0 Offset 0
// CHECK: %[[IN1:_struct_[0-9]+]] = OpTypeStruct %_arr_uint_
// CHECK: %[[WORDS]] = OpTypeArray %[[IN1]] %
// CHECK: %[[B1]] = OpTypeStruct %[[WORDS]]
// CHECK: %[[IN2:_struct_[0-9]+]] = OpTypeStruct %_arr_v4uint_
// CHECK: %[[QUADS]] = OpTypeArray %[[IN2]] %
// CHECK: %[[B2]] = OpTypeStruct %[[QUADS]]
// CHECK: %[[COPY:.*]] = OpShiftRightLogical
// CHECK: OpAccessChain %_ptr_Workgroup_uint %{{.*}} %uint_0 %[[COPY]] %int_0
// CHECK: OpAccessChain %_ptr_Workgroup_uint %{{.*}} %uint_0 %[[COPY]] %int_0 %{{.*}} %uint_1
#version 450
#extension GL_EXT_shared_memory_block : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
shared Words { uint words[16]; };
shared Quads { uvec4 quads[5]; };
void main() {
  uint l = gl_LocalInvocationID.x;
  if (l < 16)
    words[l] = a[gl_GlobalInvocationID.x];
  barrier();
  a[gl_GlobalInvocationID.x] = quads[l & 3].y;
}
