// RUN: not %opt --passes=resize %s 2>&1 | FileCheck %s --check-prefix=NEEDED
// RUN: not %opt --passes='resize<size=64x0>' %s 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not %opt --passes='resize<size=64,sise=3>' %s 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not %opt --passes='resize<size>' %s 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not %opt --passes='resize<size=4,size=8>' %s 2>&1 | FileCheck %s --check-prefix=TWICE
// NEEDED: --passes:1:1: error: the pass 'resize' needs its option size=AxBxC
// SIZE: --passes:1:13: error: '64x0' is not a size: write AxBxC, none of them zero
// NAME: --passes:1:16: error: the pass 'resize' has no option 'sise'; did you mean 'size'?
// VALUE: --passes:1:8: error: the option 'size' needs a value: size=AxBxC
// TWICE: --passes:1:15: error: the option 'size' is given twice
#version 450
layout(local_size_x = 1) in;
void main() {}
