//===- Backends/WgslLayout.cpp - Structures where the host has them --------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// naga (wgpu 30) drops the offsets of members and the strides of arrays and
// matrices: what it writes has WGSL's own layout (WGSL specification, "Memory
// Layout"), and reads other bytes than the kernel where the two differ. Gaps in
// front of members and behind the last one become `@size` attributes here. What
// attributes cannot say, members closer together than WGSL has them and strides
// of arrays and matrices that are not WGSL's, is refused.
//
//===----------------------------------------------------------------------===//
#include "Backends/WgslSteps.h"

#include "IR/Types.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <map>

namespace tailor::wgsl {
namespace {

uint64_t roundUp(uint64_t bytes, uint64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

/// Bytes by WGSL's rules, with the attributes that are put in.
struct Extent {
  uint64_t size = 0, alignment = 1;
};

/// A structure of the module with what its text needs.
struct Spelled {
  Extent extent;
  std::vector<uint64_t> sizes; ///< of members: 0, or an `@size`
  std::optional<uint64_t> total;
};

class LayoutSpeller {
public:
  LayoutSpeller(const Module &module, const std::string &text) : module(module), text(text) {}

  /// Looks at what a resource holds; `type` is as the text spells it.
  Status visit(const Instruction &variable, Id pointee, llvm::StringRef type) {
    where = module.locationOf(variable);
    Result<Extent> extent = extentOf(pointee, type, std::nullopt);
    return extent ? success() : Status(extent.takeFailure());
  }

  /// The text with the attributes.
  std::string spelled() const {
    std::string result = text;
    for (auto at = inserted.rbegin(); at != inserted.rend(); ++at)
      result.insert(at->first, at->second);
    return result;
  }

private:
  Failure refuse(const std::string &what) const {
    return failure(where, "wgsl cannot express this kernel: " + what);
  }

  Result<Extent> extentOf(Id id, llvm::StringRef type, std::optional<uint64_t> total) {
    const Instruction *inst = module.def(id);
    switch (inst->opcode()) {
    case spv::Op::OpTypeInt:
    case spv::Op::OpTypeFloat:
      return Extent{inst->literal(0) / 8, inst->literal(0) / 8};
    case spv::Op::OpTypeVector:
      return vectorExtent(*inst);
    case spv::Op::OpTypeArray:
    case spv::Op::OpTypeRuntimeArray:
      return arrayExtent(*inst, type);
    case spv::Op::OpTypeStruct:
      return structExtent(*inst, type, total);
    default:
      return refuse(nameOf(inst->opcode()) + " in a buffer has no layout there");
    }
  }

  Result<Extent> vectorExtent(const Instruction &vector) {
    const uint64_t scalar = module.def(vector.id(0))->literal(0) / 8, count = vector.literal(1);
    return Extent{scalar * count, scalar * (count == 2 ? 2 : 4)};
  }

  Result<Extent> arrayExtent(const Instruction &array, llvm::StringRef type) {
    // array<ELEMENT, COUNT>, array<ELEMENT>
    llvm::StringRef element = type;
    if (!element.consume_front("array<") || !element.consume_back(">"))
      return refuse("an array is not one in the text (" + type.str() + ")");
    if (array.opcode() == spv::Op::OpTypeArray)
      element = element.rsplit(',').first;
    std::optional<uint32_t> stride =
        module.decoration(array.result(), spv::Decoration::ArrayStride);
    const bool isStruct = module.def(array.id(0))->opcode() == spv::Op::OpTypeStruct;
    Result<Extent> inner = extentOf(
        array.id(0), element, isStruct && stride ? std::optional<uint64_t>(*stride) : std::nullopt);
    if (!inner)
      return inner;
    const uint64_t natural = roundUp(inner->size, inner->alignment);
    if (stride && *stride != natural)
      return refuse("the elements of an array are " + std::to_string(*stride) +
                    " bytes apart, in WGSL they are " + std::to_string(natural));
    uint64_t count = 1; // a runtime array is the last thing there
    if (array.opcode() == spv::Op::OpTypeArray)
      if (const Instruction *length = module.def(array.id(1));
          length && length->opcode() == spv::Op::OpConstant)
        count = length->literal(0);
    return Extent{natural * count, inner->alignment};
  }

  /// A matrix is so many vectors, each at a multiple of its own alignment.
  Result<Extent> matrixExtent(const Instruction &structure, uint32_t member,
                              const Instruction &matrix) {
    Result<Extent> column = vectorExtent(*module.def(matrix.id(0)));
    if (!column)
      return column;
    const uint64_t natural = roundUp(column->size, column->alignment);
    for (const Instruction &inst : module.section(Section::Annotations)) {
      if (inst.opcode() != spv::Op::OpMemberDecorate || inst.id(0) != structure.result() ||
          inst.literal(1) != member)
        continue;
      const auto decoration = static_cast<spv::Decoration>(inst.literal(2));
      if (decoration == spv::Decoration::RowMajor)
        return refuse("a matrix is row-major, in WGSL all are column-major");
      if (decoration == spv::Decoration::MatrixStride && inst.literal(3) != natural)
        return refuse("the columns of a matrix are " + std::to_string(inst.literal(3)) +
                      " bytes apart, in WGSL they are " + std::to_string(natural));
    }
    return Extent{natural * matrix.literal(1), column->alignment};
  }

  Result<Extent> memberExtent(const Instruction &structure, uint32_t member, llvm::StringRef type) {
    Id id = structure.id(member);
    if (module.def(id)->opcode() == spv::Op::OpTypeMatrix)
      return matrixExtent(structure, member, *module.def(id));
    // Matrices in arrays have their strides on the member too.
    for (Id inner = id; isArray(inner);) {
      inner = module.def(inner)->id(0);
      if (module.def(inner)->opcode() == spv::Op::OpTypeMatrix)
        return refuse("an array of matrices in a buffer");
    }
    return extentOf(id, type, std::nullopt);
  }
  bool isArray(Id id) const {
    const spv::Op op = module.def(id)->opcode();
    return op == spv::Op::OpTypeArray || op == spv::Op::OpTypeRuntimeArray;
  }

  std::optional<uint64_t> offsetOf(const Instruction &structure, uint32_t member) const {
    for (const Instruction &inst : module.section(Section::Annotations))
      if (inst.opcode() == spv::Op::OpMemberDecorate && inst.id(0) == structure.result() &&
          inst.literal(1) == member &&
          static_cast<spv::Decoration>(inst.literal(2)) == spv::Decoration::Offset)
        return inst.literal(3);
    return std::nullopt;
  }

  Result<Extent> structExtent(const Instruction &structure, llvm::StringRef name,
                              std::optional<uint64_t> total) {
    auto [known, isNew] = spelledOf.try_emplace(raw(structure.result()));
    if (!isNew) {
      if (total && known->second.total && *total != *known->second.total)
        return refuse("a structure takes " + std::to_string(*total) + " bytes here and " +
                      std::to_string(*known->second.total) + " there");
      if (!total || known->second.total)
        return known->second.extent;
    }
    Result<Spelled> made = spell(structure, name, total);
    if (!made)
      return made.takeFailure();
    const Extent extent = made->extent;
    spelledOf[raw(structure.result())] = std::move(*made);
    return extent;
  }

  Result<Spelled> spell(const Instruction &structure, llvm::StringRef name,
                        std::optional<uint64_t> total) {
    const std::vector<Member> members = membersOf(name);
    if (members.size() != structure.numOperands())
      return refuse("the structure " + name.str() + " has other members in the text");
    Spelled made;
    made.total = total;
    made.sizes.assign(members.size(), 0);
    uint64_t end = 0; // of what stands in front
    std::vector<uint64_t> begins, ends;
    for (uint32_t i = 0; i < members.size(); ++i) {
      Result<Extent> extent = memberExtent(structure, i, members[i].type);
      if (!extent)
        return extent.takeFailure();
      const uint64_t natural = roundUp(end, extent->alignment);
      const uint64_t offset = offsetOf(structure, i).value_or(natural);
      if (offset < natural || offset % extent->alignment != 0)
        return refuse("'" + members[i].name + "' is at byte " + std::to_string(offset) +
                      " of its structure, in WGSL it is at " + std::to_string(natural) +
                      " or behind, at a multiple of " + std::to_string(extent->alignment));
      if (offset != natural) {
        if (i == 0)
          return refuse("the first member of a structure is at byte " + std::to_string(offset));
        made.sizes[i - 1] = offset - begins[i - 1];
      }
      begins.push_back(offset);
      end = offset + extent->size;
      made.extent.alignment = std::max(made.extent.alignment, extent->alignment);
    }
    made.extent.size = roundUp(end, made.extent.alignment);
    if (total && *total > made.extent.size && *total % made.extent.alignment == 0) {
      made.sizes.back() = *total - begins.back();
      made.extent.size = *total;
    }
    for (size_t i = 0; i < members.size(); ++i)
      if (made.sizes[i] != 0)
        inserted[members[i].at] = "@size(" + std::to_string(made.sizes[i]) + ") ";
    return made;
  }

  /// A member in the text; `at` is where an attribute goes.
  struct Member {
    std::string name;
    llvm::StringRef type;
    size_t at;
  };
  std::vector<Member> membersOf(llvm::StringRef name) const {
    std::vector<Member> members;
    const std::string head = "struct " + name.str() + " {\n";
    llvm::StringRef all = text;
    size_t at = all.starts_with(head) ? 0 : all.find("\n" + head);
    if (at == llvm::StringRef::npos)
      return members;
    at = all.find('\n', at == 0 ? 0 : at + 1) + 1;
    while (at < all.size() && all[at] == ' ') {
      const size_t end = std::min(all.find('\n', at), all.size());
      const size_t first = all.find_first_not_of(' ', at);
      auto [member, type] = all.slice(first, end).rtrim(',').split(": ");
      members.push_back({member.str(), type, first});
      at = end + 1;
    }
    return members;
  }

  const Module &module;
  const std::string &text;
  Location where;
  std::map<uint32_t, Spelled> spelledOf; ///< by the structure's id
  std::map<size_t, std::string> inserted;
};

/// The variable of that place.
const Instruction *variableAt(const Module &module, const Declaration &declaration) {
  for (const Instruction &inst : module.section(Section::Globals))
    if (inst.opcode() == spv::Op::OpVariable &&
        module.decoration(inst.result(), spv::Decoration::Binding) == declaration.binding &&
        module.decoration(inst.result(), spv::Decoration::DescriptorSet).value_or(0) ==
            declaration.group)
      return &inst;
  return nullptr;
}

} // namespace

Result<std::string> spellOutLayout(std::string text, const Module &module) {
  LayoutSpeller speller(module, text);
  for (const Declaration &declaration : declarations(text)) {
    if (declaration.space.empty())
      continue;
    const Instruction *variable = variableAt(module, declaration);
    std::optional<PointerType> pointer =
        variable ? pointerType(module, variable->typeId()) : std::nullopt;
    if (!pointer)
      return failure(Location::inFile(module.source.file),
                     "the wgsl text has a buffer that the module has not", ErrorKind::Internal);
    if (Status fine = speller.visit(*variable, pointer->pointee, declaration.type); !fine)
      return fine.takeFailure();
  }
  return speller.spelled();
}

} // namespace tailor::wgsl
