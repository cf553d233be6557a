//===- tools/spirv-tailor/ReplayCommand.cpp - replay, table ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "InputArguments.h"
#include "ReplayReport.h"

#include "Bundle/BundleIO.h"
#include "Bundle/KernelBuilder.h"
#include "Cost/HoldOut.h"
#include "Support/Files.h"
#include "Tuning/Progress.h"
#include "Tuning/Replay.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include "CLI/CLI.hpp"

#include <algorithm>
#include <memory>

namespace tailor {

namespace {

struct ReplayArguments {
  std::string input, table, workloads, profile;
  std::vector<std::string> searches = {"model", "auto", "random", "climb", "fixed"};
  std::vector<size_t> budgets = {0, 4, 12};
  std::string holdout = "all", format = "text";
  size_t maxVariants = 24;
  unsigned seeds = 1000;
  bool explain = false;
};

class Replayer {
public:
  Replayer(const ReplayArguments &arguments, Diagnostics &diagnostics)
      : arguments(arguments), diagnostics(diagnostics),
        progress(llvm::errs(), isTerminal(2), terminalColumns(2)) {}
  void run();

private:
  bool isWanted(const std::string &kernel) const {
    return arguments.holdout == "all" || (arguments.holdout == "only") == isHeldOut(kernel);
  }
  Result<TuningTable> loadTable() const;
  Result<const DeviceProfile *> profileOf(const TuningTable &table) const;
  Result<Bundle> bundleOf(const std::string &kernel);
  Result<Bundle> buildOf(const std::string &kernel);
  std::optional<Workload> workloadOf(const std::string &kernel);
  Status addSite(const TuningTable &table, const TableSite &rows, const DeviceProfile &profile);

  const ReplayArguments &arguments;
  Diagnostics &diagnostics;
  Progress progress;
  std::optional<Bundle> whole; ///< the bundle that was given
  std::vector<ReplaySite> sites;
};

Result<TuningTable> Replayer::loadTable() const {
  Result<std::string> text = readFile(arguments.table);
  return text ? readTable(*text, arguments.table) : Result<TuningTable>(text.takeFailure());
}

/// That of the command line, or the one that the table names.
Result<const DeviceProfile *> Replayer::profileOf(const TuningTable &table) const {
  if (!arguments.profile.empty())
    return findProfile(arguments.profile);
  if (std::string_view key = table.fact("profile"); !key.empty())
    return findProfile(key);
  return failure(Location::inFile(arguments.table),
                 "the table names no device profile; give one with --profile", ErrorKind::Usage);
}

/// The first of these files that is there.
std::string firstOf(const std::string &folder, const std::string &stem,
                    std::initializer_list<const char *> endings) {
  for (const char *ending : endings) {
    llvm::SmallString<256> path(folder);
    llvm::sys::path::append(path, stem + ending);
    if (llvm::sys::fs::exists(path))
      return path.str().str();
  }
  return "";
}

Result<Bundle> Replayer::buildOf(const std::string &kernel) {
  const std::string path =
      firstOf(arguments.input, kernel, {".tailor", ".comp", ".hlsl", ".wgsl", ".spv", ".spvasm"});
  if (path.empty())
    return failure(Location::inFile(arguments.input), "the folder has no kernel '" + kernel + "'");
  if (llvm::StringRef(path).ends_with(".tailor")) {
    Result<std::string> bytes = readFile(path);
    return bytes ? readBundle(*bytes, path) : Result<Bundle>(bytes.takeFailure());
  }
  progress.update("building " + kernel, path);
  Result<LoadedShader> shader = loadInput(path, {}, diagnostics);
  if (!shader)
    return shader.takeFailure();
  KernelBuildOptions options;
  options.plan.maxVariants = arguments.maxVariants;
  options.spec = shader->spec;
  Bundle bundle;
  Diagnostics ignored; // that variants are left out is what was asked for
  for (const std::string &name : shader->entryPoints) {
    Result<EntryPoint> entry = findComputeEntryPoint(shader->module, name);
    if (!entry)
      return entry.takeFailure();
    std::string full = kernel;
    if (shader->entryPoints.size() != 1)
      full.append(".").append(name);
    Result<KernelInfo> built = buildKernel(shader->module, *entry, full, options, bundle, ignored);
    if (!built)
      return built.takeFailure();
    bundle.kernels.push_back(std::move(*built));
  }
  return bundle;
}

Result<Bundle> Replayer::bundleOf(const std::string &kernel) {
  if (llvm::sys::fs::is_directory(arguments.input))
    return buildOf(kernel);
  if (!whole) {
    Result<std::string> bytes = readFile(arguments.input);
    if (!bytes)
      return bytes.takeFailure();
    Result<Bundle> bundle = readBundle(*bytes, arguments.input);
    if (!bundle)
      return bundle.takeFailure();
    whole = std::move(*bundle);
  }
  return *whole;
}

std::optional<Workload> Replayer::workloadOf(const std::string &kernel) {
  std::string folder = arguments.workloads;
  if (folder.empty())
    folder = llvm::sys::fs::is_directory(arguments.input)
                 ? arguments.input
                 : llvm::sys::path::parent_path(arguments.input).str();
  const std::string path = firstOf(folder.empty() ? "." : folder, kernel, {".workload.json"});
  if (path.empty()) {
    diagnostics.error(Location::inFile(folder),
                      "there is no workload '" + kernel + ".workload.json'");
    return std::nullopt;
  }
  return readWorkload(path, diagnostics);
}

Status Replayer::addSite(const TuningTable &table, const TableSite &rows,
                         const DeviceProfile &profile) {
  const std::string &kernel = table.rows[rows.first].kernel;
  Result<Bundle> bundle = bundleOf(kernel);
  if (!bundle)
    return bundle.takeFailure();
  std::optional<Workload> workload = workloadOf(kernel);
  if (!workload)
    return success(); // which is said
  progress.update("looking at " + kernel, table.rows[rows.first].size);
  Result<ReplaySite> site = replaySite(table, rows, *bundle, *workload, profile);
  if (!site)
    return site.takeFailure();
  if (site->unseen != 0)
    diagnostics.warning(Location::inFile(arguments.table),
                        "of kernel '" + kernel + "' " + std::to_string(site->unseen) +
                            " variants of the table are not in the bundle: nothing is expected of "
                            "them");
  sites.push_back(std::move(*site));
  return success();
}

void Replayer::run() {
  auto give = [&](Failure failed) { diagnostics.emit(std::move(failed.diagnostic)); };
  const std::vector<SearchCandidate> some(1);
  for (const std::string &search : arguments.searches)
    if (auto known = makeStrategy(search, some); !known)
      return give(known.takeFailure());
  Result<TuningTable> table = loadTable();
  if (!table)
    return give(table.takeFailure());
  Result<const DeviceProfile *> profile = profileOf(*table);
  if (!profile)
    return give(profile.takeFailure());
  const bool isFolder = llvm::sys::fs::is_directory(arguments.input);
  if (!isFolder) // its kernels alone
    if (Result<Bundle> bundle = bundleOf(""); !bundle)
      return give(bundle.takeFailure());
  auto isThere = [&](const std::string &kernel) {
    return isFolder || std::any_of(whole->kernels.begin(), whole->kernels.end(),
                                   [&](const KernelInfo &each) { return each.name == kernel; });
  };
  for (const TableSite &rows : sitesOf(*table)) {
    const std::string &kernel = table->rows[rows.first].kernel;
    if (!isWanted(kernel) || !isThere(kernel))
      continue;
    if (Status added = addSite(*table, rows, **profile); !added)
      return give(added.takeFailure());
  }
  progress.finish();
  if (diagnostics.hasErrors())
    return;
  if (sites.empty())
    return give(failure(Location::inFile(arguments.table),
                        "no kernel of the table is among those that were asked for"));
  const ReplayRequest request{arguments.searches, arguments.budgets, arguments.seeds,
                              arguments.explain};
  if (arguments.format == "json")
    writeReplayJson(llvm::outs(), sites, request);
  else
    printReplay(llvm::outs(), sites, request);
}

struct TableArguments {
  std::vector<std::string> reports, head;
  std::string output = "-";
};

void makeTable(const TableArguments &arguments, Diagnostics &diagnostics) {
  auto give = [&](Failure failed) { diagnostics.emit(std::move(failed.diagnostic)); };
  if (Status apart = checkOutput(arguments.output, arguments.reports); !apart)
    return give(apart.takeFailure());
  TuningTable table;
  for (const std::string &path : arguments.reports) {
    Result<std::string> text = readFile(path);
    if (!text)
      return give(text.takeFailure());
    if (Status added = addTuneReport(table, *text, path); !added)
      return give(added.takeFailure());
  }
  for (const std::string &line : arguments.head) {
    const size_t sign = line.find('=');
    if (sign == std::string::npos || sign == 0)
      return give(
          failure({}, "--head: '" + line + "' is not of the form KEY=VALUE", ErrorKind::Usage));
    table.head.emplace_back(line.substr(0, sign), line.substr(sign + 1));
  }
  Result<std::string> text = writeTable(table);
  if (!text)
    return give(text.takeFailure());
  if (Status written = writeFileAtomically(arguments.output, *text); !written)
    give(written.takeFailure());
}

} // namespace

void addReplayCommand(CLI::App &app, Invocation &invocation) {
  auto arguments = std::make_shared<ReplayArguments>();
  CLI::App *command = app.add_subcommand(
      "replay", "Compares searches on the recorded times of a device, without the device");
  command
      ->add_option("INPUT", arguments->input,
                   "A bundle, or a folder with the kernels of the table (or their bundles)")
      ->required();
  command->add_option("--table", arguments->table, "Recorded times: bench/data/*.table")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--workloads", arguments->workloads,
                   "The folder of KERNEL.workload.json (default: that of INPUT)")
      ->type_name("DIR");
  command->add_option("--search", arguments->searches, "The searches to compare")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("LIST");
  command
      ->add_option("--holdout", arguments->holdout,
                   "Kernels that nothing was tuned on (about a third, by a hash of the name): "
                   "only them, exclude them, or all")
      ->check(CLI::IsMember({"only", "exclude", "all"}))
      ->type_name("only|exclude|all");
  command
      ->add_option("--budget-variants", arguments->budgets,
                   "How many variants may be measured beside the authored one (default 0,4,12)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(size_t{0}, size_t{1000000}))
      ->type_name("LIST");
  command
      ->add_option("--max-variants", arguments->maxVariants,
                   "How many variants of a kernel are made from its source (default 24, 0: all)")
      ->check(CLI::Range(size_t{0}, size_t{1000000}))
      ->type_name("N");
  command
      ->add_option("--seeds", arguments->seeds,
                   "How often what draws by chance is run (default 1000)")
      ->check(CLI::Range(1, 1000000))
      ->type_name("N");
  command
      ->add_option("--profile", arguments->profile,
                   "The device for the cost model (default: what the table says)")
      ->type_name("NAME");
  command->add_flag("--explain", arguments->explain,
                    "Also each variant: its time, what the model expects, and why");
  command->add_option("--format", arguments->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("text|json");
  command->footer("Examples:\n"
                  "  spirv-tailor replay bench/kernels --table bench/data/nvidia-h200.table "
                  "--holdout only\n"
                  "  spirv-tailor replay blur.tailor --table mine.table --search auto,random "
                  "--budget-variants 2,6 --explain");
  command->callback([&invocation, arguments] {
    invocation.run = [arguments](Diagnostics &diagnostics) {
      Replayer(*arguments, diagnostics).run();
    };
  });
}

void addTableCommand(CLI::App &app, Invocation &invocation) {
  auto arguments = std::make_shared<TableArguments>();
  CLI::App *command = app.add_subcommand(
      "table", "Makes a table of recorded times from what `tune --format json` printed");
  command->add_option("REPORT", arguments->reports, "Reports of one device and driver")->required();
  command->add_option("-o,--output", arguments->output, "The table to write (default: stdout)")
      ->type_name("FILE");
  command
      ->add_option("--head", arguments->head,
                   "A line for the head, such as profile=nvidia-h200; may be repeated")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  command->callback([&invocation, arguments] {
    invocation.run = [arguments](Diagnostics &diagnostics) { makeTable(*arguments, diagnostics); };
  });
}

} // namespace tailor
