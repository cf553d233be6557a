//===- tools/spirv-tailor/Main.cpp - The driver ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Commands.h"

#include "llvm/Support/raw_ostream.h"

#include "CLI/CLI.hpp"

using namespace tailor;

static constexpr const char *kFooter = R"(Examples:
  spirv-tailor analyze blur.comp
  spirv-tailor build blur.comp -o blur.tailor --targets spirv,glsl,hlsl,msl
  spirv-tailor workload blur.comp -o blur.json
  spirv-tailor tune blur.tailor --workload blur.json --db winners.db
  spirv-tailor extract blur.tailor -o out/

Exit codes: 0 done, 1 the input was refused, 2 wrong usage, 3 no device or library, or a file that
cannot be written, 4 a fault of this tool.
`spirv-tailor COMMAND --help` tells more about a command.)";

int main(int argc, char **argv) {
  CLI::App app("Workgroup sizes cut to each GPU: proves which sizes a compute shader may run with, "
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
  addDevicesCommand(app, invocation);

  Diagnostics diagnostics;
  try { // the one place where the argument parser's exceptions arrive
    app.parse(argc, argv);
  } catch (const CLI::Success &success) {
    return app.exit(success); // --help, --version
  } catch (const CLI::ParseError &error) {
    diagnostics.error({}, error.what(), ErrorKind::Usage)
        .addNote({}, "`spirv-tailor --help` lists the commands, `spirv-tailor COMMAND --help` their "
                     "options");
    print(llvm::errs(), diagnostics);
    return diagnostics.exitCode();
  }
  invocation.run(diagnostics);
  llvm::outs().flush();
  print(llvm::errs(), diagnostics);
  return diagnostics.exitCode();
}
