// RUN: not %opt --passes='print-uniformity<entry=other>' %s 2>&1 | FileCheck --check-prefix=ENTRY %s
// ENTRY: error: {{.*}}other
// RUN: not %opt --passes='print-uniformity<couses>' %s 2>&1 | FileCheck --check-prefix=OPTION %s
// OPTION: error: {{.*}}couses
// RUN: %opt --passes='print-uniformity<entry=main>' %s | FileCheck %s
// CHECK: uniformity of 'main' at 1x1x1
// CHECK-NEXT: block %[[#]]: dispatch
// CHECK: OpLoad ({{.*}}options.comp:[[#@LINE+4]]): workgroup{{$}}
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { uint data[]; };
void main() { data[0] = data[1] + 1u; }
