//===- passes/PassManager.h - Runs passes and checks what they promise ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_PASSMANAGER_H
#define TAILOR_PASSES_PASSMANAGER_H

#include "passes/Pass.h"
#include "passes/PassRegistry.h"

#include <vector>

namespace tailor {

struct PassManagerOptions {
  /// Validates the module before the first pass. Passes and analyses may crash on an invalid one:
  /// leave this out only for modules that were validated already.
  bool verifyInput = false;
  /// The same, and after each pass: validate the module, compare "changed" with the bytes, and
  /// check established and preserved properties. Costs a validation a pass.
  bool verifyEach = false;
  /// For the validation; empty: the environment that the module's version belongs to.
  std::string targetEnv;
  /// When a pass breaks a promise, the module before and after it is written to
  /// `<dumpPrefix><pass>.before.spv` and `.after.spv`, and the message says so. Empty: not written.
  std::string dumpPrefix;
};

class PassManager {
public:
  explicit PassManager(PassManagerOptions options = {}) : options(std::move(options)) {}

  void add(std::unique_ptr<Pass> pass) { passes.push_back(std::move(pass)); }
  const std::vector<std::unique_ptr<Pass>> &list() const { return passes; }

  /// Runs the passes in order. Stops at the first that fails, at one whose required property does
  /// not hold (ErrorKind::Usage, naming the pass, the property, and who establishes it), and at one
  /// that breaks a promise (ErrorKind::Internal, naming the pass). A print or verify pass that says
  /// Changed breaks one, whatever the options.
  Result<Change> run(Module &module, PassContext &context);

private:
  Result<Change> runOne(Pass &pass, Module &module, PassContext &context);
  Status checkRequirements(const PassInfo &info, const Module &module) const;
  Status checkPromises(const PassInfo &info, const Module &before, const Module &after,
                       Change change) const;
  Failure blame(const PassInfo &info, const std::string &text, const Module *before,
                const Module *after) const;

  PassManagerOptions options;
  std::vector<std::unique_ptr<Pass>> passes;
};

} // namespace tailor

#endif
