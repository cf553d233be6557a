//===- unit/Analysis/UniformityProbe.h - Kernels with probes ---------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TEST_UNIT_ANALYSIS_UNIFORMITYPROBE_H
#define TAILOR_TEST_UNIT_ANALYSIS_UNIFORMITYPROBE_H

#include "Analysis/KernelAnalysis.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <memory>
#include <string>
#include <vector>

namespace tailor::uniformity {

/// A kernel whose stores to `probe[k]`, k a literal, can be asked about.
class Kernel {
public:
  /// GLSL without its #version line; with `isAssembly` SPIR-V text, not validated.
  explicit Kernel(const std::string &source, bool isAssembly = false,
                  const std::string &environment = "vulkan1.1");

  const Uniformity &uniformity() const { return analysis->uniformity(); }
  const Instruction &store(unsigned probe) const; ///< the first to probe[k] in the kernel
  /// Of the stored value, as `workgroup` or `workgroup, pack y z`.
  std::string text(unsigned probe) const;
  /// Of the control flow to the store.
  std::string controlText(unsigned probe) const;
  std::string controlText(const Block &block) const;
  std::vector<const Block *> barriers() const; ///< blocks of control barriers, in order
  /// The steps of a cause: `k.comp:7: it comes from LocalInvocationId`.
  std::vector<std::string> cause(unsigned probe, UniformityScope scope) const;
  std::vector<std::string> causeOfControl(const Block &block, UniformityScope scope) const;
  std::vector<std::string> causeOfPackControl(const Block &block, unsigned axis) const;
  std::vector<std::string> steps(const std::vector<CauseStep> &cause) const;

private:
  std::unique_ptr<Module> module;
  std::unique_ptr<KernelAnalysis> analysis;
};

} // namespace tailor::uniformity

#endif
