// Where invocations may part but seldom do, a stretch that reads memory stands twice: for when all
// copies go the same way, side by side, and for when they do not, one after the other.
// RUN: glslangValidator -V --target-env vulkan1.1 %s -DGUARD -o %t.guard.in.spv
// RUN: %opt --passes='canonicalize-workgroup-size,coarsen-threads<size=32x1x1>' --verify-each %t.guard.in.spv -o %t.guard.spv
// RUN: spirv-dis --no-header %t.guard.spv | FileCheck %s --check-prefix=GUARD
// RUN: glslangValidator -V --target-env vulkan1.1 %s -DLOOP -o %t.loop.in.spv
// RUN: %opt --passes='canonicalize-workgroup-size,coarsen-threads<size=32x1x1>' --verify-each %t.loop.in.spv -o %t.loop.spv
// RUN: spirv-dis --no-header %t.loop.spv | FileCheck %s --check-prefix=LOOP
// RUN: glslangValidator -V --target-env vulkan1.1 %s -DDATA -o %t.data.in.spv
// RUN: %opt --passes='canonicalize-workgroup-size,coarsen-threads<size=32x1x1>' --verify-each %t.data.in.spv -o %t.data.spv
// RUN: spirv-dis --no-header %t.data.spv | FileCheck %s --check-prefix=DATA
// RUN: glslangValidator -V --target-env vulkan1.1 %s -DEFFECT -o %t.effect.in.spv
// RUN: %opt --passes='canonicalize-workgroup-size,coarsen-threads<size=32x1x1>' --verify-each %t.effect.in.spv -o %t.effect.spv
// RUN: spirv-dis --no-header %t.effect.spv | FileCheck %s --check-prefix=EFFECT
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
layout(push_constant) uniform P { uint n; };
void main() {
  uint x = gl_GlobalInvocationID.x;
#ifdef GUARD
  if (x >= n)
    return;
  a[x] = b[x] * 3;
  // GUARD: [[out:%[0-9]+]] = OpUGreaterThanEqual %bool [[x:%[0-9]+]]
  // GUARD-NEXT: [[out2:%[0-9]+]] = OpUGreaterThanEqual %bool [[x2:%[0-9]+]]
  // GUARD-NEXT: [[in:%[0-9]+]] = OpLogicalNot %bool [[out]]
  // GUARD-NEXT: [[in2:%[0-9]+]] = OpLogicalNot %bool [[out2]]
  // GUARD: OpLogicalAnd %bool [[in]] [[in2]]
  // GUARD: OpBranchConditional
  // One by one, each under its own condition.
  // GUARD: OpBranchConditional [[out]]
  // GUARD: OpLoad
  // GUARD: OpStore
  // GUARD: OpBranchConditional [[out2]]
  // GUARD: OpLoad
  // GUARD: OpStore
  // Together, both reads before both writes.
  // GUARD: OpAccessChain {{.*}} [[x]]
  // GUARD-NEXT: OpAccessChain {{.*}} [[x2]]
  // GUARD-NEXT: OpLoad
  // GUARD-NEXT: OpLoad
  // GUARD: OpStore
  // GUARD-NEXT: OpStore
  // GUARD: OpFunctionEnd
#endif
#ifdef LOOP
  uint sum = 0;
  for (uint i = gl_LocalInvocationID.x; i < 300; i += 64)
    sum += b[i];
  a[x] = sum;
  // All of them while all of them go on, then the rest of each.
  // LOOP: OpLoopMerge
  // LOOP: [[go:%[0-9]+]] = OpULessThan
  // LOOP: [[go2:%[0-9]+]] = OpULessThan
  // LOOP: OpLogicalAnd %bool [[go]] [[go2]]
  // LOOP: OpLoad
  // LOOP-NEXT: OpLoad
  // LOOP: OpLoopMerge
  // LOOP: OpLoad
  // LOOP: OpLoopMerge
  // LOOP: OpLoad
  // LOOP-NOT: OpLoopMerge
  // LOOP: OpFunctionEnd
#endif
#ifdef DATA
  // Neighbours part at random: to ask first would cost more than it brings.
  if ((b[x] & 1) == 0)
    a[x] = b[b[x]];
  // DATA-NOT: OpLogicalAnd
  // DATA: OpFunctionEnd
#endif
#ifdef EFFECT
  // The test would count once more for those that go on alone.
  uint sum = 0;
  while ((a[x] += 1) < (x & 7))
    sum += b[sum];
  a[x] = sum;
  // EFFECT-COUNT-2: OpLoopMerge
  // EFFECT-NOT: OpLoopMerge
  // EFFECT: OpFunctionEnd
#endif
}
