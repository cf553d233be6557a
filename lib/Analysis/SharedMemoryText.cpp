//===- Analysis/SharedMemoryText.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/SharedMemoryText.h"

#include "IR/Types.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace tailor {

SharedMemoryText::SharedMemoryText(const KernelAnalysis &analysis)
    : analysis(analysis), module(analysis.module()),
      axes(sizeConstants(module, analysis.form().entry())) {}

std::array<Id, 3> SharedMemoryText::sizeConstants(const Module &module, const EntryPoint &entry) {
  std::array<Id, 3> ids{Id::None, Id::None, Id::None};
  if (const Instruction *constant = workgroupSizeConstant(module)) {
    for (unsigned axis = 0; axis < 3 && axis < constant->numOperands(); ++axis)
      if (constant->isId(axis))
        ids[axis] = constant->id(axis);
    return ids;
  }
  for (const Instruction &mode : module.section(Section::ExecutionModes))
    if (mode.id(0) == entry.function() &&
        mode.literal(1) == static_cast<uint32_t>(spv::ExecutionMode::LocalSizeId))
      for (unsigned axis = 0; axis < 3; ++axis)
        ids[axis] = mode.id(2 + axis);
  return ids;
}

std::set<uint32_t> SharedMemoryText::specIdsOf(const Module &module, Id type) {
  std::set<uint32_t> found;
  llvm::DenseSet<uint32_t> seen = {raw(type)};
  llvm::SmallVector<Id, 8> pending = {type};
  while (!pending.empty()) {
    const Instruction *inst = module.def(pending.pop_back_val());
    if (!inst || (!isType(inst->opcode()) && !isConstant(inst->opcode())))
      continue;
    if (isSpecConstant(inst->opcode()))
      if (auto specId = module.decoration(inst->result(), spv::Decoration::SpecId))
        found.insert(*specId);
    for (unsigned at = 0; at < inst->numOperands(); ++at)
      if (inst->isId(at) && seen.insert(raw(inst->id(at))).second)
        pending.push_back(inst->id(at));
  }
  return found;
}

std::string SharedMemoryText::Product::str() const {
  std::string text;
  if (number != 1 || factors.empty())
    text = std::to_string(number);
  for (const std::string &factor : factors)
    text += (text.empty() ? "" : "*") + factor;
  return text;
}

/// The constant of the size's axis itself, or one that always has its value: the same SpecId, and
/// the same value now.
bool SharedMemoryText::isSizeAxis(const Instruction &constant, unsigned axis) const {
  const Instruction *own = module.def(axes[axis]);
  if (!own || !isSpecConstant(own->opcode()))
    return false;
  if (own == &constant)
    return true;
  auto mine = module.decoration(constant.result(), spv::Decoration::SpecId);
  return mine && mine == module.decoration(own->result(), spv::Decoration::SpecId) &&
         analysis.constants().evaluateInt(constant.result()) ==
             analysis.constants().evaluateInt(own->result());
}

static const char *operatorText(spv::Op op) {
  switch (op) {
  case spv::Op::OpIAdd:
    return " + ";
  case spv::Op::OpISub:
    return " - ";
  case spv::Op::OpIMul:
    return "*";
  case spv::Op::OpUDiv:
  case spv::Op::OpSDiv:
    return " / ";
  case spv::Op::OpUMod:
  case spv::Op::OpSMod:
  case spv::Op::OpSRem:
    return " % ";
  case spv::Op::OpShiftLeftLogical:
    return " << ";
  case spv::Op::OpShiftRightLogical:
  case spv::Op::OpShiftRightArithmetic:
    return " >> ";
  default:
    return nullptr;
  }
}

/// `asOperand`: in parentheses where it is a sum or the like.
std::string SharedMemoryText::constantText(Id id, bool asOperand, unsigned depth) const {
  constexpr unsigned kMaxDepth = 16;
  const Instruction *inst = module.def(id);
  if (!inst || depth > kMaxDepth)
    return "...";
  for (unsigned axis = 0; axis < 3; ++axis)
    if (isSizeAxis(*inst, axis))
      return std::string("size.") + "xyz"[axis];
  std::optional<uint64_t> value = analysis.constants().evaluateInt(id);
  if (!dependsOnSpecConstant(module, id))
    return value ? std::to_string(*value) : "?";
  if (auto specId = module.decoration(id, spv::Decoration::SpecId))
    return "spec(" + std::to_string(*specId) + ")";
  if (inst->opcode() != spv::Op::OpSpecConstantOp)
    return "?";
  auto op = static_cast<spv::Op>(inst->literal(0));
  if (op == spv::Op::OpCompositeExtract && inst->numOperands() == 3) {
    const Instruction *whole = module.def(inst->id(1));
    bool isComposite = whole && (whole->opcode() == spv::Op::OpSpecConstantComposite ||
                                 whole->opcode() == spv::Op::OpConstantComposite);
    if (isComposite && inst->literal(2) < whole->numOperands())
      return constantText(whole->id(inst->literal(2)), asOperand, depth + 1);
    return "?";
  }
  const char *symbol = operatorText(op);
  if (!symbol || inst->numOperands() != 3)
    return nameOf(op) + "(...)";
  bool isProduct = op == spv::Op::OpIMul;
  std::string text = constantText(inst->id(1), true, depth + 1) + symbol +
                     constantText(inst->id(2), true, depth + 1);
  return asOperand && !isProduct ? "(" + text + ")" : text;
}

SharedMemoryText::Product SharedMemoryText::lengthOf(Id constant) const {
  if (!dependsOnSpecConstant(module, constant)) {
    std::optional<uint64_t> value = analysis.constants().evaluateInt(constant);
    return value ? Product{*value, {}} : Product{1, {"?"}};
  }
  return {1, {constantText(constant, true, 0)}};
}

std::string SharedMemoryText::elementText(Id typeId) const {
  const Instruction *type = module.def(typeId);
  if (!type)
    return "?";
  switch (type->opcode()) {
  case spv::Op::OpTypeBool:
    return "bool";
  case spv::Op::OpTypeInt:
    return (type->literal(1) ? "i" : "u") + std::to_string(type->literal(0));
  case spv::Op::OpTypeFloat:
    return "f" + std::to_string(type->literal(0));
  case spv::Op::OpTypeVector:
    return "vec" + std::to_string(type->literal(1)) + "<" + elementText(type->id(0)) + ">";
  case spv::Op::OpTypeMatrix: {
    unsigned rows = componentCount(module, type->id(0));
    return "mat" + std::to_string(type->literal(1)) + "x" + std::to_string(rows) + "<" +
           elementText(scalarTypeOf(module, type->id(0))) + ">";
  }
  case spv::Op::OpTypeArray:
  case spv::Op::OpTypeRuntimeArray:
    return elementText(type->id(0));
  default:
    return module.name(typeId);
  }
}

std::string SharedMemoryText::typeText(Id typeId) const {
  std::string text = elementText(typeId);
  const Instruction *type = module.def(typeId);
  for (; type && type->opcode() == spv::Op::OpTypeArray; type = module.def(type->id(0))) {
    std::string length = lengthOf(type->id(1)).str();
    if (length.front() == '(' && length.back() == ')')
      length = constantText(type->id(1), false, 0);
    text += "[" + length + "]";
  }
  return text;
}

std::string SharedMemoryText::bytesText(Id typeId) const {
  Product product;
  const Instruction *type = module.def(typeId);
  for (; type && type->opcode() == spv::Op::OpTypeArray; type = module.def(type->id(0))) {
    Product length = lengthOf(type->id(1));
    product.number *= length.number;
    product.factors.insert(product.factors.end(), length.factors.begin(), length.factors.end());
    auto stride = module.decoration(type->result(), spv::Decoration::ArrayStride);
    if (stride) {
      product.number *= *stride;
      return product.str();
    }
  }
  if (!type)
    return "?";
  // A structure with such a length inside has padding that depends on it: no product.
  std::optional<TypeLayout> layout = layoutOf(module, type->result(), analysis.constants());
  if (!specIdsOf(module, type->result()).empty())
    product.factors.push_back("bytes of " + module.name(type->result()));
  else if (!layout)
    product.factors.emplace_back("?");
  else {
    uint64_t alignment = std::max<uint64_t>(1, layout->alignment.count);
    bool isElement = type->result() != typeId;
    product.number *= isElement ? (layout->size.count + alignment - 1) / alignment * alignment
                                : layout->size.count;
  }
  return product.str();
}

} // namespace tailor
