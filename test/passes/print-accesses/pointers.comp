// Memory behind a physical address: no variable is known for it, and no rule.
// RUN: %opt --passes=print-accesses --target-env=vulkan1.2 %s | FileCheck %s
// CHECK: store buffer '%[[#]]' 4 bytes at {{.*}}pointers.comp:[[#@LINE+8]]
// CHECK-NEXT: pattern: gather{{$}}
// CHECK-NEXT: workgroup (1, 0, 0): sectors 1 to 32; lines 1 to 32 (data-dependent)
#version 450
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430) buffer Data { uint v[]; };
layout(push_constant) uniform P { Data data; } p;
void main() { p.data.v[gl_GlobalInvocationID.x] = 1u; }
