// A refusal in the manifest: technique, reason, location and causes.
// RUN: %tailor analyze --format json %s > %t.json
// RUN: %python %tool-inputs/json_get.py %t.json kernels.0.refused | FileCheck %s
// CHECK: "technique": "resize"
// CHECK-SAME: "reason": "the stored value depends on how the grid is cut into workgroups"
// CHECK-SAME: "location": "{{.*}}refused-json.comp:[[#@LINE+5]]"
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint b[]; };
void main() {
  b[gl_GlobalInvocationID.x] = gl_WorkGroupID.x;
}
