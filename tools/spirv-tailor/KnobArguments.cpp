//===- tools/spirv-tailor/KnobArguments.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KnobArguments.h"

#include "CLI/CLI.hpp"

namespace tailor {

void KnobArguments::addTo(CLI::App &command) {
  command
      .add_option("--knob", knobs,
                  "A macro of the shader and the values that it may have, each of which makes a "
                  "variant; several multiply. #pragma tailor knob(NAME, V1, ...) says the same")
      ->allow_extra_args(false)
      ->type_name("NAME=V1,V2,...");
  command
      .add_option("--where", constraints,
                  "What combinations of knobs must satisfy, TILE*TILE<=1024: all, where several "
                  "are given")
      ->allow_extra_args(false)
      ->type_name("EXPRESSION");
  command
      .add_option("--max-combinations", maxCombinations,
                  "More combinations of knobs than that are refused (default 256)")
      ->check(CLI::Range(size_t{1}, size_t{1000000}))
      ->type_name("N");
}

Result<KnobRequest> KnobArguments::request() const {
  KnobRequest request;
  for (const std::string &text : knobs) {
    Result<Knob> knob = parseKnobOption(text, "--knob");
    if (!knob)
      return knob.takeFailure();
    request.knobs.push_back(std::move(*knob));
  }
  for (const std::string &text : constraints) {
    Result<KnobExpression> constraint =
        KnobExpression::parse(LocatedText("--where", text), ErrorKind::Usage);
    if (!constraint)
      return constraint.takeFailure();
    request.constraints.push_back(std::move(*constraint));
  }
  return request;
}

} // namespace tailor
