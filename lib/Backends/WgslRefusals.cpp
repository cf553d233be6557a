//===- Backends/WgslRefusals.cpp  -===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/WgslSteps.h"

#include "IR/Types.h"

#include "llvm/ADT/DenseMap.h"

#include <cmath>
#include <cstring>
#include <map>

namespace tailor::wgsl {
namespace {

Failure cannot(Location where, const std::string &what) {
  return failure(std::move(where), "wgsl cannot express " + what);
}

/// The first scalar in a type that WGSL lacks; empty where there is none.
class TypeRules {
public:
  explicit TypeRules(const Module &module) : module(module) {}

  std::string_view lacks(Id type) {
    if (auto known = answers.find(raw(type)); known != answers.end())
      return known->second;
    answers[raw(type)] = {}; // pointers may go round
    const std::string_view answer = find(type);
    answers[raw(type)] = answer;
    return answer;
  }

private:
  std::string_view find(Id type) {
    const Instruction *def = module.def(type);
    if (!def)
      return {};
    switch (def->opcode()) {
    case spv::Op::OpTypeInt:
      switch (def->literal(0)) {
      case 8:
        return "8-bit integers";
      case 16:
        return "16-bit integers";
      case 64:
        return "64-bit integers";
      default:
        return {};
      }
    case spv::Op::OpTypeFloat:
      return def->literal(0) == 64 ? "64-bit floats" : std::string_view();
    case spv::Op::OpTypeVector:
      if (def->literal(1) > 4)
        return "vectors of more than four components";
      return lacks(def->id(0));
    case spv::Op::OpTypeMatrix:
    case spv::Op::OpTypeArray:
    case spv::Op::OpTypeRuntimeArray:
      return lacks(def->id(0));
    case spv::Op::OpTypePointer:
      return lacks(def->id(1));
    case spv::Op::OpTypeStruct:
      for (unsigned member = 0; member < def->numOperands(); ++member)
        if (std::string_view found = lacks(def->id(member)); !found.empty())
          return found;
      return {};
    default:
      return {};
    }
  }

  const Module &module;
  std::map<uint32_t, std::string_view> answers;
};

/// Storage texture formats of WebGPU without features; the last three may be read and written.
bool isStorageFormat(spv::ImageFormat format) {
  switch (format) {
  case spv::ImageFormat::Rgba32f:
  case spv::ImageFormat::Rgba16f:
  case spv::ImageFormat::Rg32f:
  case spv::ImageFormat::Rgba8:
  case spv::ImageFormat::Rgba8Snorm:
  case spv::ImageFormat::Rgba32i:
  case spv::ImageFormat::Rgba16i:
  case spv::ImageFormat::Rgba8i:
  case spv::ImageFormat::Rg32i:
  case spv::ImageFormat::Rgba32ui:
  case spv::ImageFormat::Rgba16ui:
  case spv::ImageFormat::Rgba8ui:
  case spv::ImageFormat::Rg32ui:
  case spv::ImageFormat::R32f:
  case spv::ImageFormat::R32i:
  case spv::ImageFormat::R32ui:
    return true;
  default:
    return false;
  }
}

bool isReadWriteFormat(spv::ImageFormat format) {
  return format == spv::ImageFormat::R32f || format == spv::ImageFormat::R32i ||
         format == spv::ImageFormat::R32ui;
}

Status checkImage(const Module &module, const Instruction &variable, const Instruction &image) {
  const Location where = module.locationOf(variable);
  const std::string name = "'" + module.name(variable.result()) + "': ";
  const auto dim = static_cast<spv::Dim>(image.literal(1));
  const bool arrayed = image.literal(3) != 0, multisampled = image.literal(4) != 0;
  if (dim == spv::Dim::Buffer)
    return cannot(where, name + "texel buffers");
  if (dim == spv::Dim::Rect || dim == spv::Dim::SubpassData || (dim == spv::Dim::Dim1D && arrayed))
    return cannot(where, name + "images of this dimension");
  if (image.literal(5) != 2)
    return success();
  if (multisampled || dim == spv::Dim::Cube)
    return cannot(where, name + "storage images that are cubes or multisampled");
  const auto format = static_cast<spv::ImageFormat>(image.literal(6));
  if (format == spv::ImageFormat::Unknown)
    return cannot(where, name + "a storage image without a format");
  if (!isStorageFormat(format))
    return cannot(where, name + "a storage image of this format");
  const bool oneWay = module.hasDecoration(variable.result(), spv::Decoration::NonWritable) ||
                      module.hasDecoration(variable.result(), spv::Decoration::NonReadable);
  if (!oneWay && !isReadWriteFormat(format))
    return cannot(where, name + "an image that is read and written, unless its format is r32f, "
                                "r32i or r32ui");
  return success();
}

Status checkBuiltIn(const Module &module, const Instruction &variable) {
  std::optional<uint32_t> decoration =
      module.decoration(variable.result(), spv::Decoration::BuiltIn);
  if (!decoration)
    return success();
  switch (static_cast<spv::BuiltIn>(*decoration)) {
  case spv::BuiltIn::NumWorkgroups:
  case spv::BuiltIn::WorkgroupId:
  case spv::BuiltIn::LocalInvocationId:
  case spv::BuiltIn::GlobalInvocationId:
  case spv::BuiltIn::LocalInvocationIndex:
  case spv::BuiltIn::SubgroupSize:
  case spv::BuiltIn::SubgroupLocalInvocationId:
    return success();
  default:
    return cannot(module.locationOf(variable),
                  "the built-in value of '" + module.name(variable.result()) + "'");
  }
}

Status checkVariable(const Module &module, const Instruction &variable, TypeRules &types) {
  std::optional<PointerType> pointer = pointerType(module, variable.typeId());
  if (!pointer)
    return success();
  const Location where = module.locationOf(variable);
  if (std::string_view lacking = types.lacks(pointer->pointee); !lacking.empty())
    return cannot(where,
                  std::string(lacking) + ", which '" + module.name(variable.result()) + "' has");
  switch (pointer->storageClass) {
  case spv::StorageClass::Input:
    return checkBuiltIn(module, variable);
  case spv::StorageClass::StorageBuffer:
  case spv::StorageClass::Uniform:
  case spv::StorageClass::UniformConstant: {
    const Id type = withoutArrays(module, pointer->pointee);
    if (type != pointer->pointee)
      return cannot(where,
                    "an array of resources, which '" + module.name(variable.result()) + "' is");
    const Instruction *def = module.def(type);
    if (def && def->opcode() == spv::Op::OpTypeImage)
      return checkImage(module, variable, *def);
    return success();
  }
  case spv::StorageClass::Function:
  case spv::StorageClass::Private:
  case spv::StorageClass::Workgroup:
  case spv::StorageClass::PushConstant:
    return success();
  default:
    return cannot(where, "the storage class of '" + module.name(variable.result()) + "'");
  }
}

std::optional<uint32_t> constantOf(const Module &module, Id id) {
  const Instruction *def = module.def(id);
  if (!def || def->opcode() != spv::Op::OpConstant)
    return std::nullopt;
  return def->literal(0);
}

constexpr uint32_t kWorkgroup = static_cast<uint32_t>(spv::Scope::Workgroup);
/// Memory semantics: acquire, release, both, sequentially consistent.
constexpr uint32_t kOrders = 0x2 | 0x4 | 0x8 | 0x10;
/// Memory semantics: buffers, global memory, images.
constexpr uint32_t kSharedByGroups = 0x40 | 0x200 | 0x800;

/// Whether the kernel has atomics by which workgroups could tell each other something.
bool hasAtomicsBetweenGroups(const Module &module) {
  for (const auto &function : module.functions())
    for (const Block &block : function->blocks())
      for (const Instruction &inst : block.instructions()) {
        if (!isAtomic(inst.opcode()))
          continue;
        std::optional<PointerType> pointer = pointerTypeOfValue(module, inst.id(0));
        if (!pointer || pointer->storageClass != spv::StorageClass::Workgroup)
          return true;
      }
  return false;
}

Status checkAtomic(const Module &module, const Instruction &inst) {
  const Location where = module.locationOf(inst);
  switch (inst.opcode()) {
  case spv::Op::OpAtomicLoad:
  case spv::Op::OpAtomicStore:
  case spv::Op::OpAtomicExchange:
  case spv::Op::OpAtomicCompareExchange:
  case spv::Op::OpAtomicIAdd:
  case spv::Op::OpAtomicISub:
  case spv::Op::OpAtomicSMin:
  case spv::Op::OpAtomicUMin:
  case spv::Op::OpAtomicSMax:
  case spv::Op::OpAtomicUMax:
  case spv::Op::OpAtomicAnd:
  case spv::Op::OpAtomicOr:
  case spv::Op::OpAtomicXor:
    break;
  default:
    return cannot(where, nameOf(inst.opcode()));
  }
  std::optional<PointerType> pointer = pointerTypeOfValue(module, inst.id(0));
  const Instruction *type = pointer ? module.def(pointer->pointee) : nullptr;
  if (!type || type->opcode() != spv::Op::OpTypeInt)
    return cannot(where, "atomics on anything but 32-bit integers");
  // Compare-and-exchange has two semantics, one for when it fails.
  for (unsigned operand : {2u, 3u}) {
    const bool isSemantics = operand == 2 || inst.opcode() == spv::Op::OpAtomicCompareExchange;
    if (isSemantics && (constantOf(module, inst.id(operand)).value_or(kOrders) & kOrders) != 0)
      return cannot(where, "an atomic that orders other accesses: WGSL's are relaxed");
  }
  const bool isSigned = type->literal(1) != 0;
  const bool asSigned =
      inst.opcode() == spv::Op::OpAtomicSMin || inst.opcode() == spv::Op::OpAtomicSMax;
  const bool asUnsigned =
      inst.opcode() == spv::Op::OpAtomicUMin || inst.opcode() == spv::Op::OpAtomicUMax;
  if ((asSigned && !isSigned) || (asUnsigned && isSigned))
    return cannot(where, "an atomic that takes a number by another sign than its type's");
  return success();
}

Status checkBarrier(const Module &module, const Instruction &inst) {
  if (inst.opcode() == spv::Op::OpControlBarrier) {
    if (constantOf(module, inst.id(0)) != kWorkgroup)
      return cannot(module.locationOf(inst), "a barrier over anything but the workgroup");
    const uint32_t scope = constantOf(module, inst.id(1)).value_or(0);
    const bool isWider = scope != kWorkgroup &&
                         scope != static_cast<uint32_t>(spv::Scope::Subgroup) &&
                         scope != static_cast<uint32_t>(spv::Scope::Invocation);
    if (isWider && (constantOf(module, inst.id(2)).value_or(UINT32_MAX) & kSharedByGroups) != 0 &&
        hasAtomicsBetweenGroups(module))
      return cannot(module.locationOf(inst),
                    "a barrier that orders memory for other workgroups, which the kernel's atomics "
                    "may tell of it");
    return success();
  }
  // What stands alone orders memory for invocations that do not meet, in other groups too.
  return cannot(module.locationOf(inst),
                "a memory barrier that no control barrier follows: WGSL orders memory only where "
                "the invocations of a workgroup meet");
}

Status checkSubgroup(const Module &module, const Instruction &inst) {
  const Location where = module.locationOf(inst);
  switch (inst.opcode()) {
  case spv::Op::OpGroupNonUniformElect:
  case spv::Op::OpGroupNonUniformAll:
  case spv::Op::OpGroupNonUniformAny:
  case spv::Op::OpGroupNonUniformBroadcastFirst:
  case spv::Op::OpGroupNonUniformBallot:
  case spv::Op::OpGroupNonUniformShuffle:
  case spv::Op::OpGroupNonUniformShuffleXor:
  case spv::Op::OpGroupNonUniformShuffleUp:
  case spv::Op::OpGroupNonUniformShuffleDown:
  case spv::Op::OpGroupNonUniformQuadSwap:
    return success();
  case spv::Op::OpGroupNonUniformBroadcast:
  case spv::Op::OpGroupNonUniformQuadBroadcast:
    if (std::optional<uint32_t> from = constantOf(module, inst.id(2)); !from)
      return cannot(where, "a broadcast from an invocation that is not a constant");
    else if (*from >= (inst.opcode() == spv::Op::OpGroupNonUniformBroadcast ? 128u : 4u))
      return cannot(where, "a broadcast from invocation " + std::to_string(*from));
    return success();
  case spv::Op::OpGroupNonUniformIAdd:
  case spv::Op::OpGroupNonUniformFAdd:
  case spv::Op::OpGroupNonUniformIMul:
  case spv::Op::OpGroupNonUniformFMul:
    if (inst.literal(1) <= static_cast<uint32_t>(spv::GroupOperation::ExclusiveScan))
      return success();
    return cannot(where, "a clustered subgroup operation");
  case spv::Op::OpGroupNonUniformSMin:
  case spv::Op::OpGroupNonUniformUMin:
  case spv::Op::OpGroupNonUniformFMin:
  case spv::Op::OpGroupNonUniformSMax:
  case spv::Op::OpGroupNonUniformUMax:
  case spv::Op::OpGroupNonUniformFMax:
  case spv::Op::OpGroupNonUniformBitwiseAnd:
  case spv::Op::OpGroupNonUniformBitwiseOr:
  case spv::Op::OpGroupNonUniformBitwiseXor:
    if (inst.literal(1) == static_cast<uint32_t>(spv::GroupOperation::Reduce))
      return success();
    return cannot(where, "a scan with " + nameOf(inst.opcode()));
  default:
    return cannot(where, nameOf(inst.opcode()));
  }
}

Status checkInstruction(const Module &module, const Instruction &inst, TypeRules &types) {
  const std::string name = nameOf(inst.opcode());
  const llvm::StringRef op(name);
  if (isValid(inst.typeId()))
    if (std::string_view lacking = types.lacks(inst.typeId()); !lacking.empty())
      return cannot(module.locationOf(inst), std::string(lacking));
  for (Status fine : {checkConstants(module, inst), checkUse(module, inst)})
    if (!fine)
      return fine;
  switch (inst.opcode()) {
  case spv::Op::OpVariable:
    return checkVariable(module, inst, types);
  case spv::Op::OpControlBarrier:
  case spv::Op::OpMemoryBarrier:
    return checkBarrier(module, inst);
  case spv::Op::OpImageTexelPointer:
    return cannot(module.locationOf(inst), "atomics on images");
  case spv::Op::OpPtrAccessChain:
  case spv::Op::OpInBoundsPtrAccessChain:
  case spv::Op::OpConvertPtrToU:
  case spv::Op::OpConvertUToPtr:
    return cannot(module.locationOf(inst), "arithmetic with pointers");
  case spv::Op::OpExtInst:
    return checkExtended(module, inst);
  case spv::Op::OpOuterProduct:
  case spv::Op::OpIsNan: // WGSL lets an implementation take it that neither is there
  case spv::Op::OpIsInf:
    return cannot(module.locationOf(inst), name);
  case spv::Op::OpImageSampleImplicitLod:
  case spv::Op::OpImageSampleDrefImplicitLod:
  case spv::Op::OpImageSampleProjImplicitLod:
  case spv::Op::OpImageSampleProjDrefImplicitLod:
    return cannot(module.locationOf(inst),
                  "sampling without a level of detail in a compute shader");
  default:
    break;
  }
  if (isAtomic(inst.opcode()) || op.starts_with("OpAtomic"))
    return checkAtomic(module, inst);
  if (op.starts_with("OpGroup") || op.starts_with("OpSubgroup"))
    return checkSubgroup(module, inst);
  return success();
}

} // namespace

Status refuseInexpressible(const Module &module) {
  TypeRules types(module);
  for (const Instruction &inst : module.section(Section::Globals))
    if (inst.opcode() == spv::Op::OpVariable)
      for (Status fine : {checkVariable(module, inst, types), checkConstants(module, inst)})
        if (!fine)
          return fine;
  for (const auto &function : module.functions())
    for (const Block &block : function->blocks())
      for (const Instruction &inst : block.instructions())
        if (Status fine = checkInstruction(module, inst, types); !fine)
          return fine;
  return success();
}

} // namespace tailor::wgsl
