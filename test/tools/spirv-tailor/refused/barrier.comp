// A control barrier, and workgroup memory behind one.
// RUN: %opt --passes=print-facts,print-certificate %s | FileCheck %s --check-prefix=BARRIER
// RUN: %opt --passes=print-facts,print-certificate %s -D SHARED | FileCheck %s --check-prefix=SHARED
// RUN: %tailor build --techniques resize %s --sizes 32 -o %t.tailor | FileCheck %s --check-prefix=BUILD
// BARRIER: resize: refused
// BARRIER-NEXT: barrier.comp:[[#@LINE+18]]: a control barrier makes the invocations of a workgroup meet
// SHARED: resize: refused
// SHARED-NEXT: barrier.comp:[[#@LINE+14]]: workgroup memory 'tile' is shared inside a workgroup
// BUILD: barrier: 1 variant{{$}}
// BUILD-NEXT: resize is refused: {{.*}}barrier.comp:[[#@LINE+14]]: a control barrier
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint b[]; };
#ifdef SHARED
shared uint tile[64];
#endif
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint v = i;
#ifdef SHARED

  tile[gl_LocalInvocationIndex] = v;
#endif
  barrier();
  b[i] = v;
}
