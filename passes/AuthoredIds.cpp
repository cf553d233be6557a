//===- passes/AuthoredIds.cpp ----------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/AuthoredIds.h"

#include "IR/Constants.h"
#include "IR/Types.h"
#include "passes/IdReads.h"
#include "passes/ModuleEdits.h"

#include "llvm/ADT/DenseMap.h"

#include <algorithm>
#include <memory>

namespace tailor {

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

IdModel::~IdModel() = default;

bool isPlacement(spv::BuiltIn builtIn) {
  switch (builtIn) {
  case spv::BuiltIn::LocalInvocationId:
  case spv::BuiltIn::LocalInvocationIndex:
  case spv::BuiltIn::WorkgroupId:
  case spv::BuiltIn::NumWorkgroups:
  case spv::BuiltIn::GlobalInvocationId:
    return true;
  default:
    return false;
  }
}

Id PlacementModel::global(IdEmitter &emit, unsigned axis) const {
  return emit.add(emit.mul(group(emit, axis), emit.constant(authored[axis])), local(emit, axis));
}

Id PlacementModel::component(IdEmitter &emit, spv::BuiltIn builtIn, unsigned axis) const {
  switch (builtIn) {
  case spv::BuiltIn::WorkgroupId:
    return group(emit, axis);
  case spv::BuiltIn::NumWorkgroups:
    return groupCount(emit, axis);
  case spv::BuiltIn::GlobalInvocationId:
    return global(emit, axis);
  case spv::BuiltIn::LocalInvocationIndex: {
    Id sum = emit.constant(0);
    uint32_t stride = 1;
    for (unsigned each = 0; each < 3; ++each) {
      sum = emit.add(sum, emit.mul(local(emit, each), emit.constant(stride)));
      stride *= authored[each];
    }
    return sum;
  }
  default:
    return local(emit, axis);
  }
}

//===----------------------------------------------------------------------===//
// replaceIds
//===----------------------------------------------------------------------===//

namespace {

class Replacer {
public:
  Replacer(Module &module, const EntryPoint &entry, const IdModel &model)
      : module(module), entry(entry), model(model), builder(module) {}

  void run(const IdReads &ids);

private:
  void replace(const IdRead &read, IdEmitter &emit);
  Id whole(const IdRead &read, IdEmitter &emit, Id scalar);
  std::array<bool, 3> componentsUsed(const Instruction &load) const;
  /// An unsigned value as one of the integer type `type`.
  Id typed(IdEmitter &emit, Id value, Id type) {
    if (type == uintType)
      return value;
    if (std::optional<uint32_t> known = emit.valueOf(value))
      return builder.intConstant(type, *known);
    return emit.emit(spv::Op::OpBitcast, {value}, {}, type);
  }
  bool isPlainConstant(Id id) const {
    const Instruction *inst = module.def(id);
    return inst && inst->opcode() == spv::Op::OpConstant;
  }
  void keepNonUniform(Id load, Id value);

  Module &module;
  EntryPoint entry;
  const IdModel &model;
  Builder builder;
  Id uintType = builder.intType(32, false);
  std::optional<UseMap> uses;
  llvm::DenseMap<uint32_t, Id> replacement; ///< of results of loads
};

/// The components of a whole id that anything can see.
std::array<bool, 3> Replacer::componentsUsed(const Instruction &load) const {
  std::array<bool, 3> used{};
  for (const UseMap::Use &use : uses->uses(load.result())) {
    const Instruction &user = *use.user;
    if (!user.parent())
      continue; // names and decorations
    if (user.opcode() == spv::Op::OpCompositeExtract) {
      used[user.literal(1)] = true;
      continue;
    }
    if (user.opcode() != spv::Op::OpVectorShuffle)
      return {true, true, true};
    const unsigned first =
        use.operand == 0 ? 0 : componentCount(module, module.def(user.id(0))->typeId());
    for (unsigned at = 2; at < user.numOperands(); ++at)
      if (uint32_t from = user.literal(at); from >= first && from < first + 3)
        used[from - first] = true;
  }
  return used;
}

Id Replacer::whole(const IdRead &read, IdEmitter &emit, Id scalar) {
  std::array<bool, 3> used =
      isValid(read.index) ? std::array{true, true, true} : componentsUsed(*read.load);
  std::array<Id, 3> parts;
  bool known = true;
  for (unsigned axis = 0; axis < 3; ++axis) {
    Id part = used[axis] ? model.component(emit, read.builtIn, axis) : emit.constant(0);
    parts[axis] = typed(emit, part, scalar);
    known &= isPlainConstant(parts[axis]);
  }
  Id type = builder.vectorType(scalar, 3);
  if (known)
    return builder.compositeConstant(type, parts);
  return emit.emit(spv::Op::OpCompositeConstruct, parts, {}, type);
}

void Replacer::replace(const IdRead &read, IdEmitter &emit) {
  Id scalar = scalarTypeOf(module, read.load->typeId());
  Id value;
  const Instruction *index = isValid(read.index) ? module.def(read.index) : nullptr;
  std::optional<uint64_t> axis;
  if (index && isConstant(index->opcode()) && !isSpecConstant(index->opcode()))
    axis = ConstantEvaluator(module).evaluateInt(read.index);
  if (read.builtIn == spv::BuiltIn::LocalInvocationIndex || (axis && *axis < 3)) {
    value = typed(
        emit, model.component(emit, read.builtIn, static_cast<unsigned>(axis.value_or(0))), scalar);
  } else if (!index) {
    value = whole(read, emit, scalar);
  } else { // the index is computed in the body: the choice stays where the load is
    Id vector = whole(read, emit, scalar);
    value = builder.insertBefore(*read.load, spv::Op::OpVectorExtractDynamic, scalar,
                                 {vector, read.index});
  }
  replacement[raw(read.load->result())] = value;
}

/// What indexes descriptors by the id may have its NonUniform from the load alone. (Precision and
/// uniformity that the load claimed are not claimed of what takes its place.)
void Replacer::keepNonUniform(Id load, Id value) {
  const Instruction *inst = module.def(value);
  if (!module.hasDecoration(load, spv::Decoration::NonUniform) || !inst ||
      isConstant(inst->opcode()) || module.hasDecoration(value, spv::Decoration::NonUniform))
    return;
  Instruction decorate(spv::Op::OpDecorate);
  decorate.addId(value).addLiteral(static_cast<uint32_t>(spv::Decoration::NonUniform));
  module.append(Section::Annotations, decorate);
}

void Replacer::run(const IdReads &ids) {
  uses.emplace(module);
  std::vector<std::pair<Function *, std::unique_ptr<IdEmitter>>> emitters;
  for (const IdRead &read : ids.reads) {
    Function *function = read.load->parent()->getParent();
    auto at = std::find_if(emitters.begin(), emitters.end(),
                           [&](const auto &each) { return each.first == function; });
    if (at == emitters.end())
      at = emitters.emplace(emitters.end(), function,
                            std::make_unique<IdEmitter>(builder, entry, *function));
    replace(read, *at->second);
  }
  for (auto &[function, emit] : emitters)
    emit->finish();
  llvm::DenseSet<uint32_t> gone;
  for (const IdRead &read : ids.reads) {
    keepNonUniform(read.load->result(), replacement.lookup(raw(read.load->result())));
    gone.insert(raw(read.load->result()));
    module.erase(*read.load);
  }
  module.forEachInstruction([&](Instruction &inst) {
    if (!inst.parent())
      return; // names and decorations of the loads go with them
    for (unsigned at = 0; at < inst.numOperands(); ++at)
      if (inst.isId(at))
        if (auto known = replacement.find(raw(inst.id(at))); known != replacement.end())
          inst.setId(at, known->second);
  });
  removeNamesAndDecorations(module, gone);
  dropUnusedIds(module, entry, ids);
}

} // namespace

Status replaceIds(Module &module, const EntryPoint &entry, const IdModel &model) {
  Result<IdReads> ids =
      findIdReads(module, entry, [&](spv::BuiltIn builtIn) { return model.replaces(builtIn); });
  if (!ids)
    return ids.takeFailure();
  if (!ids->reads.empty())
    Replacer(module, entry, model).run(*ids);
  return success();
}

} // namespace tailor
