// One store outside the bounds check: the sizes that do not divide the authored one are exact, never cover.
// RUN: %opt --passes=print-facts,print-certificate %s | FileCheck %s
// RUN: %tailor build --techniques resize %s --sizes 32,96 -o %t.tailor
// RUN: %tailor inspect --format json %t.tailor > %t.json
// RUN: %python %tool-inputs/json_get.py %t.json kernels.0.variants.*.dispatch.rule kernels.0.variants.*.assumes | FileCheck %s --check-prefix=RULES
// CHECK: resize: legal
// CHECK: axis x: used, not guarded
// CHECK-NEXT: store-outside-guard.comp:[[#@LINE+12]]: memory is written without a bounds check on the x axis
// RULES: rule: "same" "exact" "exact"
// RULES-NEXT: assumes: [] [] []
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint b[]; };
layout(binding = 1) buffer C { uint c[]; };
layout(push_constant) uniform P { uint n; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < n)
    b[i] = 1;
  c[i] = 2;
}
