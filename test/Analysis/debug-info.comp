// A module with NonSemantic.Shader.DebugInfo (glslang -gVS) is analysed, and located by its debug lines.
// RUN: glslangValidator --quiet -V -gVS -S comp %s -o %t.spv
// RUN: %opt --passes=print-certificate %t.spv | FileCheck %s
// RUN: %tailor build %t.spv -o %t.tailor --sizes 32
// CHECK: resize: legal
// CHECK: gid.x < push_constant[0]
#version 450
layout(local_size_x = 64) in;
layout(push_constant) uniform P { uint n; } p;
layout(binding = 0) buffer A { float a[]; };
float twice(float value) { return 2.0 * value; }
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < p.n)
    a[i] = twice(a[i]);
}
