//===- Backends/WgslLayoutCheck.cpp - The layout of a text, read back ------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The net under WgslLayout.cpp: nothing is taken from there. What the finished
// text says of each buffer is laid out by WGSL's rules (WGSL specification,
// "Memory Layout") and held against the offsets and strides of the module,
// member by member. A text that differs anywhere does not leave.
//
//===----------------------------------------------------------------------===//
#include "Backends/WgslSteps.h"

#include "IR/Types.h"
#include "Support/TextScan.h"

#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <map>

namespace tailor::wgsl {
namespace {

struct Extent {
  uint64_t size = 0, alignment = 1;
};

uint64_t roundUp(uint64_t bytes, uint64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

/// A member as the text has it.
struct Member {
  std::string_view name, type;
  uint64_t offset = 0;
};

struct Array {
  std::string_view element;
  std::optional<uint32_t> count; ///< none: as long as the buffer
};

/// `vec3<f32>`, `mat4x2<f16>`: figures and the scalar.
struct Grid {
  unsigned columns = 1, rows = 1;
  std::string_view scalar;
};

std::optional<unsigned> takeDigit(std::string_view &text) {
  if (text.empty() || text.front() < '2' || text.front() > '4')
    return std::nullopt;
  const unsigned digit = static_cast<unsigned>(text.front() - '0');
  text.remove_prefix(1);
  return digit;
}

std::optional<std::string_view> inAngles(std::string_view text) {
  if (!take(text, "<") || text.empty() || text.back() != '>')
    return std::nullopt;
  text.remove_suffix(1);
  return text;
}

std::optional<Grid> gridIn(std::string_view type) {
  Grid grid;
  if (take(type, "vec")) {
    std::optional<unsigned> rows = takeDigit(type);
    std::optional<std::string_view> scalar = inAngles(type);
    if (!rows || !scalar)
      return std::nullopt;
    grid.rows = *rows;
    grid.scalar = *scalar;
    return grid;
  }
  if (!take(type, "mat"))
    return std::nullopt;
  std::optional<unsigned> columns = takeDigit(type);
  if (!columns || !take(type, "x"))
    return std::nullopt;
  std::optional<unsigned> rows = takeDigit(type);
  std::optional<std::string_view> scalar = inAngles(type);
  if (!rows || !scalar)
    return std::nullopt;
  return Grid{*columns, *rows, *scalar};
}

std::optional<Array> arrayIn(std::string_view type) {
  if (!take(type, "array"))
    return std::nullopt;
  std::optional<std::string_view> inside = inAngles(type);
  if (!inside)
    return std::nullopt;
  int depth = 0;
  for (size_t at = 0; at < inside->size(); ++at) {
    const char c = (*inside)[at];
    depth += c == '<' ? 1 : c == '>' ? -1 : 0;
    if (c != ',' || depth != 0)
      continue;
    std::string_view length = inside->substr(at + 1);
    take(length, " ");
    std::optional<uint32_t> count = takeNumber(length);
    if (!count || !(length.empty() || length == "u"))
      return std::nullopt;
    return Array{inside->substr(0, at), count};
  }
  return Array{*inside, std::nullopt};
}

/// The types of a text, laid out.
class TextTypes {
public:
  explicit TextTypes(std::string_view text) {
    std::string_view name;
    while (!text.empty()) {
      const size_t end = std::min(text.find('\n'), text.size());
      std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(text.size(), end + 1));
      if (take(line, "struct ")) {
        name = line.substr(0, line.find(' '));
        declared[name];
      } else if (line == "}") {
        name = {};
      } else if (!name.empty()) {
        declared[name].emplace_back(line);
      }
    }
  }

  std::optional<Extent> extentOf(std::string_view type) {
    if (type == "f32" || type == "i32" || type == "u32")
      return Extent{4, 4};
    if (type == "f16")
      return Extent{2, 2};
    if (take(type, "atomic"))
      return inAngles(type) ? extentOf(*inAngles(type)) : std::nullopt;
    if (std::optional<Grid> grid = gridIn(type)) {
      std::optional<Extent> scalar = extentOf(grid->scalar);
      if (!scalar)
        return std::nullopt;
      const uint64_t alignment = scalar->size * (grid->rows == 2 ? 2 : 4);
      const uint64_t column = scalar->size * grid->rows;
      return grid->columns == 1 ? Extent{column, alignment}
                                : Extent{roundUp(column, alignment) * grid->columns, alignment};
    }
    if (std::optional<Array> array = arrayIn(type)) {
      std::optional<Extent> element = extentOf(array->element);
      if (!element)
        return std::nullopt;
      return Extent{roundUp(element->size, element->alignment) * array->count.value_or(1),
                    element->alignment};
    }
    Extent extent;
    return membersOf(type, &extent) ? std::optional(extent) : std::nullopt;
  }

  /// Nothing where the text has no such structure, or a member of no known size.
  std::optional<std::vector<Member>> membersOf(std::string_view name, Extent *whole = nullptr) {
    auto found = declared.find(name);
    if (found == declared.end())
      return std::nullopt;
    std::vector<Member> members;
    Extent all;
    for (std::string_view line : found->second) {
      std::optional<uint32_t> size, alignment;
      line.remove_prefix(std::min(line.size(), line.find_first_not_of(' ')));
      while (line.starts_with("@")) {
        std::optional<uint32_t> &value = line.starts_with("@size(") ? size : alignment;
        if (!take(line, "@size(") && !take(line, "@align("))
          return std::nullopt;
        value = takeNumber(line);
        if (!value || !take(line, ") "))
          return std::nullopt;
      }
      const size_t colon = line.find(": ");
      if (colon == std::string_view::npos || line.back() != ',')
        return std::nullopt;
      Member member{line.substr(0, colon), line.substr(colon + 2, line.size() - colon - 3)};
      std::optional<Extent> extent = extentOf(member.type);
      if (!extent)
        return std::nullopt;
      const uint64_t aligned = alignment ? *alignment : extent->alignment;
      member.offset = roundUp(all.size, aligned);
      all.size = member.offset + (size ? *size : extent->size);
      all.alignment = std::max(all.alignment, aligned);
      members.push_back(member);
    }
    all.size = roundUp(all.size, all.alignment);
    if (whole)
      *whole = all;
    return members;
  }

private:
  std::map<std::string_view, std::vector<std::string_view>> declared; ///< lines of the members
};

/// Walks a type of the module and of the text; the words of the first difference.
class Comparison {
public:
  using Difference = std::optional<std::string>;

  Comparison(const Module &module, TextTypes &types) : module(module), types(types) {}

  /// `stride`: of the matrix that the type is, or holds.
  Difference compare(Id id, std::string_view type, std::optional<uint32_t> stride = {}) {
    const Instruction &inst = *module.def(id);
    switch (inst.opcode()) {
    case spv::Op::OpTypeInt:
    case spv::Op::OpTypeFloat:
      take(type, "atomic<");
      return type.substr(0, 3) == scalarName(inst) ? Difference() : unlike(type);
    case spv::Op::OpTypeVector: {
      std::optional<Grid> grid = gridIn(type);
      const bool same = grid && grid->columns == 1 && grid->rows == inst.literal(1) &&
                        grid->scalar == scalarName(*module.def(inst.id(0)));
      return same ? Difference() : unlike(type);
    }
    case spv::Op::OpTypeMatrix:
      return compareMatrix(inst, type, stride);
    case spv::Op::OpTypeArray:
    case spv::Op::OpTypeRuntimeArray:
      return compareArray(inst, type, stride);
    case spv::Op::OpTypeStruct:
      return compareStruct(inst, type);
    default:
      return unlike(type);
    }
  }

private:
  static std::string scalarName(const Instruction &type) {
    const char *kind = type.opcode() == spv::Op::OpTypeFloat ? "f"
                       : type.literal(1) != 0                ? "i"
                                                             : "u";
    return kind + std::to_string(type.literal(0));
  }

  static Difference unlike(std::string_view type) {
    return "its text has the type '" + std::string(type) + "' where the module has another";
  }

  Difference compareMatrix(const Instruction &inst, std::string_view type,
                           std::optional<uint32_t> stride) {
    std::optional<Grid> grid = gridIn(type);
    const Instruction &column = *module.def(inst.id(0));
    if (!grid || grid->columns != inst.literal(1) || grid->rows != column.literal(1))
      return unlike(type);
    const uint64_t bytes = types.extentOf(type)->size / grid->columns;
    if (stride != bytes)
      return "its text has columns of a matrix " + std::to_string(bytes) + " bytes apart";
    return std::nullopt;
  }

  Difference compareArray(const Instruction &inst, std::string_view type,
                          std::optional<uint32_t> stride) {
    std::optional<Array> array = arrayIn(type);
    std::optional<Extent> element = array ? types.extentOf(array->element) : std::nullopt;
    if (!element)
      return unlike(type);
    const bool isSized = inst.opcode() == spv::Op::OpTypeArray;
    const Instruction *length = isSized ? module.def(inst.id(1)) : nullptr;
    if (isSized != array->count.has_value() ||
        (length && length->opcode() == spv::Op::OpConstant && length->literal(0) != array->count))
      return unlike(type);
    const uint64_t bytes = roundUp(element->size, element->alignment);
    if (module.decoration(inst.result(), spv::Decoration::ArrayStride) != bytes)
      return "its text has elements of '" + std::string(type) + "' " + std::to_string(bytes) +
             " bytes apart";
    return compare(inst.id(0), array->element, stride);
  }

  Difference compareStruct(const Instruction &inst, std::string_view type) {
    std::optional<std::vector<Member>> members = types.membersOf(type);
    if (!members)
      return unlike(type);
    // What spellOutLayout() puts ahead of a first member that is not at byte 0.
    if (members->size() == inst.numOperands() + 1 && members->front().name == kPaddingName)
      members->erase(members->begin());
    if (members->size() != inst.numOperands())
      return unlike(type);
    for (uint32_t i = 0; i < inst.numOperands(); ++i) {
      const Member &member = (*members)[i];
      auto given = module.memberDecoration(inst.result(), i, spv::Decoration::Offset);
      if (given != member.offset)
        return "its text has '" + std::string(member.name) + "' of '" + std::string(type) +
               "' at byte " + std::to_string(member.offset) +
               (given ? ", the module at byte " + std::to_string(*given) : std::string());
      if (module.hasMemberDecoration(inst.result(), i, spv::Decoration::RowMajor))
        return "its text has a matrix that is not row-major";
      auto stride = module.memberDecoration(inst.result(), i, spv::Decoration::MatrixStride);
      if (Difference found = compare(inst.id(i), member.type, stride))
        return found;
    }
    return std::nullopt;
  }

  const Module &module;
  TextTypes &types;
};

} // namespace

Status checkWrittenLayout(std::string_view text, const Module &module) {
  TextTypes types(text);
  Comparison comparison(module, types);
  for (const Declaration &declaration : declarations(text)) {
    if (declaration.space.empty())
      continue;
    for (const Instruction &inst : module.section(Section::Globals)) {
      if (inst.opcode() != spv::Op::OpVariable ||
          module.decoration(inst.result(), spv::Decoration::Binding) != declaration.binding ||
          module.decoration(inst.result(), spv::Decoration::DescriptorSet).value_or(0) !=
              declaration.group)
        continue;
      std::optional<PointerType> pointer = pointerType(module, inst.typeId());
      if (!pointer)
        continue;
      if (auto found = comparison.compare(pointer->pointee, declaration.type))
        return failure(module.locationOf(inst), "wgsl cannot express this kernel: " + *found);
    }
  }
  return success();
}

} // namespace tailor::wgsl
