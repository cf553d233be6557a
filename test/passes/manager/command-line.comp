// Exit codes and complaints of the command line itself.
// RUN: %opt --help | FileCheck %s --check-prefix=HELP
// RUN: %opt --version | FileCheck %s --check-prefix=VERSION
// RUN: %opt --passes=strip-debug %s -S | FileCheck %s --check-prefix=TEXT
// RUN: %opt --passes=strip-debug %s -S -o - | spirv-as --target-env vulkan1.1 - -o %t.spv
// RUN: spirv-val %t.spv
// RUN: sh -c '%opt %s; echo status $?' 2>&1 | FileCheck %s --check-prefix=NOPASSES
// RUN: sh -c '%opt --passes=strip-debug; echo status $?' 2>&1 | FileCheck %s --check-prefix=NOINPUT
// RUN: sh -c '%opt --passes=strip-debug --pases=x %s; echo status $?' 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: sh -c '%opt --passes=strip-debug %t.missing.spv; echo status $?' 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: sh -c '%opt --passes=strip-debug %s -o %t.no/folder/x.spv; echo status $?' 2>&1 | FileCheck %s --check-prefix=UNWRITABLE
// RUN: sh -c '%opt --passes=verify-limits %s --spec x; echo status $?' 2>&1 | FileCheck %s --check-prefix=SPEC
// HELP: usage: spirv-tailor-opt --passes=PIPELINE INPUT
// VERSION: spirv-tailor-opt {{[0-9]+\.[0-9]+\.[0-9]+}}
// TEXT: OpEntryPoint GLCompute
// NOPASSES: spirv-tailor-opt: error: no passes are named
// NOPASSES: status 2
// NOINPUT: spirv-tailor-opt: error: no input is named
// NOINPUT: status 2
// OPTION: spirv-tailor-opt: error: there is no option '--pases'; did you mean '--passes'?
// OPTION: status 2
// MISSING: missing.spv: error:
// MISSING: status 1
// UNWRITABLE: error:
// UNWRITABLE: status 3
// SPEC: --spec: error: 'x' is not a specialization value: write ID=VALUE
// SPEC: status 2
#version 450
layout(local_size_x = 1) in;
void main() {}
