// A look-back scan waits for the groups before it; a kernel without barriers has none.
// RUN: %opt --passes=print-barriers %s | FileCheck %s --match-full-lines
// RUN: %opt --passes=print-barriers %kernels/saxpy.comp | FileCheck %s --check-prefix=NONE --match-full-lines
// CHECK: barriers of 'main'
// CHECK-NEXT:   atomic or on buffer 'State' at {{.*}}waiting.comp:19: result used, scope Device, semantics None
// CHECK-NEXT:     one-address (in a workgroup), one invocation per workgroup; loop depth 1, runs n({{.*}}) times
// CHECK-NEXT:   waiting loop at {{.*}}waiting.comp:20: it decides by memory that other invocations write
// CHECK-NEXT:       because {{.*}}waiting.comp:19: it is read here
// CHECK-NOT: {{.+}}
// NONE: barriers of 'main'
// NONE-NEXT:  none
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer State { uint state[]; };
void main() {
  uint seen = 0;
  if (gl_LocalInvocationIndex == 0)
    do {
      seen = atomicOr(state[gl_WorkGroupID.x], 0u);
    } while (seen == 0u);
  state[1024 + gl_GlobalInvocationID.x] = seen;
}
