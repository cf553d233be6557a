//===- tools/spirv-tailor/KnobArguments.h - Knobs on the command line ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TOOLS_SPIRV_TAILOR_KNOBARGUMENTS_H
#define TAILOR_TOOLS_SPIRV_TAILOR_KNOBARGUMENTS_H

#include "Frontend/Knobs.h"

#include <string>
#include <vector>

namespace CLI { // NOLINT(readability-identifier-naming): the name is the parser library's
class App;
}

namespace tailor {

/// --knob, --where, --max-combinations.
struct KnobArguments {
  std::vector<std::string> knobs, constraints;
  size_t maxCombinations = 256;

  void addTo(CLI::App &command);
  /// Failures are ErrorKind::Usage, located in the option: `--where:1:6`.
  Result<KnobRequest> request() const;
};

} // namespace tailor

#endif
