// A lock orders memory without a barrier: what the kernel writes is not trusted to
// be read alike.
// RUN: %opt --passes=print-uniformity %s | FileCheck %s
// CHECK: uniformity of 'main' at 32x1x1
// CHECK-NEXT: the kernel synchronises by atomics: memory that it writes is not trusted
// CHECK-NEXT: block
// CHECK: OpLoad ({{.*}}lock.comp:[[#@LINE+9]]): invocation
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer L { uint lock; };
layout(set = 0, binding = 1) buffer B { uint data; };
void main() {
  for (uint tries = 0u; tries < 100u; ++tries)
    if (atomicCompSwap(lock, 0u, 1u) == 0u) {
      memoryBarrier();
      data = data + 1u;
      memoryBarrier();
      atomicExchange(lock, 0u);
      break;
    }
}
