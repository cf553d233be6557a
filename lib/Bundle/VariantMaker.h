//===- Bundle/VariantMaker.h - From a plan to a module and its rule ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the steps of a planned variant. Each step after the first is proven anew:
// the module that the step before it left is certified, and the step is made only
// where that certificate allows it. So the proof of the whole is the conjunction
// of the proofs of its steps.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BUNDLE_VARIANTMAKER_H
#define TAILOR_BUNDLE_VARIANTMAKER_H

#include "Bundle/VariantPlan.h"
#include "IR/Module.h"

#include <map>
#include <string>

namespace tailor {

/// The rule of one step after another; nothing where it would not say all that the two say (an
/// inner division that must come out even, and is not seen from outside).
std::optional<Dispatch> composed(const Dispatch &first, const Dispatch &second);

/// A variant's module, and what the manifest says about it.
struct MadeVariant {
  Module module; ///< validated by nobody yet
  Dispatch dispatch;
  uint64_t sharedBytes = 0;
  std::optional<GuardInfo> guard;
  Evidence evidence = Evidence::Proven;
  std::string why;
};

class VariantMaker {
public:
  struct Kernel {
    const Module &open;             ///< one entry point, its size as its author spelt it
    const Module &base;             ///< the same with one literal LocalSize
    std::string entry;              ///< its name
    const Certificate &certificate; ///< of both
    SpecMap spec;                   ///< the host's values
    bool allowCover = true;
    std::function<std::optional<uint64_t>(const Dim3 &)> respecializedBytes;
  };
  /// `kernel` refers to what must outlive the maker.
  VariantMaker(Kernel kernel, Diagnostics &diagnostics)
      : kernel(std::move(kernel)), diagnostics(diagnostics) {}

  /// Fails where a step is refused; ErrorKind::Internal where a pass broke a promise.
  Result<MadeVariant> make(const PlannedVariant &variant);

private:
  /// What a step begins with.
  struct Ground {
    Ground copy() const;
    Module module;
    Certificate certificate;
    std::optional<GuardInfo> guard;
    Dispatch dispatch{DispatchRule::Same, {}, {}, {}};
    uint64_t sharedBytes = 0;
    Evidence evidence = Evidence::Proven;
    std::string why;
  };

  Status runPass(Ground &ground, const PlannedStep &step);
  Result<Dispatch> ruleOf(const Ground &ground, const PlannedStep &step) const;
  Status take(Ground &ground, const PlannedStep &step);
  Result<Certificate> certifyModule(const Module &module) const;
  /// What the first step begins with: the kernel, or the kernel with a guard on the axes that need
  /// one.
  Result<const Ground *> firstGround(const PlannedStep &step);
  /// The ground that the first `steps` steps leave; certified, and kept for others.
  Result<const Ground *> groundOf(const PlannedVariant &variant, size_t steps);

  Kernel kernel;
  Diagnostics &diagnostics;
  std::map<std::string, Ground> grounds; ///< by the ids of their steps
};

} // namespace tailor

#endif
