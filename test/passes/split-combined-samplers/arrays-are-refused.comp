// An array of combined samplers has no two resources to become.
// RUN: glslangValidator -V --target-env vulkan1.1 %s -o %t.in.spv
// RUN: not %opt --passes=split-combined-samplers %t.in.spv -o %t.spv 2>&1 | FileCheck %s
// CHECK: error: 'many' is an array of images joined with their samplers, which cannot be split
#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) uniform sampler2D many[2];
layout(set = 0, binding = 2, rgba8) writeonly uniform image2D target;
void main() { imageStore(target, ivec2(0), textureLod(many[1], vec2(0), 0.0)); }
