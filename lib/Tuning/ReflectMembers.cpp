//===- Tuning/ReflectMembers.cpp -------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/ReflectMembers.h"

#include <algorithm>

namespace tailor {

using spirv_cross::Compiler;
using spirv_cross::SPIRType;
using vulkan::ElementType;

std::optional<ElementType> elementTypeOf(const SPIRType &type) {
  switch (type.basetype) {
  case SPIRType::Boolean:
  case SPIRType::UInt:
    return ElementType::U32;
  case SPIRType::Int:
    return ElementType::I32;
  case SPIRType::SByte:
    return ElementType::I8;
  case SPIRType::UByte:
    return ElementType::U8;
  case SPIRType::Short:
    return ElementType::I16;
  case SPIRType::UShort:
    return ElementType::U16;
  case SPIRType::Int64:
    return ElementType::I64;
  case SPIRType::UInt64:
    return ElementType::U64;
  case SPIRType::Half:
    return ElementType::F16;
  case SPIRType::Float:
    return ElementType::F32;
  case SPIRType::Double:
    return ElementType::F64;
  default:
    return std::nullopt;
  }
}

/// The first scalar inside a type.
ElementType firstScalar(const Compiler &compiler, const SPIRType &type) {
  const SPIRType *inner = &type;
  while (inner->basetype == SPIRType::Struct && !inner->member_types.empty())
    inner = &compiler.get_type(inner->member_types[0]);
  return elementTypeOf(*inner).value_or(ElementType::U32);
}

namespace {

/// Members that one block lists before it is cut short: templates and checks
/// need names, not every field of a large structure.
constexpr size_t kMaxMembers = 256;

/// Numeric members of a block, those of structures and of arrays that are no list of values one by
/// one.
class MemberList {
public:
  MemberList(const Compiler &compiler, uint32_t maxArrayValues, std::vector<ReflectedMember> &out)
      : compiler(compiler), maxArrayValues(maxArrayValues), out(out) {}

  void add(const SPIRType &block, const std::string &prefix, uint32_t base) {
    for (uint32_t i = 0; i < block.member_types.size() && out.size() < kMaxMembers; ++i) {
      std::string name = compiler.get_member_name(block.self, i);
      if (name.empty())
        name = "member" + std::to_string(i);
      addMember(block, i, prefix + name, base + compiler.type_struct_member_offset(block, i));
    }
  }

private:
  void addMember(const SPIRType &block, uint32_t index, const std::string &name, uint32_t offset);
  void addElements(const SPIRType &block, uint32_t index, const std::string &name, uint32_t offset);
  void addOne(const SPIRType &block, uint32_t index, const std::string &name, uint32_t offset);

  const Compiler &compiler;
  uint32_t maxArrayValues;
  std::vector<ReflectedMember> &out;
};

void MemberList::addMember(const SPIRType &block, uint32_t index, const std::string &name,
                           uint32_t offset) {
  const SPIRType &type = compiler.get_type(block.member_types[index]);
  if (type.array.empty())
    return addOne(block, index, name, offset);
  const bool isKnown = std::all_of(type.array_size_literal.begin(), type.array_size_literal.end(),
                                   [](bool isLiteral) { return isLiteral; });
  if (!isKnown || type.array.back() == 0) // as long as the buffer
    return;
  std::optional<ElementType> element = elementTypeOf(type);
  // Only a tightly packed array reads as a list of values.
  const uint32_t bytes = element ? vulkan::bytesOf(*element) * type.vecsize : 0;
  if (!element || type.array.size() != 1 || type.columns != 1 ||
      compiler.type_struct_member_array_stride(block, index) != bytes)
    return addElements(block, index, name, offset);
  const uint64_t values = uint64_t{type.array[0]} * type.vecsize;
  if (values > maxArrayValues)
    return;
  out.push_back(
      {name, offset, *element, static_cast<uint32_t>(values), type.array[0] * bytes, true});
}

/// `lights[0].color`, `rows[1]`; of arrays of arrays `m[1][0]`.
void MemberList::addElements(const SPIRType &block, uint32_t index, const std::string &name,
                             uint32_t offset) {
  const SPIRType &type = compiler.get_type(block.member_types[index]);
  uint64_t count = 1; // in memory the last dimension of the declaration moves fastest
  for (uint32_t length : type.array)
    count *= length;
  if (count > maxArrayValues)
    return;
  uint64_t stride = compiler.type_struct_member_array_stride(block, index);
  for (size_t outer = type.array.size(); outer-- > 1;)
    stride /= type.array[outer - 1]; // it is that of the outermost one
  const size_t before = out.size();
  for (uint32_t at = 0; at < count && out.size() < kMaxMembers; ++at) {
    std::string place;
    uint32_t rest = at;
    for (uint32_t length : type.array) {
      place.insert(0, "[" + std::to_string(rest % length) + "]");
      rest /= length;
    }
    addOne(block, index, name + place, offset + static_cast<uint32_t>(at * stride));
  }
  for (size_t at = before; at < out.size(); ++at)
    out[at].inArray = true;
}

/// What is no array, or an element of one.
void MemberList::addOne(const SPIRType &block, uint32_t index, const std::string &name,
                        uint32_t offset) {
  const SPIRType &type = compiler.get_type(block.member_types[index]);
  if (type.basetype == SPIRType::Struct)
    return add(compiler.get_type(type.self), name + ".", offset);
  std::optional<ElementType> element = elementTypeOf(type);
  if (!element || out.size() >= kMaxMembers)
    return;
  const uint32_t bytes = vulkan::bytesOf(*element);
  if (type.columns <= 1) {
    out.push_back({name, offset, *element, type.vecsize, type.vecsize * bytes});
    return;
  }
  const bool isRowMajor =
      compiler.has_member_decoration(block.self, index, spv::DecorationRowMajor);
  const uint32_t vectors = isRowMajor ? type.vecsize : type.columns;
  const uint32_t length = isRowMajor ? type.columns : type.vecsize;
  const uint32_t stride = compiler.type_struct_member_matrix_stride(block, index);
  if (stride == bytes * length) {
    out.push_back({name, offset, *element, vectors * length, vectors * length * bytes});
    return;
  }
  for (uint32_t at = 0; at < vectors; ++at)
    out.push_back({name + "[" + std::to_string(at) + "]", offset + at * stride, *element, length,
                   length * bytes});
}

} // namespace

void addMembers(const Compiler &compiler, const SPIRType &block, uint32_t maxArrayValues,
                std::vector<ReflectedMember> &out) {
  MemberList(compiler, maxArrayValues, out).add(block, "", 0);
}

} // namespace tailor
