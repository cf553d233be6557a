//===- Frontend/Knobs.h - Macros that an author lets vary -----------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A knob is a macro of a GLSL or HLSL shader with the values that it may have. The
// author declares with it that the shader computes the same under each of them.
// Knobs come from the command line (`--knob TILE=8,16 --where "TILE*TILE<=1024"`) and
// from the source:
//
//   #pragma tailor knob(TILE, 8, 16, 32)
//   #pragma tailor where(TILE*TILE <= 1024)
//
// The value that the source itself gives the macro, under `#ifndef TILE`, is the
// authored one. Every combination of values that satisfies all constraints is
// compiled to a module of its own.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_FRONTEND_KNOBS_H
#define TAILOR_FRONTEND_KNOBS_H

#include "Frontend/Frontend.h"
#include "Frontend/KnobExpression.h"
#include "IR/Module.h"
#include "Support/Result.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tailor {

struct Knob {
  std::string name;
  std::vector<std::string> values;     ///< none twice; integers or words
  Location location;                   ///< of the name
  ErrorKind kind = ErrorKind::Refused; ///< of complaints: Usage where it came from an option
};

struct KnobRequest {
  std::vector<Knob> knobs;
  std::vector<KnobExpression> constraints; ///< all must hold: not be 0
  bool empty() const { return knobs.empty() && constraints.empty(); }
};

/// Name and value, in the order of the knobs.
using KnobValues = std::vector<std::pair<std::string, std::string>>;
/// `TILE=16, UNROLL=4`
std::string textOf(const KnobValues &values);

/// `NAME=V1,V2,...` of an option. A value is made of letters, digits, `_`, `.`, `+` and `-`.
Result<Knob> parseKnobOption(const std::string &text, const std::string &option);

/// The knobs and constraints that the pragmas of a file declare. Pragmas are read wherever they
/// stand but in comments and under `#if 0`.
Result<KnobRequest> readKnobPragmas(const std::string &file, std::string_view source);

/// What is to be varied.
struct KnobInput {
  const FrontendResult *authored = nullptr; ///< the shader compiled as it is
  FrontendOptions options;                  ///< that it was compiled with
  KnobRequest fromOptions;                  ///< of the command line
  size_t maxCombinations = 256;
};

/// The knobs of the shader and of every file it includes, with those of the command line, which
/// take the place of pragmas of the same name. A knob that the options define by -D is no knob: it
/// has that value. Fails where two pragmas declare one knob, where a constraint names something
/// that is neither a knob nor defined by -D, where the source does not mention a knob, and for
/// SPIR-V when the command line has knobs.
Result<KnobRequest> collectKnobs(const KnobInput &input);

/// The combinations that satisfy all constraints, the first knob's values slowest. Fails where a
/// constraint cannot be evaluated, where none is left, and where more than `max` are.
Result<std::vector<KnobValues>> enumerateKnobs(const KnobRequest &request,
                                               const FrontendOptions &options, size_t max);

/// A combination's module, which is valid SPIR-V and has the interface of the authored one.
struct KnobModule {
  KnobValues values;
  Module module;
};

struct KnobModules {
  /// Each unlike the authored module and unlike those before it, in the order of enumerateKnobs.
  std::vector<KnobModule> modules;
  /// The first combination whose module is the authored one.
  std::optional<KnobValues> authored;
  std::vector<std::string> dependencies; ///< files read by any of them
};

/// Collects, enumerates, compiles. Nothing at all where there are no knobs. A combination that does
/// not compile, or that wants other resources, push constants, specialization constants or entry
/// points of its host than the authored module, is an error that names it. Knobs that change
/// nothing are warnings. `progress` is told how many combinations are done of how many.
Result<KnobModules> compileKnobs(const KnobInput &input, Diagnostics &diagnostics,
                                 const std::function<void(size_t, size_t)> &progress = {});

} // namespace tailor

#endif
