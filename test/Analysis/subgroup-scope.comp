// What is ordered, or meets, inside a subgroup alone does not bear other subgroups: each technique is refused there.
// RUN: %opt --passes=print-certificate -DMEMORY %s | FileCheck %s --check-prefix=MEMORY
// RUN: %opt --passes=print-certificate -DCONTROL %s | FileCheck %s --check-prefix=CONTROL
// MEMORY: resize: refused
// MEMORY-NEXT: subgroup-scope.comp:[[#@LINE+22]]: a memory barrier orders memory inside a workgroup or subgroup alone
// MEMORY: remap: refused
// MEMORY-NEXT: subgroup-scope.comp:[[#@LINE+20]]: a memory barrier orders memory inside a subgroup alone
// MEMORY: pack: refused
// MEMORY-NEXT: a memory barrier orders memory inside a subgroup alone
// MEMORY: coarsen: refused
// MEMORY-NEXT: a memory barrier orders memory inside a subgroup alone
// MEMORY: swizzle: refused
// MEMORY-NEXT: a memory barrier orders memory inside a subgroup alone
// CONTROL: remap: refused
// CONTROL-NEXT: subgroup-scope.comp:[[#@LINE+15]]: a control barrier whose scope is not the workgroup
// CONTROL: pack: refused
// CONTROL: coarsen: refused
// CONTROL: swizzle: refused
// CONTROL-NEXT: a control barrier whose scope is not the workgroup
#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
void main() {
  a[gl_GlobalInvocationID.x] = 1;
#ifdef MEMORY
  subgroupMemoryBarrier();
#endif
#ifdef CONTROL
  subgroupBarrier();
#endif
  a[gl_GlobalInvocationID.x] += 2;
}
