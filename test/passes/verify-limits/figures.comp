// Every excess is told with its figures, and the largest variables are named.
// RUN: %opt --passes='verify-limits<max-invocations=512,max-size=32x16x1,max-shared-bytes=6144>' --verify-each %s -o %t.spv
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: not %opt --passes='verify-limits<max-invocations=256>' %s 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not %opt --passes='verify-limits<max-size=16x16x1>' %s 2>&1 | FileCheck %s --check-prefix=AXIS
// RUN: not %opt --passes='verify-limits<max-shared-bytes=4096>' %s 2>&1 | FileCheck %s --check-prefix=MEMORY
// RUN: not %opt --passes=verify-limits %s 2>&1 | FileCheck %s --check-prefix=LEAST
// RUN: not %opt --passes='verify-limits<max-size=0x1>' %s 2>&1 | FileCheck %s --check-prefix=USAGE
// COUNT: error: the workgroup of 'main' has 512 invocations (32x16x1), the limit is 256
// AXIS: error: the workgroup of 'main' has 32 invocations on the x axis, the limit is 16
// MEMORY: error: the workgroup of 'main' has 6144 bytes of workgroup memory, the limit is 4096: 2048 bytes too many
// MEMORY: note: 'large' takes 4096 bytes
// MEMORY: note: 'small' takes 2048 bytes
// LEAST: error: the workgroup of 'main' has 512 invocations (32x16x1), the limit is 128
// USAGE: --passes:1:24: error: '0x1' is not a size: write AxBxC, none of them zero
#version 450
layout(local_size_x = 32, local_size_y = 16) in;
layout(set = 0, binding = 0) buffer B { uint x[]; };
shared uint small[512];
shared vec4 large[256];
void main() {
  small[gl_LocalInvocationIndex] = 1;
  large[gl_LocalInvocationIndex / 2] = vec4(0);
  x[0] = small[0] + uint(large[0].x);
}
