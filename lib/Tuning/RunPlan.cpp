//===- Tuning/RunPlan.cpp -------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/RunPlan.h"

#include "Support/Hash.h"
#include "Tuning/Dumps.h"
#include "Tuning/IsolatedRun.h"
#include "Tuning/Lookup.h"
#include "Tuning/SiteTuner.h"

#include <algorithm>
#include <map>

namespace tailor {

namespace {

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

/// The kernels of a workload; each is looked at once, for all workloads.
class KernelFinder {
public:
  KernelFinder(const std::vector<Bundle> &in, std::deque<KernelSite> &out)
      : bundles(in), sites(out) {}
  Result<std::vector<const KernelSite *>> find(const Workload &workload);

private:
  const std::vector<Bundle> &bundles;
  std::deque<KernelSite> &sites;
  std::map<const KernelInfo *, const KernelSite *> seen;
};

Result<std::vector<const KernelSite *>> KernelFinder::find(const Workload &workload) {
  std::vector<const KernelSite *> found;
  for (const Bundle &bundle : bundles) {
    for (const KernelInfo &kernel : bundle.kernels) {
      if (kernel.variants.empty() || !workload.appliesTo(kernel.name, kernel.entryPoint))
        continue;
      const KernelSite *&site = seen[&kernel];
      if (!site) {
        Result<std::vector<uint32_t>> words = wordsOf(bundle, kernel, kernel.variants[0]);
        if (!words)
          return words.takeFailure();
        Result<Reflection> reflection = reflect(*words, kernel.entryPoint, kernel.name);
        if (!reflection)
          return reflection.takeFailure();
        site = &sites.emplace_back(&bundle, &kernel, std::move(*reflection));
      }
      found.push_back(site);
    }
  }
  if (found.empty())
    return noKernel(bundles, workload);
  return found;
}

/// Names of problem sizes must be known to one of the workloads at least.
Status checkSizeNames(std::span<const Workload> workloads, const std::vector<std::string> &names) {
  for (const std::string &name : names) {
    std::string there;
    bool known = false;
    for (const Workload &workload : workloads)
      for (const ProblemSize &size : workload.sizes) {
        known |= size.name == name;
        there += (there.empty() ? "" : ", ") + size.name;
      }
    if (known)
      continue;
    const bool one = workloads.size() == 1;
    std::string text = one ? "the workload has no size '" : "no workload has a size '";
    text.append(name).append(one ? "'; it has " : "'; they have ").append(there);
    return failure(one ? Location::inFile(workloads[0].file) : Location{}, std::move(text),
                   ErrorKind::Usage);
  }
  return success();
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
Status checkAll(const std::vector<TunePlace> &places, Diagnostics &diags) {
  Diagnostics found;
  for (const TunePlace &place : places)
    checkWorkload(*place.size, place.site->reflection, place.site->kernel->name, found);
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

/// Hashes of the outputs that are the same on every device, if the devices are right: of integers
/// which the workload wants to be exact.
std::vector<OutputHash> hashesOf(const ProblemSize &size,
                                 const std::vector<vulkan::OutputData> &outputs) {
  std::vector<OutputHash> hashes;
  for (const vulkan::OutputData &output : outputs) {
    const WorkloadBinding &binding = size.bindings[output.resource];
    const vulkan::CompareRule &rule = binding.compare;
    if (rule.mode == vulkan::CompareMode::Exact && !vulkan::isFloat(rule.type))
      hashes.push_back(
          {binding.desc.str(),
           sha256Hex({reinterpret_cast<const char *>(output.bytes.data()), output.bytes.size()})});
  }
  return hashes;
}

/// The stored outcome of a site, where it still stands.
std::optional<TuneResult> keptResult(const RunPlan &plan, const TunePlace &place,
                                     const vulkan::DeviceInfo &device) {
  // What is in a file is not in the key, and what is to be dumped has to be computed.
  const std::vector<WorkloadBinding> &bindings = place.size->bindings;
  const bool readsFiles =
      std::any_of(bindings.begin(), bindings.end(), [](const WorkloadBinding &binding) {
        return binding.fill.kind == Fill::Kind::File;
      });
  if (plan.stored.empty() || readsFiles || !plan.options.dumps.empty())
    return std::nullopt;
  TuneResult result = SiteTuner::emptyResult(*place.site->bundle, *place.site->kernel, *place.size,
                                             device, plan.options);
  LookupAnswer answer = lookUp(plan.stored, result.outcome.key, toolName());
  if (!answer.isCurrent() || !answer.outcome->verified)
    return std::nullopt;
  // Equal kernels and equal sizes share an outcome, whatever they are called.
  answer.outcome->kernel = result.outcome.kernel;
  answer.outcome->sizeName = result.outcome.sizeName;
  result.outcome = std::move(*answer.outcome);
  result.kept = true;
  return result;
}

} // namespace

Result<RunPlan> RunPlan::make(const std::vector<Bundle> &bundles,
                              std::span<const Workload> workloads, const TuneOptions &options,
                              Diagnostics &diags) {
  RunPlan plan{workloads, options, {}};
  if (Status known = checkSizeNames(workloads, options.sizes); !known)
    return known.takeFailure();
  KernelFinder finder(bundles, plan.kernels);
  for (const Workload &workload : workloads) {
    Result<std::vector<const KernelSite *>> sites = finder.find(workload);
    if (!sites)
      return sites.takeFailure();
    for (const KernelSite *site : *sites)
      for (const ProblemSize &size : workload.sizes)
        if (options.sizes.empty() ||
            std::find(options.sizes.begin(), options.sizes.end(), size.name) != options.sizes.end())
          plan.places.push_back({site, &workload, &size});
  }
  if (Status fits = checkAll(plan.places, diags); !fits)
    return fits.takeFailure();
  return plan;
}

Status RunPlan::work(const TuneResume &resume, TuneSink &sink) const {
  sink.begin({});
  Result<std::shared_ptr<vulkan::Instance>> vulkan = vulkan::Instance::create();
  if (!vulkan)
    return vulkan.takeFailure();
  Result<std::vector<vulkan::DeviceInfo>> devices = findDevices(**vulkan, options.devices);
  if (!devices)
    return devices.takeFailure();
  if (Status dumps = checkDumps(*this, *devices, filesInUse(options, workloads)); !dumps)
    return dumps;
  sink.devices(*devices);
  std::optional<vulkan::KernelInstance> instance;
  const TunePlace *instanceOf = nullptr;
  const TuneResume nothing;
  for (size_t site = resume.site; site < places.size() * devices->size(); ++site) {
    const TunePlace &place = placeOf(site, devices->size());
    const vulkan::DeviceInfo &device = (*devices)[site % devices->size()];
    if (std::optional<TuneResult> kept = keptResult(*this, place, device)) {
      sink.result(std::move(*kept));
      continue;
    }
    if (instanceOf != &place) {
      sink.begin({});
      Result<vulkan::KernelInstance> made = instantiate(*place.workload, *place.size);
      if (!made)
        return made.takeFailure();
      instance = std::move(*made);
      instanceOf = &place;
    }
    const KernelSite &kernel = *place.site;
    SiteTuner tuner({*kernel.bundle, *kernel.kernel, kernel.reflection, *place.workload,
                     *place.size, *instance, *vulkan, device, options, knownBad,
                     site == resume.site ? resume : nothing},
                    sink);
    TuneResult result = tuner.run();
    if (!result.failure) {
      result.outputs = hashesOf(*place.size, tuner.winnerOutputs());
      dumpOutputs(*this, result, *place.size, *instance, tuner.winnerOutputs(), sink);
    }
    sink.result(std::move(result));
    reportValidation(**vulkan, kernel.kernel->name, sink);
  }
  return success();
}

Status RunPlan::workIsolated(TuneSink &sink) const {
  IsolatedRun isolated;
  isolated.sitesPerDevice = places.size();
  isolated.work = [&](const TuneResume &resume, TuneSink &to) { return work(resume, to); };
  isolated.failed = [&](size_t site, const std::vector<vulkan::DeviceInfo> &devices,
                        const Diagnostic &why) {
    const TunePlace &place = placeOf(site, devices.size());
    TuneResult result =
        SiteTuner::emptyResult(*place.site->bundle, *place.site->kernel, *place.size,
                               devices[site % devices.size()], options);
    result.failure = why;
    result.failure->location = place.size->location;
    return result;
  };
  return isolated.run(sink);
}

} // namespace tailor
