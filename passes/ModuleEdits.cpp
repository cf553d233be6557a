//===- passes/ModuleEdits.cpp - Small edits and questions that several passes share ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/ModuleEdits.h"

#include "llvm/ADT/STLExtras.h"

namespace tailor {

bool hasWorkgroupSize(spv::ExecutionModel model) {
  switch (model) {
  case spv::ExecutionModel::GLCompute:
  case spv::ExecutionModel::Kernel:
  case spv::ExecutionModel::TaskNV:
  case spv::ExecutionModel::MeshNV:
  case spv::ExecutionModel::TaskEXT:
  case spv::ExecutionModel::MeshEXT:
    return true;
  default:
    return false;
  }
}

std::vector<Function *> reachableFunctions(const Module &module, Id root) {
  llvm::DenseMap<uint32_t, Function *> byId;
  for (const auto &function : module.functions())
    byId[raw(function->id())] = function.get();
  llvm::DenseSet<uint32_t> reached;
  std::vector<uint32_t> work = {raw(root)};
  while (!work.empty()) {
    uint32_t id = work.back();
    work.pop_back();
    if (!byId.contains(id) || !reached.insert(id).second)
      continue;
    // Every mention of a function counts, not OpFunctionCall alone.
    for (const Block &block : byId[id]->blocks())
      for (const Instruction &inst : block.instructions())
        for (unsigned index = 0; index < inst.numOperands(); ++index)
          if (inst.isId(index) && byId.contains(raw(inst.id(index))))
            work.push_back(raw(inst.id(index)));
  }
  std::vector<Function *> list;
  for (const auto &function : module.functions())
    if (reached.contains(raw(function->id())))
      list.push_back(function.get());
  return list;
}

static bool isDecorate(const Instruction &inst) {
  return inst.opcode() == spv::Op::OpDecorate || inst.opcode() == spv::Op::OpDecorateId ||
         inst.opcode() == spv::Op::OpDecorateString;
}

/// Removes a group that nothing uses any more, with its decorations.
static void removeDecorationGroup(Module &module, Id group) {
  UseMap uses(module);
  for (const UseMap::Use &use : uses.uses(group))
    if (!isDecorate(*use.user) && use.user->opcode() != spv::Op::OpName)
      return;
  removeNamesAndDecorations(module, {raw(group)});
  if (Instruction *definition = module.def(group))
    module.erase(Section::Annotations, *definition);
}

bool removeDecoration(Module &module, Id target, spv::Decoration decoration) {
  bool removed = false;
  auto decoratesWith = [&](const Instruction &inst, Id id) {
    return isDecorate(inst) && inst.id(0) == id &&
           inst.literal(1) == static_cast<uint32_t>(decoration);
  };
  InstructionList &annotations = module.section(Section::Annotations);
  for (auto at = annotations.begin(); at != annotations.end();) {
    Instruction &inst = *at++;
    if (decoratesWith(inst, target)) {
      module.erase(Section::Annotations, inst);
      removed = true;
      continue;
    }
    if (inst.opcode() != spv::Op::OpGroupDecorate)
      continue;
    Id group = inst.id(0);
    bool groupHasIt = llvm::any_of(
        annotations, [&](const Instruction &each) { return decoratesWith(each, group); });
    Instruction rest(inst.opcode());
    rest.addId(group);
    for (unsigned index = 1; index < inst.numOperands(); ++index)
      if (inst.id(index) != target)
        rest.addId(inst.id(index));
    if (!groupHasIt || rest.numOperands() == inst.numOperands())
      continue;
    // The target leaves the group and keeps the group's other decorations as its own.
    std::vector<Instruction> own;
    for (const Instruction &each : annotations)
      if (isDecorate(each) && each.id(0) == group && !decoratesWith(each, group)) {
        own.push_back(each);
        own.back().setId(0, target);
      }
    module.erase(Section::Annotations, inst);
    if (rest.numOperands() > 1)
      module.append(Section::Annotations, rest);
    for (const Instruction &each : own)
      module.append(Section::Annotations, each);
    removed = true;
    if (rest.numOperands() == 1)
      removeDecorationGroup(module, group);
    // The list has changed around this place: start over.
    at = annotations.begin();
  }
  return removed;
}

void removeNamesAndDecorations(Module &module, const llvm::DenseSet<uint32_t> &ids) {
  for (Section which : {Section::Debug, Section::Annotations}) {
    InstructionList &list = module.section(which);
    for (auto at = list.begin(); at != list.end();) {
      Instruction &inst = *at++;
      if (inst.numOperands() == 0 || !inst.isId(0))
        continue;
      if (inst.opcode() == spv::Op::OpGroupDecorate) {
        Instruction rest(inst.opcode());
        for (unsigned index = 0; index < inst.numOperands(); ++index)
          if (!ids.contains(raw(inst.id(index))))
            rest.addId(inst.id(index));
        if (rest.numOperands() == inst.numOperands())
          continue;
        module.erase(which, inst);
        if (rest.numOperands() > 1)
          module.append(which, rest);
        at = list.begin();
        continue;
      }
      bool names = inst.opcode() == spv::Op::OpName || which == Section::Annotations;
      if (names && ids.contains(raw(inst.id(0))))
        module.erase(which, inst);
    }
  }
}

Instruction &replaceGlobal(Module &module, Instruction &old, Instruction made) {
  made.wordOffset = old.wordOffset;
  made.lineIndex = old.lineIndex;
  for (const LineMark &mark : old.lineMarks())
    made.addLineMark(mark);
  Instruction &placed = module.insertGlobal(&old, made);
  old.clearLineMarks();
  module.erase(Section::Globals, old);
  return placed;
}

void copyDecorations(Module &module, llvm::ArrayRef<ValueCopies> values) {
  std::vector<Instruction> more;
  for (const auto &[value, copies] : values)
    module.forEachDecoration(value, [&](const Instruction &decoration) {
      for (Id copy : copies) {
        more.push_back(decoration);
        more.back().setId(0, copy);
      }
    });
  for (const Instruction &decoration : more)
    module.append(Section::Annotations, decoration);
}

Instruction withIds(const Instruction &inst, Id result, llvm::function_ref<Id(Id)> mapped) {
  Instruction made(inst.opcode(), inst.typeId(), result);
  for (unsigned at = 0; at < inst.numOperands(); ++at) {
    const Operand &operand = inst.operand(at);
    if (inst.isId(at))
      made.addId(mapped(inst.id(at)));
    else
      made.addWords(operand.kind, inst.operandWords().slice(operand.firstWord, operand.numWords));
  }
  return made;
}

std::vector<Instruction *> sizeModes(Module &module, Id function) {
  std::vector<Instruction *> modes;
  for (Instruction &mode : module.section(Section::ExecutionModes)) {
    auto which = static_cast<spv::ExecutionMode>(mode.literal(1));
    if (mode.id(0) == function &&
        (which == spv::ExecutionMode::LocalSize || which == spv::ExecutionMode::LocalSizeId))
      modes.push_back(&mode);
  }
  return modes;
}

bool setLocalSize(Module &module, const EntryPoint &entry, const Dim3 &size) {
  std::vector<Instruction *> modes = sizeModes(module, entry.function());
  auto isWanted = [&](const Instruction &mode) {
    return mode.literal(1) == static_cast<uint32_t>(spv::ExecutionMode::LocalSize) &&
           mode.literal(2) == size.x && mode.literal(3) == size.y && mode.literal(4) == size.z;
  };
  if (modes.size() == 1 && isWanted(*modes.front()))
    return false;
  auto *made = new Instruction(spv::Op::OpExecutionMode);
  made->addId(entry.function()).addLiteral(static_cast<uint32_t>(spv::ExecutionMode::LocalSize));
  for (unsigned axis = 0; axis < 3; ++axis)
    made->addLiteral(size[axis]);
  InstructionList &list = module.section(Section::ExecutionModes);
  const Instruction &old = modes.empty() ? *entry.inst : *modes.front();
  made->wordOffset = old.wordOffset;
  made->lineIndex = old.lineIndex;
  list.insert(modes.empty() ? list.end() : modes.front()->getIterator(), made);
  for (Instruction *mode : modes)
    module.erase(Section::ExecutionModes, *mode);
  return true;
}

} // namespace tailor
