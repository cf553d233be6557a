//===- Tuning/Tuner.cpp ----------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/Tuner.h"

#include "Support/Files.h"
#include "Tuning/IsolatedRun.h"
#include "Tuning/Picture.h"
#include "Tuning/SiteTuner.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>

namespace tailor {

std::string toolName() { return "spirv-tailor " TAILOR_VERSION; }

CandidateOrigin TuneResult::originOf(std::string_view variantId) const {
  for (size_t at = 0; at < origins.size() && at < outcome.candidates.size(); ++at)
    if (outcome.candidates[at].variantId == variantId)
      return origins[at];
  return {"authored", Evidence::Proven};
}

std::optional<DumpRequest> parseDumpRequest(std::string_view text) {
  size_t dot = text.find('.'), equals = text.find('=');
  if (dot == std::string_view::npos || equals == std::string_view::npos || dot > equals ||
      equals + 1 == text.size())
    return std::nullopt;
  auto number = [](std::string_view digits, uint32_t &value) {
    auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() && end == digits.data() + digits.size();
  };
  DumpRequest request;
  if (!number(text.substr(0, dot), request.set) ||
      !number(text.substr(dot + 1, equals - dot - 1), request.binding))
    return std::nullopt;
  request.path = text.substr(equals + 1);
  return request;
}

vulkan::MeasureOptions measureOptionsFor(const vulkan::DeviceInfo &device, double budgetSeconds,
                                         size_t candidates) {
  vulkan::MeasureOptions options = vulkan::MeasureOptions::forDevice(device);
  if (budgetSeconds <= 0)
    return options;
  double count = static_cast<double>(std::max<size_t>(candidates, 1));
  double turn = budgetSeconds / (count * std::max(options.rounds, 1U));
  if (turn < options.minLoadTime + options.stableTime) {
    // One good round says more than several hurried ones.
    options.rounds = 1;
    turn = budgetSeconds / count;
  }
  // A part of the turn goes to the samples and to the reference.
  double load = 0.7 * turn;
  options.candidateBudget = std::min(options.candidateBudget, load);
  options.minLoadTime = std::min(options.minLoadTime, load / 2);
  options.stableTime = std::min(options.stableTime, load / 2);
  return options;
}

namespace {

/// A kernel that the workload is for.
struct KernelSite {
  const Bundle *bundle = nullptr;
  const KernelInfo *kernel = nullptr;
  Reflection reflection;
};

Failure noKernel(const std::vector<Bundle> &bundles, const Workload &workload) {
  std::string wanted;
  if (workload.kernel)
    wanted += " named '" + *workload.kernel + "'";
  if (workload.entry)
    wanted += " with the entry point '" + *workload.entry + "'";
  Failure failed = failure(Location::inFile(workload.file),
                           "the bundles hold no kernel" + wanted + " that this workload is for");
  for (const Bundle &bundle : bundles)
    for (const KernelInfo &kernel : bundle.kernels)
      failed.diagnostic.addNote({}, "there is '" + kernel.name + "' with the entry point '" +
                                        kernel.entryPoint + "'");
  return failed;
}

Result<std::vector<KernelSite>> findKernels(const std::vector<Bundle> &bundles,
                                            const Workload &workload) {
  std::vector<KernelSite> sites;
  for (const Bundle &bundle : bundles) {
    for (const KernelInfo &kernel : bundle.kernels) {
      if (kernel.variants.empty() || !workload.appliesTo(kernel.name, kernel.entryPoint))
        continue;
      Result<std::vector<uint32_t>> words = wordsOf(bundle, kernel, kernel.variants[0]);
      if (!words)
        return words.takeFailure();
      Result<Reflection> reflection = reflect(*words, kernel.entryPoint, kernel.name);
      if (!reflection)
        return reflection.takeFailure();
      sites.push_back({&bundle, &kernel, std::move(*reflection)});
    }
  }
  if (sites.empty())
    return noKernel(bundles, workload);
  return sites;
}

Result<std::vector<const ProblemSize *>> findSizes(const Workload &workload,
                                                   const std::vector<std::string> &names) {
  std::vector<const ProblemSize *> sizes;
  for (const ProblemSize &size : workload.sizes)
    if (names.empty() || std::find(names.begin(), names.end(), size.name) != names.end())
      sizes.push_back(&size);
  for (const std::string &name : names) {
    bool known = std::any_of(workload.sizes.begin(), workload.sizes.end(),
                             [&](const ProblemSize &size) { return size.name == name; });
    if (known)
      continue;
    std::string text = "the workload has no size '";
    text.append(name).append("'; it has ");
    const char *separator = "";
    for (const ProblemSize &size : workload.sizes) {
      text.append(separator).append(size.name);
      separator = ", ";
    }
    return failure(Location::inFile(workload.file), std::move(text), ErrorKind::Usage);
  }
  return sizes;
}

Result<std::vector<vulkan::DeviceInfo>> findDevices(const vulkan::Instance &vulkan,
                                                    const std::vector<std::string> &names) {
  std::vector<vulkan::DeviceInfo> devices;
  bool all = names.empty() || std::find(names.begin(), names.end(), "all") != names.end();
  if (all)
    return vulkan.devices();
  for (const std::string &name : names) {
    Result<vulkan::DeviceInfo> found = vulkan.find(name);
    if (!found)
      return found.takeFailure();
    bool twice = std::any_of(devices.begin(), devices.end(),
                             [&](const auto &d) { return d.index == found->index; });
    if (!twice)
      devices.push_back(std::move(*found));
  }
  return devices;
}

/// Every workload fault at once: all but the first into `diags`, which the
/// Result's own failure must not repeat.
Status checkAll(const std::vector<KernelSite> &sites, const std::vector<const ProblemSize *> &sizes,
                Diagnostics &diags) {
  Diagnostics found;
  for (const KernelSite &site : sites)
    for (const ProblemSize *size : sizes)
      checkWorkload(*size, site.reflection, site.kernel->name, found);
  std::optional<Diagnostic> first;
  for (const Diagnostic &diagnostic : found.all()) {
    if (diagnostic.severity == Severity::Error && !first)
      first = diagnostic;
    else
      diags.emit(diagnostic);
  }
  if (first)
    return failure(std::move(*first));
  return success();
}

void replaceAll(std::string &text, std::string_view from, const std::string &to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// A name as a part of a file's name.
std::string fileSafe(const std::string &name) {
  std::string safe;
  for (char c : name) {
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                 c == '.' || c == '_' || c == '-';
    if (plain)
      safe += c;
    else if (!safe.empty() && safe.back() != '-')
      safe += '-';
  }
  while (!safe.empty() && safe.back() == '-')
    safe.pop_back();
  return safe;
}

std::string dumpPath(const DumpRequest &dump, const std::string &kernel, const std::string &size,
                     const std::string &device) {
  std::string path = dump.path;
  replaceAll(path, "{kernel}", fileSafe(kernel));
  replaceAll(path, "{size}", fileSafe(size));
  replaceAll(path, "{device}", fileSafe(device));
  return path;
}

/// What a dump must leave alone: what was read, the files of fills, and the database with the files
/// beside it.
std::vector<std::string> filesInUse(const TuneOptions &options, const Workload &workload) {
  std::vector<std::string> files = options.filesRead;
  files.push_back(workload.file);
  for (const ProblemSize &size : workload.sizes)
    for (const WorkloadBinding &binding : size.bindings)
      if (binding.fill.kind == Fill::Kind::File)
        files.push_back(fillPath(workload, binding.fill));
  if (!options.database.empty())
    for (const char *suffix : {"", "-wal", "-shm"})
      files.push_back(options.database + suffix);
  return files;
}

/// Refuses requests that would write one file twice or over `inUse`, before anything runs.
Status checkDumps(const TuneOptions &options, const std::vector<KernelSite> &sites,
                  const std::vector<const ProblemSize *> &sizes,
                  const std::vector<vulkan::DeviceInfo> &devices,
                  const std::vector<std::string> &inUse) {
  std::set<std::string> paths;
  for (const DumpRequest &dump : options.dumps) {
    for (const KernelSite &site : sites) {
      for (const ProblemSize *size : sizes) {
        const WorkloadBinding *binding = size->find(dump.set, dump.binding);
        if (!binding || !binding->desc.output)
          return failure(size->location,
                         "set " + std::to_string(dump.set) + " binding " +
                             std::to_string(dump.binding) +
                             " is no output of this workload and cannot be dumped",
                         ErrorKind::Usage);
        for (const vulkan::DeviceInfo &device : devices) {
          std::string path = dumpPath(dump, site.kernel->name, size->name, device.name);
          if (Status apart = checkOutput(path, inUse); !apart)
            return apart;
          if (!paths.insert(path).second)
            return failure({},
                           "several results would be dumped to '" + dump.path +
                               "'; put {kernel}, {size} or {device} into its name",
                           ErrorKind::Usage);
        }
      }
    }
  }
  return success();
}

Status writeDump(const DumpRequest &dump, const std::string &path, const ProblemSize &size,
                 const vulkan::KernelInstance &instance,
                 const std::vector<vulkan::OutputData> &outputs) {
  for (const vulkan::OutputData &output : outputs) {
    const vulkan::ResourceDesc &desc = instance.resources[output.resource];
    const WorkloadBinding &binding = size.bindings[output.resource];
    if (binding.desc.set != dump.set || binding.desc.binding != dump.binding)
      continue;
    const vulkan::ImageFormat *format =
        desc.dim == vulkan::ImageDim::D2 ? vulkan::findImageFormat(desc.format) : nullptr;
    if (format && vulkan::isImage(desc.kind))
      if (std::optional<std::string> ppm =
              ppmOf(*format, desc.extent.x, desc.extent.y, output.bytes))
        return writeFileAtomically(path, *ppm);
    return writeFileAtomically(
        path, {reinterpret_cast<const char *>(output.bytes.data()), output.bytes.size()});
  }
  return failure(Location::inFile(path), "the winner has no such output to dump");
}

/// What the validation layer said, where it was asked for: our own faults.
void reportValidation(vulkan::Instance &vulkan, const std::string &kernel, TuneSink &sink) {
  if (!vulkan.validating())
    return;
  for (const std::string &message : vulkan.validationMessages())
    sink.emit(Diagnostic::error({},
                                std::string("the validation layer says of kernel '")
                                    .append(kernel)
                                    .append("': ")
                                    .append(message),
                                ErrorKind::Internal));
  vulkan.clearValidationMessages();
}

/// All that a run is about, known before any driver is.
struct RunPlan {
  const Workload &workload;
  const TuneOptions &options;
  std::vector<KernelSite> kernels;
  std::vector<const ProblemSize *> sizes;
  std::vector<KnownBad> knownBad{};

  /// One kernel at one size; sites are counted by kernel, size, device.
  struct Place {
    const KernelSite &kernel;
    const ProblemSize &size;
  };
  Place placeOf(size_t site, size_t devices) const {
    const size_t pair = site / devices;
    return {kernels[pair / sizes.size()], *sizes[pair % sizes.size()]};
  }
  size_t pairs() const { return kernels.size() * sizes.size(); }

  Status work(const TuneResume &resume, TuneSink &sink) const;
};

/// Writes what the user wants to have of the winner's outputs.
void dumpOutputs(const RunPlan &plan, const TuneResult &result, const SiteTuner &tuner,
                 const ProblemSize &size, const vulkan::KernelInstance &instance, TuneSink &sink) {
  for (const DumpRequest &dump : plan.options.dumps) {
    std::string path = dumpPath(dump, result.outcome.kernel, size.name, result.device.name);
    if (Status written = writeDump(dump, path, size, instance, tuner.winnerOutputs()); !written)
      sink.emit(written.takeFailure().diagnostic);
  }
}

/// All that is done with drivers, from a site on.
Status RunPlan::work(const TuneResume &resume, TuneSink &sink) const {
  sink.begin({});
  Result<std::shared_ptr<vulkan::Instance>> vulkan = vulkan::Instance::create();
  if (!vulkan)
    return vulkan.takeFailure();
  Result<std::vector<vulkan::DeviceInfo>> devices = findDevices(**vulkan, options.devices);
  if (!devices)
    return devices.takeFailure();
  if (Status dumps = checkDumps(options, kernels, sizes, *devices, filesInUse(options, workload));
      !dumps)
    return dumps;
  sink.devices(*devices);
  std::optional<vulkan::KernelInstance> instance;
  const TuneResume nothing;
  for (size_t site = resume.site; site < pairs() * devices->size(); ++site) {
    const auto &[kernel, size] = placeOf(site, devices->size());
    if (!instance || site % devices->size() == 0) {
      sink.begin({});
      Result<vulkan::KernelInstance> made = instantiate(workload, size);
      if (!made)
        return made.takeFailure();
      instance = std::move(*made);
    }
    const vulkan::DeviceInfo &device = (*devices)[site % devices->size()];
    SiteTuner tuner({*kernel.bundle, *kernel.kernel, kernel.reflection, workload, size, *instance,
                     *vulkan, device, options, knownBad, site == resume.site ? resume : nothing},
                    sink);
    TuneResult result = tuner.run();
    if (!result.failure)
      dumpOutputs(*this, result, tuner, size, *instance, sink);
    sink.result(std::move(result));
    reportValidation(**vulkan, kernel.kernel->name, sink);
  }
  return success();
}

/// The same in processes of their own.
Status workIsolated(const RunPlan &plan, TuneSink &sink) {
  IsolatedRun isolated;
  isolated.sitesPerDevice = plan.pairs();
  isolated.work = [&](const TuneResume &resume, TuneSink &to) { return plan.work(resume, to); };
  isolated.failed = [&](size_t site, const std::vector<vulkan::DeviceInfo> &devices,
                        const Diagnostic &why) {
    const auto &[kernel, size] = plan.placeOf(site, devices.size());
    TuneResult result = SiteTuner::emptyResult(*kernel.bundle, *kernel.kernel, size,
                                               devices[site % devices.size()], plan.options);
    result.failure = why;
    result.failure->location = size.location;
    return result;
  };
  return isolated.run(sink);
}

bool fileExists(const std::string &path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

/// Says in the diagnostics what matters of a result, and stores it.
void finishResult(const TuneResult &result, Database *database, Diagnostics &diags) {
  if (result.failure) {
    Diagnostic warning = *result.failure;
    warning.severity = Severity::Warning;
    warning.addNote({}, "kernel '" + result.outcome.kernel + "' (" + result.outcome.sizeName +
                            ") is left out on " + result.device.name);
    diags.emit(std::move(warning));
    return;
  }
  if (database)
    if (Status stored = database->store(result.outcome); !stored)
      diags.emit(stored.takeFailure().diagnostic);
}

} // namespace

Result<TuneReport> tune(const std::vector<Bundle> &bundles, const Workload &workload,
                        const TuneOptions &options, Diagnostics &diags, Progress &progress) {
  Result<std::vector<KernelSite>> sites = findKernels(bundles, workload);
  if (!sites)
    return sites.takeFailure();
  Result<std::vector<const ProblemSize *>> sizes = findSizes(workload, options.sizes);
  if (!sizes)
    return sizes.takeFailure();
  if (Status fits = checkAll(*sites, *sizes, diags); !fits)
    return fits.takeFailure();
  RunPlan plan{workload, options, std::move(*sites), std::move(*sizes)};
  std::unique_ptr<Database> database;
  const bool isNew = !options.database.empty() && !fileExists(options.database);
  if (!options.database.empty()) {
    Result<std::unique_ptr<Database>> opened =
        Database::open(options.database, Database::Mode::Create);
    if (!opened)
      return opened.takeFailure();
    database = std::move(*opened);
    Result<std::vector<KnownBad>> bad = database->allKnownBad();
    if (!bad)
      return bad.takeFailure();
    plan.knownBad = std::move(*bad);
  }

  TuneReport report{toolName(), options.date, {}};
  DirectSink sink(diags, progress, [&](TuneResult result) {
    finishResult(result, database.get(), diags);
    report.results.push_back(std::move(result));
  });
  const bool isolate = options.isolate && !vulkan::Instance::isAnyAlive();
  Status worked = isolate ? workIsolated(plan, sink) : plan.work({}, sink);
  progress.finish();
  if (!worked && isNew && report.results.empty()) { // there was nothing to keep in it
    database.reset();
    std::error_code ignored;
    std::filesystem::remove(options.database, ignored);
  }
  if (!worked)
    return worked.takeFailure();
  bool any = std::any_of(report.results.begin(), report.results.end(),
                         [](const TuneResult &result) { return !result.failure; });
  if (!any)
    return failure(*report.results.front().failure);
  return report;
}

} // namespace tailor
