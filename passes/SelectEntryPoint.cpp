//===- passes/SelectEntryPoint.cpp - One kernel of a module ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/SelectEntryPoint.h"

#include "passes/ModuleEdits.h"

#include "llvm/ADT/STLExtras.h"

namespace tailor {

Result<std::unique_ptr<Pass>> SelectEntryPoint::create(PassArguments &arguments) {
  Options options{arguments.string("name").value_or("")};
  if (Status read = arguments.finish(); !read)
    return read.takeFailure();
  return std::unique_ptr<Pass>(std::make_unique<SelectEntryPoint>(std::move(options)));
}

/// The ids that a function defines.
static void collectIds(const Function &function, llvm::DenseSet<uint32_t> &ids) {
  auto add = [&](const Instruction &inst) {
    if (isValid(inst.result()))
      ids.insert(raw(inst.result()));
  };
  add(function.definition());
  for (const Instruction &inst : function.parameters())
    add(inst);
  for (const Block &block : function.blocks()) {
    add(block.label());
    for (const Instruction &inst : block.instructions())
      add(inst);
  }
}

/// Removes module-scope debug instructions that mention dropped ids.
static Status removeDebugUsers(Module &module, const llvm::DenseSet<uint32_t> &dropped) {
  UseMap uses(module);
  std::vector<Instruction *> users;
  for (Instruction &inst : module.section(Section::Globals)) {
    bool mentions = false;
    for (unsigned index = 0; index < inst.numOperands(); ++index)
      mentions |= inst.isId(index) && dropped.contains(raw(inst.id(index)));
    if (!mentions)
      continue;
    if (inst.opcode() != spv::Op::OpExtInst || !uses.uses(inst.result()).empty())
      return failure(Diagnostic::error(module.locationOf(inst),
                                       "this instruction describes a function that is dropped")
                         .withNote({}, "run 'strip-debug' before 'select-entry-point'"));
    users.push_back(&inst);
  }
  for (Instruction *inst : users)
    module.erase(Section::Globals, *inst);
  return success();
}

Result<Change> SelectEntryPoint::run(Module &module, PassContext &context) {
  Result<EntryPoint> kept =
      findComputeEntryPoint(module, options.name.empty() ? context.entryPoint : options.name);
  if (!kept)
    return kept.takeFailure();
  bool changed = false;
  for (const EntryPoint &entry : module.entryPoints())
    if (entry.inst != kept->inst) {
      module.erase(Section::EntryPoints, *entry.inst);
      changed = true;
    }
  InstructionList &modes = module.section(Section::ExecutionModes);
  for (auto at = modes.begin(); at != modes.end();) {
    Instruction &mode = *at++;
    if (mode.id(0) != kept->function()) {
      module.erase(Section::ExecutionModes, mode);
      changed = true;
    }
  }

  std::vector<Function *> reachable = reachableFunctions(module, kept->function());
  llvm::DenseSet<uint32_t> dropped;
  std::vector<Function *> unreachable;
  for (const auto &function : module.functions())
    if (!llvm::is_contained(reachable, function.get())) {
      collectIds(*function, dropped);
      unreachable.push_back(function.get());
    }
  if (unreachable.empty())
    return changed ? Change::Changed : Change::Unchanged;
  for (Function *function : unreachable)
    module.eraseFunction(*function);
  removeNamesAndDecorations(module, dropped);
  if (Status clean = removeDebugUsers(module, dropped); !clean)
    return clean.takeFailure();
  return Change::Changed;
}

} // namespace tailor
