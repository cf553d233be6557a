//===- passes/AuthoredIds.h - Ids that a variant computes ------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A technique that runs authored invocations elsewhere than where they were
// authored keeps the body and computes the ids that it reads. What they are
// computed from is the technique's: an IdModel. Where they are read, how they are
// typed, and that nothing unread is computed, is here.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_AUTHOREDIDS_H
#define TAILOR_PASSES_AUTHOREDIDS_H

#include "IR/Module.h"
#include "Support/Dim3.h"
#include "Support/Result.h"
#include "passes/IdEmitter.h"

namespace tailor {

/// What a technique says about ids.
class IdModel {
public:
  virtual ~IdModel();
  /// Whether reads of the built-in are replaced; the others stay as they are.
  virtual bool replaces(spv::BuiltIn builtIn) const = 0;
  /// The component that the authored body shall read; axis 0 of LocalInvocationIndex.
  virtual Id component(IdEmitter &emit, spv::BuiltIn builtIn, unsigned axis) const = 0;
};

/// The built-ins that say where an invocation is: LocalInvocationId, LocalInvocationIndex,
/// WorkgroupId, NumWorkgroups, GlobalInvocationId.
bool isPlacement(spv::BuiltIn builtIn);

/// An id model of a technique whose variant runs authored invocation (group, local): all five
/// built-ins follow from where it says the invocation is.
class PlacementModel : public IdModel {
public:
  explicit PlacementModel(const Dim3 &authored) : authored(authored) {}
  bool replaces(spv::BuiltIn builtIn) const override { return isPlacement(builtIn); }
  Id component(IdEmitter &emit, spv::BuiltIn builtIn, unsigned axis) const override;

protected:
  virtual Id local(IdEmitter &emit, unsigned axis) const = 0;
  virtual Id group(IdEmitter &emit, unsigned axis) const = 0;
  virtual Id groupCount(IdEmitter &emit, unsigned axis) const = 0;
  /// group·S + local, unless the technique has it at hand.
  virtual Id global(IdEmitter &emit, unsigned axis) const;

  Dim3 authored;
};

/// Replaces the reads that `model` replaces in what `entry` reaches, at the head of each function
/// that reads. The module is unchanged after a failure (IdReads.h says what fails).
Status replaceIds(Module &module, const EntryPoint &entry, const IdModel &model);

} // namespace tailor

#endif
