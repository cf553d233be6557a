// RUN: not %opt --passes=swizzle-lanes %s 2>&1 | FileCheck %s --check-prefix=NEEDED
// RUN: not %opt --passes='swizzle-lanes<order=zigzag>' %s 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not %opt --passes='swizzle-lanes<order=tile>' %s 2>&1 | FileCheck %s --check-prefix=TILE
// RUN: not %opt --passes='swizzle-lanes<order=row,tile=2x2>' %s 2>&1 | FileCheck %s --check-prefix=NOTILE
// RUN: not %opt --passes='swizzle-lanes<order=tile,tile=2x2x2>' %s 2>&1 | FileCheck %s --check-prefix=AXES
// NEEDED: --passes:1:1: error: the pass 'swizzle-lanes' needs its option order=ORDER
// ORDER: --passes:1:21: error: 'zigzag' is none of row, column, morton and tile
// TILE: --passes:1:1: error: the order 'tile' needs the option tile=AxB
// NOTILE: --passes:1:30: error: the order 'row' has no tiles
// AXES: --passes:1:31: error: a tile has two axes: write AxB
#version 450
layout(local_size_x = 8) in;
void main() {}
