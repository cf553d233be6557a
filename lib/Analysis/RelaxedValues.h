//===- Analysis/RelaxedValues.h - Reduced precision, said of values --------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// RelaxedPrecision may stand on a variable, a member, a parameter or a
// function, and whatever goes through it may be cut to 16 bits (SPIR-V 1.6,
// section 2.15). The steps to the canonical form do away with all of these and
// join what was stored to where it was read. So each such value is put through
// an OpCopyObject that has the decoration itself, before the steps run.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_RELAXEDVALUES_H
#define TAILOR_ANALYSIS_RELAXEDVALUES_H

#include "IR/Module.h"

namespace tailor {

/// For integers, and what holds some: floating-point numbers carry no ids.
void spellOutRelaxedValues(Module &module);

} // namespace tailor

#endif
