// The same kernel in the spellings that glslang has for its size.
// RUN: %opt --passes=print-workgroup-size %s | FileCheck %s
// RUN: %opt --passes=canonicalize-workgroup-size,print-workgroup-size %s | FileCheck %s --check-prefix=LITERAL
// RUN: %opt --passes=print-workgroup-size --target-env vulkan1.3 %s | FileCheck %s --check-prefix=ID
// RUN: %opt --passes=print-workgroup-size -D SPEC %s --spec 1=4 | FileCheck %s --check-prefix=SPEC
// CHECK: workgroup size of 'main': 8x2x1 (WorkgroupSize)
// LITERAL: workgroup size of 'main': 8x2x1 (LocalSize)
// ID: workgroup size of 'main': 8x2x1 (LocalSizeId)
// SPEC: workgroup size of 'main': 8x4x1 (WorkgroupSize, specialized)
#version 450
#ifdef SPEC
layout(local_size_x = 8, local_size_y_id = 1) in;
#else
layout(local_size_x = 8, local_size_y = 2) in;
#endif
layout(set = 0, binding = 0) buffer B { uint x; };
void main() { x = gl_WorkGroupSize.y; }
