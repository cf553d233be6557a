// A size given by specialization constants, decorated WorkgroupSize: it overrides LocalSize. The authored size is the
// one under the host's values, and the variants carry literals alone, in every language.
// RUN: %opt --passes=print-facts,print-certificate %s --spec 0=32 --spec 1=4 | FileCheck %s --check-prefix=SIZE
// RUN: %opt --passes=print-facts,print-certificate %s | FileCheck %s --check-prefix=DEFAULT
// RUN: %tailor build --techniques resize %s --spec 0=32 --spec 1=4 --sizes 8x8,64x2 --guard none --targets spirv,glsl,hlsl,msl -o %t.tailor | FileCheck %s --check-prefix=BUILD --implicit-check-not=without
// RUN: rm -rf %t && %tailor extract %t.tailor -o %t
// RUN: %python %tool-inputs/check_extracted.py %t spirv,glsl,hlsl,msl | FileCheck %s --check-prefix=FILES
// RUN: spirv-dis %t/decorated-size.resize-8x8x1.spv | FileCheck %s --check-prefix=SPIRV --implicit-check-not=SpecId --implicit-check-not=WorkgroupSize
// RUN: %tailor inspect --format json %t.tailor > %t.json
// RUN: %python %tool-inputs/json_get.py %t.json kernels.0.authored kernels.0.variants.0.spec_constants | FileCheck %s --check-prefix=JSON
// SIZE: size: 32x4x1 (WorkgroupSize)
// SIZE: resize: legal
// DEFAULT: size: 1x1x1 (WorkgroupSize)
// BUILD: decorated-size: 3 variants
// FILES: resize-8x8x1 8x8x1 ok
// FILES: resize-64x2x1 64x2x1 ok
// SPIRV: OpExecutionMode %{{.*}} LocalSize 8 8 1
// JSON: "local_size": [32, 4, 1]
// JSON-NEXT: spec_constants: {"0": 32, "1": 4}
#version 450
layout(local_size_x_id = 0, local_size_y_id = 1) in;
layout(binding = 0) buffer B { uint b[]; };
layout(push_constant) uniform P { uint width; };
void main() {
  uvec2 id = gl_GlobalInvocationID.xy;
  b[id.y * width + id.x] = id.x;
}
