//===- IR/Types.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "IR/Types.h"

#include <algorithm>

namespace tailor {

namespace {

constexpr unsigned kMaxTypeDepth = 64;
constexpr uint64_t kMaxBytes = uint64_t{1}
                               << 48; ///< larger than any memory; keeps sums from wrapping

uint64_t alignTo(uint64_t value, uint64_t alignment) {
  return alignment == 0 ? value : (value + alignment - 1) / alignment * alignment;
}

class LayoutVisitor {
public:
  LayoutVisitor(const Module &module, ConstantEvaluator &constants)
      : module(module), constants(constants) {}

  /// Each type once: structures that hold one another twice over would take exponential time.
  std::optional<TypeLayout> visit(Id typeId, unsigned depth) {
    auto [known, isNew] = layouts.try_emplace(raw(typeId), std::nullopt);
    if (!isNew)
      return known->second;
    std::optional<TypeLayout> layout = compute(typeId, depth);
    layouts[raw(typeId)] = layout;
    return layout;
  }

private:
  std::optional<TypeLayout> compute(Id typeId, unsigned depth) {
    const Instruction *type = module.def(typeId);
    if (!type || depth > kMaxTypeDepth)
      return std::nullopt;
    switch (type->opcode()) {
    case spv::Op::OpTypeBool:
      return TypeLayout{{4}, {4}};
    case spv::Op::OpTypeInt:
    case spv::Op::OpTypeFloat:
      return TypeLayout{{type->literal(0) / 8}, {type->literal(0) / 8}};
    case spv::Op::OpTypePointer:
      if (static_cast<spv::StorageClass>(type->literal(0)) ==
          spv::StorageClass::PhysicalStorageBuffer)
        return TypeLayout{{8}, {8}};
      return std::nullopt;
    case spv::Op::OpTypeVector:
      return vector(*type, depth);
    case spv::Op::OpTypeMatrix:
      return repeated(typeId, type->id(0), type->literal(1), depth);
    case spv::Op::OpTypeArray: {
      std::optional<ConstantValue> length = constants.evaluate(type->id(1));
      if (!length || length->kind != ConstantValue::Kind::Int || length->bits == 0 ||
          (length->isSigned && length->asSigned() < 0))
        return std::nullopt;
      return repeated(typeId, type->id(0), length->bits, depth);
    }
    case spv::Op::OpTypeStruct:
      return structure(*type, depth);
    default:
      return std::nullopt;
    }
  }

  std::optional<TypeLayout> vector(const Instruction &type, unsigned depth) {
    std::optional<TypeLayout> component = visit(type.id(0), depth + 1);
    if (!component)
      return std::nullopt;
    uint64_t count = type.literal(1), bytes = component->size.count;
    return TypeLayout{{count * bytes}, {(count == 3 ? 4 : count) * bytes}};
  }

  std::optional<TypeLayout> repeated(Id typeId, Id elementType, uint64_t count, unsigned depth) {
    std::optional<TypeLayout> element = visit(elementType, depth + 1);
    if (!element)
      return std::nullopt;
    uint64_t stride = alignTo(element->size.count, element->alignment.count);
    if (std::optional<uint32_t> given = module.decoration(typeId, spv::Decoration::ArrayStride))
      stride = *given;
    if (stride != 0 && count > kMaxBytes / stride)
      return std::nullopt;
    return TypeLayout{{stride * count}, element->alignment};
  }

  std::optional<TypeLayout> structure(const Instruction &type, unsigned depth) {
    uint64_t end = 0, alignment = 1;
    for (unsigned member = 0; member < type.numOperands(); ++member) {
      std::optional<TypeLayout> layout = visit(type.id(member), depth + 1);
      if (!layout)
        return std::nullopt;
      if (std::optional<TypeLayout> matrix = stridedMatrix(type, member))
        layout = matrix;
      alignment = std::max(alignment, layout->alignment.count);
      uint64_t at = alignTo(end, layout->alignment.count);
      if (auto given = module.memberDecoration(type.result(), member, spv::Decoration::Offset))
        at = *given;
      end = std::max(end, at + layout->size.count); // members may alias and come in any order
      if (end > kMaxBytes)
        return std::nullopt;
    }
    return TypeLayout{{alignTo(end, alignment)}, {alignment}};
  }

  /// A matrix member with an explicit stride: columns, or rows where it is row-major.
  std::optional<TypeLayout> stridedMatrix(const Instruction &type, unsigned member) {
    const Instruction *matrix = module.def(type.id(member));
    auto stride = module.memberDecoration(type.result(), member, spv::Decoration::MatrixStride);
    if (!stride || !matrix || matrix->opcode() != spv::Op::OpTypeMatrix)
      return std::nullopt;
    const Instruction *column = module.def(matrix->id(0));
    std::optional<TypeLayout> component = visit(scalarTypeOf(module, matrix->id(0)), 0);
    if (!column || column->opcode() != spv::Op::OpTypeVector || !component)
      return std::nullopt;
    uint64_t columns = matrix->literal(1), rows = column->literal(1);
    if (module.hasMemberDecoration(type.result(), member, spv::Decoration::RowMajor))
      std::swap(columns, rows);
    uint64_t alignment = (rows == 3 ? 4 : rows) * component->alignment.count;
    return TypeLayout{{columns * *stride}, {alignment}};
  }

  const Module &module;
  ConstantEvaluator &constants;
  llvm::DenseMap<uint32_t, std::optional<TypeLayout>>
      layouts; ///< none yet, or being computed: nullopt
};

} // namespace

Id scalarTypeOf(const Module &module, Id type) {
  const Instruction *inst = module.def(type);
  while (inst &&
         (inst->opcode() == spv::Op::OpTypeVector || inst->opcode() == spv::Op::OpTypeMatrix)) {
    type = inst->id(0);
    inst = module.def(type);
  }
  return type;
}

unsigned componentCount(const Module &module, Id type) {
  const Instruction *inst = module.def(type);
  if (!inst)
    return 0;
  switch (inst->opcode()) {
  case spv::Op::OpTypeVector:
    return inst->literal(1);
  case spv::Op::OpTypeBool:
  case spv::Op::OpTypeInt:
  case spv::Op::OpTypeFloat:
    return 1;
  default:
    return 0;
  }
}

bool isIntType(const Module &module, Id type, unsigned width) {
  const Instruction *inst = module.def(type);
  return inst && inst->opcode() == spv::Op::OpTypeInt && (width == 0 || inst->literal(0) == width);
}

bool isBoolType(const Module &module, Id type) {
  const Instruction *inst = module.def(type);
  return inst && inst->opcode() == spv::Op::OpTypeBool;
}

Id withoutArrays(const Module &module, Id type) {
  for (const Instruction *def = module.def(type);
       def &&
       (def->opcode() == spv::Op::OpTypeArray || def->opcode() == spv::Op::OpTypeRuntimeArray);
       def = module.def(type))
    type = def->id(0);
  return type;
}

std::optional<PointerType> pointerType(const Module &module, Id type) {
  const Instruction *inst = module.def(type);
  if (!inst || inst->opcode() != spv::Op::OpTypePointer)
    return std::nullopt;
  return PointerType{static_cast<spv::StorageClass>(inst->literal(0)), inst->id(1)};
}

std::optional<PointerType> pointerTypeOfValue(const Module &module, Id id) {
  const Instruction *inst = module.def(id);
  return inst ? pointerType(module, inst->typeId()) : std::nullopt;
}

std::optional<TypeLayout> layoutOf(const Module &module, Id type, ConstantEvaluator &constants) {
  return LayoutVisitor(module, constants).visit(type, 0);
}

} // namespace tailor
