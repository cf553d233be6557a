// A bounds check on x covers x alone: sizes that leave y as it is, or divide it, are legal by themselves; others on y
// must divide the grid, and are never cover.
// RUN: %opt --passes=print-facts,print-certificate %s | FileCheck %s
// RUN: %tailor build --techniques resize %s --sizes 12x8,8x4,8x12,12x12 -o %t.tailor
// RUN: %tailor inspect --format json %t.tailor > %t.json
// RUN: %python %tool-inputs/json_get.py %t.json kernels.0.variants.*.id kernels.0.variants.*.dispatch.rule | FileCheck %s --check-prefix=RULES
// CHECK: resize: legal
// CHECK: axis x: used, guarded
// CHECK-NEXT: guard-on-one-axis.comp:[[#@LINE+12]]: gid.x < push_constant[0]
// CHECK-NEXT: axis y: used, not guarded
// CHECK-NEXT: guard-on-one-axis.comp:[[#@LINE+11]]: memory is written without a bounds check on the y axis
// RULES: id: "authored" "resize-12x8x1" "resize-8x4x1" "resize-8x12x1" "resize-12x12x1"
// RULES-NEXT: rule: "same" "cover" "exact" "exact" "exact"
// The 12 on x does not divide: with y it cannot be cover.
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) buffer B { uint b[]; };
layout(push_constant) uniform P { uint width; };
void main() {
  uvec3 id = gl_GlobalInvocationID;
  if (id.x >= width) return;
  b[id.y * width + id.x] = id.x;
}
