// RUN: not %opt --passes='guard-grid<source=buffer>' %s 2>&1 | FileCheck %s --check-prefix=SOURCE
// RUN: not %opt --passes='guard-grid<axes=xw>' %s 2>&1 | FileCheck %s --check-prefix=AXES
// RUN: not %opt --passes=guard-grid %s 2>&1 | FileCheck %s --check-prefix=SIZE
// SOURCE: --passes:1:19: error: 'buffer' is neither push-constants nor spec-constants
// AXES: --passes:1:17: error: 'xw' is not made of x, y and z
// SIZE: error: the pass 'guard-grid' requires the property 'canonical-size', which the module lacks
#version 450
layout(local_size_x_id = 1) in;
void main() {}
