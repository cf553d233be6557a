//===- passes/CanonicalizeWorkgroupSize.cpp - Three spellings to one ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/CanonicalizeWorkgroupSize.h"

#include "passes/Freezing.h"
#include "passes/ModuleEdits.h"

#include <set>

namespace tailor {

Result<std::unique_ptr<Pass>> CanonicalizeWorkgroupSize::create(PassArguments &arguments) {
  Options options{arguments.specValues("spec")};
  if (Status read = arguments.finish(); !read)
    return read.takeFailure();
  return std::unique_ptr<Pass>(std::make_unique<CanonicalizeWorkgroupSize>(std::move(options)));
}

namespace {

/// The constants that sizes are computed from.
class SizeConstants {
public:
  explicit SizeConstants(const Module &module) : module(module) {}

  void add(Id id) {
    const Instruction *inst = module.def(id);
    if (!inst || !isSpecConstant(inst->opcode()) || !ids.insert(raw(id)).second)
      return;
    if (std::optional<uint32_t> specId = module.decoration(id, spv::Decoration::SpecId))
      specIds.insert(*specId);
    for (unsigned index = 0; index < inst->numOperands(); ++index)
      if (inst->isId(index))
        add(inst->id(index));
  }
  bool contains(const Instruction &inst) const {
    if (ids.contains(raw(inst.result())))
      return true;
    std::optional<uint32_t> specId = module.decoration(inst.result(), spv::Decoration::SpecId);
    return specId && specIds.contains(*specId);
  }

private:
  const Module &module;
  llvm::DenseSet<uint32_t> ids;
  std::set<uint32_t> specIds;
};

struct SizedEntry {
  EntryPoint entry;
  Dim3 size;
};

Result<std::vector<SizedEntry>> readSizes(Module &module, const SpecMap &spec) {
  std::vector<SizedEntry> sized;
  llvm::DenseSet<uint32_t> seen;
  const Instruction *decorated = workgroupSizeConstant(module);
  for (const EntryPoint &entry : module.entryPoints()) {
    if (!hasWorkgroupSize(entry.model()) || !seen.insert(raw(entry.function())).second)
      continue;
    bool needsSize = entry.model() == spv::ExecutionModel::GLCompute || decorated ||
                     !sizeModes(module, entry.function()).empty();
    if (!needsSize)
      continue;
    Result<WorkgroupSize> size = readWorkgroupSize(module, entry, spec);
    if (!size)
      return size.takeFailure();
    sized.push_back({entry, size->size});
  }
  return sized;
}

} // namespace

Result<Change> CanonicalizeWorkgroupSize::run(Module &module, PassContext &context) {
  Result<SpecMap> spec = resolveSpecValues(module, options.spec, context.spec);
  if (!spec)
    return spec.takeFailure();
  Result<std::vector<SizedEntry>> sized = readSizes(module, *spec);
  if (!sized)
    return sized.takeFailure();

  SizeConstants constants(module);
  bool changed = false;
  std::vector<Id> decorated;
  for (const Instruction &inst : module.section(Section::Globals))
    if (isConstant(inst.opcode()) && module.decoration(inst.result(), spv::Decoration::BuiltIn) ==
                                         static_cast<uint32_t>(spv::BuiltIn::WorkgroupSize))
      decorated.push_back(inst.result());
  for (Id constant : decorated)
    constants.add(constant);
  for (const SizedEntry &each : *sized)
    for (const Instruction *mode : sizeModes(module, each.entry.function()))
      for (unsigned operand = 2; operand < mode->numOperands(); ++operand)
        if (mode->isId(operand))
          constants.add(mode->id(operand));

  Result<Change> frozen = freezeConstants(
      module, [&](const Instruction &inst) { return constants.contains(inst); }, *spec, context);
  if (!frozen)
    return frozen;
  changed |= *frozen == Change::Changed;
  for (Id constant : decorated)
    changed |= removeDecoration(module, constant, spv::Decoration::BuiltIn);
  for (const SizedEntry &each : *sized)
    changed |= setLocalSize(module, each.entry, each.size);
  return changed ? Change::Changed : Change::Unchanged;
}

} // namespace tailor
