//===- Analysis/PointerLayout.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/PointerLayout.h"

#include "IR/Types.h"

#include <algorithm>

namespace tailor {

static uint64_t alignTo(uint64_t value, uint64_t alignment) {
  return alignment == 0 ? value : (value + alignment - 1) / alignment * alignment;
}

std::optional<uint64_t> memberOffset(const Module &module, const Instruction &structType,
                                     uint32_t member, ConstantEvaluator &constants) {
  if (member >= structType.numOperands())
    return std::nullopt;
  if (auto given = module.memberDecoration(structType.result(), member, spv::Decoration::Offset))
    return *given;
  uint64_t end = 0;
  for (uint32_t at = 0; at <= member; ++at) {
    std::optional<TypeLayout> layout = layoutOf(module, structType.id(at), constants);
    if (!layout)
      return std::nullopt;
    end = alignTo(end, layout->alignment.count);
    if (at == member)
      break;
    end += layout->size.count;
  }
  return end;
}

/// A structure that is a descriptor of its own.
static bool isBlock(const Module &module, Id type) {
  return module.hasDecoration(type, spv::Decoration::Block) ||
         module.hasDecoration(type, spv::Decoration::BufferBlock);
}

std::optional<uint64_t> arrayStride(const Module &module, const Instruction &arrayType,
                                    ConstantEvaluator &constants) {
  if (auto given = module.decoration(arrayType.result(), spv::Decoration::ArrayStride))
    return *given;
  std::optional<TypeLayout> element = layoutOf(module, arrayType.id(0), constants);
  if (!element || isBlock(module, arrayType.id(0)))
    return std::nullopt;
  return alignTo(element->size.count, element->alignment.count);
}

namespace {

class Walker {
public:
  Walker(const Module &module, ConstantEvaluator &constants)
      : module(module), constants(constants) {}

  std::optional<PointerLayout> walk(const PointerPath &path) {
    std::optional<PointerType> pointer = pointerType(module, path.variable->typeId());
    if (!pointer)
      return std::nullopt;
    result.path = path;
    typeId = pointer->pointee;
    for (Id index : path.indices)
      if (!step(index))
        return std::nullopt;
    const Instruction *type = module.def(typeId);
    bool isStridedColumn = type && type->opcode() == spv::Op::OpTypeVector;
    result.componentStride = isStridedColumn ? componentStride : 0;
    result.pointee = typeId;
    return result;
  }

private:
  bool step(Id index) {
    const Instruction *type = module.def(typeId);
    if (!type)
      return false;
    switch (type->opcode()) {
    case spv::Op::OpTypeStruct:
      return member(*type, index);
    case spv::Op::OpTypeArray:
    case spv::Op::OpTypeRuntimeArray:
      return element(*type, index);
    case spv::Op::OpTypeMatrix:
      return column(*type, index);
    case spv::Op::OpTypeVector: {
      std::optional<TypeLayout> scalar = layoutOf(module, type->id(0), constants);
      if (!scalar)
        return false;
      add(index, componentStride != 0 ? componentStride : scalar->size.count, type->literal(1));
      typeId = type->id(0);
      return true;
    }
    default:
      return false;
    }
  }

  bool member(const Instruction &type, Id index) {
    std::optional<uint64_t> number = constants.evaluateInt(index);
    if (!number || *number >= type.numOperands())
      return false;
    auto at = static_cast<uint32_t>(*number);
    std::optional<uint64_t> offset = memberOffset(module, type, at, constants);
    if (!offset)
      return false;
    result.offset += *offset;
    auto stride = module.memberDecoration(type.result(), at, spv::Decoration::MatrixStride);
    matrixStride = stride.value_or(0);
    rowMajor = module.hasMemberDecoration(type.result(), at, spv::Decoration::RowMajor);
    typeId = type.id(at);
    return true;
  }

  bool element(const Instruction &type, Id index) {
    bool isDescriptor = isBlock(module, type.id(0));
    if (const Instruction *inner = module.def(type.id(0)); inner && !isDescriptor)
      isDescriptor = inner->opcode() == spv::Op::OpTypeArray && isBlock(module, inner->id(0));
    typeId = type.id(0);
    if (isDescriptor) {
      result.descriptors.push_back(index);
      return true;
    }
    std::optional<uint64_t> stride = arrayStride(module, type, constants), length;
    if (!stride)
      return false;
    if (type.opcode() == spv::Op::OpTypeArray)
      length = constants.evaluateInt(type.id(1));
    add(index, *stride, length);
    return true;
  }

  bool column(const Instruction &type, Id index) {
    std::optional<TypeLayout> vector = layoutOf(module, type.id(0), constants);
    std::optional<TypeLayout> scalar =
        layoutOf(module, scalarTypeOf(module, type.id(0)), constants);
    if (!vector || !scalar)
      return false;
    uint64_t stride = alignTo(vector->size.count, vector->alignment.count);
    if (matrixStride != 0)
      stride = rowMajor ? scalar->size.count : matrixStride;
    componentStride = matrixStride != 0 && rowMajor ? matrixStride : 0;
    add(index, stride, type.literal(1));
    typeId = type.id(0);
    return true;
  }

  void add(Id index, uint64_t stride, std::optional<uint64_t> length) {
    std::optional<ConstantValue> known = constants.evaluate(index);
    if (known && known->kind == ConstantValue::Kind::Int)
      result.offset += stride * known->bits;
    else
      result.steps.push_back({index, stride, length});
  }

  const Module &module;
  ConstantEvaluator &constants;
  PointerLayout result{};
  Id typeId = Id::None;
  uint64_t matrixStride = 0, componentStride = 0;
  bool rowMajor = false;
};

} // namespace

std::optional<PointerLayout> layoutOfPointer(const Module &module, const PointerPath &path,
                                             ConstantEvaluator &constants) {
  return Walker(module, constants).walk(path);
}

} // namespace tailor
