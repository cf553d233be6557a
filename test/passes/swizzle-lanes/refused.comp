// RUN: not %opt --passes='canonicalize-workgroup-size,swizzle-lanes<order=column>' -DVOTE %s 2>&1 | FileCheck %s --check-prefix=VOTE
// RUN: not %opt --passes='canonicalize-workgroup-size,swizzle-lanes<order=morton>' %s 2>&1 | FileCheck %s --check-prefix=MORTON
// RUN: not %opt --passes='canonicalize-workgroup-size,swizzle-lanes<order=tile,tile=3x3>' %s 2>&1 | FileCheck %s --check-prefix=TILE
// RUN: not %opt --passes='canonicalize-workgroup-size,swizzle-lanes<order=column,size=48>' %s 2>&1 | FileCheck %s --check-prefix=SIZE
// VOTE: refused.comp:[[#@LINE+10]]: error: OpGroupNonUniformAny exchanges values inside a subgroup
// MORTON: refused.comp: error: the order 'morton' needs powers of two on x and y, the authored size is 12x8x1
// TILE: refused.comp: error: tiles of 3x3 do not fill the authored size 12x8x1
// SIZE: refused.comp: error: swizzle does not make 48x1x1 of 12x8x1
#version 450
#extension GL_KHR_shader_subgroup_vote : enable
layout(local_size_x = 12, local_size_y = 8) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
void main() {
#ifdef VOTE
  b[gl_LocalInvocationIndex] = subgroupAny(gl_LocalInvocationID.x > 3) ? 1 : 0;
#endif
}
