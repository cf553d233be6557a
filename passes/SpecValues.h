//===- passes/SpecValues.h - Specialization values as users write them ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_SPECVALUES_H
#define TAILOR_PASSES_SPECVALUES_H

#include "IR/Constants.h"
#include "IR/Module.h"
#include "Support/Result.h"

#include <string>
#include <string_view>
#include <vector>

namespace tailor {

/// `--spec 3=1.5`: the text becomes bits once the module tells the constant's type.
struct SpecAssignment {
  uint32_t specId = 0;
  std::string text;
  Location at; ///< where the user wrote it
};

/// Splits `ID=V` (or `ID:V`). Fails with ErrorKind::Usage at `at`.
Result<SpecAssignment> parseSpecAssignment(std::string_view text, Location at);

/// The bits of each value under the type of the module's constants with that SpecId: `true`,
/// `false` or 0 and 1 for booleans, decimal (with a sign) or 0x-hexadecimal for integers, decimal
/// or 0x-hexadecimal bits for floats of 32 and 64 bits (16: bits alone). Later values override
/// `base` and earlier ones. Fails with ErrorKind::Usage when no constant has the SpecId (a note
/// lists those there are) or when the value does not fit.
Result<SpecMap> resolveSpecValues(const Module &module,
                                  const std::vector<SpecAssignment> &assignments,
                                  SpecMap base = {});

/// Every SpecId in the module and the first constant under it, ascending.
std::map<uint32_t, const Instruction *> specIdsOf(const Module &module);

} // namespace tailor

#endif
