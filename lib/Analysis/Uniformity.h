//===- Analysis/Uniformity.h - Over which invocations a value is the same --===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's generic uniformity analysis over our IR (an SSAContext whose values are
// components of instructions), once for each set of invocations asked about.
//
// What is said to be the same is so in every execution that is free of undefined
// behaviour; what is not may still be the same. Undefined values differ. Memory
// of an invocation's own that was never written counts as what was written
// elsewhere in it: a kernel in which that matters has no defined behaviour.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_UNIFORMITY_H
#define TAILOR_ANALYSIS_UNIFORMITY_H

#include "Analysis/Affine.h"
#include "Analysis/CanonicalForm.h"
#include "Analysis/IdDependence.h"
#include "IR/Cfg.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace tailor {

/// The largest set of invocations over which a value is the same, ascending. "The same" is for one
/// dynamic instance of the instruction, over the invocations that take part in it.
enum class UniformityScope : uint8_t { Invocation, Subgroup, Workgroup, Dispatch };
std::string_view nameOf(UniformityScope scope); ///< invocation, subgroup, workgroup, dispatch

/// One step from an effect to its cause: "control flow depends on this branch", "it comes from
/// LocalInvocationId".
struct CauseStep {
  const Instruction *inst;
  std::string text;
};

class Uniformity {
public:
  Uniformity(const CanonicalForm &form, const ControlFlow &flow, const IdDependence &ids,
             const AffineAnalysis &affine);
  ~Uniformity();
  Uniformity(Uniformity &&) noexcept;

  /// Of component `component` of the value `id`; of all components at once where it is kAll.
  static constexpr unsigned kAll = UINT32_MAX;
  UniformityScope of(Id id, unsigned component = kAll) const;
  /// The same where `block` uses the value: what a loop computes differs behind the loop when
  /// invocations leave it at different times.
  UniformityScope at(Id id, const Block &block, unsigned component = kAll) const;
  /// Of the control flow that leads to `block`: over which invocations all branches that decide
  /// whether it runs (and, in loops, how often) come out the same.
  UniformityScope control(const Block &block) const;
  /// Whether a value, or the control flow to a block, is the same over the groups that `pack` puts
  /// together along `axis`: all invocations of workgroups whose ids differ in that axis alone.
  /// `use`: where the value is used, as in at(); else where it is computed.
  bool isPackUniform(Id id, unsigned axis, unsigned component = kAll,
                     const Block *use = nullptr) const;
  bool isPackUniformControl(const Block &block, unsigned axis) const;

  /// Why `block` is not reached alike by all invocations of `scope` (a scope above control(block)):
  /// from the branch that decides about it down to the id or the memory that its condition comes
  /// from. Empty where it is reached alike.
  std::vector<CauseStep> causeOfControl(const Block &block, UniformityScope scope) const;
  std::vector<CauseStep> causeOfPackControl(const Block &block, unsigned axis) const;
  /// The same for a value.
  std::vector<CauseStep> causeOf(Id id, UniformityScope scope) const;

  /// Whether the kernel may synchronise by atomics, so that memory which the kernel writes is not
  /// trusted to be read alike (Analysis/UniformityMemory.h).
  bool synchronizesByAtomics() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace tailor

#endif
