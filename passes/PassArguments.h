//===- passes/PassArguments.h - The textual options of one pass ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `resize<size=64x1x1,entry=main>` has two arguments. A list's items are
// separated by `;`. Every complaint is located in the text of the pipeline.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_PASSARGUMENTS_H
#define TAILOR_PASSES_PASSARGUMENTS_H

#include "passes/Pass.h"
#include "passes/SpecValues.h"

#include "Support/Dim3.h"

#include <optional>
#include <vector>

namespace tailor {

struct PassArgument {
  std::string name;
  Location nameAt;
  bool hasValue = false;
  std::string value;
  Location valueAt; ///< of the value's first character
};

/// Hands out arguments by name and type. The first complaint is kept; `finish` returns it.
class PassArguments {
public:
  PassArguments(std::string_view flag, Location at, std::vector<PassArgument> arguments)
      : flag(flag), where(std::move(at)), arguments(std::move(arguments)) {}

  /// Complains about names that `options` lacks, values missing or superfluous, and repetitions.
  void check(llvm::ArrayRef<OptionInfo> options);

  bool has(std::string_view name) const { return find(name) != nullptr; }
  std::optional<std::string> string(std::string_view name) const;
  std::optional<uint64_t> integer(std::string_view name, uint64_t min, uint64_t max);
  std::optional<Dim3> dim3(std::string_view name);
  /// `1;2;0x10`
  std::vector<uint32_t> ids(std::string_view name);
  /// `1:64;2:true`
  std::vector<SpecAssignment> specValues(std::string_view name);

  /// Complains about the pass as a whole, or at an argument.
  void complain(std::string text) { complain(where, std::move(text)); }
  void complain(const Location &at, std::string text);
  /// At the value of the argument `name`; about the pass where it is not given.
  void complainOf(std::string_view name, std::string text);
  Status finish();

private:
  struct Item {
    std::string text;
    Location at;
  };
  const PassArgument *find(std::string_view name) const;
  std::vector<Item> items(std::string_view name) const;

  std::string flag;
  Location where;
  std::vector<PassArgument> arguments;
  std::optional<Diagnostic> complaint;
};

} // namespace tailor

#endif
