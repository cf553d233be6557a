// Calls are inlined and variables are gone; each instruction says which line it came from.
// RUN: %opt --passes=print-canonical-form %s | FileCheck %s
// The text can be assembled again, and is the same each time.
// RUN: %opt --passes=print-canonical-form %s > %t.spvasm
// RUN: spirv-as --target-env vulkan1.1 %t.spvasm -o %t.spv
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: %opt --passes=print-canonical-form %s | diff - %t.spvasm
// CHECK: ; canonical form of 'main'
// CHECK-NEXT: ; steps undone: none
// CHECK-NEXT: OpCapability Shader
// CHECK: OpExecutionMode [[MAIN:%[0-9]+]] LocalSize 64 1 1
// CHECK-NOT: OpString
// CHECK: {{^}}[[MAIN]] = OpFunction
// CHECK-NOT: OpFunctionCall
// CHECK: {{^}}[[X:%[0-9]+]] = OpLoad {{.*}} ; {{.*}}calls.comp:[[#@LINE+11]]
// CHECK: {{^}}[[P:%[0-9]+]] = OpFMul {{%[0-9]+}} [[X]] [[X]] ; {{.*}}calls.comp:[[#@LINE+7]]
// CHECK: {{^}}[[S:%[0-9]+]] = OpFAdd {{%[0-9]+}} [[P]] {{%[0-9]+}} ; {{.*}}calls.comp:[[#@LINE+11]]
// CHECK: OpStore {{%[0-9]+}} [[S]] ; {{.*}}calls.comp:[[#@LINE+11]]
// CHECK-NOT: OpFunction {{%}}
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { float a[]; };
float square(float v) { return v * v; }
void main() {
  uint i = gl_GlobalInvocationID.x;
  float x = a[i];
  float y = square(x);
  y = y + 1.0;
  a[i] = y;
}
