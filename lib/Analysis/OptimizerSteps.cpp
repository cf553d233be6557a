//===- Analysis/OptimizerSteps.cpp -----------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/OptimizerSteps.h"

#include "Analysis/SizeConstants.h"
#include "IR/Reader.h"
#include "IR/Verifier.h"
#include "Support/SpirvTools.h"

#include "spirv-tools/optimizer.hpp"

#include <algorithm>

namespace tailor {

/// No values, and two sets in which no two of the size's constants are alike.
static std::vector<SpecMap> sizeProbes(const Module &module) {
  std::vector<SpecMap> probes(1);
  std::set<uint32_t> ids = specIdsOfSize(module, module.entryPoints().front());
  if (ids.empty())
    return probes;
  for (uint64_t start : {2, 16}) {
    SpecMap &values = probes.emplace_back();
    for (uint32_t id : ids)
      values[id] = start + values.size();
  }
  return probes;
}

Result<OptimizerSteps> OptimizerSteps::create(std::vector<uint32_t> words,
                                              const std::string &file) {
  Result<Module> module = readModule(words, file);
  if (!module)
    return module.takeFailure();
  if (module->entryPoints().size() != 1)
    return failure(Location::inFile(file), "an analysis takes one entry point at a time",
                   ErrorKind::Internal);
  OptimizerSteps steps;
  steps.current = std::move(words);
  steps.form = std::move(*module);
  steps.probes = sizeProbes(steps.form);
  return steps;
}

OptimizerSteps::Sizes OptimizerSteps::sizesNow() const {
  Sizes sizes;
  std::vector<EntryPoint> entries = form.entryPoints();
  if (entries.size() != 1)
    return sizes;
  sizes.entryPoint = entries.front().name();
  for (const SpecMap &spec : probes)
    sizes.bySpec.push_back(readWorkgroupSize(form, entries.front(), spec));
  return sizes;
}

/// Why `form` cannot take the place of the module that had these sizes; empty when it can.
std::string OptimizerSteps::objection(const Sizes &before) const {
  Sizes now = sizesNow();
  if (now.entryPoint != before.entryPoint)
    return "the entry point is lost";
  for (size_t at = 0; at < probes.size(); ++at) {
    const Result<WorkgroupSize> &had = before.bySpec[at], &has = now.bySpec[at];
    if (!had)
      continue; // nothing to hold the result against
    if (!has)
      return "the workgroup size was " + had->size.str() + " and is lost (" +
             has.diagnostic().text + ")";
    if (had->size != has->size && !probes[at].empty())
      return "the workgroup size no longer follows its specialization constants";
    if (had->size != has->size)
      return "the workgroup size was " + had->size.str() + " and became " + has->size.str();
  }
  return "";
}

/// The validator takes time that grows with the square of a function's length in blocks, and 6 s
/// for 20,000: past a length that no kernel written by hand has, the structure alone is verified.
static std::string faultOf(Module &module, const std::vector<uint32_t> &words) {
  constexpr size_t kMaxValidatedBlocks = 4096;
  size_t most = 0;
  for (const auto &function : module.functions())
    most = std::max(most, function->size());
  if (most > kMaxValidatedBlocks)
    return structuralFault(module).value_or("");
  Status valid = validateSpirv(words, "");
  return valid ? "" : valid.diagnostic().text;
}

/// Runs the passes; why there is no result, or nothing.
static std::string optimize(const std::vector<uint32_t> &words,
                            const OptimizerSteps::AddPasses &addPasses,
                            std::vector<uint32_t> &out) {
  spvtools::Optimizer optimizer(targetEnvOf(words));
  std::string message;
  optimizer.SetMessageConsumer(
      [&](spv_message_level_t level, const char *, const spv_position_t &, const char *text) {
        if (level <= SPV_MSG_ERROR && message.empty())
          message = text;
      });
  addPasses(optimizer);
  spvtools::OptimizerOptions options;
  options.set_run_validator(false); // faultOf knows which options we need
  // A resource that a variant has no use for is declared all the same: hosts bind one layout, and
  // languages number what is declared.
  options.set_preserve_bindings(true);
  if (optimizer.Run(words.data(), words.size(), &out, options))
    return "";
  return message.empty() ? "the optimizer failed" : message;
}

bool OptimizerSteps::run(const std::string &name, const AddPasses &addPasses) {
  const Sizes before = sizesNow();
  const ModuleSource source = form.source;
  form = Module(); // the optimizer's own copy is several times as large: not both at once
  std::vector<uint32_t> out;
  std::string why = optimize(current, addPasses, out);
  if (why.empty()) {
    if (Result<Module> read = readModule(out, source); !read) {
      why = "the result cannot be read: " + read.diagnostic().text;
    } else if (std::string fault = faultOf(*read, out); !fault.empty()) {
      why = "the result is not valid: " + fault;
    } else {
      form = std::move(*read);
      why = objection(before);
    }
  }
  if (why.empty()) {
    current = std::move(out);
    return true;
  }
  reasons.push_back(name + ": " + why);
  if (Result<Module> read = readModule(current, source)) // it was read before
    form = std::move(*read);
  return false;
}

void OptimizerSteps::goBack(std::vector<uint32_t> earlier) {
  Result<Module> read = readModule(earlier, form.source);
  if (!read)
    return; // cannot be: it was read when it was current
  current = std::move(earlier);
  form = std::move(*read);
}

} // namespace tailor
