// A call tree that would make too large a kernel stays, and the text says so.
// RUN: %opt --passes=print-canonical-form %s | FileCheck %s
// CHECK: ; canonical form of 'main'
// CHECK-NEXT: ; steps undone:{{ *$}}
// CHECK-NEXT: ;   inlining: it would make more than 64000 instructions of {{[0-9]+$}}
// CHECK-NEXT: OpCapability Shader
// CHECK: OpFunctionCall
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { float a[]; };
float f0(float v) { return v * 1.5; }
float f1(float v) { return f0(v) + f0(v + 1.0) + f0(v + 2.0) + f0(v + 3.0); }
float f2(float v) { return f1(v) + f1(v + 1.0) + f1(v + 2.0) + f1(v + 3.0); }
float f3(float v) { return f2(v) + f2(v + 1.0) + f2(v + 2.0) + f2(v + 3.0); }
float f4(float v) { return f3(v) + f3(v + 1.0) + f3(v + 2.0) + f3(v + 3.0); }
float f5(float v) { return f4(v) + f4(v + 1.0) + f4(v + 2.0) + f4(v + 3.0); }
float f6(float v) { return f5(v) + f5(v + 1.0) + f5(v + 2.0) + f5(v + 3.0); }
float f7(float v) { return f6(v) + f6(v + 1.0) + f6(v + 2.0) + f6(v + 3.0); }
float f8(float v) { return f7(v) + f7(v + 1.0) + f7(v + 2.0) + f7(v + 3.0); }
void main() { a[gl_GlobalInvocationID.x] = f8(a[0]); }
