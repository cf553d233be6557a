//===- passes/PrintAccesses.h - What lanes fetch together ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints every access of a kernel to buffers, images, uniform and workgroup
// memory: its bytes, its address as a sum of ids and other symbols, the bytes
// between neighbouring invocations on each axis, and the pattern. For the first
// subgroup of a workgroup of the size asked for, how many sectors of 32 bytes and
// lines of 128 bytes its lanes touch against the fewest that could hold the same
// bytes, or, in workgroup memory, how many times a bank has to answer.
//
// Loops are seen at their first iteration. The workgroup is the one behind the
// first on each axis, or the first where fewer lanes would run the access there.
// What the host supplies is taken to be 1024, or 1.0, where it matters.
//
// Not handled: what depends on the contents of memory comes as bounds; images,
// whose layout is the device's, have no traffic.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_PRINTACCESSES_H
#define TAILOR_PASSES_PRINTACCESSES_H

#include "passes/PassArguments.h"

#include "Support/Dim3.h"

namespace tailor {

class PrintAccesses final : public Pass {
public:
  struct Options {
    std::string entry;        ///< empty: PassContext::entryPoint, or the only compute entry point
    std::optional<Dim3> size; ///< of a variant; none: the authored size
    uint32_t subgroup = 32;   ///< lanes
  };
  static constexpr OptionInfo kOptions[] = {
      {"entry", "ENTRY", "the kernel; else `--entry`, else the only one"},
      {"size", "AxBxC", "the size of a resized or remapped variant; else the authored size"},
      {"subgroup", "N", "lanes of a subgroup, 1 to 128; else 32"},
  };

  explicit PrintAccesses(Options options) : options(std::move(options)) {}
  static Result<std::unique_ptr<Pass>> create(PassArguments &arguments);
  static const PassInfo &passInfo();
  const PassInfo &info() const override { return passInfo(); }
  Result<Change> run(Module &module, PassContext &context) override;

private:
  Options options;
};

} // namespace tailor

#endif
