//===- IR/Constants.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "IR/Constants.h"

#include "IR/Folding.h"
#include "IR/Types.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

namespace tailor {

namespace {

constexpr unsigned kMaxDepth = 256;
constexpr uint64_t kMaxElements = 65536;

using Values = std::vector<ConstantValue>;

/// Scalars in a value, so that composites of composites stay small.
uint64_t countScalars(const ConstantValue &value) {
  if (!value.isComposite())
    return 1;
  uint64_t count = 0;
  for (const ConstantValue &element : value.elements)
    count += countScalars(element);
  return std::max<uint64_t>(count, 1);
}

/// Applies `fold` to scalars, or to each component of equally long vectors.
template <typename Fold>
std::optional<ConstantValue> forEachComponent(const Values &operands, Fold fold) {
  if (!operands[0].isComposite())
    return fold(operands);
  ConstantValue result{ConstantValue::Kind::Composite, 0, false, 0, {}};
  for (size_t at = 0; at < operands[0].elements.size(); ++at) {
    Values components;
    for (const ConstantValue &operand : operands) {
      if (!operand.isComposite() || at >= operand.elements.size())
        return std::nullopt;
      components.push_back(operand.elements[at]);
    }
    std::optional<ConstantValue> component = fold(components);
    if (!component)
      return std::nullopt;
    result.elements.push_back(std::move(*component));
  }
  return result;
}

} // namespace

int64_t ConstantValue::asSigned() const {
  return llvm::SignExtend64(bits, width == 0 ? 64 : width);
}

std::optional<ConstantValue> ConstantEvaluator::evaluate(Id id) { return at(id, 0); }

std::optional<uint64_t> ConstantEvaluator::evaluateInt(Id id) {
  std::optional<ConstantValue> value = evaluate(id);
  if (!value || value->kind != ConstantValue::Kind::Int)
    return std::nullopt;
  return value->bits;
}

std::optional<ConstantValue> ConstantEvaluator::at(Id id, unsigned depth) {
  if (auto found = known.find(raw(id)); found != known.end())
    return found->second;
  const Instruction *inst = module.def(id);
  if (!inst || depth > kMaxDepth || !isConstant(inst->opcode()))
    return std::nullopt;
  known[raw(id)] = std::nullopt; // what a malformed cycle finds
  std::optional<ConstantValue> value = compute(*inst, depth);
  known[raw(id)] = value;
  return value;
}

std::optional<ConstantValue> ConstantEvaluator::nullOf(Id typeId, unsigned depth) {
  const Instruction *type = module.def(typeId);
  if (!type || depth > kMaxDepth)
    return std::nullopt;
  if (std::optional<ConstantValue> value = scalarValue(module, typeId, 0))
    return value;
  ConstantValue result{ConstantValue::Kind::Composite, 0, false, 0, {}};
  if (type->opcode() == spv::Op::OpTypeStruct) {
    for (unsigned member = 0; member < type->numOperands(); ++member) {
      std::optional<ConstantValue> element = nullOf(type->id(member), depth + 1);
      if (!element)
        return std::nullopt;
      result.elements.push_back(std::move(*element));
      if (countScalars(result) > kMaxElements)
        return std::nullopt;
    }
    return result;
  }
  std::optional<uint64_t> count;
  if (type->opcode() == spv::Op::OpTypeVector || type->opcode() == spv::Op::OpTypeMatrix)
    count = type->literal(1);
  else if (type->opcode() == spv::Op::OpTypeArray)
    if (std::optional<ConstantValue> length = at(type->id(1), depth + 1);
        length && length->kind == ConstantValue::Kind::Int && length->bits != 0)
      count = length->bits;
  if (!count || *count > kMaxElements)
    return std::nullopt;
  std::optional<ConstantValue> element = nullOf(type->id(0), depth + 1);
  if (!element || *count * countScalars(*element) > kMaxElements)
    return std::nullopt;
  result.elements.assign(*count, *element);
  return result;
}

std::optional<ConstantValue> ConstantEvaluator::compute(const Instruction &inst, unsigned depth) {
  using enum spv::Op;
  std::optional<uint64_t> given;
  if (isSpecConstant(inst.opcode()))
    if (std::optional<uint32_t> specId =
            module.decoration(inst.result(), spv::Decoration::SpecId)) {
      if (auto at = spec.find(*specId); at != spec.end())
        given = at->second;
      else if (!useDefaults)
        return std::nullopt;
    }
  switch (inst.opcode()) {
  case OpConstantTrue:
  case OpSpecConstantTrue:
    return boolValue(given.value_or(1) != 0);
  case OpConstantFalse:
  case OpSpecConstantFalse:
    return boolValue(given.value_or(0) != 0);
  case OpConstant:
  case OpSpecConstant:
    return scalarValue(module, inst.typeId(), given.value_or(inst.literal64(0)));
  case OpConstantNull:
    return nullOf(inst.typeId(), depth);
  case OpConstantComposite:
  case OpSpecConstantComposite: {
    ConstantValue result{ConstantValue::Kind::Composite, 0, false, 0, {}};
    uint64_t scalars = 0;
    for (unsigned index = 0; index < inst.numOperands(); ++index) {
      std::optional<ConstantValue> element = at(inst.id(index), depth + 1);
      if (!element)
        return std::nullopt;
      scalars += countScalars(*element);
      if (scalars > kMaxElements)
        return std::nullopt;
      result.elements.push_back(std::move(*element));
    }
    return result;
  }
  case OpSpecConstantOp:
    return operation(inst, depth);
  default:
    return std::nullopt;
  }
}

std::optional<ConstantValue> ConstantEvaluator::operation(const Instruction &inst, unsigned depth) {
  auto op = static_cast<spv::Op>(inst.literal(0));
  Values operands;
  unsigned next = 1;
  for (; next < inst.numOperands() && inst.isId(next); ++next) {
    std::optional<ConstantValue> operand = at(inst.id(next), depth + 1);
    if (!operand)
      return std::nullopt;
    operands.push_back(std::move(*operand));
  }
  if (operands.empty())
    return std::nullopt;
  switch (op) {
  case spv::Op::OpCompositeExtract:
    return extractPart(operands[0], inst, next);
  case spv::Op::OpCompositeInsert:
    return operands.size() == 2 ? insertPart(operands[0], operands[1], inst, next) : std::nullopt;
  case spv::Op::OpVectorShuffle:
    return operands.size() == 2 ? shuffleParts(operands[0], operands[1], inst, next) : std::nullopt;
  case spv::Op::OpSelect:
    if (operands.size() == 3 && !operands[0].isComposite())
      return operands[0].bits != 0 ? operands[1] : operands[2];
    break;
  default:
    break;
  }
  std::optional<ConstantValue> type = scalarValue(module, scalarTypeOf(module, inst.typeId()), 0);
  if (!type)
    return std::nullopt;
  return forEachComponent(operands,
                          [&](const Values &values) { return foldScalar(op, values, *type); });
}

bool dependsOnSpecConstant(const Module &module, Id constant) {
  const Instruction *root = module.def(constant);
  if (!root || !isConstant(root->opcode()))
    return false;
  // Through operands and types alike: the length of an array type may be specialized.
  llvm::DenseSet<uint32_t> seen = {raw(constant)};
  llvm::SmallVector<const Instruction *, 8> pending = {root};
  while (!pending.empty()) {
    const Instruction *inst = pending.pop_back_val();
    if (module.hasDecoration(inst->result(), spv::Decoration::SpecId))
      return true;
    auto follow = [&](Id id) {
      const Instruction *next = module.def(id);
      if (next && (isConstant(next->opcode()) || isType(next->opcode())) &&
          seen.insert(raw(id)).second)
        pending.push_back(next);
    };
    follow(inst->typeId());
    for (unsigned index = 0; index < inst->numOperands(); ++index)
      if (inst->isId(index))
        follow(inst->id(index));
  }
  return false;
}

} // namespace tailor
