//===- tools/spirv-tailor/TuneCommands.cpp - workload, tune ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "InputArguments.h"

#include "Report/ReportPage.h"
#include "Support/Files.h"
#include "Tuning/Reflect.h"
#include "Tuning/Report.h"
#include "Tuning/Tuner.h"

#include "llvm/Support/raw_ostream.h"

#include "CLI/CLI.hpp"

#include <charconv>
#include <ctime>
#include <memory>

namespace tailor {

namespace {

struct WorkloadArguments {
  std::string input, output = "-";
  InputArguments shader;
};

void writeWorkload(const WorkloadArguments &arguments, Diagnostics &diagnostics) {
  Result<LoadedShader> shader = loadInput(arguments.input, arguments.shader, diagnostics);
  if (!shader) {
    diagnostics.emit(shader.takeFailure().diagnostic);
    return;
  }
  if (Status apart = checkOutput(arguments.output, shader->dependencies); !apart) {
    diagnostics.emit(apart.takeFailure().diagnostic);
    return;
  }
  shader->module.useNativeByteOrder();
  Result<Reflection> reflection =
      reflect(shader->module.words(), shader->entryPoints.front(), arguments.input);
  if (!reflection) {
    diagnostics.emit(reflection.takeFailure().diagnostic);
    return;
  }
  Result<std::string> text =
      workloadTemplate(*reflection, stemOf(arguments.input), arguments.input);
  Status done = text ? writeFileAtomically(arguments.output, *text) : Status(text.takeFailure());
  if (!done)
    diagnostics.emit(done.takeFailure().diagnostic);
}

struct TuneArguments {
  std::vector<std::string> bundles, devices, sizes, dumps, workloads;
  std::string database, budget, format = "text", search = "exhaustive";
  std::string page; ///< the report as HTML; empty: none
  bool retryBad = false, inProcess = false, keepCurrent = false;
};

/// `1s`, `250ms`, `2m`, `1.5` (seconds).
std::optional<double> parseSeconds(const std::string &text) {
  double value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  std::string_view unit(end, static_cast<size_t>(text.data() + text.size() - end));
  if (error != std::errc() || !(value > 0) || value > 1e7)
    return std::nullopt;
  if (unit.empty() || unit == "s")
    return value;
  if (unit == "ms")
    return value / 1000;
  if (unit == "m")
    return value * 60;
  return std::nullopt;
}

std::string today() {
  std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc)};
}

Result<TuneOptions> tuneOptions(const TuneArguments &arguments) {
  TuneOptions options;
  options.devices = arguments.devices;
  options.sizes = arguments.sizes;
  options.database = arguments.database;
  options.filesRead = arguments.bundles;
  options.date = today();
  options.search = arguments.search;
  options.tryKnownBad = arguments.retryBad;
  options.isolate = !arguments.inProcess;
  options.keepCurrent = arguments.keepCurrent;
  if (options.keepCurrent && options.database.empty())
    return failure({}, "--keep-current: there is no database to keep outcomes of; give --db",
                   ErrorKind::Usage);
  if (!arguments.budget.empty()) {
    std::optional<double> seconds = parseSeconds(arguments.budget);
    if (!seconds)
      return failure({}, "--budget: '" + arguments.budget + "' is no time: write 500ms, 1s or 2m",
                     ErrorKind::Usage);
    options.budgetSeconds = *seconds;
  }
  for (const std::string &text : arguments.dumps) {
    std::optional<DumpRequest> dump = parseDumpRequest(text);
    if (!dump)
      return failure({}, "--dump: '" + text + "' is not of the form SET.BINDING=FILE",
                     ErrorKind::Usage);
    options.dumps.push_back(std::move(*dump));
  }
  return options;
}

/// What was found, as a page (--report).
Status writePage(const std::string &path, const TuneReport &tuned,
                 const std::vector<Bundle> &bundles, const std::vector<Workload> &workloads) {
  report::ReportInput input{tuned.tool, {}, {}, bundles, workloads};
  for (const TuneResult &result : tuned.results) {
    report::ReportOutcome &outcome = input.outcomes.emplace_back();
    outcome.outcome = result.outcome;
    if (result.failure)
      outcome.failure = result.failure->text;
  }
  return writeFileAtomically(path, report::reportPage(input));
}

void runTune(const TuneArguments &arguments, Diagnostics &diagnostics) {
  auto give = [&](Failure failed) { diagnostics.emit(std::move(failed.diagnostic)); };
  Result<TuneOptions> options = tuneOptions(arguments);
  if (!options)
    return give(options.takeFailure());
  if (!arguments.page.empty()) {
    std::vector<std::string> files = arguments.bundles;
    files.insert(files.end(), arguments.workloads.begin(), arguments.workloads.end());
    if (!arguments.database.empty())
      files.push_back(arguments.database);
    if (Status apart = checkOutput(arguments.page, files); !apart)
      return give(apart.takeFailure());
  }
  Result<std::vector<Bundle>> bundles = loadBundles(arguments.bundles);
  if (!bundles)
    return give(bundles.takeFailure());
  std::vector<Workload> workloads;
  for (const std::string &path : arguments.workloads)
    if (std::optional<Workload> workload = readWorkload(path, diagnostics))
      workloads.push_back(std::move(*workload));
  if (workloads.size() != arguments.workloads.size())
    return;
  Progress progress(llvm::errs(), isTerminal(2), terminalColumns(2));
  Result<TuneReport> report = tune(*bundles, workloads, *options, diagnostics, progress);
  progress.finish();
  if (!report)
    return give(report.takeFailure());
  if (arguments.format == "json")
    writeJson(llvm::outs(), *report);
  else
    printTable(llvm::outs(), *report);
  if (!arguments.page.empty())
    if (Status written = writePage(arguments.page, *report, *bundles, workloads); !written)
      give(written.takeFailure());
}

} // namespace

void addWorkloadCommand(CLI::App &app, Invocation &invocation) {
  auto arguments = std::make_shared<WorkloadArguments>();
  CLI::App *command = app.add_subcommand(
      "workload", "Writes a workload template for a shader: what it is run with, to be edited");
  command->add_option("INPUT", arguments->input, "Shader: GLSL, HLSL, WGSL, SPIR-V binary or text")
      ->required();
  command->add_option("-o,--output", arguments->output, "The file (default stdout)")
      ->type_name("W.json");
  arguments->shader.addTo(*command);
  command->footer("Example: spirv-tailor workload blur.comp -o blur.json");
  command->callback([&invocation, arguments] {
    invocation.run = [arguments](Diagnostics &diagnostics) {
      writeWorkload(*arguments, diagnostics);
    };
  });
}

void addTuneCommand(CLI::App &app, Invocation &invocation) {
  auto arguments = std::make_shared<TuneArguments>();
  CLI::App *command = app.add_subcommand(
      "tune", "Runs, checks and measures every variant on the devices at hand; stores the winners");
  command->add_option("BUNDLE", arguments->bundles, "Bundles")->required();
  command
      ->add_option("--workload", arguments->workloads,
                   "What kernels are run with; once for each, where kernels differ")
      ->type_name("W.json")
      ->allow_extra_args(false)
      ->required();
  command
      ->add_option("--device", arguments->devices,
                   "A device's name, or an unambiguous part of it; all when left out")
      ->type_name("NAME|all")
      ->allow_extra_args(false);
  command
      ->add_option("--size", arguments->sizes, "A problem size of the workload; all when left out")
      ->type_name("NAME")
      ->allow_extra_args(false);
  command->add_option("--db", arguments->database, "Winners are stored here (SQLite)")
      ->type_name("FILE");
  command
      ->add_option("--budget", arguments->budget,
                   "Time to measure a kernel at one problem size on one device, such as 2s")
      ->type_name("TIME");
  command
      ->add_option("--search", arguments->search,
                   "How variants are chosen for measuring: exhaustive (all, the default), auto (by "
                   "the cost model and what was measured), climb, random, fixed, model")
      ->check(
          CLI::IsMember(std::vector<std::string>(strategyNames().begin(), strategyNames().end())));
  command->add_flag("--keep-current", arguments->keepCurrent,
                    "Do not measure again what is in --db and still stands: same kernel, variants, "
                    "problem size, device, driver and tool");
  command->add_flag(
      "--retry-bad", arguments->retryBad,
      "Try variants again of which the database knows that they crashed, hung or were "
      "wrong on this device");
  command->add_flag("--in-process", arguments->inProcess,
                    "Load drivers into this process, for debuggers: a driver that crashes ends it");
  command
      ->add_option(
          "--dump", arguments->dumps,
          "Writes an output of the winner: SET.BINDING=FILE; {kernel}, {size} and {device} "
          "in FILE are replaced")
      ->type_name("SET.BINDING=FILE")
      ->allow_extra_args(false);
  command
      ->add_option("--report", arguments->page,
                   "Writes what was found as one HTML page, as `spirv-tailor report` does")
      ->type_name("FILE.html");
  command
      ->add_option("--format", arguments->format, "text or json (stdout; messages are on stderr)")
      ->check(CLI::IsMember({"text", "json"}));
  command->footer("Example: spirv-tailor tune blur.tailor --workload blur.json --device all --db "
                  "winners.db --budget 5s");
  command->callback([&invocation, arguments] {
    invocation.run = [arguments](Diagnostics &diagnostics) { runTune(*arguments, diagnostics); };
  });
}

} // namespace tailor
