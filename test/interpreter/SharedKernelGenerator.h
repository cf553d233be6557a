//===- interpreter/SharedKernelGenerator.h - Kernels with barriers ----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes kernels whose invocations exchange values through workgroup memory and
// buffers, with barriers in nests of branches and loops. They are free of races,
// and barriers stand in workgroup-uniform flow, by how they are made: a list of
// variables is kept that are the same for a workgroup whatever happens, and
// branches and loops around barriers depend on those alone.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_INTERPRETER_SHAREDKERNELGENERATOR_H
#define TAILOR_INTERPRETER_SHAREDKERNELGENERATOR_H

#include "interpreter/Inputs.h"

#include <string>

namespace tailor::interp {

struct SharedKernel {
  std::string glsl;
  Dim3 size, groups;
  Inputs inputs;
};

/// The kernel of that number.
SharedKernel generateSharedKernel(uint64_t seed);

} // namespace tailor::interp

#endif
