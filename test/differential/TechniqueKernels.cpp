//===- differential/TechniqueKernels.cpp -----------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TechniqueKernels.h"

#include "passes/PassRegistry.h"
#include "passes/Pipelines.h"

#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

#include <cstring>

namespace tailor::differential {

static Status runPasses(Module &module, const std::string &entry, const SpecMap &spec,
                        const std::string &pipeline,
                        const std::function<void(PassManager &)> &instead = {}) {
  static const PassRegistry registry;
  PassManagerOptions options;
  options.verifyEach = true;
  PassManager manager(options);
  if (instead)
    instead(manager);
  else if (Status parsed = parsePipeline(pipeline, "test", registry, manager); !parsed)
    return parsed;
  Diagnostics diagnostics;
  PassContext context{diagnostics, llvm::nulls(), spec, entry};
  Result<Change> ran = manager.run(module, context);
  return ran ? success() : Status(ran.takeFailure());
}

static Status add(const TechniqueVariant &wanted, const Module &base, const std::string &entryPoint,
                  Bundle &bundle, KernelInfo &kernel) {
  Module module = base.clone();
  VariantInfo variant;
  if (wanted.guard) {
    Result<EntryPoint> entry = findComputeEntryPoint(module, entryPoint);
    if (!entry)
      return entry.takeFailure();
    Result<GridGuard> guard = guardGrid(module, *entry, *wanted.guard, wanted.axes);
    if (!guard)
      return guard.takeFailure();
    const bool pushed = guard->source == GridSource::PushConstants;
    variant.guard = GuardInfo{std::string(pushed ? kGuardPushConstant : kGuardSpecConstant),
                              pushed ? guard->offset : 0,
                              pushed ? kGridBytes : 0,
                              {}};
    if (!pushed)
      variant.guard->specIds.assign(guard->specIds.begin(), guard->specIds.end());
  }
  if (Status made = runPasses(module, entryPoint, {}, wanted.pipeline, wanted.lie); !made)
    return made;
  variant.id = wanted.pipeline + (wanted.guard ? " guarded" : "");
  variant.technique = "test";
  variant.localSize = wanted.size;
  variant.sharedBytes = wanted.sharedBytes;
  variant.dispatch = wanted.dispatch;
  std::vector<uint32_t> words = module.words();
  std::string bytes(words.size() * 4, '\0');
  std::memcpy(bytes.data(), words.data(), bytes.size());
  variant.code["spirv"] = bundle.addBlob(std::move(bytes));
  kernel.variants.push_back(std::move(variant));
  return success();
}

TechniqueReport compareTechniques(const Compiled &compiled,
                                  const std::vector<TechniqueVariant> &variants,
                                  const SpecMap &spec, const Workload &workload,
                                  const ProblemSize &size) {
  TechniqueReport report;
  Bundle bundle;
  SizeRequest none;
  none.policy = SizeRequest::Policy::List;
  Result<KernelInfo> kernel = buildVariants(compiled, none, spec, bundle);
  Module base = compiled.module.clone();
  Status ready =
      runPasses(base, compiled.entryPoint, spec, "canonicalize-workgroup-size,select-entry-point");
  if (!kernel || !ready) {
    report.broken.push_back(!kernel ? kernel.diagnostic().text : ready.diagnostic().text);
    return report;
  }
  kernel->variants.resize(1);
  for (const TechniqueVariant &variant : variants)
    if (Status added = add(variant, base, compiled.entryPoint, bundle, *kernel); !added) {
      if (added.diagnostic().kind == ErrorKind::Internal)
        report.broken.push_back(added.diagnostic().text);
      report.refusals.push_back(variant.pipeline + ": " + added.diagnostic().text);
    }
  compareVariants(bundle, *kernel, workload, size, report);
  return report;
}

TechniqueVariant remapped(const Dim3 &authored, const Dim3 &size) {
  return {"remap-ids<size=" + size.str() + ">", size, {DispatchRule::Exact, authored, size, {}}};
}

static TechniqueVariant guarded(TechniqueVariant variant, const Dim3 &authored, GridSource source) {
  variant.guard = source;
  variant.dispatch = {DispatchRule::Guarded, authored, variant.size, {}};
  for (unsigned axis = 0; axis < 3; ++axis)
    variant.axes[axis] = authored[axis] % variant.size[axis] != 0;
  return variant;
}

TechniqueVariant guardedRemap(const Dim3 &authored, const Dim3 &size, GridSource source) {
  return guarded(remapped(authored, size), authored, source);
}

TechniqueVariant guardedResize(const Dim3 &authored, const Dim3 &size, GridSource source) {
  return guarded({"resize<size=" + size.str() + ">", size}, authored, source);
}

TechniqueVariant reordered(std::string pipeline, const Dim3 &size) {
  return {std::move(pipeline), size};
}

void leaveOutLacking(Report &report) {
  size_t lacking = std::erase_if(report.broken, [](const std::string &line) {
    return line.find("the device does not have") != std::string::npos ||
           line.find("the device allows") != std::string::npos;
  });
  EXPECT_LT(lacking, devices().size()) << "nowhere to run";
}

} // namespace tailor::differential
