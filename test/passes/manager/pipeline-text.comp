// The textual form: nesting, blanks, named pipelines, and located complaints with suggestions.
// RUN: %opt --passes=' canonicalize-workgroup-size , resize< size=8 > , release' --verify-each %s -o %t.spv
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: not %opt --passes='canonicalize-workgroup-size,resise<size=8>' %s 2>&1 | FileCheck %s --check-prefix=NEAR
// RUN: not %opt --passes='frobnicate' %s 2>&1 | FileCheck %s --check-prefix=FAR
// RUN: not %opt --passes='resize<size=8' %s 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not %opt --passes='resize<size=8>x' %s 2>&1 | FileCheck %s --check-prefix=AFTER
// RUN: not %opt --passes='strip-debug,' %s 2>&1 | FileCheck %s --check-prefix=END
// RUN: not %opt --passes='release<x=1>' %s 2>&1 | FileCheck %s --check-prefix=PIPELINE
// RUN: not %opt --passes='strip-debug<all>' %s 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not %opt --passes= %s 2>&1 | FileCheck %s --check-prefix=EMPTY
// NEAR: --passes:1:29: error: there is no pass 'resise'; did you mean 'resize'?
// FAR: --passes:1:1: error: there is no pass 'frobnicate'; --list-passes lists them
// OPEN: --passes:1:7: error: this '<' has no '>'
// AFTER: --passes:1:15: error: expected ',' between passes, found 'x'
// END: --passes:1:13: error: expected the name of a pass
// PIPELINE: --passes:1:1: error: the pipeline 'release' takes no options
// OPTION: --passes:1:13: error: the pass 'strip-debug' has no option 'all'
// EMPTY: --passes:1:1: error: the pipeline is empty
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
void main() { b[gl_GlobalInvocationID.x] = 1; }
