//===- tools/spirv-tailor/Commands.h - The commands of the driver ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TOOLS_SPIRV_TAILOR_COMMANDS_H
#define TAILOR_TOOLS_SPIRV_TAILOR_COMMANDS_H

#include "Support/Result.h"

#include <functional>

namespace CLI { // NOLINT(readability-identifier-naming): the name is the parser library's
class App;
}

namespace tailor {

/// What the command line chose to do; set by the subcommand that was parsed. Diagnostics are
/// printed, and turned into the exit code, by main.
struct Invocation {
  std::function<void(Diagnostics &)> run;
};

void addAnalyzeCommand(CLI::App &app, Invocation &invocation);
void addBuildCommand(CLI::App &app, Invocation &invocation);
void addInspectCommand(CLI::App &app, Invocation &invocation);
void addExtractCommand(CLI::App &app, Invocation &invocation);
void addWorkloadCommand(CLI::App &app, Invocation &invocation);
void addReplayCommand(CLI::App &app, Invocation &invocation);
void addTableCommand(CLI::App &app, Invocation &invocation);
void addTuneCommand(CLI::App &app, Invocation &invocation);
void addDevicesCommand(CLI::App &app, Invocation &invocation);
void addDbCommand(CLI::App &app, Invocation &invocation);
void addPortfolioCommand(CLI::App &app, Invocation &invocation);
void addReportCommand(CLI::App &app, Invocation &invocation);

} // namespace tailor

#endif
