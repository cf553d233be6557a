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
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace tailor {

//===----------------------------------------------------------------------===//
// IdEmitter
//===----------------------------------------------------------------------===//

static bool inInterface(const EntryPoint &entry, Id id) {
  for (unsigned at = 0; at < entry.numInterfaceIds(); ++at)
    if (entry.interfaceId(at) == id)
      return true;
  return false;
}

/// A variable of the built-in in three (or one) 32-bit integers, of the entry point's interface
/// first; None where the module has none.
static Id findBuiltIn(const Module &module, const EntryPoint &entry, spv::BuiltIn builtIn) {
  Id found = Id::None;
  for (const Instruction &inst : module.section(Section::Globals)) {
    if (inst.opcode() != spv::Op::OpVariable ||
        module.decoration(inst.result(), spv::Decoration::BuiltIn) !=
            static_cast<uint32_t>(builtIn))
      continue;
    std::optional<PointerType> pointer = pointerTypeOfValue(module, inst.result());
    unsigned count = builtIn == spv::BuiltIn::LocalInvocationIndex ? 1 : 3;
    if (!pointer || componentCount(module, pointer->pointee) != count ||
        !isIntType(module, scalarTypeOf(module, pointer->pointee), 32))
      continue;
    if (!isValid(found) || (!inInterface(entry, found) && inInterface(entry, inst.result())))
      found = inst.result();
  }
  return found;
}

static Id declareBuiltIn(Builder &builder, spv::BuiltIn builtIn) {
  Module &module = builder.module();
  Id type = builder.intType(32, false);
  if (builtIn != spv::BuiltIn::LocalInvocationIndex)
    type = builder.vectorType(type, 3);
  Id variable = module.freshId();
  Instruction inst(spv::Op::OpVariable, builder.pointerType(spv::StorageClass::Input, type),
                   variable);
  inst.addLiteral(static_cast<uint32_t>(spv::StorageClass::Input));
  module.append(Section::Globals, inst);
  Instruction decorate(spv::Op::OpDecorate);
  decorate.addId(variable)
      .addLiteral(static_cast<uint32_t>(spv::Decoration::BuiltIn))
      .addLiteral(static_cast<uint32_t>(builtIn));
  module.append(Section::Annotations, decorate);
  return variable;
}

Id IdEmitter::physical(spv::BuiltIn builtIn, unsigned axis) {
  Id variable = findBuiltIn(module, entry, builtIn);
  if (!isValid(variable))
    variable = declareBuiltIn(builder, builtIn);
  if (!inInterface(entry, variable))
    entry.inst->addId(variable);
  Id type = pointerTypeOfValue(module, variable)->pointee;
  Id scalar = scalarTypeOf(module, type);
  Id value = emit(spv::Op::OpLoad, {variable}, {}, type);
  if (builtIn != spv::BuiltIn::LocalInvocationIndex)
    value = emit(spv::Op::OpCompositeExtract, {value}, {axis}, scalar);
  return scalar == uintType() ? value : emit(spv::Op::OpBitcast, {value});
}

std::optional<uint32_t> IdEmitter::valueOf(Id id) const {
  const Instruction *inst = module.def(id);
  if (!inst || inst->opcode() != spv::Op::OpConstant ||
      inst->typeId() != builder.intType(32, false))
    return std::nullopt;
  return inst->literal(0);
}

std::optional<unsigned> IdEmitter::shiftOf(Id id) const {
  std::optional<uint32_t> value = valueOf(id);
  if (!value || !llvm::isPowerOf2_32(*value))
    return std::nullopt;
  return llvm::Log2_32(*value);
}

Id IdEmitter::emit(spv::Op op, llvm::ArrayRef<Id> operands, llvm::ArrayRef<uint32_t> literals,
                   Id type) {
  if (!isValid(type))
    type = uintType();
  std::vector<uint32_t> key = {static_cast<uint32_t>(op), raw(type)};
  for (Id operand : operands)
    key.push_back(raw(operand));
  key.insert(key.end(), literals.begin(), literals.end());
  auto [at, isNew] = known.try_emplace(std::move(key), Id::None);
  if (!isNew)
    return at->second;
  Instruction inst(op, type, module.freshId());
  for (Id operand : operands)
    inst.addId(operand);
  for (uint32_t literal : literals)
    inst.addLiteral(literal);
  made.push_back(inst);
  return at->second = inst.result();
}

Id IdEmitter::add(Id a, Id b) {
  auto x = valueOf(a), y = valueOf(b);
  if (x && y)
    return constant(*x + *y);
  if (x == 0u)
    return b;
  return y == 0u ? a : emit(spv::Op::OpIAdd, {a, b});
}

Id IdEmitter::sub(Id a, Id b) {
  auto x = valueOf(a), y = valueOf(b);
  if (x && y)
    return constant(*x - *y);
  return y == 0u ? a : emit(spv::Op::OpISub, {a, b});
}

Id IdEmitter::mul(Id a, Id b) {
  auto x = valueOf(a), y = valueOf(b);
  if (x && y)
    return constant(*x * *y);
  if (x)
    return mul(b, a);
  if (y == 0u)
    return b;
  if (std::optional<unsigned> bits = shiftOf(b))
    return shl(a, *bits);
  return emit(spv::Op::OpIMul, {a, b});
}

Id IdEmitter::udiv(Id a, Id b) {
  auto x = valueOf(a), y = valueOf(b);
  if (x && y)
    return constant(*x / *y);
  if (std::optional<unsigned> bits = shiftOf(b))
    return lshr(a, *bits);
  return emit(spv::Op::OpUDiv, {a, b});
}

Id IdEmitter::umod(Id a, Id b) {
  auto x = valueOf(a), y = valueOf(b);
  if (x && y)
    return constant(*x % *y);
  if (shiftOf(b))
    return bitAnd(a, constant(*y - 1));
  return emit(spv::Op::OpUMod, {a, b});
}

Id IdEmitter::umin(Id a, Id b) {
  auto x = valueOf(a), y = valueOf(b);
  if (x && y)
    return constant(std::min(*x, *y));
  Id less = emit(spv::Op::OpULessThan, {a, b}, {}, builder.boolType());
  return emit(spv::Op::OpSelect, {less, a, b});
}

Id IdEmitter::bitAnd(Id a, Id b) {
  auto x = valueOf(a), y = valueOf(b);
  if (x && y)
    return constant(*x & *y);
  if (y == 0u)
    return b;
  return y == UINT32_MAX ? a : emit(spv::Op::OpBitwiseAnd, {a, b});
}

Id IdEmitter::bitOr(Id a, Id b) {
  auto x = valueOf(a), y = valueOf(b);
  if (x && y)
    return constant(*x | *y);
  if (x == 0u)
    return b;
  return y == 0u ? a : emit(spv::Op::OpBitwiseOr, {a, b});
}

Id IdEmitter::shl(Id a, unsigned bits) {
  if (auto x = valueOf(a))
    return constant(*x << bits);
  return bits == 0 ? a : emit(spv::Op::OpShiftLeftLogical, {a, constant(bits)});
}

Id IdEmitter::lshr(Id a, unsigned bits) {
  if (auto x = valueOf(a))
    return constant(*x >> bits);
  return bits == 0 ? a : emit(spv::Op::OpShiftRightLogical, {a, constant(bits)});
}

void IdEmitter::finish() {
  Block &head = function.front();
  auto at = head.instructions().begin(); // non-semantic instructions may stand among the variables
  for (auto each = at; each != head.instructions().end(); ++each)
    if (each->opcode() == spv::Op::OpVariable)
      at = std::next(each);
  for (const Instruction &inst : made)
    module.insert(head, at, inst);
  made.clear();
}

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
