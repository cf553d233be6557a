//===- passes/PushConstantsToBuffer.h - Push constants from a buffer ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Puts the push constants of the entry point into a buffer, for languages and hosts
// that have none: a uniform buffer where the block has the layout that uniform
// buffers must have (arrays and inner structures at multiples of 16 bytes), else a
// storage buffer that is only read. It goes to descriptor set 0, at the
// binding behind the last of that set: gaps may belong to other kernels with the
// same layout. The layout of the block stays as it is, byte for byte.
//
// Needs a module with one entry point, whose functions hand no pointers to push
// constants to each other (valid SPIR-V has none).
//
// Not handled: several push-constant blocks of one entry point, which SPIR-V forbids.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_PUSHCONSTANTSTOBUFFER_H
#define TAILOR_PASSES_PUSHCONSTANTSTOBUFFER_H

#include "passes/PassArguments.h"

#include <array>

namespace tailor {

struct PushConstantBuffer {
  uint32_t set = 0, binding = 0;
  bool isUniform = true; ///< else a storage buffer
  Id variable = Id::None;
  uint32_t bytes = 0; ///< of the block, rounded up to its alignment
};

/// What the pass does, for backends; nothing where the module has no push constants.
Result<std::optional<PushConstantBuffer>> pushConstantsToBuffer(Module &module);

class PushConstantsToBuffer final : public Pass {
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
