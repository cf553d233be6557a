// Every kind of operation and space, with trip counts that are numbers, names, and unknown.
// RUN: %opt --passes=print-work %s | FileCheck %s --match-full-lines
// CHECK: work of an invocation of 'main'
// CHECK-NEXT:   floating-point operations: 5 + 2*n(i2) + 2*params.columns
// CHECK-NEXT:   integer operations: 10 + 2*params.columns
// CHECK-NEXT:   special functions: 3
// CHECK-NEXT:   conversions: 5
// CHECK-NEXT:   loads: 2 + 3*params.columns
// CHECK-NEXT:   stores: 2
// CHECK-NEXT:   atomics: 1
// CHECK-NEXT:   image accesses: 2
// CHECK-NEXT:   control barriers: 1
// CHECK-NEXT:   buffer bytes: read 4 + 4*params.columns, written 8
// CHECK-NEXT:   image bytes: read 0, written 8
// CHECK-NEXT:   uniform bytes: read 4 + 8*params.columns, written 0
// CHECK-NEXT:   workgroup bytes: read 4, written 4
// CHECK-NEXT:   accesses of unknown size: 1
// CHECK-NEXT:   with n(i2) = 1024: how often the loop at {{.*}}counts.comp:47 runs, which is not known
// CHECK-NEXT:   with params.columns = 1024
// CHECK-NEXT:   floating-point operations per byte of global memory: 0.997
// CHECK-NEXT:   operations under control flow that may differ: 22.2 % in a subgroup, 22.2 % in a workgroup
// CHECK-NEXT:   live values: at most 8 components of 32 bits, at {{.*}}counts.comp:45
// CHECK-NOT: {{.+}}
#version 450
layout(local_size_x = 64) in;
layout(push_constant) uniform Params { uint columns; float scale; } params;
layout(set = 0, binding = 0) buffer A { float a[]; };
layout(set = 0, binding = 1) readonly buffer B { float b[]; };
layout(set = 0, binding = 2, rgba16f) uniform image2D image;
layout(set = 0, binding = 3) uniform sampler2D picture;
layout(set = 0, binding = 4) buffer Counts { uint counts[]; };
shared float tile[64];
void main() {
  uint x = gl_LocalInvocationIndex;
  float sum = 0.0;
  for (uint i = 0; i < params.columns; ++i)
    sum = fma(b[i], params.scale, sum);
  for (uint i = 0; i < 3; ++i)
    sum = sqrt(sum) + float(i);
  tile[x] = sum;
  barrier();
  if (x < 32)
    atomicAdd(counts[x], uint(tile[63 - x]));
  vec4 texel = textureLod(picture, vec2(0.5), 0.0);
  imageStore(image, ivec2(x), texel);
  sum += float(x);
  while (sum > 1.0)
    sum = sum * sum;
  a[gl_GlobalInvocationID.x] = sum;
}
