//===- Analysis/SharedMemoryText.h - Types and their bytes for people ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_SHAREDMEMORYTEXT_H
#define TAILOR_ANALYSIS_SHAREDMEMORYTEXT_H

#include "Analysis/KernelAnalysis.h"

#include <array>
#include <set>
#include <string>
#include <vector>

namespace tailor {

class SharedMemoryText {
public:
  explicit SharedMemoryText(const KernelAnalysis &analysis);

  /// `f32[16][17]`, lengths as in bytesText.
  std::string typeText(Id type) const;
  /// The type without its lengths.
  std::string elementText(Id type) const;
  /// `1088`, `4*size.x*(size.y + 1)`, `16*spec(3)`; `?` for what has no bytes.
  std::string bytesText(Id type) const;

  /// SpecIds of the constants that a type's lengths hang off.
  static std::set<uint32_t> specIdsOf(const Module &module, Id type);
  /// The constants that the size's axes are, of whatever spelling; Id::None for a literal.
  static std::array<Id, 3> sizeConstants(const Module &module, const EntryPoint &entry);

private:
  /// A product: a number, and factors that are none.
  struct Product {
    uint64_t number = 1;
    std::vector<std::string> factors;
    std::string str() const;
  };
  Product lengthOf(Id constant) const;
  std::string constantText(Id constant, bool asOperand, unsigned depth) const;
  bool isSizeAxis(const Instruction &constant, unsigned axis) const;

  const KernelAnalysis &analysis;
  const Module &module;
  std::array<Id, 3> axes;
};

} // namespace tailor

#endif
