//===- passes/StripDebug.cpp - Without names, lines and sources ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/StripDebug.h"

#include "passes/ModuleEdits.h"

namespace tailor {

Result<std::unique_ptr<Pass>> StripDebug::create(PassArguments &) {
  return std::unique_ptr<Pass>(std::make_unique<StripDebug>());
}

static bool isDebugSet(const std::string &name) {
  return name.starts_with("NonSemantic.Shader.DebugInfo.") ||
         name.starts_with("OpenCL.DebugInfo.") || name == "DebugInfo";
}

static bool isName(spv::Op op) {
  switch (op) {
  case spv::Op::OpName:
  case spv::Op::OpMemberName:
  case spv::Op::OpSource:
  case spv::Op::OpSourceContinued:
  case spv::Op::OpSourceExtension:
  case spv::Op::OpModuleProcessed:
    return true;
  default:
    return false;
  }
}

/// The instructions of debug sets, and the imports of the sets.
static bool eraseDebugInstructions(Module &module) {
  llvm::DenseSet<uint32_t> sets, gone;
  for (const Instruction &inst : module.section(Section::ExtInstImports))
    if (isDebugSet(inst.string(0)))
      sets.insert(raw(inst.result()));
  if (sets.empty())
    return false;
  std::vector<Instruction *> debug;
  module.forEachInstruction([&](Instruction &inst) {
    bool belongs = inst.opcode() == spv::Op::OpExtInst && sets.contains(raw(inst.id(0)));
    bool imports = inst.opcode() == spv::Op::OpExtInstImport && sets.contains(raw(inst.result()));
    if (!belongs && !imports)
      return;
    gone.insert(raw(inst.result()));
    debug.push_back(&inst);
  });
  removeNamesAndDecorations(module, gone);
  for (Instruction *inst : debug)
    module.erase(*inst);
  return true;
}

Result<Change> StripDebug::run(Module &module, PassContext &) {
  bool changed = module.clearLineMarks();
  changed |= eraseDebugInstructions(module);
  InstructionList &list = module.section(Section::Debug);
  for (auto at = list.begin(); at != list.end();) {
    Instruction &inst = *at++;
    if (!isName(inst.opcode()))
      continue;
    module.erase(Section::Debug, inst);
    changed = true;
  }
  UseMap uses(module);
  for (auto at = list.begin(); at != list.end();) {
    Instruction &inst = *at++;
    if (inst.opcode() != spv::Op::OpString || !uses.uses(inst.result()).empty())
      continue;
    module.erase(Section::Debug, inst);
    changed = true;
  }
  return changed ? Change::Changed : Change::Unchanged;
}

} // namespace tailor
