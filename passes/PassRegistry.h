//===- passes/PassRegistry.h - The passes that a pipeline may name ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The catalogue of Passes.def, and what plug-ins added to it.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_PASSREGISTRY_H
#define TAILOR_PASSES_PASSREGISTRY_H

#include "passes/Pass.h"

#include <vector>

namespace tailor {

class PassRegistry {
public:
  /// With every pass of Passes.def.
  PassRegistry();

  /// Adds a pass; its strings and options must outlive the registry. Fails (ErrorKind::Environment,
  /// since plug-ins are the ones who add) when the flag is taken, is a pipeline's name, or is not
  /// lower-case words joined by dashes.
  Status add(const PassInfo &info);
  const PassInfo *find(std::string_view flag) const;
  /// Alphabetical.
  const std::vector<PassInfo> &all() const { return list; }

private:
  std::vector<PassInfo> list;
};

/// The names nearest to a misspelt one, for "did you mean": the best of `candidates` within a third
/// of its length in edits, or nothing.
std::string nearestName(std::string_view name, const std::vector<std::string_view> &candidates);

/// docs/passes.md: every pass, its options, what it requires, and the named pipelines.
std::string passDocumentation(const PassRegistry &registry);

} // namespace tailor

#endif
