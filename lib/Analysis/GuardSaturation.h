//===- Analysis/GuardSaturation.h - Values that stop at a bound ------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `min(GlobalId.x, width - 1)` is the same for all ids from width - 1 on. What an
// invocation past the authored grid reads at such an address, its neighbour at
// the end of the grid has read too: once the grid reaches the bound.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_GUARDSATURATION_H
#define TAILOR_ANALYSIS_GUARDSATURATION_H

#include "Analysis/GuardBounds.h"

#include "llvm/ADT/DenseMap.h"

namespace tailor {

class Saturation {
public:
  using Bounds = std::vector<DispatchBound>;

  Saturation(const CanonicalForm &form, const ControlFlow &flow, const IdDependence &ids,
             const BoundReader &reader)
      : form(form), module(form.module()), flow(flow), ids(ids), reader(reader) {}

  /// Bounds such that the instruction, where the grid reaches them all, is run by an invocation
  /// past the grid on `axis` only if the last one of the grid on that axis runs it, and then with
  /// the same addresses, divisors and indices. nullopt where that is not so. For reads of memory
  /// that nobody writes, accesses to private memory, and instructions without memory.
  std::optional<Bounds> of(const Instruction &inst, unsigned axis);

private:
  std::optional<Bounds> ofValue(Id value, unsigned axis, unsigned depth);
  std::optional<Bounds> ofClamp(const Instruction &inst, unsigned axis, unsigned depth);
  std::optional<Bounds> ofLimit(Id value, Id limit, bool isSigned, unsigned axis);
  std::optional<Bounds> ofOperands(const Instruction &inst, unsigned first, unsigned axis,
                                   unsigned depth);
  std::optional<Bounds> ofComparison(const Instruction &inst, unsigned axis);
  std::optional<Bounds> ofControl(const Block &block, unsigned axis);
  bool staysTheSame(Id value, unsigned axis) const;
  bool isReduced(const Instruction &inst) const {
    return module.hasDecoration(inst.result(), spv::Decoration::RelaxedPrecision);
  }
  bool neverWritten(const PointerPath &path) const;

  const CanonicalForm &form;
  const Module &module;
  const ControlFlow &flow;
  const IdDependence &ids;
  const BoundReader &reader;
  llvm::DenseMap<uint64_t, std::optional<Bounds>> values;   ///< by id and axis
  llvm::DenseMap<uint64_t, std::optional<Bounds>> controls; ///< by block and axis
};

} // namespace tailor

#endif
