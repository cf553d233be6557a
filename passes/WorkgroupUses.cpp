//===- passes/WorkgroupUses.cpp --------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/WorkgroupUses.h"

#include "IR/Types.h"
#include "passes/ModuleEdits.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace tailor {

bool isAccessChain(spv::Op op) {
  return op == spv::Op::OpAccessChain || op == spv::Op::OpInBoundsAccessChain;
}

bool isBlockPointer(const Module &module, Id type) {
  std::optional<PointerType> pointer = pointerType(module, type);
  return pointer && pointer->storageClass == spv::StorageClass::Workgroup &&
         module.hasDecoration(pointer->pointee, spv::Decoration::Block);
}

static bool isWorkgroupPointer(const Module &module, Id type) {
  std::optional<PointerType> pointer = pointerType(module, type);
  return pointer && pointer->storageClass == spv::StorageClass::Workgroup;
}

/// No debug information.
static bool isSemantic(const Module &module, const Instruction &inst) {
  return inst.opcode() != spv::Op::OpExtInst || module.extInstSet(inst.id(0)) == "GLSL.std.450";
}

std::vector<Instruction *> workgroupVariables(const Module &module, const EntryPoint &entry) {
  llvm::DenseSet<uint32_t> used;
  for (const Function *function : reachableFunctions(module, entry.function()))
    for (const Block &block : function->blocks())
      for (const Instruction &inst : block.instructions())
        for (unsigned at = 0; isSemantic(module, inst) && at < inst.numOperands(); ++at)
          if (inst.isId(at))
            used.insert(raw(inst.id(at)));
  std::vector<Instruction *> variables;
  for (const Instruction &inst : module.section(Section::Globals))
    if (inst.opcode() == spv::Op::OpVariable && isWorkgroupPointer(module, inst.typeId()) &&
        used.contains(raw(inst.result())))
      variables.push_back(module.def(inst.result()));
  return variables;
}

std::optional<uint64_t> blockStride(const Module &module,
                                    const std::vector<Instruction *> &variables,
                                    ConstantEvaluator &constants, const Instruction **unknown) {
  uint64_t size = 0, alignment = 1;
  for (const Instruction *variable : variables) {
    if (!isBlockPointer(module, variable->typeId()))
      continue;
    std::optional<TypeLayout> layout =
        layoutOf(module, pointerType(module, variable->typeId())->pointee, constants);
    if (!layout) {
      if (unknown)
        *unknown = variable;
      return std::nullopt;
    }
    size = std::max(size, layout->size.count);
    alignment = std::max(alignment, layout->alignment.count);
  }
  return llvm::alignTo(size, alignment);
}

namespace {

class Finder {
public:
  Finder(Module &module, const EntryPoint &entry)
      : module(module), entry(entry), uses(module),
        reached(reachableFunctions(module, entry.function())) {}

  Result<WorkgroupUses> find();

private:
  void findParameters();
  Status note(Id pointer);
  Status noteUse(const UseMap::Use &use, Id pointer);
  Status checkInitialisers() const;
  Status checkOthers() const;
  Status checkBlocks();
  bool reaches(const Instruction &inst) const {
    return llvm::is_contained(reached, inst.parent()->getParent());
  }
  const Instruction *parameterOf(const Instruction &call, unsigned operand) const;
  std::vector<WholeUse> &usesIn(Function &function) {
    for (auto &[known, list] : found.functions)
      if (known == &function)
        return list;
    return found.functions.emplace_back(&function, std::vector<WholeUse>()).second;
  }
  Failure notAlone(const Instruction &where, Id what) const {
    return failure(
        Diagnostic::error(module.locationOf(where),
                          "'" + module.name(what) + "' is also used outside of what entry point '" +
                              entry.name() + "' reaches, so its workgroup memory cannot be copied")
            .withNote({}, "run 'select-entry-point' first"));
  }

  Module &module;
  EntryPoint entry;
  UseMap uses;
  std::vector<Function *> reached;
  WorkgroupUses found;
};

const Instruction *Finder::parameterOf(const Instruction &call, unsigned operand) const {
  const Function *callee = module.function(call.id(0));
  if (!callee || operand == 0)
    return nullptr;
  unsigned at = 0;
  for (const Instruction &inst : callee->parameters())
    if (inst.opcode() == spv::Op::OpFunctionParameter && ++at == operand)
      return &inst;
  return nullptr;
}

/// All of them to begin with; those go for which some call passes anything but a whole variable or
/// another such parameter.
void Finder::findParameters() {
  for (Function *function : reached)
    for (const Instruction &inst : function->parameters())
      if (inst.opcode() == spv::Op::OpFunctionParameter &&
          isWorkgroupPointer(module, inst.typeId()))
        found.parameters.insert(raw(inst.result()));
  auto isWhole = [&](Id argument) {
    const Instruction *def = module.def(argument);
    return def &&
           (def->opcode() == spv::Op::OpVariable || found.parameters.contains(raw(argument)));
  };
  for (bool changed = !found.parameters.empty(); changed;) {
    changed = false;
    for (Function *function : reached)
      for (const Block &block : function->blocks())
        for (const Instruction &inst : block.instructions()) {
          if (inst.opcode() != spv::Op::OpFunctionCall)
            continue;
          for (unsigned at = 1; at < inst.numOperands(); ++at)
            if (const Instruction *parameter = parameterOf(inst, at))
              changed |= !isWhole(inst.id(at)) && found.parameters.erase(raw(parameter->result()));
        }
  }
}

Status Finder::noteUse(const UseMap::Use &use, Id pointer) {
  Instruction &user = *use.user;
  if (!user.parent()) {
    if (user.opcode() == spv::Op::OpVariable)
      return failure(module.locationOf(user),
                     "the address of '" + module.name(pointer) +
                         "' is stored in another variable, so it cannot be copied");
    return success(); // names, decorations, interfaces, debug information
  }
  if (!isSemantic(module, user))
    return success();
  if (!reaches(user))
    return notAlone(user, pointer);
  std::vector<WholeUse> &list = usesIn(*user.parent()->getParent());
  if (user.opcode() == spv::Op::OpFunctionCall)
    if (const Instruction *parameter = parameterOf(user, use.operand))
      if (found.parameters.contains(raw(parameter->result())))
        return success();
  list.push_back({&user, use.operand, pointer});
  return success();
}

Status Finder::note(Id pointer) {
  for (const UseMap::Use &use : uses.uses(pointer))
    if (Status noted = noteUse(use, pointer); !noted)
      return noted;
  return success();
}

Status Finder::checkInitialisers() const {
  for (const Instruction *variable : found.variables) {
    if (variable->numOperands() < 2)
      continue;
    const Instruction *initial = module.def(variable->id(1));
    if (!initial || initial->opcode() != spv::Op::OpConstantNull)
      return failure(module.locationOf(*variable), "the initialiser of '" +
                                                       module.name(variable->result()) +
                                                       "' is not null, so it cannot be copied");
  }
  return success();
}

/// Nobody else runs or calls what is about to change.
Status Finder::checkOthers() const {
  auto changes = [&](const Function *function) {
    return llvm::any_of(found.functions, [&](const auto &each) { return each.first == function; });
  };
  for (const EntryPoint &other : module.entryPoints())
    if (other.inst != entry.inst)
      for (const Function *function : reachableFunctions(module, other.function()))
        if (changes(function))
          return notAlone(*other.inst, function->id());
  for (const auto &[function, list] : found.functions)
    for (const UseMap::Use &use : uses.uses(function->id()))
      if (use.user->parent() && isSemantic(module, *use.user) && !reaches(*use.user))
        return notAlone(*use.user, function->id());
  return success();
}

/// The copies of a block have another type than the block.
Status Finder::checkBlocks() {
  ConstantEvaluator literals(module, {}, /*useDefaults=*/false);
  const Instruction *unknown = nullptr;
  std::optional<uint64_t> stride = blockStride(module, found.variables, literals, &unknown);
  if (!stride || *stride > UINT32_MAX)
    return failure(module.locationOf(unknown ? *unknown : *found.variables.front()),
                   "the size of this block of workgroup memory is no number of the module, so the "
                   "distance of its copies cannot be one");
  found.blockStride = *stride;
  for (const auto &[function, list] : found.functions)
    for (const WholeUse &use : list) {
      if (!isBlockPointer(module, module.def(use.pointer)->typeId()))
        continue;
      const Instruction &user = *use.user;
      bool isChain = isAccessChain(user.opcode()) && user.numOperands() > 1;
      bool isWhole = user.opcode() == spv::Op::OpLoad ||
                     (user.opcode() == spv::Op::OpStore && use.operand == 0);
      // Whole ones need OpCopyLogical. It came with 1.4, which explicit layouts ask for too.
      if (!isChain && !(isWhole && module.version() >= 0x00010400))
        return failure(module.locationOf(user),
                       "'" + module.name(use.pointer) +
                           "' is a block of workgroup memory and used by " + nameOf(user.opcode()) +
                           ", so it cannot be copied");
    }
  return success();
}

Result<WorkgroupUses> Finder::find() {
  found.variables = workgroupVariables(module, entry);
  if (found.variables.empty())
    return std::move(found);
  if (Status null = checkInitialisers(); !null)
    return null.takeFailure();
  findParameters();
  for (const Instruction *variable : found.variables)
    if (Status noted = note(variable->result()); !noted)
      return noted.takeFailure();
  for (Function *function : reached)
    for (const Instruction &inst : function->parameters())
      if (found.parameters.contains(raw(inst.result()))) {
        usesIn(*function); // its type changes, used or not
        if (Status noted = note(inst.result()); !noted)
          return noted.takeFailure();
      }
  if (Status alone = checkOthers(); !alone)
    return alone.takeFailure();
  if (Status blocks = checkBlocks(); !blocks)
    return blocks.takeFailure();
  return std::move(found);
}

} // namespace

Result<WorkgroupUses> findWorkgroupUses(Module &module, const EntryPoint &entry) {
  return Finder(module, entry).find();
}

} // namespace tailor
