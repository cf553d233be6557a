// No option, an unknown SpecId, and an array that would lose its length.
// RUN: not %opt --passes=freeze-spec-constants %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not %opt --passes='freeze-spec-constants<ids=3>' %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not %opt --passes='freeze-spec-constants<values=0:0>' %s 2>&1 | FileCheck %s --check-prefix=LENGTH
// NONE: --passes:1:1: error: the pass 'freeze-spec-constants' needs one of its options
// UNKNOWN: refused.comp: error: the module has no specialization constant with SpecId 3
// UNKNOWN: note: there is SpecId 0, 'n'
// LENGTH: error: with these specialization values an array would have length 0
// LENGTH: note: its length is this constant
#version 450
layout(local_size_x = 1) in;
layout(constant_id = 0) const uint n = 10;
shared uint tile[n];
layout(set = 0, binding = 0) buffer B { uint x; };
void main() { tile[0] = 1; x = tile[0]; }
