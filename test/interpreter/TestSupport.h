//===- interpreter/TestSupport.h - What the interpreter's tests share -------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_INTERPRETER_TESTSUPPORT_H
#define TAILOR_INTERPRETER_TESTSUPPORT_H

#include "interpreter/Interpreter.h"

#include "../differential/Harness.h"
#include "Vulkan/Compare.h"
#include "Vulkan/Runner.h"

#include "gtest/gtest.h"

#include <cstring>
#include <string>
#include <vector>

namespace tailor::interp {

/// `file:line: text` and the notes, a line each.
std::string textOf(const Diagnostic &diagnostic);

/// Keeps everything that happened.
struct Recorder : Observer {
  struct Seen {
    Access access;
    std::vector<uint32_t> iterations;
    std::string variable;
  };
  struct SeenValue {
    spv::Op op;
    uint32_t invocation;
    std::vector<uint32_t> iterations;
    std::vector<uint64_t> words;
  };
  explicit Recorder(const Module &module, bool values = false) : module(module) {
    wanted.accesses = wanted.branches = wanted.barriers = true;
    wanted.values = values;
  }
  Interest interest() const override { return wanted; }
  void onAccess(const Access &access) override;
  void onValue(const Where &where, llvm::ArrayRef<uint64_t> words) override;
  void onBranch(const Where &where, const Block &to) override;
  void onBarrier(const Where &where, uint32_t arrived) override;

  /// The accesses of a variable by one invocation, in order.
  std::vector<Seen> of(const std::string &variable, uint32_t invocation,
                       std::optional<AccessKind> kind = std::nullopt) const;

  const Module &module;
  Interest wanted;
  std::vector<Seen> accesses;
  std::vector<SeenValue> values;
  std::vector<std::pair<uint32_t, std::vector<uint32_t>>> barriers; ///< arrived, iterations
  size_t branches = 0;
};

/// A kernel from text, run as it is, without inlining.
struct Kernel {
  static Kernel glsl(const std::string &text);
  static Kernel assembly(const std::string &text);
  /// Runs `groups` and keeps what happened. A failure is in `failed`.
  void run(const Dim3 &size, llvm::ArrayRef<Dim3> groups = {Dim3{0, 0, 0}}, bool values = false,
           const Limits &limits = {});
  /// The words of a buffer, in set 0.
  std::vector<uint32_t> words(uint32_t binding) const;
  void setWords(uint32_t binding, const std::vector<uint32_t> &words);

  differential::Compiled compiled;
  Inputs inputs;
  RunResult result;
  std::string failed; ///< empty: it went through
  std::shared_ptr<Recorder> seen;
};

/// One dispatch on the first device that has what the module needs.
Result<vulkan::RunResult> runOnDevice(const differential::Compiled &compiled,
                                      const vulkan::KernelInstance &instance, const Dim3 &localSize,
                                      const Dim3 &groups, std::vector<vulkan::SpecValue> spec = {});

/// How many values an expression is computed for.
inline constexpr uint32_t kCount = 64;

/// What expressions over a, b and c are made of.
struct Domain {
  std::string prologue; ///< extensions
  std::string type;     ///< of a, b and c
  std::string result;   ///< of the outputs
  std::string convert;  ///< from an expression to the result
  uint32_t bytes;       ///< of a value
  uint32_t resultBytes;
};

/// Runs the expressions in the interpreter and on a device: a, b and c are `values`, kCount each.
/// Nothing where no device has what they need.
void compareExpressions(const Domain &domain, const std::vector<std::string> &expressions,
                        const std::vector<std::byte> &values, const vulkan::CompareRule &rule);

} // namespace tailor::interp

#endif
