// RUN: not %opt --passes=respecialize %s 2>&1 | FileCheck %s --check-prefix=NEEDED
// RUN: not %opt --passes='respecialize<size=0x8>' %s 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not %opt --passes='respecialize<values=x:8>' %s 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not %opt --passes='respecialize<size=32>' %s 2>&1 | FileCheck %s --check-prefix=LITERAL
// NEEDED: --passes:1:1: error: the pass 'respecialize' needs one of its options: size=AxBxC, values=ID:VALUE;...
// SIZE: --passes:1:19: error: '0x8' is not a size: write AxBxC, none of them zero
// VALUE: --passes:1:21: error: {{.*}}x
// LITERAL: usage.comp:[[#@LINE+3]]:11: error: the workgroup size is no specialization constant
#version 450
layout(local_size_x = 64) in;
void main() {}
