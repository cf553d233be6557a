// An array of scalars stands too close together for a uniform buffer: it becomes a storage buffer that is only read.
// RUN: glslangValidator -V --target-env vulkan1.0 %s -o %t.in.spv
// RUN: %opt --passes=push-constants-to-buffer --verify-each %t.in.spv -o %t.spv
// RUN: spirv-val --target-env vulkan1.0 %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s --implicit-check-not=PushConstant
// CHECK: OpExtension "SPV_KHR_storage_buffer_storage_class"
// CHECK-DAG: OpDecorate %p NonWritable
// CHECK-DAG: OpDecorate %p Binding 1
// CHECK: %p = OpVariable %_ptr_StorageBuffer_P StorageBuffer
#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer A { float a[]; };
layout(push_constant) uniform P { float f[5]; } p;
void main() { a[gl_GlobalInvocationID.x] = p.f[gl_LocalInvocationID.x % 5]; }
