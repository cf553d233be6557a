// Workgroup memory that each invocation keeps to itself: at a size that divides the authored one two invocations of
// a group never have one authored local id. At 128 they would share a stack.
// RUN: %opt --passes='canonicalize-workgroup-size,remap-ids<size=16>' --verify-each %s -o %t.spv
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: not %opt --passes='canonicalize-workgroup-size,remap-ids<size=128>' %s 2>&1 | FileCheck %s
// CHECK: private-memory.comp: error: remap does not make 128x1x1 of 64x1x1
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
shared uint stack[64 * 4];
void main() {
  uint at = gl_LocalInvocationIndex * 4;
  for (uint i = 0; i < 4; ++i)
    stack[at + i] = b[gl_GlobalInvocationID.x] + i;
  b[gl_GlobalInvocationID.x] = stack[at + 3] * stack[at];
}
