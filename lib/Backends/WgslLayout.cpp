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

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <map>
#include <set>

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
  uint64_t front = 0;          ///< bytes ahead of the first

  bool readsAs(const Spelled &other) const { return sizes == other.sizes && front == other.front; }
};

/// The layout of everything that hangs on one variable.
class LayoutFinder {
public:
  LayoutFinder(const Module &module, std::map<uint32_t, Spelled> &structures)
      : module(module), structures(structures) {}

  /// To be called for all variables before the first visit(): a structure has one size in WGSL,
  /// whether it is a member or an element.
  Status noteElements(const Instruction &variable, Id type) {
    where = module.locationOf(variable);
    const Instruction &inst = *module.def(type);
    if (isArray(type)) {
      const Id element = inst.id(0);
      if (auto stride = module.decoration(type, spv::Decoration::ArrayStride);
          stride && module.def(element)->opcode() == spv::Op::OpTypeStruct) {
        auto [known, isNew] = elements.try_emplace(raw(element), *stride);
        if (!isNew && known->second != *stride)
          return refuse("a structure takes " + std::to_string(*stride) + " bytes here and " +
                        std::to_string(known->second) + " there");
      }
      return noteElements(variable, element);
    }
    if (inst.opcode() == spv::Op::OpTypeStruct)
      for (uint32_t i = 0; i < inst.numOperands(); ++i)
        if (Status fine = noteElements(variable, inst.id(i)); !fine)
          return fine;
    return success();
  }

  Status visit(const Instruction &variable, Id pointee) {
    where = module.locationOf(variable);
    Result<Extent> extent = extentOf(pointee);
    return extent ? success() : Status(extent.takeFailure());
  }

private:
  Failure refuse(const std::string &what) const {
    return failure(where, "wgsl cannot express this kernel: " + what);
  }

  Result<Extent> extentOf(Id id) {
    const Instruction *inst = module.def(id);
    switch (inst->opcode()) {
    case spv::Op::OpTypeInt:
    case spv::Op::OpTypeFloat:
      return Extent{inst->literal(0) / 8, inst->literal(0) / 8};
    case spv::Op::OpTypeVector:
      return vectorExtent(*inst);
    case spv::Op::OpTypeArray:
    case spv::Op::OpTypeRuntimeArray:
      return arrayExtent(*inst);
    case spv::Op::OpTypeStruct:
      return structExtent(*inst);
    default:
      return refuse(nameOf(inst->opcode()) + " in a buffer has no layout there");
    }
  }

  Extent vectorExtent(const Instruction &vector) const {
    const uint64_t scalar = module.def(vector.id(0))->literal(0) / 8, count = vector.literal(1);
    return Extent{scalar * count, scalar * (count == 2 ? 2 : 4)};
  }

  Result<Extent> arrayExtent(const Instruction &array) {
    std::optional<uint32_t> stride =
        module.decoration(array.result(), spv::Decoration::ArrayStride);
    Result<Extent> inner = extentOf(array.id(0));
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
                              const Instruction &matrix) const {
    const Extent column = vectorExtent(*module.def(matrix.id(0)));
    const uint64_t natural = roundUp(column.size, column.alignment);
    if (memberLiteral(structure, member, spv::Decoration::RowMajor))
      return refuse("a matrix is row-major, in WGSL all are column-major");
    std::optional<uint32_t> stride =
        memberLiteral(structure, member, spv::Decoration::MatrixStride);
    if (stride && *stride != natural)
      return refuse("the columns of a matrix are " + std::to_string(*stride) +
                    " bytes apart, in WGSL they are " + std::to_string(natural));
    return Extent{natural * matrix.literal(1), column.alignment};
  }

  Result<Extent> memberExtent(const Instruction &structure, uint32_t member) {
    const Id id = structure.id(member);
    if (module.def(id)->opcode() == spv::Op::OpTypeMatrix)
      return matrixExtent(structure, member, *module.def(id));
    // Matrices in arrays have their strides on the member too.
    for (Id inner = id; isArray(inner);) {
      inner = module.def(inner)->id(0);
      if (module.def(inner)->opcode() == spv::Op::OpTypeMatrix)
        return refuse("an array of matrices is in a buffer");
    }
    return extentOf(id);
  }
  bool isArray(Id id) const {
    const spv::Op op = module.def(id)->opcode();
    return op == spv::Op::OpTypeArray || op == spv::Op::OpTypeRuntimeArray;
  }

  /// The decoration's literal, 0 where it has none; nothing where the member has no such.
  std::optional<uint32_t> memberLiteral(const Instruction &structure, uint32_t member,
                                        spv::Decoration decoration) const {
    for (const Instruction &inst : module.section(Section::Annotations))
      if (inst.opcode() == spv::Op::OpMemberDecorate && inst.id(0) == structure.result() &&
          inst.literal(1) == member && static_cast<spv::Decoration>(inst.literal(2)) == decoration)
        return inst.numOperands() > 3 ? inst.literal(3) : 0;
    return std::nullopt;
  }

  Result<Extent> structExtent(const Instruction &structure) {
    auto known = structures.find(raw(structure.result()));
    if (known != structures.end())
      return known->second.extent;
    Result<Spelled> made = spell(structure);
    if (!made)
      return made.takeFailure();
    const Extent extent = made->extent;
    structures[raw(structure.result())] = std::move(*made);
    return extent;
  }

  Result<Spelled> spell(const Instruction &structure) {
    Spelled made;
    made.sizes.assign(structure.numOperands(), 0);
    uint64_t begin = 0, end = 0; // of the member before
    for (uint32_t i = 0; i < structure.numOperands(); ++i) {
      Result<Extent> extent = memberExtent(structure, i);
      if (!extent)
        return extent.takeFailure();
      const uint64_t natural = roundUp(end, extent->alignment);
      std::optional<uint32_t> given = memberLiteral(structure, i, spv::Decoration::Offset);
      const uint64_t offset = given ? *given : natural;
      if (offset < natural || offset % extent->alignment != 0)
        return refuse("member " + std::to_string(i) + " of a structure is at byte " +
                      std::to_string(offset) + ", in WGSL it is at " + std::to_string(natural) +
                      " or behind, at a multiple of " + std::to_string(extent->alignment));
      if (offset != natural && i != 0)
        made.sizes[i - 1] = offset - begin;
      else if (offset != natural)
        made.front = offset;
      begin = offset;
      end = offset + extent->size;
      made.extent.alignment = std::max(made.extent.alignment, extent->alignment);
    }
    made.extent.size = roundUp(end, made.extent.alignment);
    if (auto element = elements.find(raw(structure.result()));
        element != elements.end() && element->second > made.extent.size &&
        element->second % made.extent.alignment == 0 && !made.sizes.empty()) {
      made.sizes.back() = element->second - begin;
      made.extent.size = element->second;
    }
    return made;
  }

  const Module &module;
  std::map<uint32_t, Spelled> &structures; ///< by id
  std::map<uint32_t, uint64_t> elements;   ///< bytes that a structure takes in arrays, by id
  Location where;
};

/// Puts the attributes into the text.
class LayoutWriter {
public:
  LayoutWriter(const Module &module, const std::map<uint32_t, Spelled> &structures,
               llvm::StringRef text)
      : module(module), structures(structures), text(text) {}

  /// Walks a type of the module and its text together; false where they are not alike.
  bool visit(Id id, llvm::StringRef type) {
    const Instruction &inst = *module.def(id);
    if (inst.opcode() == spv::Op::OpTypeArray || inst.opcode() == spv::Op::OpTypeRuntimeArray) {
      // array<ELEMENT, COUNT>, array<ELEMENT>
      if (!type.consume_front("array<") || !type.consume_back(">"))
        return false;
      return visit(inst.id(0),
                   inst.opcode() == spv::Op::OpTypeArray ? type.rsplit(',').first : type);
    }
    if (inst.opcode() != spv::Op::OpTypeStruct)
      return true;
    const std::vector<Member> members = membersOf(type);
    if (members.size() != inst.numOperands())
      return false;
    const Spelled &spelled = structures.at(raw(id));
    for (uint32_t i = 0; i < members.size(); ++i) {
      std::string ahead;
      if (i == 0 && spelled.front != 0) {
        if (spelled.front < 4 || isConstructed(type))
          return false;
        ahead = "@size(" + std::to_string(spelled.front) + ") " + std::string(kPaddingName) +
                ": u32,\n    ";
      }
      if (spelled.sizes[i] != 0)
        ahead += "@size(" + std::to_string(spelled.sizes[i]) + ") ";
      // One structure of the text that is two of the module, see separateLayouts().
      auto [known, isNew] = inserted.try_emplace(members[i].at, ahead);
      if (!isNew && known->second != ahead)
        return false;
      if (!visit(inst.id(i), members[i].type))
        return false;
    }
    return true;
  }

  std::string result() const {
    std::string result = text.str();
    for (const auto &[place, what] : llvm::reverse(inserted))
      result.insert(place, what);
    return result;
  }

private:
  /// A member in the text; `at` is where an attribute goes.
  struct Member {
    llvm::StringRef type;
    size_t at;
  };
  std::vector<Member> membersOf(llvm::StringRef name) const {
    std::vector<Member> members;
    const std::string head = "struct " + name.str() + " {\n";
    size_t at = text.starts_with(head) ? 0 : text.find("\n" + head);
    if (at == llvm::StringRef::npos)
      return members;
    at = text.find('\n', at == 0 ? 0 : at + 1) + 1;
    while (at < text.size() && text[at] == ' ') {
      const size_t end = std::min(text.find('\n', at), text.size());
      const size_t first = text.find_first_not_of(' ', at);
      members.push_back({text.slice(first, end).rtrim(',').split(": ").second, first});
      at = end + 1;
    }
    return members;
  }

  /// Whether a value of the structure is made out of all its members, so that none may be put in:
  /// other than there, the text goes by names.
  bool isConstructed(llvm::StringRef name) const { return text.contains(name.str() + "("); }

  const Module &module;
  const std::map<uint32_t, Spelled> &structures;
  llvm::StringRef text;
  std::map<size_t, std::string> inserted;
};

bool isBuffer(const Module &module, const Instruction &inst) {
  if (inst.opcode() != spv::Op::OpVariable)
    return false;
  const auto storage = static_cast<spv::StorageClass>(inst.literal(0));
  return (storage == spv::StorageClass::Uniform || storage == spv::StorageClass::StorageBuffer) &&
         pointerType(module, inst.typeId());
}

/// The layouts of all structures in buffers.
Result<std::map<uint32_t, Spelled>> layoutsOf(const Module &module) {
  std::map<uint32_t, Spelled> structures;
  LayoutFinder finder(module, structures);
  for (const Instruction &inst : module.section(Section::Globals))
    if (isBuffer(module, inst))
      if (Status fine = finder.noteElements(inst, pointerType(module, inst.typeId())->pointee);
          !fine)
        return fine.takeFailure();
  for (const Instruction &inst : module.section(Section::Globals))
    if (isBuffer(module, inst))
      if (Status fine = finder.visit(inst, pointerType(module, inst.typeId())->pointee); !fine)
        return fine.takeFailure();
  return structures;
}

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

Status separateLayouts(Module &module) {
  Result<std::map<uint32_t, Spelled>> structures = layoutsOf(module);
  if (!structures)
    return structures.takeFailure();
  std::map<uint32_t, Instruction *> named;
  std::set<std::string> taken;
  for (Instruction &inst : module.section(Section::Debug))
    if (inst.opcode() == spv::Op::OpName) {
      named.try_emplace(raw(inst.id(0)), &inst);
      taken.insert(inst.string(1));
    }
  std::map<std::string, const Spelled *> first;
  for (const auto &[id, spelled] : *structures) {
    auto name = named.find(id);
    const std::string own = name == named.end() ? std::string() : name->second->string(1);
    auto [known, isNew] = first.try_emplace(own, &spelled);
    if (isNew || known->second->readsAs(spelled))
      continue;
    std::string other;
    for (unsigned number = 1; !taken.insert(other).second || number == 1; ++number)
      other = (own.empty() ? "layout" : own) + "_" + std::to_string(number);
    Instruction made(spv::Op::OpName);
    made.addId(static_cast<Id>(id)).addString(other);
    if (name != named.end())
      module.erase(*name->second);
    module.append(Section::Debug, made);
  }
  return success();
}

Result<std::string> spellOutLayout(const std::string &text, const Module &module) {
  Result<std::map<uint32_t, Spelled>> structures = layoutsOf(module);
  if (!structures)
    return structures.takeFailure();
  LayoutWriter writer(module, *structures, text);
  for (const Declaration &declaration : declarations(text)) {
    if (declaration.space.empty())
      continue;
    const Instruction *variable = variableAt(module, declaration);
    if (!variable || !isBuffer(module, *variable))
      return failure(Location::inFile(module.source.file),
                     "the wgsl text has a buffer that the module has not", ErrorKind::Internal);
    if (!writer.visit(pointerType(module, variable->typeId())->pointee, declaration.type))
      return failure(module.locationOf(*variable),
                     "wgsl cannot express this kernel: its text has no place for the layout of '" +
                         declaration.name + "'");
  }
  return writer.result();
}

} // namespace tailor::wgsl
