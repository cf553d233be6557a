// One arm of a branch that all take alike leaves for good, so what follows the branch belongs to the
// other arm by dominance: the stretch that is repeated begins in front of the branch all the same.
// RUN: glslangValidator -V --target-env vulkan1.1 %s -o %t.in.spv
// RUN: %opt --passes='canonicalize-workgroup-size,coarsen-threads<size=32x1x1>' --verify-each %t.in.spv -o %t.spv
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(push_constant) uniform P { uint n; };
void main() {
  uint x = gl_GlobalInvocationID.x;
  if (n < 20) {
    if ((x & 1) == 1) { a[x] = 5; return; }
  } else
    return;
  a[x + 64] = a[x] + 3;
}
// CHECK: [[few:%[0-9]+]] = OpULessThan %bool
// CHECK: OpBranchConditional [[few]]
// CHECK: OpBranchConditional [[few]]
// CHECK: OpFunctionEnd
