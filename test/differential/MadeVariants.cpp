//===- differential/MadeVariants.cpp ---------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "MadeVariants.h"

#include "passes/PassManager.h"
#include "passes/PassRegistry.h"
#include "passes/Pipelines.h"

#include "llvm/Support/raw_ostream.h"

#include <cstring>

namespace tailor::differential {

static Status runPipeline(const std::string &text, Module &module, const std::string &entry,
                          const SpecMap &spec) {
  static const PassRegistry registry;
  PassManagerOptions options;
  options.verifyEach = true;
  PassManager manager(options);
  if (Status parsed = parsePipeline(text, "test", registry, manager); !parsed)
    return parsed;
  Diagnostics diagnostics;
  PassContext context{diagnostics, llvm::nulls(), spec, entry};
  Result<Change> ran = manager.run(module, context);
  return ran ? success() : Status(ran.takeFailure());
}

Report compareMade(const Compiled &compiled, const std::vector<MadeBy> &variants,
                   const SpecMap &spec, const Workload &workload, const ProblemSize &size) {
  Report report;
  Bundle bundle;
  SizeRequest none;
  none.policy = SizeRequest::Policy::List;
  Result<KernelInfo> kernel = buildVariants(compiled, none, spec, bundle);
  Module base = compiled.module.clone();
  Status ready = runPipeline("canonicalize-workgroup-size,select-entry-point", base,
                             compiled.entryPoint, spec);
  if (!kernel || !ready) {
    report.broken.push_back(!kernel ? kernel.diagnostic().text : ready.diagnostic().text);
    return report;
  }
  kernel->variants.resize(1);
  std::string refusal;
  for (const MadeBy &each : variants) {
    Module module = base.clone();
    if (Status made = runPipeline(each.pipeline, module, compiled.entryPoint, {}); !made) {
      refusal = each.pipeline + ": " + made.diagnostic().text;
      continue;
    }
    VariantInfo variant;
    variant.id = each.pipeline;
    variant.technique = "test";
    variant.localSize = each.size;
    variant.sharedBytes = each.sharedBytes;
    variant.dispatch = each.dispatch;
    std::vector<uint32_t> words = module.words();
    std::string bytes(words.size() * 4, '\0');
    std::memcpy(bytes.data(), words.data(), bytes.size());
    variant.code["spirv"] = bundle.addBlob(std::move(bytes));
    kernel->variants.push_back(std::move(variant));
  }
  compareVariants(bundle, *kernel, workload, size, report);
  report.refusal = refusal;
  return report;
}

} // namespace tailor::differential
