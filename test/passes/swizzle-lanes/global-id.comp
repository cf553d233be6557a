// GlobalInvocationId is the authored invocation's: WorkgroupId·S plus the permuted local id. Barriers and
// workgroup memory stay where they are.
// RUN: %opt --passes='canonicalize-workgroup-size,swizzle-lanes<order=column>,strip-debug' --verify-each %s -o %t.spv
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s
// CHECK: OpEntryPoint GLCompute %{{.*}} "main" %{{[^ ]*}} %{{[^ ]*}}{{$}}
// CHECK-DAG: OpDecorate %[[W:.*]] BuiltIn WorkgroupId
// CHECK-DAG: OpDecorate %[[INDEX:.*]] BuiltIn LocalInvocationIndex
// CHECK: OpFunction
// CHECK-DAG: %[[W3:.*]] = OpLoad %v3uint %[[W]]
// CHECK-DAG: %[[WX:.*]] = OpCompositeExtract %uint %[[W3]] 0
// CHECK-DAG: %[[WX8:.*]] = OpShiftLeftLogical %uint %[[WX]] %uint_3
// CHECK-DAG: %[[I:.*]] = OpLoad %uint %[[INDEX]]
// CHECK-DAG: %[[X:.*]] = OpShiftRightLogical %uint %[[I]] %uint_2
// CHECK-DAG: OpIAdd %uint %[[WX8]] %[[X]]
// CHECK: OpControlBarrier
#version 450
layout(local_size_x = 8, local_size_y = 4) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
shared uint t[32];
void main() {
  t[gl_LocalInvocationIndex] = b[gl_GlobalInvocationID.x];
  barrier();
  b[gl_GlobalInvocationID.x] = t[31 - gl_LocalInvocationIndex];
}
