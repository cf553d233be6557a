//===- passes/IdEmitter.cpp ------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/IdEmitter.h"

#include "IR/Types.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace tailor {

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

} // namespace tailor
