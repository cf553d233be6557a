// A sampled image gets a sampler behind the last binding of its set, one that is only fetched from gets none.
// RUN: glslangValidator -V --target-env vulkan1.1 %s -o %t.in.spv
// RUN: %opt --passes=split-combined-samplers --verify-each %t.in.spv -o %t.spv
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: spirv-dis --no-header %t.spv | FileCheck %s
// RUN: %opt --passes=split-combined-samplers --verify-each %t.spv -o %t.again.spv
// RUN: cmp %t.spv %t.again.spv
// CHECK-DAG: OpName %sampled_sampler "sampled_sampler"
// CHECK-DAG: OpDecorate %sampled Binding 0
// CHECK-DAG: OpDecorate %fetched Binding 1
// CHECK-DAG: OpDecorate %sampled_sampler DescriptorSet 0
// CHECK-DAG: OpDecorate %sampled_sampler Binding 3
// CHECK-NOT: fetched_sampler
// CHECK: %[[IMAGE:.*]] = OpLoad %{{.*}} %sampled
// CHECK: %[[SAMPLER:.*]] = OpLoad %{{.*}} %sampled_sampler
// CHECK: %[[BOTH:.*]] = OpSampledImage %{{.*}} %[[IMAGE]] %[[SAMPLER]]
// CHECK: OpImageSampleExplicitLod %v4float %[[BOTH]]
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform sampler2D sampled;
layout(set = 0, binding = 1) uniform sampler2D fetched;
layout(set = 0, binding = 2, rgba8) writeonly uniform image2D target;
void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  imageStore(target, p, textureLod(sampled, vec2(p) / 64.0, 0.0) + texelFetch(fetched, p, 0) +
                            vec4(textureSize(fetched, 0), 0, 0));
}
