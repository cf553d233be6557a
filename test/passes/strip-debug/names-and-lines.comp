// Names, sources and lines go; a second run finds nothing.
// RUN: glslangValidator -g -V --target-env vulkan1.1 %s -o %t.in.spv
// RUN: spirv-dis --no-header %t.in.spv | FileCheck %s --check-prefix=BEFORE
// RUN: %opt --passes=strip-debug --verify-each %t.in.spv -o %t.spv
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s --implicit-check-not=OpName --implicit-check-not=OpLine --implicit-check-not=OpString --implicit-check-not=OpSource --implicit-check-not=OpModuleProcessed
// RUN: %opt --passes=strip-debug --verify-each %t.spv -o %t.again.spv
// RUN: cmp %t.spv %t.again.spv
// BEFORE: OpString
// BEFORE: OpName
// BEFORE: OpLine
// CHECK: OpEntryPoint GLCompute %{{.*}} "main"
// CHECK: OpStore
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { uint x; };
void main() { x = 1; }
