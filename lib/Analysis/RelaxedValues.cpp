//===- Analysis/RelaxedValues.cpp ------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/RelaxedValues.h"

#include "IR/Constants.h"
#include "IR/Types.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <algorithm>

namespace tailor {

namespace {

class Marker {
public:
  explicit Marker(Module &module) : module(module), constants(module) {}

  void run() {
    splitCopies();
    storeInitializers();
    markResults();
    markOperands();
    for (uint32_t id : fresh)
      decorate(static_cast<Id>(id));
  }

private:
  template <typename Visit> void forEachInBlocks(Visit visit) {
    for (auto &function : module.functions())
      for (Block &block : function->blocks())
        for (auto at = block.instructions().begin(); at != block.instructions().end();)
          visit(*at++); // what is made beside it is passed over
  }

  bool isMarked(Id id) const {
    return fresh.contains(raw(id)) || module.hasDecoration(id, spv::Decoration::RelaxedPrecision);
  }
  bool holdsIntegers(Id type);
  bool hasRelaxedMember(Id type);
  bool isRelaxedPointer(Id pointer);
  bool leadsThroughRelaxedMember(const Instruction &extract);
  bool isLocal(Id pointer) const;
  Id relaxedCopy(Instruction &before, Id value, Id type, const Instruction &from);
  void copyResult(Instruction &inst);
  void splitCopies();
  void storeInitializers();
  void markResults();
  void markOperands();
  void decorate(Id id) {
    Instruction mark(spv::Op::OpDecorate);
    mark.addId(id).addLiteral(static_cast<uint32_t>(spv::Decoration::RelaxedPrecision));
    module.append(Section::Annotations, mark);
  }

  Module &module;
  ConstantEvaluator constants;
  std::vector<std::pair<Instruction *, Id>> renamed; ///< a result, and the copy for its users
  llvm::DenseSet<uint32_t> fresh;                    ///< ids to decorate in the end
  llvm::DenseMap<uint32_t, bool> integers, members;  ///< by type
};

/// Of the scalars in a type; pointers are followed to nowhere.
bool Marker::holdsIntegers(Id type) {
  auto [known, isNew] = integers.try_emplace(raw(type), false);
  if (!isNew)
    return known->second;
  const Instruction *inst = module.def(type);
  bool found = inst && inst->opcode() == spv::Op::OpTypeInt;
  if (inst && (inst->opcode() == spv::Op::OpTypeVector || inst->opcode() == spv::Op::OpTypeArray))
    found = holdsIntegers(inst->id(0));
  if (inst && inst->opcode() == spv::Op::OpTypeStruct)
    for (unsigned at = 0; at < inst->numOperands(); ++at)
      found |= holdsIntegers(inst->id(at));
  integers[raw(type)] = found;
  return found;
}

bool Marker::hasRelaxedMember(Id type) {
  auto [known, isNew] = members.try_emplace(raw(type), false);
  if (!isNew)
    return known->second;
  const Instruction *inst = module.def(type);
  bool found = false;
  if (inst && inst->opcode() == spv::Op::OpTypeArray)
    found = hasRelaxedMember(inst->id(0));
  if (inst && inst->opcode() == spv::Op::OpTypeStruct)
    for (unsigned at = 0; at < inst->numOperands(); ++at)
      found |= hasRelaxedMember(inst->id(at)) ||
               (holdsIntegers(inst->id(at)) &&
                module.hasMemberDecoration(type, at, spv::Decoration::RelaxedPrecision));
  members[raw(type)] = found;
  return found;
}

/// The variable is relaxed, a member on the way, a pointer on the way, or a member of what it
/// points to.
bool Marker::isRelaxedPointer(Id pointer) {
  if (std::optional<PointerType> type = pointerTypeOfValue(module, pointer))
    if (hasRelaxedMember(type->pointee))
      return true;
  const Instruction *inst = module.def(pointer);
  while (inst) {
    if (isMarked(inst->result()))
      return true;
    const bool isChain = inst->opcode() == spv::Op::OpAccessChain ||
                         inst->opcode() == spv::Op::OpInBoundsAccessChain;
    if (!isChain && inst->opcode() != spv::Op::OpCopyObject)
      return false;
    std::optional<PointerType> base = pointerTypeOfValue(module, inst->id(0));
    const Instruction *type = base && isChain ? module.def(base->pointee) : nullptr;
    for (unsigned at = 1; type && at < inst->numOperands(); ++at) {
      if (type->opcode() == spv::Op::OpTypeStruct) {
        std::optional<uint64_t> member = constants.evaluateInt(inst->id(at));
        if (!member || *member >= type->numOperands())
          return false;
        auto index = static_cast<uint32_t>(*member);
        if (module.hasMemberDecoration(type->result(), index, spv::Decoration::RelaxedPrecision))
          return true;
        type = module.def(type->id(index));
      } else {
        type = type->numOperands() != 0 && type->isId(0) ? module.def(type->id(0)) : nullptr;
      }
    }
    inst = module.def(inst->id(0));
  }
  return false;
}

/// Of a structure that is in no memory.
bool Marker::leadsThroughRelaxedMember(const Instruction &extract) {
  const Instruction *composite = module.def(extract.id(0));
  const Instruction *type = composite ? module.def(composite->typeId()) : nullptr;
  for (unsigned at = 1; type && at < extract.numOperands(); ++at) {
    const uint32_t index = extract.literal(at);
    const bool isStruct = type->opcode() == spv::Op::OpTypeStruct;
    if (isStruct &&
        module.hasMemberDecoration(type->result(), index, spv::Decoration::RelaxedPrecision))
      return true;
    const unsigned operand = isStruct ? index : 0;
    type = operand < type->numOperands() && type->isId(operand) ? module.def(type->id(operand))
                                                                : nullptr;
  }
  return false;
}

/// Memory that the steps bring into SSA form.
bool Marker::isLocal(Id pointer) const {
  std::optional<PointerType> type = pointerTypeOfValue(module, pointer);
  return type && (type->storageClass == spv::StorageClass::Function ||
                  type->storageClass == spv::StorageClass::Private);
}

Id Marker::relaxedCopy(Instruction &before, Id value, Id type, const Instruction &from) {
  Instruction copy(spv::Op::OpCopyObject, type, module.freshId());
  copy.addId(value);
  Instruction &placed = module.insertBefore(before, copy);
  placed.wordOffset = from.wordOffset;
  fresh.insert(raw(placed.result()));
  return placed.result();
}

/// Whoever uses the result shall use a relaxed copy of it.
void Marker::copyResult(Instruction &inst) {
  Instruction &next = *std::next(inst.getIterator()); // it ends no block
  Id copy = relaxedCopy(next, inst.result(), inst.typeId(), inst);
  if (module.hasDecoration(inst.result(), spv::Decoration::NonUniform)) {
    Instruction mark(spv::Op::OpDecorate);
    mark.addId(copy).addLiteral(static_cast<uint32_t>(spv::Decoration::NonUniform));
    module.append(Section::Annotations, mark);
  }
  renamed.emplace_back(&inst, copy);
}

/// A copy from or to relaxed memory of an invocation, as a load and a store.
void Marker::splitCopies() {
  forEachInBlocks([&](Instruction &inst) {
    constexpr uint32_t kPlain =
        0x1 | 0x2 | 0x4; // Volatile, Aligned, Nontemporal: of no matter here
    if (inst.opcode() != spv::Op::OpCopyMemory || !isLocal(inst.id(0)) || !isLocal(inst.id(1)) ||
        !(isRelaxedPointer(inst.id(0)) || isRelaxedPointer(inst.id(1))) ||
        (inst.numOperands() > 2 && (inst.literal(2) & ~kPlain) != 0))
      return;
    std::optional<PointerType> type = pointerTypeOfValue(module, inst.id(0));
    if (!holdsIntegers(type->pointee))
      return;
    Instruction load(spv::Op::OpLoad, type->pointee, module.freshId());
    load.addId(inst.id(1));
    load.wordOffset = inst.wordOffset;
    Instruction store(spv::Op::OpStore);
    store.addId(inst.id(0)).addId(load.result());
    store.wordOffset = inst.wordOffset;
    module.insertBefore(inst, load);
    module.insertBefore(inst, store);
    module.erase(inst);
  });
}

/// An initializer is stored like any other value.
void Marker::storeInitializers() {
  std::vector<Instruction *> variables;
  for (Instruction &inst : module.section(Section::Globals))
    variables.push_back(&inst);
  forEachInBlocks([&](Instruction &inst) { variables.push_back(&inst); });
  for (Instruction *variable : variables) {
    if (variable->opcode() != spv::Op::OpVariable || variable->numOperands() < 2 ||
        !isLocal(variable->result()) || !isRelaxedPointer(variable->result()) ||
        !holdsIntegers(pointerTypeOfValue(module, variable->result())->pointee))
      continue;
    Block *block = variable->parent();
    if (!block)
      for (const EntryPoint &entry : module.entryPoints()) // there is one
        if (Function *function = module.function(entry.function()))
          block = &function->front();
    if (!block)
      continue;
    auto at =
        std::find_if(block->instructions().begin(), block->instructions().end(),
                     [](const Instruction &inst) { return inst.opcode() != spv::Op::OpVariable; });
    Instruction store(spv::Op::OpStore);
    store.addId(variable->result()).addId(variable->id(1));
    store.wordOffset = variable->wordOffset;
    module.insertBefore(*at, store);
    variable->truncate(1);
  }
}

/// What comes out of relaxed memory, parameters and functions.
void Marker::markResults() {
  forEachInBlocks([&](Instruction &inst) {
    if (inst.opcode() == spv::Op::OpLoad && holdsIntegers(inst.typeId()) &&
        (isMarked(inst.result()) || isRelaxedPointer(inst.id(0)))) {
      if (isLocal(inst.id(0)))
        copyResult(inst);
      else if (!isMarked(inst.result()))
        fresh.insert(raw(inst.result())); // the load stays
    }
    if (inst.opcode() == spv::Op::OpCompositeExtract && holdsIntegers(inst.typeId()) &&
        !isMarked(inst.result()) && leadsThroughRelaxedMember(inst))
      fresh.insert(raw(inst.result()));
    if (inst.opcode() == spv::Op::OpFunctionCall && holdsIntegers(inst.typeId()) &&
        (isMarked(inst.result()) || isMarked(inst.id(0))))
      copyResult(inst);
  });
  if (renamed.empty())
    return;
  UseMap uses(module);
  for (const auto &[inst, copy] : renamed)
    for (const UseMap::Use &use : uses.uses(inst->result()))
      if (use.user->parent() && use.user->result() != copy)
        use.user->setId(use.operand, copy);
}

/// What goes into relaxed memory and parameters.
void Marker::markOperands() {
  auto relax = [&](Instruction &inst, unsigned operand) {
    const Instruction *value = module.def(inst.id(operand));
    if (!value || !holdsIntegers(value->typeId()) || fresh.contains(raw(value->result())))
      return;
    inst.setId(operand, relaxedCopy(inst, value->result(), value->typeId(), inst));
  };
  forEachInBlocks([&](Instruction &inst) {
    if (inst.opcode() == spv::Op::OpStore && isLocal(inst.id(0)) && isRelaxedPointer(inst.id(0)))
      relax(inst, 1);
    const Function *callee =
        inst.opcode() == spv::Op::OpFunctionCall ? module.function(inst.id(0)) : nullptr;
    if (!callee)
      return;
    unsigned operand = 1;
    for (const Instruction &parameter : callee->parameters()) {
      if (parameter.opcode() != spv::Op::OpFunctionParameter)
        continue;
      if (operand < inst.numOperands() && isMarked(parameter.result()))
        relax(inst, operand);
      ++operand;
    }
  });
}

} // namespace

void spellOutRelaxedValues(Module &module) {
  bool any = false;
  for (const Instruction &inst : module.section(Section::Annotations))
    for (unsigned at = 1; at < std::min(inst.numOperands(), 3u); ++at)
      any |= !inst.isId(at) && inst.operand(at).kind == OperandKind::Literal &&
             inst.literal(at) == static_cast<uint32_t>(spv::Decoration::RelaxedPrecision);
  if (any)
    Marker(module).run();
}

} // namespace tailor
