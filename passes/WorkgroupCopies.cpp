//===- passes/WorkgroupCopies.cpp ------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/WorkgroupCopies.h"

#include "IR/Types.h"
#include "passes/WorkgroupUses.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace tailor {

namespace {

/// What takes the place of a type of pointers to whole variables.
struct CopiedType {
  Id plain = Id::None;     ///< what such a pointer points to
  Id element = Id::None;   ///< one copy: the same, but for blocks
  Id toElement = Id::None; ///< pointer to one copy
  Id all = Id::None;       ///< all copies
  Id toAll = Id::None;     ///< pointer to all copies
  bool isBlock = false;    ///< the array of copies is the only member of `all`
};

class Copier {
public:
  Copier(Module &module, const EntryPoint &entry, uint32_t copies, const WorkgroupUses &uses)
      : module(module), entry(entry), copies(copies), uses(uses), builder(module) {}

  void run(llvm::function_ref<Id(IdEmitter &)> copyOf);

private:
  void makeConstants();
  Id add(Instruction &before, const Instruction &made) {
    return module.insertGlobal(&before, made).result();
  }
  Id pointerTo(Id type, Instruction &before);
  const CopiedType &copied(Id pointer, Instruction &before);
  void makeBlock(CopiedType &type, Instruction &before);
  Id memberwiseClone(Id block, Instruction &before);
  void decorate(Id id, spv::Decoration decoration, std::optional<uint32_t> value = std::nullopt);

  void changeVariable(Instruction &variable);
  void changeParameters(Function &function);
  void changeChain(Instruction &chain, const CopiedType &type, Id copy);
  void changeBlockLoad(Instruction &load, const CopiedType &type, Id element);
  void changeUse(const WholeUse &use, Id copy, IdEmitter &emit);

  Module &module;
  EntryPoint entry;
  uint32_t copies;
  const WorkgroupUses &uses;
  Builder builder;
  Id count = Id::None, zero = Id::None;
  llvm::DenseMap<uint32_t, CopiedType> byType;    ///< by pointer type
  llvm::DenseMap<uint32_t, CopiedType> byPointer; ///< by variable or parameter
};

//===----------------------------------------------------------------------===//
// Types, in front of the variables that have them
//===----------------------------------------------------------------------===//

/// The length of the arrays. Its type, which is made of nothing, can stand in front of everything.
void Copier::makeConstants() {
  Id uintType = builder.intType(32, false);
  InstructionList &globals = module.section(Section::Globals);
  globals.splice(globals.begin(), globals, module.def(uintType)->getIterator());
  Instruction length(spv::Op::OpConstant, uintType, module.freshId());
  length.addLiteral(copies);
  count = add(*uses.variables.front(), length);
  if (uses.blockStride != 0)
    zero = builder.uintConstant(0);
}

Id Copier::pointerTo(Id type, Instruction &before) {
  Instruction made(spv::Op::OpTypePointer, Id::None, module.freshId());
  made.addLiteral(static_cast<uint32_t>(spv::StorageClass::Workgroup)).addId(type);
  return add(before, made);
}

void Copier::decorate(Id id, spv::Decoration decoration, std::optional<uint32_t> value) {
  Instruction inst(spv::Op::OpDecorate);
  inst.addId(id).addLiteral(static_cast<uint32_t>(decoration));
  if (value)
    inst.addLiteral(*value);
  module.append(Section::Annotations, inst);
}

/// The block's members with their names and offsets, as a structure that is no block.
Id Copier::memberwiseClone(Id block, Instruction &before) {
  Instruction made(spv::Op::OpTypeStruct, Id::None, module.freshId());
  const Instruction &type = *module.def(block);
  for (unsigned member = 0; member < type.numOperands(); ++member)
    made.addId(type.id(member));
  Id clone = add(before, made);
  for (Section which : {Section::Debug, Section::Annotations})
    for (Instruction &inst : module.section(which)) {
      spv::Op op = inst.opcode();
      bool isOfMember = op == spv::Op::OpMemberName || op == spv::Op::OpMemberDecorate ||
                        op == spv::Op::OpMemberDecorateString;
      if (isOfMember && inst.id(0) == block) {
        Instruction same(inst);
        same.clearLineMarks();
        same.setId(0, clone);
        module.insertBefore(inst, same);
      }
      for (unsigned at = 1; op == spv::Op::OpGroupMemberDecorate && at + 1 < inst.numOperands();
           at += 2)
        if (inst.id(at) == block) {
          Instruction same(op);
          same.addId(inst.id(0)).addId(clone).addLiteral(inst.literal(at + 1));
          module.insertBefore(inst, same);
        }
    }
  return clone;
}

void Copier::makeBlock(CopiedType &type, Instruction &before) {
  type.isBlock = true;
  type.element = memberwiseClone(type.plain, before);
  type.toElement = pointerTo(type.element, before);
  Instruction array(spv::Op::OpTypeArray, Id::None, module.freshId());
  array.addId(type.element).addId(count);
  Id arrayType = add(before, array);
  decorate(arrayType, spv::Decoration::ArrayStride, static_cast<uint32_t>(uses.blockStride));
  Instruction block(spv::Op::OpTypeStruct, Id::None, module.freshId());
  block.addId(arrayType);
  type.all = add(before, block);
  decorate(type.all, spv::Decoration::Block);
  Instruction offset(spv::Op::OpMemberDecorate);
  offset.addId(type.all).addLiteral(0);
  offset.addLiteral(static_cast<uint32_t>(spv::Decoration::Offset)).addLiteral(0);
  module.append(Section::Annotations, offset);
}

const CopiedType &Copier::copied(Id pointer, Instruction &before) {
  auto known = byType.find(raw(pointer));
  if (known != byType.end())
    return known->second;
  CopiedType type;
  type.plain = type.element = pointerType(module, pointer)->pointee;
  type.toElement = pointer;
  if (isBlockPointer(module, pointer)) {
    makeBlock(type, before);
  } else {
    Instruction array(spv::Op::OpTypeArray, Id::None, module.freshId());
    array.addId(type.plain).addId(count);
    type.all = add(before, array);
  }
  type.toAll = pointerTo(type.all, before);
  return byType[raw(pointer)] = type;
}

void Copier::changeVariable(Instruction &variable) {
  const CopiedType type = copied(variable.typeId(), variable);
  byPointer[raw(variable.result())] = type;
  variable.setTypeId(type.toAll);
  if (variable.numOperands() > 1)
    variable.setId(1,
                   add(variable, Instruction(spv::Op::OpConstantNull, type.all, module.freshId())));
}

/// What calls pass are variables, whose types were changed before.
void Copier::changeParameters(Function &function) {
  std::vector<Id> types;
  bool changed = false;
  for (Instruction &inst : function.parameters()) {
    if (inst.opcode() != spv::Op::OpFunctionParameter)
      continue;
    auto known = byType.find(raw(inst.typeId()));
    if (uses.parameters.contains(raw(inst.result())) && known != byType.end()) {
      byPointer[raw(inst.result())] = known->second;
      inst.setTypeId(known->second.toAll);
      changed = true;
    }
    types.push_back(inst.typeId());
  }
  if (changed)
    function.definition().setId(1, builder.functionType(function.definition().typeId(), types));
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

void Copier::changeChain(Instruction &chain, const CopiedType &type, Id copy) {
  llvm::SmallVector<Id, 4> indices;
  for (unsigned at = 1; at < chain.numOperands(); ++at)
    indices.push_back(chain.id(at));
  chain.truncate(1);
  if (type.isBlock)
    chain.addId(zero);
  chain.addId(copy);
  for (Id index : indices)
    chain.addId(index);
}

/// A load of one copy, and the value as the type that the kernel knows.
void Copier::changeBlockLoad(Instruction &load, const CopiedType &type, Id element) {
  Instruction inner(spv::Op::OpLoad, type.element, module.freshId());
  inner.lineIndex = load.lineIndex;
  inner.wordOffset = load.wordOffset;
  inner.addId(element);
  for (unsigned at = 1; at < load.numOperands(); ++at)
    load.isId(at) ? inner.addId(load.id(at)) : inner.addLiteral(load.literal(at));
  Instruction outer(spv::Op::OpCopyLogical, type.plain, load.result());
  outer.lineIndex = load.lineIndex;
  outer.addId(inner.result());
  Block &block = *load.parent();
  auto next = std::next(load.getIterator());
  module.erase(block, load);
  module.insert(block, next, inner);
  module.insert(block, next, outer);
}

void Copier::changeUse(const WholeUse &use, Id copy, IdEmitter &emit) {
  const CopiedType &type = byPointer.find(raw(use.pointer))->second;
  Instruction &user = *use.user;
  if (isAccessChain(user.opcode()))
    return changeChain(user, type, copy);
  llvm::SmallVector<Id, 3> operands = {use.pointer};
  if (type.isBlock)
    operands.push_back(zero);
  operands.push_back(copy);
  Id element = emit.emit(spv::Op::OpAccessChain, operands, {}, type.toElement);
  if (type.isBlock && user.opcode() == spv::Op::OpLoad)
    return changeBlockLoad(user, type, element);
  if (type.isBlock) // a store: others were refused
    user.setId(1, builder.insertBefore(user, spv::Op::OpCopyLogical, type.element, {user.id(1)}));
  user.setId(use.operand, element);
}

void Copier::run(llvm::function_ref<Id(IdEmitter &)> copyOf) {
  makeConstants();
  for (Instruction *variable : uses.variables)
    changeVariable(*variable);
  for (const auto &[function, list] : uses.functions)
    changeParameters(*function);
  for (const auto &[function, list] : uses.functions) {
    IdEmitter emit(builder, entry, *function);
    std::optional<Id> copy;
    for (const WholeUse &use : list) {
      if (!byPointer.contains(raw(use.pointer)))
        continue; // a parameter that no call gives a value
      if (!copy)
        copy = copyOf(emit);
      changeUse(use, *copy, emit);
    }
    emit.finish();
  }
}

} // namespace

Status copyWorkgroupMemory(Module &module, const EntryPoint &entry, uint32_t copies,
                           llvm::function_ref<Id(IdEmitter &)> copyOf) {
  if (copies <= 1)
    return success();
  Result<WorkgroupUses> uses = findWorkgroupUses(module, entry);
  if (!uses)
    return uses.takeFailure();
  if (!uses->variables.empty())
    Copier(module, entry, copies, *uses).run(copyOf);
  return success();
}

std::optional<uint64_t> bytesOfWorkgroupCopies(const Module &module, const EntryPoint &entry,
                                               uint32_t copies, const SpecMap &spec) {
  ConstantEvaluator constants(module, spec);
  std::vector<Instruction *> variables = workgroupVariables(module, entry);
  std::optional<uint64_t> stride = blockStride(module, variables, constants);
  if (!stride)
    return std::nullopt;
  uint64_t end = 0;
  for (const Instruction *variable : variables) {
    if (isBlockPointer(module, variable->typeId()))
      continue;
    std::optional<TypeLayout> layout =
        layoutOf(module, pointerType(module, variable->typeId())->pointee, constants);
    if (!layout)
      return std::nullopt;
    uint64_t alignment = std::max<uint64_t>(1, layout->alignment.count);
    uint64_t distance =
        copies > 1 ? llvm::alignTo(layout->size.count, alignment) : layout->size.count;
    end = llvm::alignTo(end, alignment) + copies * distance;
  }
  return std::max(end, copies * *stride);
}

} // namespace tailor
