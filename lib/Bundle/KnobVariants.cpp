//===- Bundle/KnobVariants.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Bundle/KnobVariants.h"

#include "Analysis/KernelAnalysis.h"
#include "Analysis/SharedMemory.h"
#include "passes/CanonicalizeWorkgroupSize.h"
#include "passes/SelectEntryPoint.h"

#include "llvm/Support/raw_ostream.h"

namespace tailor {

std::string textOf(const std::map<std::string, std::string> &values) {
  std::string text;
  for (const auto &[name, value] : values)
    text.append(text.empty() ? "" : ", ").append(name).append("=").append(value);
  return text;
}

Result<KnobVariant> makeKnobVariant(const KnobBuild &build, const std::string &entry,
                                    const SpecMap &spec, const Dim3 &authored,
                                    Diagnostics &diagnostics) {
  Module module = build.module.clone();
  module.useNativeByteOrder();
  PassContext context{diagnostics, llvm::nulls(), spec, entry};
  SelectEntryPoint select({entry});
  if (Result<Change> ran = select.run(module, context); !ran)
    return ran.takeFailure();
  CanonicalizeWorkgroupSize canonicalize({});
  if (Result<Change> ran = canonicalize.run(module, context); !ran)
    return ran.takeFailure();
  Result<KernelAnalysis> analysis =
      KernelAnalysis::create(module, module.entryPoints().front(), spec);
  if (!analysis)
    return analysis.takeFailure();
  const Dim3 size = analysis->size();
  const uint64_t sharedBytes = knownSharedBytes(*analysis);

  MadeVariant made;
  made.module = std::move(module);
  made.dispatch = size == authored ? Dispatch{DispatchRule::Same, {1, 1, 1}, {1, 1, 1}, {}}
                                   : Dispatch{DispatchRule::Exact, authored, size, {}};
  made.sharedBytes = sharedBytes;
  made.evidence = Evidence::Declared;
  made.why = "its author declares that the kernel does the same with " + textOf(build.values);
  return KnobVariant{
      PlannedVariant{{PlannedStep{Technique::Respecialize, size, false, build.values}}},
      std::move(made)};
}

} // namespace tailor
