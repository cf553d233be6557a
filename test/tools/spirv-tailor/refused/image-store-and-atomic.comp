// Image stores and atomics are side effects too: neither stands under the bounds check.
// RUN: %opt --passes=print-facts,print-certificate %s -D IMAGE | FileCheck %s --check-prefix=IMAGE
// RUN: %opt --passes=print-facts,print-certificate %s | FileCheck %s --check-prefix=ATOMIC
// IMAGE: axis x: used, not guarded
// IMAGE-NEXT: image-store-and-atomic.comp:[[#@LINE+15]]:
// ATOMIC: axis x: used, not guarded
// ATOMIC-NEXT: image-store-and-atomic.comp:[[#@LINE+15]]:
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint b[]; };
layout(binding = 1, r32ui) uniform uimage2D image;
layout(push_constant) uniform P { uint n; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < n)
    b[i] = 1;
#ifdef IMAGE
  // The store of an image.

  imageStore(image, ivec2(i, 0), uvec4(1));
#else
  atomicAdd(b[0], 1);
#endif
}
