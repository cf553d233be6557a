//===- tools/spirv-tailor/ReportCommand.cpp - report ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "DbArguments.h"
#include "InputArguments.h"

#include "Report/ReportPage.h"
#include "Support/Files.h"
#include "Tuning/Tuner.h"

#include "CLI/CLI.hpp"

#include <algorithm>
#include <memory>

namespace tailor {

namespace {

struct ReportArguments : DbArguments {
  std::vector<std::string> bundles, workloads;
};

bool isOf(const Bundle &bundle, const StoredWinner &outcome) {
  return std::any_of(bundle.kernels.begin(), bundle.kernels.end(), [&](const KernelInfo &kernel) {
    return kernel.sourceHash == outcome.key.moduleHash;
  });
}

/// Says which of the given files add nothing.
void warnOfStrangers(const ReportArguments &arguments, const report::ReportInput &input,
                     Diagnostics &diagnostics) {
  auto hasNone = [&](const auto &isMeant) {
    return std::none_of(input.outcomes.begin(), input.outcomes.end(),
                        [&](const auto &each) { return isMeant(each.outcome); });
  };
  for (size_t at = 0; at < input.bundles.size(); ++at)
    if (hasNone([&](const StoredWinner &o) { return isOf(input.bundles[at], o); }))
      diagnostics.warning(Location::inFile(arguments.bundles[at]),
                          "no outcome of the report was measured with a kernel of this bundle");
  for (const Workload &workload : input.workloads)
    if (hasNone([&](const StoredWinner &o) { return workload.appliesTo(o.kernel, o.entryPoint); }))
      diagnostics.warning(Location::inFile(workload.file),
                          "this workload is for no kernel of the report");
}

Status writeReport(const ReportArguments &arguments, Diagnostics &diagnostics) {
  std::vector<std::string> files = {arguments.database};
  files.insert(files.end(), arguments.bundles.begin(), arguments.bundles.end());
  files.insert(files.end(), arguments.workloads.begin(), arguments.workloads.end());
  if (Status apart = checkOutput(arguments.output, files); !apart)
    return apart;
  Result<DbContents> contents = readDatabase(arguments.database);
  if (!contents)
    return contents.takeFailure();
  // By the database alone: which devices are at hand here is not what it is about.
  const CurrentDrivers drivers({}, contents->outcomes);
  Result<std::vector<StoredWinner>> picked = pickOutcomes(arguments, std::move(contents->outcomes));
  if (!picked)
    return picked.takeFailure();
  Result<std::vector<Bundle>> bundles = loadBundles(arguments.bundles);
  if (!bundles)
    return bundles.takeFailure();
  std::vector<Workload> workloads;
  for (const std::string &path : arguments.workloads)
    if (std::optional<Workload> workload = readWorkload(path, diagnostics))
      workloads.push_back(std::move(*workload));
  if (diagnostics.hasErrors())
    return success(); // they are told already

  report::ReportInput input{toolName(), {}, {}, *bundles, workloads};
  for (StoredWinner &outcome : *picked) {
    Standing standing = drivers.standingOf(outcome, toolName());
    input.outcomes.push_back({std::move(outcome), std::move(standing), {}});
  }
  for (KnownBad &bad : contents->bad)
    if (arguments.picks(bad))
      input.knownBad.push_back(std::move(bad));
  warnOfStrangers(arguments, input, diagnostics);
  return writeFileAtomically(arguments.output, report::reportPage(input));
}

constexpr const char *kFooter = R"(Examples:
  spirv-tailor report --db winners.db -o report.html
  spirv-tailor report --db winners.db blur.tailor --workload blur.json -o report.html
  spirv-tailor report --db winners.db --kernel blur --device h200 -o blur.html

The page is one file that needs no other; docs/report.md explains it.)";

} // namespace

void addReportCommand(CLI::App &app, Invocation &invocation) {
  auto arguments = std::make_shared<ReportArguments>();
  CLI::App *command =
      app.add_subcommand("report", "Writes the outcomes of a winners database as one HTML page");
  command->add_option("BUNDLE", arguments->bundles,
                      "The bundles that were tuned: adds accesses and refused techniques");
  arguments->addDatabase(*command);
  command
      ->add_option("--workload", arguments->workloads,
                   "What the kernels were run with: adds rooflines and tolerances; once for each")
      ->type_name("W.json")
      ->allow_extra_args(false);
  arguments->addFilters(*command);
  command->add_option("-o,--output", arguments->output, "The file (default stdout)")
      ->type_name("FILE");
  command->footer(kFooter);
  command->callback([&invocation, arguments] {
    invocation.run = [arguments](Diagnostics &diagnostics) {
      if (Status done = writeReport(*arguments, diagnostics); !done)
        diagnostics.emit(done.takeFailure().diagnostic);
    };
  });
}

} // namespace tailor
