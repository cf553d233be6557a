// What could be otherwise stays: nothing is decided here, and the module keeps its bytes.
// RUN: glslangValidator -V --target-env vulkan1.1 %s -o %t.in.spv
// RUN: %opt --passes='propagate-ranges' --verify-each %t.in.spv -o %t.spv
// RUN: cmp %t.in.spv %t.spv
#version 450
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint kCount = 64;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) volatile buffer B { uint b[]; };
layout(push_constant) uniform P { uint n; int w; };
void main() {
  uint lane = gl_LocalInvocationID.x;
  if (lane - 1 < 63) // 0 - 1 is large
    a[0] = 1;
  if (n + 1 > n) // may wrap
    a[1] = 1;
  if (lane < kCount) // the host's
    a[2] = 1;
  if (b[0] < 5 && b[0] >= 5) // volatile: two numbers
    a[3] = 1;
  if (w < 100 && uint(w) >= 100) // less than nothing
    a[4] = 1;
  if (lane * 0x4000000 < 0x4000000) // wraps
    a[5] = 1;
  for (uint i = 10; i <= n; --i) // past 0
    if (i <= 10)
      a[6] = i;
  bool small = false;
  for (uint i = 0; i < n; ++i) { // of the round before
    uint v = b[i];
    if (small && v >= 10)
      a[7] = v;
    small = v < 10;
  }
  mediump uint cut = lane + 70000;
  if (cut < 70064)
    a[8] = 1;
  if (gl_WorkGroupID.x < gl_NumWorkGroups.x + 1)
    a[9] = 1;
}
