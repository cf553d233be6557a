// RUN: not %opt --passes=remap-ids %s 2>&1 | FileCheck %s --check-prefix=NEEDED
// RUN: not %opt --passes='remap-ids<size=0>' %s 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not %opt --passes='remap-ids<size=4>' %s 2>&1 | FileCheck %s --check-prefix=SIZE
// NEEDED: --passes:1:1: error: the pass 'remap-ids' needs its option size=AxBxC
// ZERO: --passes:1:16: error: '0' is not a size: write AxBxC, none of them zero
// SIZE: error: the pass 'remap-ids' requires the property 'canonical-size', which the module lacks
#version 450
layout(local_size_x_id = 1) in;
void main() {}
