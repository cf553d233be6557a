//===- interpreter/Layouts.cpp --------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/Layouts.h"

#include "IR/Types.h"

#include <algorithm>

namespace tailor::interp {

static uint64_t alignTo(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

uint64_t Layouts::lengthOf(const Instruction &array) {
  if (array.opcode() == spv::Op::OpTypeRuntimeArray)
    return 0;
  std::optional<uint64_t> length = constants.evaluateInt(array.id(1));
  return length.value_or(0);
}

uint32_t Layouts::of(Id typeId, uint32_t matrixStride, bool rowMajor) {
  auto [found, isNew] = known.try_emplace({raw(typeId), matrixStride, rowMajor}, 0);
  if (!isNew)
    return found->second;
  auto owned = std::make_unique<Layout>();
  Layout &layout = *owned;
  layout.type = typeId;
  const auto number = static_cast<uint32_t>(layouts.size());
  found->second = number;
  layouts.push_back(std::move(owned));
  const Instruction *type = module.def(typeId);
  if (!type)
    return number;
  switch (type->opcode()) {
  case spv::Op::OpTypeBool:
    layout.isBool = true;
    layout.kind = Layout::Kind::Scalar;
    layout.size = layout.alignment = 4;
    break;
  case spv::Op::OpTypeInt:
  case spv::Op::OpTypeFloat:
    layout.kind = Layout::Kind::Scalar;
    layout.size = layout.alignment = type->literal(0) / 8;
    break;
  case spv::Op::OpTypePointer: // as its words
    layout.kind = Layout::Kind::Pointer;
    layout.size = 8 * kPointerWords;
    layout.alignment = 8;
    break;
  case spv::Op::OpTypeVector:
    vector(layout, *type, rowMajor ? matrixStride : 0);
    break;
  case spv::Op::OpTypeMatrix:
    matrix(layout, *type, matrixStride, rowMajor);
    break;
  case spv::Op::OpTypeArray:
  case spv::Op::OpTypeRuntimeArray:
    array(layout, *type, matrixStride, rowMajor);
    break;
  case spv::Op::OpTypeStruct:
    structure(layout, *type);
    break;
  default:
    break;
  }
  return number;
}

uint32_t Layouts::ofDescriptors(Id arrayType) {
  constexpr uint32_t mark = UINT32_MAX;
  auto [found, isNew] = known.try_emplace({raw(arrayType), mark, false}, 0);
  if (!isNew)
    return found->second;
  auto layout = std::make_unique<Layout>();
  layout->kind = Layout::Kind::Descriptors;
  layout->type = arrayType;
  layout->element = of(module.def(arrayType)->id(0));
  layout->count = lengthOf(*module.def(arrayType));
  const auto number = static_cast<uint32_t>(layouts.size());
  layouts.push_back(std::move(layout));
  known[{raw(arrayType), mark, false}] = number;
  return number;
}

void Layouts::vector(Layout &layout, const Instruction &type, uint32_t stride) {
  layout.kind = Layout::Kind::Vector;
  layout.element = of(type.id(0));
  const Layout &component = at(layout.element);
  layout.count = type.literal(1);
  layout.stride = stride != 0 ? stride : component.size;
  layout.size = (layout.count - 1) * layout.stride + component.size;
  layout.alignment = (layout.count == 3 ? 4 : layout.count) * component.size;
}

void Layouts::matrix(Layout &layout, const Instruction &type, uint32_t stride, bool rowMajor) {
  layout.kind = Layout::Kind::Matrix;
  layout.rowMajor = rowMajor && stride != 0;
  layout.element = of(type.id(0), layout.rowMajor ? stride : 0, layout.rowMajor);
  const Layout &column = at(layout.element);
  layout.count = type.literal(1);
  layout.alignment = column.alignment;
  if (layout.rowMajor) {
    layout.stride = at(column.element).size; // from a column to the next
    layout.size = column.count * stride;
    return;
  }
  layout.stride = stride != 0 ? stride : alignTo(column.size, column.alignment);
  layout.size = layout.count * layout.stride;
}

void Layouts::array(Layout &layout, const Instruction &type, uint32_t matrixStride, bool rowMajor) {
  layout.kind = Layout::Kind::Array;
  layout.element = of(type.id(0), matrixStride, rowMajor);
  const Layout &element = at(layout.element);
  layout.count = lengthOf(type);
  layout.alignment = element.alignment;
  layout.stride = module.decoration(type.result(), spv::Decoration::ArrayStride)
                      .value_or(alignTo(element.size, element.alignment));
  layout.size = layout.count * layout.stride;
}

void Layouts::structure(Layout &layout, const Instruction &type) {
  layout.kind = Layout::Kind::Struct;
  uint64_t end = 0;
  for (unsigned index = 0; index < type.numOperands(); ++index) {
    auto given = [&](spv::Decoration decoration) {
      return module.memberDecoration(type.result(), index, decoration);
    };
    bool rowMajor = module.hasMemberDecoration(type.result(), index, spv::Decoration::RowMajor);
    uint32_t number =
        of(type.id(index), given(spv::Decoration::MatrixStride).value_or(0), rowMajor);
    const Layout &member = at(number);
    layout.alignment = std::max(layout.alignment, member.alignment);
    uint64_t offset = given(spv::Decoration::Offset).value_or(alignTo(end, member.alignment));
    end = std::max(end, offset + member.size);
    layout.members.emplace_back(offset, number);
  }
  layout.count = layout.members.size();
  layout.size = alignTo(end, layout.alignment);
}

void Layouts::addLeaves(std::vector<Leaf> &leaves, uint32_t number, uint64_t offset,
                        uint32_t &word) {
  const Layout &layout = at(number);
  switch (layout.kind) {
  case Layout::Kind::Scalar:
    leaves.push_back({offset, word++, static_cast<uint8_t>(layout.size), layout.isBool});
    return;
  case Layout::Kind::Pointer:
    for (uint32_t at = 0; at < kPointerWords; ++at)
      leaves.push_back({offset + 8 * at, word++, 8, false});
    return;
  case Layout::Kind::Vector:
  case Layout::Kind::Matrix:
  case Layout::Kind::Array:
    for (uint64_t at = 0; at < layout.count; ++at)
      addLeaves(leaves, layout.element, offset + at * layout.stride, word);
    return;
  case Layout::Kind::Struct:
    for (const auto &[at, member] : layout.members)
      addLeaves(leaves, member, offset + at, word);
    return;
  case Layout::Kind::Opaque:
  case Layout::Kind::Descriptors:
    return;
  }
}

const Layout &Layouts::withLeaves(uint32_t number) {
  Layout &layout = *layouts[number];
  if (layout.leavesKnown)
    return layout;
  layout.leavesKnown = true;
  uint32_t word = 0;
  addLeaves(layout.leaves, number, 0, word);
  std::vector<ByteRun> pieces;
  for (const Leaf &leaf : layout.leaves) {
    pieces.push_back({leaf.offset, leaf.bytes});
    layout.extent = std::max(layout.extent, leaf.offset + leaf.bytes);
  }
  std::sort(pieces.begin(), pieces.end(),
            [](const ByteRun &a, const ByteRun &b) { return a.offset < b.offset; });
  for (const ByteRun &piece : pieces) {
    if (layout.runs.empty() || layout.runs.back().offset + layout.runs.back().bytes < piece.offset)
      layout.runs.push_back(piece);
    else
      layout.runs.back().bytes = std::max(layout.runs.back().bytes,
                                          piece.offset + piece.bytes - layout.runs.back().offset);
  }
  return layout;
}

const Shape &Layouts::shapeOf(Id type) {
  auto [found, isNew] = shapes.try_emplace(raw(type));
  if (isNew) {
    Shape shape = computeShape(type);
    return shapes[raw(type)] = shape;
  }
  return found->second;
}

Shape Layouts::computeShape(Id typeId) {
  Shape shape;
  const Instruction *type = module.def(typeId);
  if (!type)
    return shape;
  auto saturated = [](uint64_t words) {
    return static_cast<uint32_t>(std::min<uint64_t>(words, kMaxWords + 1));
  };
  switch (type->opcode()) {
  case spv::Op::OpTypeBool:
    shape = {Shape::Scalar::Bool, false, 1, 1, 1, 1};
    break;
  case spv::Op::OpTypeInt:
    shape = {
        Shape::Scalar::Int, type->literal(1) != 0, static_cast<uint8_t>(type->literal(0)), 1, 1, 1};
    break;
  case spv::Op::OpTypeFloat:
    shape = {Shape::Scalar::Float, true, static_cast<uint8_t>(type->literal(0)), 1, 1, 1};
    break;
  case spv::Op::OpTypeVector:
    shape = shapeOf(type->id(0));
    shape.words = shape.rows = type->literal(1);
    break;
  case spv::Op::OpTypeMatrix:
    shape = shapeOf(type->id(0));
    shape.columns = type->literal(1);
    shape.words = shape.rows * shape.columns;
    break;
  case spv::Op::OpTypeArray:
    shape.words = saturated(lengthOf(*type) * wordsOf(type->id(0)));
    break;
  case spv::Op::OpTypeStruct: {
    uint64_t words = 0;
    for (unsigned member = 0; member < type->numOperands(); ++member)
      words += wordsOf(type->id(member));
    shape.words = saturated(words);
    break;
  }
  case spv::Op::OpTypePointer:
    shape.words = kPointerWords;
    break;
  case spv::Op::OpTypeImage:
  case spv::Op::OpTypeSampler:
    shape.words = 1; // the number of its memory object
    break;
  case spv::Op::OpTypeSampledImage:
    shape.words = 2;
    break;
  default:
    break;
  }
  return shape;
}

uint32_t Layouts::wordOffset(Id typeId, llvm::ArrayRef<uint32_t> indices) {
  uint32_t words = 0;
  for (uint32_t index : indices) {
    const Instruction *type = module.def(typeId);
    if (!type)
      return words;
    if (type->opcode() == spv::Op::OpTypeStruct) {
      for (unsigned member = 0; member < index && member < type->numOperands(); ++member)
        words += wordsOf(type->id(member));
      typeId = index < type->numOperands() ? type->id(index) : Id::None;
    } else {
      typeId = type->id(0);
      words += index * wordsOf(typeId);
    }
  }
  return words;
}

} // namespace tailor::interp
