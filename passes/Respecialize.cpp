//===- passes/Respecialize.cpp - Other values for the constants of the size ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/Respecialize.h"

#include "Analysis/SharedMemoryText.h"
#include "Analysis/SizeConstants.h"
#include "passes/CanonicalizeWorkgroupSize.h"
#include "passes/EntryAnalysis.h"
#include "passes/Freezing.h"

#include <algorithm>

namespace tailor {

Result<std::unique_ptr<Pass>> Respecialize::create(PassArguments &arguments) {
  Options options;
  if (!arguments.has("size") && !arguments.has("values"))
    arguments.complain(
        "the pass 'respecialize' needs one of its options: size=AxBxC, values=ID:VALUE;...");
  options.size = arguments.dim3("size");
  options.values = arguments.specValues("values");
  options.insist = arguments.has("insist");
  options.entry = arguments.string("entry").value_or("");
  if (Status read = arguments.finish(); !read)
    return read.takeFailure();
  return std::unique_ptr<Pass>(std::make_unique<Respecialize>(std::move(options)));
}

namespace {

std::string onAxis(unsigned axis) { return std::string(" on ") + kAxisName[axis]; }

/// Why an axis does not take the value that was asked for.
Failure cannotTake(const Module &module, const EntryPoint &entry, Id constant, unsigned axis,
                   uint32_t wanted, uint32_t has) {
  const Instruction *inst = module.def(constant);
  bool isComputed =
      inst && isSpecConstant(inst->opcode()) && dependsOnSpecConstant(module, constant);
  std::string text = "the size" + onAxis(axis);
  if (!isComputed)
    text += " is " + std::to_string(has) + " and no specialization constant, so it cannot be " +
            std::to_string(wanted);
  else
    text += " is computed from other constants: it would be " + std::to_string(has) + ", not " +
            std::to_string(wanted);
  return failure(inst ? module.locationOf(*inst) : module.locationOf(*entry.inst), text);
}

} // namespace

Result<SpecMap> specValuesForSize(const Module &module, const EntryPoint &entry, const Dim3 &size,
                                  const SpecMap &spec) {
  const std::array<Id, 3> axes = SharedMemoryText::sizeConstants(module, entry);
  SpecMap values = spec;
  std::map<uint32_t, unsigned> axisOf; // SpecId -> the first axis that it is
  for (unsigned axis = 0; axis < 3; ++axis) {
    const Instruction *constant = module.def(axes[axis]);
    if (!constant || constant->opcode() != spv::Op::OpSpecConstant)
      continue;
    std::optional<uint32_t> specId = module.decoration(axes[axis], spv::Decoration::SpecId);
    if (!specId)
      continue;
    auto [other, isNew] = axisOf.emplace(*specId, axis);
    if (!isNew && size[other->second] != size[axis])
      return failure(module.locationOf(*constant),
                     "SpecId " + std::to_string(*specId) + " is the size" + onAxis(other->second) +
                         " and" + onAxis(axis) + ", which cannot be " +
                         std::to_string(size[other->second]) + " and " +
                         std::to_string(size[axis]));
    values[*specId] = size[axis];
  }
  Result<WorkgroupSize> now = readWorkgroupSize(module, entry, values);
  if (!now)
    return now.takeFailure();
  for (unsigned axis = 0; axis < 3; ++axis)
    if (now->size[axis] != size[axis])
      return cannotTake(module, entry, axes[axis], axis, size[axis], now->size[axis]);
  return values;
}

namespace {

/// What stands against it; empty where nothing does.
Result<std::optional<Diagnostic>> refusalOf(Module &module, const std::string &entry,
                                            const TechniqueVerdict *known,
                                            const PassContext &context) {
  if (known)
    return known->refusal;
  Result<KernelAnalysis> kernel = analyzeEntry(module, entry, context);
  if (!kernel)
    return kernel.takeFailure();
  TechniqueVerdict verdict =
      judgeTechniques(*kernel, std::nullopt)[static_cast<size_t>(Technique::Respecialize)];
  return verdict.refusal;
}

} // namespace

Result<Change> Respecialize::run(Module &module, PassContext &context) {
  Result<EntryPoint> entry =
      findComputeEntryPoint(module, options.entry.empty() ? context.entryPoint : options.entry);
  if (!entry)
    return entry.takeFailure();
  Result<WorkgroupSize> authored = readWorkgroupSize(module, *entry, context.spec);
  if (!authored)
    return authored.takeFailure();
  bool keepsAll = options.values.empty() && options.size == authored->size;
  if (!keepsAll && !options.insist) {
    Result<std::optional<Diagnostic>> refusal =
        refusalOf(module, options.entry, options.verdict, context);
    if (!refusal)
      return refusal.takeFailure();
    if (*refusal)
      return failure(std::move(**refusal));
  }

  // Where constants of one SpecId differ, one value for all is not what the author has.
  if (!keepsAll)
    if (std::optional<Diagnostic> unknown =
            refuseUnknownSizeConstants(module, *entry, context.spec))
      return failure(std::move(*unknown));

  Result<SpecMap> values = resolveSpecValues(module, options.values, context.spec);
  if (!values)
    return values.takeFailure();
  Result<SpecMap> all =
      options.size ? specValuesForSize(module, *entry, *options.size, *values) : values;
  if (!all)
    return all.takeFailure();
  for (const SpecAssignment &value : options.values)
    if ((*all)[value.specId] != (*values)[value.specId])
      return failure(value.at,
                     "SpecId " + std::to_string(value.specId) + " cannot be " + value.text +
                         " with a size of " + options.size->str(),
                     ErrorKind::Usage);
  if (Result<WorkgroupSize> size = readWorkgroupSize(module, *entry, *all); !size)
    return size.takeFailure();

  Result<Change> frozen = freezeConstants(
      module,
      [&](const Instruction &inst) {
        std::optional<uint32_t> id = module.decoration(inst.result(), spv::Decoration::SpecId);
        return id && std::any_of(options.values.begin(), options.values.end(),
                                 [&](const auto &value) { return value.specId == *id; });
      },
      *all, context);
  if (!frozen)
    return frozen;
  // The rest of the size's constants with their new values, and one literal LocalSize.
  PassContext underValues{context.diagnostics, context.out, std::move(*all), context.entryPoint};
  Result<Change> canonical = CanonicalizeWorkgroupSize({}).run(module, underValues);
  if (!canonical)
    return canonical;
  bool changed = *frozen == Change::Changed || *canonical == Change::Changed;
  return changed ? Change::Changed : Change::Unchanged;
}

} // namespace tailor
