// A shared library registers passes, which then are like any other; libraries that do not fit are
// refused with the reason.
// RUN: %opt --load-pass-plugin %examples/libTailorExamplePass%shlib --passes='count-instructions<at-least=1>,rename-function<to=kernel>,canonicalize-workgroup-size' --verify-each %s -o %t.spv | FileCheck %s
// RUN: spirv-val --target-env vulkan1.1 %t.spv
// RUN: spirv-dis %t.spv | FileCheck %s --check-prefix=NAME
// RUN: %opt --load-pass-plugin=%examples/libTailorExamplePass%shlib --list-passes | FileCheck %s --check-prefix=LIST
// RUN: not %opt --load-pass-plugin %examples/libTailorExamplePass%shlib --passes='count-instructions<at-least=0>' %s 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not %opt --load-pass-plugin %examples/libTailorOldPlugin%shlib --passes=strip-debug %s 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not %opt --load-pass-plugin %examples/libTailorNoPlugin%shlib --passes=strip-debug %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not %opt --load-pass-plugin %t.missing --passes=strip-debug %s 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not %opt --load-pass-plugin %examples/libTailorExamplePass%shlib --load-pass-plugin %examples/libTailorExamplePass%shlib --passes=strip-debug %s 2>&1 | FileCheck %s --check-prefix=TWICE
// CHECK: OpEntryPoint 1
// CHECK: OpTypeVoid 1
// NAME: OpName %kernel "kernel"
// LIST: count-instructions  [print] prints how often each instruction occurs
// OPTION: --passes:1:29: error: '0' is not a number from 1 to 4294967295
// OLD: libTailorOldPlugin{{.*}}: error: the pass plug-in was built for version 2 of the interface, this program has version 1
// NONE: error: the library is no pass plug-in: it has no function 'tailorPassPluginInfo'
// MISSING: plugin.comp.tmp.missing: error: the pass plug-in cannot be loaded:
// TWICE: error: the pass plug-in 'example' could not register its passes: there already is a pass 'count-instructions'
#version 450
layout(local_size_x = 1) in;
void main() {}
