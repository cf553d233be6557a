//===- passes/PassRegistry.cpp - The catalogue, suggestions, and the generated page ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/PassRegistry.h"

#include "passes/CanonicalizeWorkgroupSize.h"
#include "passes/CoarsenThreads.h"
#include "passes/DeclareAccess.h"
#include "passes/FreezeSpecConstants.h"
#include "passes/GuardGrid.h"
#include "passes/JoinLoopTests.h"
#include "passes/LegalizeExtendedArithmetic.h"
#include "passes/PackGroups.h"
#include "passes/Pipelines.h"
#include "passes/PrintAccesses.h"
#include "passes/PrintAffine.h"
#include "passes/PrintBarriers.h"
#include "passes/PrintCanonicalForm.h"
#include "passes/PrintCertificate.h"
#include "passes/PrintCfg.h"
#include "passes/PrintFacts.h"
#include "passes/PrintSharedMemory.h"
#include "passes/PrintUniformity.h"
#include "passes/PrintWork.h"
#include "passes/PrintWorkgroupSize.h"
#include "passes/PropagateRanges.h"
#include "passes/PushConstantsToBuffer.h"
#include "passes/RemapIds.h"
#include "passes/Resize.h"
#include "passes/Respecialize.h"
#include "passes/SelectEntryPoint.h"
#include "passes/SplitCombinedSamplers.h"
#include "passes/StripDebug.h"
#include "passes/SwizzleGroups.h"
#include "passes/SwizzleLanes.h"
#include "passes/VerifyLimits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>

namespace tailor {

namespace {

constexpr PropertySet kNone;
constexpr PropertySet kAll = PropertySet::all();
constexpr PropertySet kCanonicalSize = Property::CanonicalSize;
constexpr PropertySet kOneEntryPoint = Property::OneEntryPoint;

/// The comment at the head of passes/<name>.h.
std::string_view headerComment(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> kComments[] = {
#include "PassDocs.inc"
  };
  for (const auto &[of, text] : kComments)
    if (of == name)
      return text;
  return "";
}

} // namespace

// One `info` for each pass: its line of the catalogue, and the comment of its header.
#define PASS(CLASS, FLAG, SUMMARY, KIND, REQUIRED, ESTABLISHED, PRESERVED)                         \
  const PassInfo &CLASS::passInfo() {                                                              \
    static const PassInfo info{FLAG,                                                               \
                               SUMMARY,                                                            \
                               PassKind::KIND,                                                     \
                               REQUIRED,                                                           \
                               ESTABLISHED,                                                        \
                               PRESERVED,                                                          \
                               CLASS::kOptions,                                                    \
                               CLASS::create,                                                      \
                               headerComment(#CLASS)};                                             \
    return info;                                                                                   \
  }
#include "passes/Passes.def"

PassRegistry::PassRegistry() {
#define PASS(CLASS, ...) list.push_back(CLASS::passInfo());
#include "passes/Passes.def"
}

const PassInfo *PassRegistry::find(std::string_view flag) const {
  auto at = llvm::find_if(list, [&](const PassInfo &info) { return info.flag == flag; });
  return at == list.end() ? nullptr : &*at;
}

static bool isFlag(std::string_view flag) {
  return !flag.empty() && flag.front() != '-' && flag.back() != '-' &&
         llvm::all_of(flag, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
         });
}

Status PassRegistry::add(const PassInfo &info) {
  std::string quoted = "'" + std::string(info.flag) + "'";
  if (!isFlag(info.flag))
    return failure(
        {}, "a pass cannot be called " + quoted + ": names are lower-case words joined by dashes",
        ErrorKind::Environment);
  bool isPipeline = llvm::any_of(
      namedPipelines(), [&](const NamedPipeline &pipeline) { return pipeline.name == info.flag; });
  if (find(info.flag) || isPipeline)
    return failure({},
                   "there already is a " + std::string(isPipeline ? "pipeline " : "pass ") + quoted,
                   ErrorKind::Environment);
  if (!info.create)
    return failure({}, "the pass " + quoted + " has no function that makes it",
                   ErrorKind::Environment);
  auto after = llvm::find_if(list, [&](const PassInfo &each) { return each.flag > info.flag; });
  list.insert(after, info);
  return success();
}

std::string nearestName(std::string_view name, const std::vector<std::string_view> &candidates) {
  std::string_view best;
  unsigned limit = std::max<unsigned>(1, static_cast<unsigned>(name.size()) / 3);
  unsigned bestDistance = limit + 1;
  for (std::string_view candidate : candidates) {
    unsigned distance = llvm::StringRef(name).edit_distance(candidate, true, bestDistance);
    if (distance < bestDistance) {
      bestDistance = distance;
      best = candidate;
    }
  }
  return std::string(best);
}

static std::string propertyNames(PropertySet set) {
  std::string text;
  for (Property property : kAllProperties)
    if (set.has(property))
      text += (text.empty() ? "`" : ", `") + std::string(nameOf(property)) + "`";
  return text.empty() ? "nothing" : text;
}

std::string passDocumentation(const PassRegistry &registry) {
  std::string page =
      "# Passes\n\n"
      "Written by `spirv-tailor-opt --print-pass-docs` from `passes/Passes.def` and "
      "the headers of the passes: change those.\n\n"
      "    spirv-tailor-opt --passes='canonicalize-workgroup-size,resize<size=64x1x1>'"
      " in.comp -o out.spv\n\n"
      "A pipeline is a list of passes with options in angle brackets. "
      "Options are separated by commas, the items of a list by semicolons.\n\n"
      "| pass | kind | |\n|---|---|---|\n";
  auto add = [&](std::initializer_list<std::string_view> parts) {
    for (std::string_view part : parts)
      page += part;
  };
  for (const PassInfo &info : registry.all())
    add({"| `", info.flag, "` | ", nameOf(info.kind), " | ", info.summary, " |\n"});
  page += "\n| pipeline | passes | |\n|---|---|---|\n";
  for (const NamedPipeline &pipeline : namedPipelines())
    add({"| `", pipeline.name, "` | `", pipeline.passes, "` | ", pipeline.summary, " |\n"});
  page +=
      "\n| property | |\n|---|---|\n"
      "| `canonical-size` | one literal LocalSize per compute entry point, no other spelling |\n"
      "| `one-entry-point` | exactly one OpEntryPoint |\n"
      "| `no-spec-constants` | no SpecId |\n";
  for (const PassInfo &info : registry.all()) {
    add({"\n## `", info.flag, "`\n\n", info.documentation, "\n\n"});
    if (!info.options.empty()) {
      page += "| option | |\n|---|---|\n";
      for (const OptionInfo &option : info.options)
        add({"| `", option.name, option.value.empty() ? "" : "=", option.value, "` | ", option.help,
             " |\n"});
      page += "\n";
    }
    add({"Requires ", propertyNames(info.required), "; establishes ",
         propertyNames(info.established), "; preserves ", propertyNames(info.preserved), ".\n"});
  }
  return page;
}

} // namespace tailor
