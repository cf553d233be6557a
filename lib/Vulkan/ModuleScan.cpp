//===- Vulkan/ModuleScan.cpp - What a module asks of the runner ---------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Vulkan/ModuleScan.h"

#include <spirv/unified1/spirv.hpp11>

#include <algorithm>
#include <map>
#include <set>

namespace tailor::vulkan {

namespace {

using Instruction = std::span<const uint32_t>; // the first word holds opcode and count

spv::Op opcodeOf(Instruction inst) { return static_cast<spv::Op>(inst[0] & 0xffff); }

/// A literal string from word `first` on; cut at the instruction's end.
std::string stringAt(Instruction inst, size_t first) {
  std::string text;
  for (size_t i = first; i < inst.size(); ++i)
    for (unsigned shift = 0; shift != 32; shift += 8) {
      auto c = static_cast<char>(inst[i] >> shift & 0xff);
      if (c == 0)
        return text;
      text += c;
    }
  return text;
}

struct Decorations {
  std::optional<uint32_t> set, binding;
  bool bufferBlock = false;
};

class Scanner {
public:
  Result<ModuleScan> run(std::span<const uint32_t> words);

private:
  void visit(Instruction inst);
  void visitDeclaration(Instruction inst);
  void visitAccess(Instruction inst);
  std::optional<ScannedBinding> describe(uint32_t variable) const;
  void describeType(Instruction type, spv::StorageClass storage, ScannedBinding &binding) const;
  Instruction definition(uint32_t id) const {
    auto found = definitions.find(id);
    return found == definitions.end() ? Instruction{} : found->second;
  }

  ModuleScan scan;
  std::map<uint32_t, Instruction> definitions; ///< types, constants and variables by id
  std::map<uint32_t, Decorations> decorations;
  std::set<uint32_t> accessed; ///< ids that instructions read, write or point into
};

Result<ModuleScan> Scanner::run(std::span<const uint32_t> words) {
  if (words.size() < 5 || words[0] != spv::MagicNumber)
    return failure({}, "the module does not start with a SPIR-V header");
  scan.version = words[1];
  for (size_t at = 5; at < words.size();) {
    size_t length = words[at] >> 16;
    if (length == 0 || length > words.size() - at)
      return failure(Location::atWord("", static_cast<uint32_t>(at)),
                     "an instruction of the module has an impossible length");
    visit(words.subspan(at, length));
    at += length;
  }
  for (const auto &[id, decoration] : decorations) {
    if (!decoration.binding || !accessed.contains(id))
      continue;
    if (std::optional<ScannedBinding> binding = describe(id))
      scan.bindings.push_back(*binding);
  }
  return std::move(scan);
}

void Scanner::visit(Instruction inst) {
  visitDeclaration(inst);
  visitAccess(inst);
}

void Scanner::visitDeclaration(Instruction inst) {
  size_t size = inst.size();
  switch (opcodeOf(inst)) {
  case spv::Op::OpCapability:
    if (size >= 2)
      scan.capabilities.push_back(inst[1]);
    break;
  case spv::Op::OpEntryPoint:
    if (size >= 4 && inst[1] == static_cast<uint32_t>(spv::ExecutionModel::GLCompute))
      scan.computeEntryPoints.push_back(stringAt(inst, 3));
    break;
  case spv::Op::OpExecutionModeId:
    if (size >= 3 && inst[2] == static_cast<uint32_t>(spv::ExecutionMode::LocalSizeId))
      scan.localSizeId = true;
    break;
  case spv::Op::OpDecorate:
    if (size >= 4 && inst[2] == static_cast<uint32_t>(spv::Decoration::DescriptorSet))
      decorations[inst[1]].set = inst[3];
    else if (size >= 4 && inst[2] == static_cast<uint32_t>(spv::Decoration::Binding))
      decorations[inst[1]].binding = inst[3];
    else if (size >= 3 && inst[2] == static_cast<uint32_t>(spv::Decoration::BufferBlock))
      decorations[inst[1]].bufferBlock = true;
    break;
  case spv::Op::OpTypeInt:
  case spv::Op::OpTypeFloat:
  case spv::Op::OpTypeImage:
  case spv::Op::OpTypeSampler:
  case spv::Op::OpTypeSampledImage:
  case spv::Op::OpTypeArray:
  case spv::Op::OpTypeRuntimeArray:
  case spv::Op::OpTypeStruct:
  case spv::Op::OpTypePointer:
    if (size >= 2)
      definitions[inst[1]] = inst;
    break;
  case spv::Op::OpConstant:
  case spv::Op::OpVariable:
    if (size >= 4)
      definitions[inst[2]] = inst;
    break;
  case spv::Op::OpArrayLength:
    scan.asksForLength = true;
    break;
  default:
    break;
  }
}

/// Notes the words that may name a variable, by the instructions that can take one.
void Scanner::visitAccess(Instruction inst) {
  auto note = [&](size_t first, size_t last) {
    for (size_t i = first; i < std::min(last, inst.size()); ++i)
      accessed.insert(inst[i]);
  };
  switch (opcodeOf(inst)) {
  case spv::Op::OpLoad:
  case spv::Op::OpAccessChain:
  case spv::Op::OpInBoundsAccessChain:
  case spv::Op::OpPtrAccessChain:
  case spv::Op::OpInBoundsPtrAccessChain:
  case spv::Op::OpArrayLength:
  case spv::Op::OpImageTexelPointer:
  case spv::Op::OpCopyObject:
    note(3, 4);
    break;
  case spv::Op::OpStore:
    note(1, 2);
    break;
  case spv::Op::OpCopyMemory:
    note(1, 3);
    break;
  case spv::Op::OpSelect:
  case spv::Op::OpPhi:
    note(3, inst.size());
    break;
  case spv::Op::OpFunctionCall:
    note(4, inst.size());
    break;
  default:
    break;
  }
}

std::optional<ScannedBinding> Scanner::describe(uint32_t variable) const {
  Instruction inst = definition(variable);
  if (inst.empty() || opcodeOf(inst) != spv::Op::OpVariable)
    return std::nullopt;
  const Decorations &decoration = decorations.at(variable);
  ScannedBinding binding;
  binding.set = decoration.set.value_or(0);
  binding.binding = *decoration.binding;
  binding.count = 1;
  Instruction pointer = definition(inst[1]);
  if (pointer.size() < 4 || opcodeOf(pointer) != spv::Op::OpTypePointer)
    return binding;
  Instruction type = definition(pointer[3]);
  if (type.size() >= 3 && opcodeOf(type) == spv::Op::OpTypeRuntimeArray) {
    binding.count = std::nullopt;
    type = definition(type[2]);
  } else if (type.size() >= 4 && opcodeOf(type) == spv::Op::OpTypeArray) {
    Instruction length = definition(type[3]);
    binding.count = std::nullopt;
    if (length.size() >= 4 && opcodeOf(length) == spv::Op::OpConstant)
      binding.count = length[3];
    type = definition(type[2]);
  }
  if (!type.empty())
    describeType(type, static_cast<spv::StorageClass>(pointer[2]), binding);
  return binding;
}

void Scanner::describeType(Instruction type, spv::StorageClass storage,
                           ScannedBinding &binding) const {
  Instruction image = type;
  switch (opcodeOf(type)) {
  case spv::Op::OpTypeStruct: {
    auto found = decorations.find(type[1]);
    bool bufferBlock = found != decorations.end() && found->second.bufferBlock;
    if (storage == spv::StorageClass::StorageBuffer ||
        (storage == spv::StorageClass::Uniform && bufferBlock))
      binding.kind = ResourceKind::StorageBuffer;
    else if (storage == spv::StorageClass::Uniform)
      binding.kind = ResourceKind::UniformBuffer;
    return;
  }
  case spv::Op::OpTypeSampler:
    binding.kind = ResourceKind::Sampler;
    return;
  case spv::Op::OpTypeSampledImage:
    image = type.size() >= 3 ? definition(type[2]) : Instruction{};
    break;
  case spv::Op::OpTypeImage:
    break;
  default:
    return;
  }
  if (image.size() < 9 || opcodeOf(image) != spv::Op::OpTypeImage)
    return;
  binding.dim = image[3];
  binding.arrayed = image[5] != 0;
  binding.multisampled = image[6] != 0;
  binding.format = image[8];
  Instruction texel = definition(image[2]);
  binding.integerTexel = !texel.empty() && opcodeOf(texel) == spv::Op::OpTypeInt;
  binding.signedTexel = binding.integerTexel && texel.size() >= 4 && texel[3] != 0;
  bool buffer = binding.dim == static_cast<uint32_t>(spv::Dim::Buffer) ||
                binding.dim == static_cast<uint32_t>(spv::Dim::SubpassData);
  if (buffer)
    return; // texel buffers: no kind that this runner binds
  if (opcodeOf(type) == spv::Op::OpTypeSampledImage)
    binding.kind = ResourceKind::CombinedImageSampler;
  else
    binding.kind = image[7] == 2 ? ResourceKind::StorageImage : ResourceKind::SampledImage;
}

} // namespace

Result<ModuleScan> scanModule(std::span<const uint32_t> words) { return Scanner().run(words); }

} // namespace tailor::vulkan
