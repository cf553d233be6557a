//===- tools/spirv-tailor/Main.cpp - The driver ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Commands.h"

#include "llvm/Support/raw_ostream.h"

#include "CLI/CLI.hpp"

#include <cerrno>
#include <cstring>
#include <iostream>

using namespace tailor;

static constexpr const char *kFooter = R"(Examples:
  spirv-tailor analyze blur.comp
  spirv-tailor build blur.comp -o blur.tailor --targets spirv,glsl,hlsl,msl
  spirv-tailor workload blur.comp -o blur.json
  spirv-tailor tune blur.tailor --workload blur.json --db winners.db
  spirv-tailor report --db winners.db blur.tailor -o report.html
  spirv-tailor extract blur.tailor -o out/

Exit codes: 0 done, 1 the input was refused, 2 wrong usage, 3 no device or library, or a file that
cannot be written, 4 a fault of this tool.
`spirv-tailor COMMAND --help` tells more about a command.)";

/// What the argument parser found wrong. It says of an unknown command that one is missing: named
/// here, also where it is the command of a command.
static std::string textOf(const CLI::App &app, const CLI::ParseError &error) {
  const CLI::App *level = &app;
  while (!level->get_subcommands().empty())
    level = level->get_subcommands().front();
  if (level->get_require_subcommand_min() == 0)
    return error.what();
  std::string of = level == &app ? "" : "'" + level->get_name() + "': ";
  std::vector<std::string> unknown = app.remaining(true);
  if (unknown.empty())
    return of + "no command is given";
  return of +
         (unknown.front().starts_with("-") ? "there is no option '" : "there is no command '") +
         unknown.front() + "'";
}

/// A full disk or a closed pipe behind stdout is a file that cannot be written.
static void checkStdout(Diagnostics &diagnostics) {
  auto cannotWrite = [&](const std::string &why) {
    diagnostics.error(Location::inFile("<stdout>"), "cannot write the file: " + why,
                      ErrorKind::Environment);
  };
  llvm::outs().flush();
  if (llvm::outs().has_error()) {
    cannotWrite(llvm::outs().error().message());
    llvm::outs().clear_error(); // the stream's destructor would abort the process
  }
  if (!std::cout.flush())
    cannotWrite(std::strerror(errno));
}

int main(int argc, char **argv) {
  CLI::App app(
      "Workgroup sizes cut to each GPU: proves which sizes a compute shader may run with, "
      "makes those variants,\nmeasures them on the devices at hand and checks every output "
      "against the author's kernel.",
      "spirv-tailor");
  app.footer(kFooter);
  app.set_version_flag("--version", "spirv-tailor " TAILOR_VERSION);
  app.require_subcommand(1);
  Invocation invocation;
  addAnalyzeCommand(app, invocation);
  addBuildCommand(app, invocation);
  addInspectCommand(app, invocation);
  addExtractCommand(app, invocation);
  addWorkloadCommand(app, invocation);
  addTuneCommand(app, invocation);
  addReplayCommand(app, invocation);
  addTableCommand(app, invocation);
  addDevicesCommand(app, invocation);
  addDbCommand(app, invocation);
  addPortfolioCommand(app, invocation);
  addReportCommand(app, invocation);

  Diagnostics diagnostics;
  try { // the one place where the argument parser's exceptions arrive
    app.parse(argc, argv);
  } catch (const CLI::Success &success) {
    app.exit(success); // --help, --version
    checkStdout(diagnostics);
    print(llvm::errs(), diagnostics);
    return diagnostics.exitCode();
  } catch (const CLI::ParseError &error) {
    diagnostics.error({}, textOf(app, error), ErrorKind::Usage)
        .addNote({},
                 "`spirv-tailor --help` lists the commands, `spirv-tailor COMMAND --help` their "
                 "options");
    print(llvm::errs(), diagnostics);
    return diagnostics.exitCode();
  }
  invocation.run(diagnostics);
  checkStdout(diagnostics);
  print(llvm::errs(), diagnostics);
  return diagnostics.exitCode();
}
