//===- Analysis/UniformityRun.h - What differs inside one set --------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's uniformity analysis over a ValueGraph, for one set of invocations. What
// LLVM's does not know is added to it while it runs, until nothing changes:
//
// - A value whose affine expression has only symbols that are the same in the set
//   is the same, whatever its operands are (UniformityAffine.h). Where a symbol
//   stands for a value that turns out to differ, this is taken back.
// - A store to memory of the invocation's own differs where the control flow to
//   it does: some have stored, and others have not.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_UNIFORMITYRUN_H
#define TAILOR_ANALYSIS_UNIFORMITYRUN_H

#include "Analysis/UniformityGraph.h"
#include "Support/Dim3.h"

#include <memory>

namespace tailor {

class AffineSupport;
struct NodeFlow;

/// The sets of invocations that the analysis is run for. Pack*: all invocations of the workgroups
/// whose ids differ in that axis alone.
enum class InvocationSet : uint8_t { Subgroup, Workgroup, Dispatch, PackX, PackY, PackZ };
inline constexpr unsigned kNumInvocationSets = 6;
/// The workgroups of the set differ in their id on this axis.
bool groupsDiffer(InvocationSet set, unsigned axis);

/// Whether the node's source makes it differ inside the set.
bool sourceDiffers(const ValueNode &node, InvocationSet set, const Dim3 &size);

class UniformityRun {
public:
  UniformityRun(const ValueGraph &graph, const NodeFlow &flow, const AffineSupport &support,
                InvocationSet set, const Dim3 &size);
  ~UniformityRun();
  UniformityRun(UniformityRun &&) noexcept;

  /// At its definition.
  bool differs(const ValueNode &node) const;
  /// Where `block` uses it: also when invocations left the loop that computes it at different
  /// times.
  bool differsAt(const ValueNode &node, const NodeBlock &block) const;
  bool branchDiffers(const NodeBlock &block) const;
  /// The control flow to the block, and how often it comes there.
  bool controlDiffers(const NodeBlock &block) const;
  /// The terminator that made a phi, or what uses a value outside of a loop, differ; null: none
  /// did.
  const ValueNode *parting(const ValueNode &node) const;
  InvocationSet set() const { return which; }

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
  InvocationSet which;
};

/// Whether the kernel may synchronise by atomics (UniformityMemory.h), so that what it reads
/// together need not be one value. `workgroup`: a run that trusted it.
bool synchronizesByAtomics(const ValueGraph &graph, const Module &module,
                           const UniformityRun &workgroup);

} // namespace tailor

#endif
