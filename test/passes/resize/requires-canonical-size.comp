// The pass states what it requires; the manager names the pass, the property and who gives it.
// RUN: not %opt --passes='resize<size=64x1x1>' --spec 0=16 %s 2>&1 | FileCheck %s
// RUN: %opt --passes='canonicalize-workgroup-size,resize<size=64x1x1>' --spec 0=16 --verify-each %s -o %t.spv
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: %opt --passes=print-workgroup-size %t.spv | FileCheck %s --check-prefix=SIZE
// CHECK: requires-canonical-size.comp: error: the pass 'resize' requires the property 'canonical-size', which the module lacks
// CHECK: note: run 'canonicalize-workgroup-size' before it
// SIZE: workgroup size of 'main': 64x1x1 (LocalSize)
#version 450
layout(local_size_x_id = 0) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
void main() { b[gl_GlobalInvocationID.x] = 1; }
