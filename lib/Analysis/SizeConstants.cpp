//===- Analysis/SizeConstants.cpp ------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/SizeConstants.h"

#include <map>

namespace tailor {

static void collectSpecIds(const Module &module, Id constant, std::set<uint32_t> &ids,
                           unsigned depth) {
  const Instruction *inst = module.def(constant);
  if (!inst || !isSpecConstant(inst->opcode()) || depth > 64)
    return;
  if (std::optional<uint32_t> specId = module.decoration(constant, spv::Decoration::SpecId))
    ids.insert(*specId);
  for (unsigned at = 0; at < inst->numOperands(); ++at)
    if (inst->isId(at))
      collectSpecIds(module, inst->id(at), ids, depth + 1);
}

std::set<uint32_t> specIdsOfSize(const Module &module, const EntryPoint &entry) {
  std::set<uint32_t> ids;
  if (const Instruction *constant = workgroupSizeConstant(module)) {
    collectSpecIds(module, constant->result(), ids, 0);
    return ids;
  }
  for (const Instruction &mode : module.section(Section::ExecutionModes))
    if (mode.id(0) == entry.function() &&
        mode.literal(1) == static_cast<uint32_t>(spv::ExecutionMode::LocalSizeId))
      for (unsigned axis = 0; axis < 3; ++axis)
        collectSpecIds(module, mode.id(2 + axis), ids, 0);
  return ids;
}

/// The value of a constant that the host leaves alone.
static uint64_t defaultOf(const Instruction &constant) {
  return constant.opcode() == spv::Op::OpSpecConstant
             ? constant.literal64(0)
             : constant.opcode() == spv::Op::OpSpecConstantTrue;
}

std::optional<SharedSpecId> findDifferingDefaults(const Module &module,
                                                  const std::set<uint32_t> &specIds,
                                                  const SpecMap &spec) {
  std::map<uint32_t, const Instruction *> known;
  for (const Instruction &inst : module.section(Section::Globals)) {
    if (!isSpecConstant(inst.opcode()))
      continue;
    std::optional<uint32_t> id = module.decoration(inst.result(), spv::Decoration::SpecId);
    if (!id || !specIds.contains(*id) || spec.contains(*id))
      continue;
    auto [at, isNew] = known.try_emplace(*id, &inst);
    if (!isNew && defaultOf(*at->second) != defaultOf(inst))
      return SharedSpecId{*id, at->second, &inst};
  }
  return std::nullopt;
}

SpecMap sizeSpecialization(const Module &module, const EntryPoint &entry, const SpecMap &spec) {
  std::set<uint32_t> ids = specIdsOfSize(module, entry);
  while (std::optional<SharedSpecId> shared = findDifferingDefaults(module, ids, spec))
    ids.erase(shared->specId);
  SpecMap values;
  for (const Instruction &inst : module.section(Section::Globals)) {
    if (!isSpecConstant(inst.opcode()))
      continue;
    std::optional<uint32_t> id = module.decoration(inst.result(), spv::Decoration::SpecId);
    if (!id || !ids.contains(*id))
      continue;
    auto given = spec.find(*id);
    values[*id] = given != spec.end() ? given->second : defaultOf(inst);
  }
  return values;
}

std::optional<Diagnostic> refuseUnknownSizeConstants(const Module &module, const EntryPoint &entry,
                                                     const SpecMap &spec) {
  std::optional<SharedSpecId> shared =
      findDifferingDefaults(module, specIdsOfSize(module, entry), spec);
  if (!shared)
    return std::nullopt;
  std::string id = std::to_string(shared->specId);
  auto says = [&](const Instruction &inst) {
    return "'" + module.name(inst.result()) + "' has the default " +
           std::to_string(defaultOf(inst));
  };
  Diagnostic refusal = Diagnostic::error(
      module.locationOf(*shared->second),
      "the workgroup size hangs off specialization constant " + id +
          ", whose declarations differ in their defaults; give the host's value with --spec " + id +
          "=VALUE");
  refusal.addNote(module.locationOf(*shared->first), says(*shared->first));
  refusal.addNote(module.locationOf(*shared->second), says(*shared->second));
  return refusal;
}

} // namespace tailor
