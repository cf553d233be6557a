// What changes nothing becomes its operand, and what has one value that value.
// RUN: %opt --passes='propagate-ranges,strip-debug' --verify-each %s -o %t.spv
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s
// CHECK: %[[I:.*]] = OpLoad %uint
// CHECK-NOT: {{OpUMod|OpBitwiseAnd|OpExtInst|OpSelect|OpUDiv|OpULessThan|OpPhi|OpBranchConditional}}
// CHECK: OpStore %{{.*}} %[[I]]
// CHECK: OpStore %{{.*}} %[[I]]
// CHECK: OpStore %{{.*}} %[[I]]
// CHECK: OpStore %{{.*}} %[[I]]
// CHECK: OpStore %{{.*}} %uint_80
// CHECK: OpStore %{{.*}} %[[I]]
// CHECK: OpStore %{{.*}} %uint_0
// CHECK: OpStore %{{.*}} %uint_1
// CHECK: OpStore %{{.*}} %[[I]]
// CHECK: OpStore %{{.*}} %uint_7
// CHECK: OpStore %{{.*}} %[[I]]
// CHECK: OpStore %{{.*}} %[[I]]
// A mask with a hole, a remainder by less, a minimum inside of the range.
// CHECK: OpBitwiseAnd %uint %[[I]]
// CHECK: OpUMod %uint %[[I]]
// CHECK: OpExtInst %uint %{{.*}} UMin %[[I]]
// CHECK: OpFunctionEnd
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  a[0] = i % 64;
  a[1] = i & 127;
  a[2] = min(i, 63u);
  a[3] = max(i, 0u);
  a[4] = max(i, 80u);
  a[5] = clamp(i, 0u, 64u);
  a[6] = i / 64;
  a[7] = uint(i < 64);
  a[8] = i < 64 ? i : 5;
  if (i * 4 > 252)
    a[9] = 6;
  else
    a[9] = 7;
  a[10] = gl_LocalInvocationID.z * 64 + i;
  a[11] = (i << gl_LocalInvocationID.z) / (i / 64 + 1) - i / 100;
  a[12] = i & 95;
  a[13] = i % 63;
  a[14] = min(i, 62u);
}
