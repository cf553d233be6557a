//===- passes/DeclareAccess.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/DeclareAccess.h"

#include "IR/Types.h"
#include "passes/FreeBindings.h"

namespace tailor {

Result<std::unique_ptr<Pass>> DeclareAccess::create(PassArguments &) {
  return std::unique_ptr<Pass>(std::make_unique<DeclareAccess>());
}

namespace {

struct Access {
  bool reads = false, writes = false;
};

class AccessScan {
public:
  explicit AccessScan(Module &module) : module(module), uses(module) {}

  Access of(Id value) {
    found = {};
    follow(value);
    return found;
  }

private:
  /// A pointer, an image, or an array of either, and what is made of it.
  void follow(Id value) {
    for (const UseMap::Use &use : uses.uses(value))
      look(*use.user, use.operand);
  }

  void look(Instruction &user, unsigned operand) {
    switch (user.opcode()) {
    case spv::Op::OpName:
    case spv::Op::OpDecorate:
    case spv::Op::OpDecorateId:
    case spv::Op::OpDecorateString:
    case spv::Op::OpGroupDecorate:
    case spv::Op::OpEntryPoint:
    case spv::Op::OpArrayLength:
    case spv::Op::OpImageQuerySize:
    case spv::Op::OpImageQuerySizeLod:
    case spv::Op::OpImageQueryFormat:
    case spv::Op::OpImageQueryOrder:
      return;
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
    case spv::Op::OpCopyObject:
      return follow(user.result());
    case spv::Op::OpLoad:
      found.reads |= !isImage(user.typeId());
      if (isImage(user.typeId()))
        follow(user.result());
      return;
    case spv::Op::OpImageRead:
      found.reads = true;
      return;
    case spv::Op::OpImageWrite:
      found.writes = true;
      return;
    case spv::Op::OpStore:
      if (operand == 0) {
        found.writes = true;
        return;
      }
      break;
    case spv::Op::OpCopyMemory:
      (operand == 0 ? found.writes : found.reads) = true;
      return;
    default:
      break;
    }
    found = {true, true};
  }

  bool isImage(Id type) const {
    const Instruction *def = module.def(type);
    return def && def->opcode() == spv::Op::OpTypeImage;
  }

  Module &module;
  UseMap uses;
  Access found;
};

enum class Resource : uint8_t { Other, Buffer, Image };

Resource kindOf(const Module &module, const Instruction &variable) {
  std::optional<PointerType> pointer = pointerType(module, variable.typeId());
  if (!pointer)
    return Resource::Other;
  const Id type = withoutArrays(module, pointer->pointee);
  const Instruction *def = module.def(type);
  if (pointer->storageClass == spv::StorageClass::StorageBuffer)
    return Resource::Buffer;
  if (pointer->storageClass == spv::StorageClass::Uniform)
    return module.hasDecoration(type, spv::Decoration::BufferBlock) ? Resource::Buffer
                                                                    : Resource::Other;
  // Sampled is the sixth operand: 2 is an image without a sampler.
  if (pointer->storageClass == spv::StorageClass::UniformConstant && def &&
      def->opcode() == spv::Op::OpTypeImage && def->literal(5) == 2)
    return Resource::Image;
  return Resource::Other;
}

} // namespace

bool declareAccess(Module &module) {
  AccessScan scan(module);
  std::vector<std::pair<Id, spv::Decoration>> missing;
  for (const Instruction &inst : module.section(Section::Globals)) {
    if (inst.opcode() != spv::Op::OpVariable)
      continue;
    const Resource kind = kindOf(module, inst);
    if (kind == Resource::Other)
      continue;
    const Access access = scan.of(inst.result());
    if (!access.writes && !module.hasDecoration(inst.result(), spv::Decoration::NonWritable))
      missing.emplace_back(inst.result(), spv::Decoration::NonWritable);
    if (kind == Resource::Image && access.writes && !access.reads &&
        !module.hasDecoration(inst.result(), spv::Decoration::NonReadable))
      missing.emplace_back(inst.result(), spv::Decoration::NonReadable);
  }
  for (auto [variable, decoration] : missing)
    decorate(module, variable, decoration);
  return !missing.empty();
}

Result<Change> DeclareAccess::run(Module &module, PassContext &) {
  return declareAccess(module) ? Change::Changed : Change::Unchanged;
}

} // namespace tailor
