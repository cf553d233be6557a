//===- passes/SplitCombinedSamplers.h - Textures and samplers apart ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Splits each combined image and sampler into two resources, for languages that
// know no other kind: the image keeps the set and the binding, the sampler goes to
// the binding behind the last of the same set. Images that are only fetched from or
// asked for their size get no sampler.
//
// Not handled: arrays of combined samplers, and combined samplers that are handed to
// functions (inline first): both are refused.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_SPLITCOMBINEDSAMPLERS_H
#define TAILOR_PASSES_SPLITCOMBINEDSAMPLERS_H

#include "passes/PassArguments.h"

#include <array>

namespace tailor {

struct SplitSampler {
  Id image = Id::None, sampler = Id::None; ///< variables; no sampler where none is needed
  uint32_t set = 0, imageBinding = 0, samplerBinding = 0;
};

/// What the pass does, for backends: one entry a combined sampler that the module had.
Result<std::vector<SplitSampler>> splitCombinedSamplers(Module &module);

class SplitCombinedSamplers final : public Pass {
public:
  struct Options {};
  static constexpr std::array<OptionInfo, 0> kOptions{};

  static Result<std::unique_ptr<Pass>> create(PassArguments &arguments);
  static const PassInfo &passInfo();
  const PassInfo &info() const override { return passInfo(); }
  Result<Change> run(Module &module, PassContext &context) override;
};

} // namespace tailor

#endif
