//===- Frontend/HostInterface.cpp -----------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Frontend/HostInterface.h"

#include "IR/Constants.h"

#include <map>

namespace tailor {

namespace {

struct Part {
  std::string type; ///< in words that tell any two layouts apart
  std::string name;
  Location location;
};
/// By what a host calls it: `set 0 binding 1`, `the push-constant block`, `SpecId 3`.
using Interface = std::map<std::string, Part>;

/// Describes a type with all that its layout in memory hangs off.
class TypeText {
public:
  explicit TypeText(const Module &module) : module(module), constants(module) {}

  std::string of(Id id, unsigned depth = 0) {
    constexpr unsigned kMaxDepth = 64;
    const Instruction *type = module.def(id);
    if (!type || depth > kMaxDepth)
      return "?";
    switch (type->opcode()) {
    case spv::Op::OpTypeInt:
      return (type->literal(1) != 0 ? "i" : "u") + std::to_string(type->literal(0));
    case spv::Op::OpTypeFloat:
      return "f" + std::to_string(type->literal(0));
    case spv::Op::OpTypeVector:
      return "vec" + std::to_string(type->literal(1)) + "<" + of(type->id(0), depth + 1) + ">";
    case spv::Op::OpTypeMatrix:
      return "mat" + std::to_string(type->literal(1)) + "<" + of(type->id(0), depth + 1) + ">";
    case spv::Op::OpTypeArray: {
      std::optional<uint64_t> length = constants.evaluateInt(type->id(1));
      return of(type->id(0), depth + 1) + "[" + (length ? std::to_string(*length) : "?") + "]" +
             stride(id);
    }
    case spv::Op::OpTypeRuntimeArray:
      return of(type->id(0), depth + 1) + "[]" + stride(id);
    case spv::Op::OpTypeStruct:
      return structure(*type, depth);
    case spv::Op::OpTypeSampledImage:
      return "sampled " + of(type->id(0), depth + 1);
    case spv::Op::OpTypeImage:
      return image(*type, depth);
    default:
      return nameOf(type->opcode());
    }
  }

private:
  std::string stride(Id array) const {
    std::optional<uint32_t> bytes = module.decoration(array, spv::Decoration::ArrayStride);
    return bytes ? " every " + std::to_string(*bytes) + " bytes" : "";
  }

  std::string structure(const Instruction &type, unsigned depth) {
    std::string text = "{";
    for (unsigned member = 0; member < type.numOperands(); ++member) {
      text += member == 0 ? " " : ", ";
      text += of(type.id(member), depth + 1);
      auto add = [&](spv::Decoration decoration, const char *what) {
        if (auto value = module.memberDecoration(type.result(), member, decoration))
          text += what + std::to_string(*value);
      };
      add(spv::Decoration::Offset, " at ");
      add(spv::Decoration::MatrixStride, " columns every ");
      if (module.hasMemberDecoration(type.result(), member, spv::Decoration::RowMajor))
        text += " by rows";
    }
    return text + " }";
  }

  /// The dimension, depth, array, multisampling, sampling and format words.
  std::string image(const Instruction &type, unsigned depth) {
    std::string text = "image of " + of(type.id(0), depth + 1) + " (";
    for (unsigned at = 1; at < type.numOperands(); ++at)
      text += (at == 1 ? "" : " ") + std::to_string(type.literal(at));
    return text + ")";
  }

  const Module &module;
  ConstantEvaluator constants;
};

/// How a descriptor is bound, beside its type.
std::string kindOf(const Module &module, spv::StorageClass storageClass, Id type) {
  switch (storageClass) {
  case spv::StorageClass::StorageBuffer:
    return "storage buffer ";
  case spv::StorageClass::Uniform: {
    const Instruction *inner = module.def(type);
    while (inner && (inner->opcode() == spv::Op::OpTypeArray ||
                     inner->opcode() == spv::Op::OpTypeRuntimeArray))
      inner = module.def(inner->id(0));
    bool isStorage = inner && module.hasDecoration(inner->result(), spv::Decoration::BufferBlock);
    return isStorage ? "storage buffer " : "uniform buffer ";
  }
  default:
    return "";
  }
}

Interface interfaceOf(const Module &module) {
  Interface interface;
  TypeText types(module);
  for (const Instruction &inst : module.section(Section::Globals)) {
    if (isSpecConstant(inst.opcode())) {
      if (auto specId = module.decoration(inst.result(), spv::Decoration::SpecId))
        interface.try_emplace(
            "SpecId " + std::to_string(*specId),
            Part{types.of(inst.typeId()), module.name(inst.result()), module.locationOf(inst)});
      continue;
    }
    const Instruction *pointer = module.def(inst.typeId());
    if (inst.opcode() != spv::Op::OpVariable || !pointer ||
        pointer->opcode() != spv::Op::OpTypePointer)
      continue;
    auto storageClass = static_cast<spv::StorageClass>(inst.literal(0));
    auto set = module.decoration(inst.result(), spv::Decoration::DescriptorSet);
    auto binding = module.decoration(inst.result(), spv::Decoration::Binding);
    std::string key;
    if (storageClass == spv::StorageClass::PushConstant)
      key = "the push-constant block";
    else if (binding)
      key = "set " + std::to_string(set.value_or(0)) + " binding " + std::to_string(*binding);
    else
      continue;
    std::string type = kindOf(module, storageClass, pointer->id(1)) + types.of(pointer->id(1));
    auto [at, isNew] =
        interface.try_emplace(key, Part{type, module.name(inst.result()), module.locationOf(inst)});
    // Two names of one binding: as a set, in an order that does not hang off the module's.
    if (!isNew && at->second.type != type)
      at->second.type = std::min(at->second.type, type) + " and " + std::max(at->second.type, type);
  }
  for (const EntryPoint &entry : module.entryPoints())
    if (entry.model() == spv::ExecutionModel::GLCompute)
      interface.try_emplace("the entry point '" + entry.name() + "'",
                            Part{"compute", entry.name(), module.locationOf(*entry.inst)});
  return interface;
}

} // namespace

Status checkSameInterface(const Module &authored, const Module &other) {
  const Interface wanted = interfaceOf(authored), has = interfaceOf(other);
  for (const auto &[key, part] : has) {
    auto same = wanted.find(key);
    if (same == wanted.end())
      return failure(part.location, "the module wants " + key + " ('" + part.name +
                                        "'), which the authored one does not have");
    if (same->second.type != part.type)
      return failure(Diagnostic::error(part.location, key + " ('" + part.name +
                                                          "') differs from the authored module")
                         .withNote(same->second.location, "authored: " + same->second.type)
                         .withNote(part.location, "here: " + part.type));
  }
  for (const auto &[key, part] : wanted)
    if (!has.contains(key))
      return failure(Location::inFile(other.source.file),
                     "the module lacks " + key + " ('" + part.name + "') of the authored one");
  return success();
}

} // namespace tailor
