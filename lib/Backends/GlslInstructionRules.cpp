//===- Backends/GlslInstructionRules.cpp - Instructions that GLSL has not --===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/GlslRules.h"

namespace tailor {
namespace {

using Inst = GlslScan::Inst;

/// Bits of memory semantics that order accesses: Acquire, Release, AcquireRelease,
/// SequentiallyConsistent.
constexpr uint32_t kOrdering = 0x2 | 0x4 | 0x8 | 0x10;

bool isSubgroupOp(SpvOp op) {
  return (op >= SpvOpGroupNonUniformElect && op <= SpvOpGroupNonUniformQuadSwap) ||
         (op >= SpvOpSubgroupBallotKHR && op <= SpvOpSubgroupReadInvocationKHR) ||
         op == SpvOpGroupNonUniformPartitionNV;
}

/// The first of an atomic's semantics among its operands; 0: no atomic.
size_t semanticsOperand(SpvOp op) {
  switch (op) {
  case SpvOpAtomicStore: // pointer, scope, semantics
    return 2;
  case SpvOpAtomicLoad: // type, result, pointer, scope, semantics
  case SpvOpAtomicExchange:
  case SpvOpAtomicCompareExchange:
  case SpvOpAtomicIIncrement:
  case SpvOpAtomicIDecrement:
  case SpvOpAtomicIAdd:
  case SpvOpAtomicISub:
  case SpvOpAtomicSMin:
  case SpvOpAtomicUMin:
  case SpvOpAtomicSMax:
  case SpvOpAtomicUMax:
  case SpvOpAtomicAnd:
  case SpvOpAtomicOr:
  case SpvOpAtomicXor:
  case SpvOpAtomicFAddEXT:
  case SpvOpAtomicFMinEXT:
  case SpvOpAtomicFMaxEXT:
    return 4;
  default:
    return 0;
  }
}

class InstructionRules {
public:
  InstructionRules(const GlslProfile &profile, const ModuleFacts &facts, const GlslScan &scan)
      : profile(profile), facts(facts), scan(scan) {}

  Status run() {
    for (const Inst &inst : scan.instructions()) {
      if (Status fine = checkSynchronization(inst); !fine)
        return fine;
      if (Status fine = checkMemory(inst); !fine)
        return fine;
      if (Status fine = checkImageOp(inst); !fine)
        return fine;
    }
    return success();
  }

private:
  Failure cannot(const Inst &inst, std::string_view what) const {
    return profile.cannot(facts.at(inst.word), what);
  }

  Status checkSynchronization(const Inst &inst) {
    if (profile.isOpenGl() && isSubgroupOp(inst.op))
      return cannot(inst, "subgroup operations");
    if (inst.op == SpvOpControlBarrier && profile.isOpenGl() &&
        scan.constant(inst.operand(0)) != uint32_t{SpvScopeWorkgroup})
      return cannot(inst, "a barrier over anything but the workgroup");
    const size_t semantics = semanticsOperand(inst.op);
    if (semantics == 0)
      return success();
    // SPIRV-Cross leaves the order out.
    const std::optional<uint32_t> order = scan.constant(inst.operand(semantics));
    if (!order || (*order & kOrdering) != 0)
      return cannot(inst, "an atomic operation that orders other accesses");
    return checkAtomic(inst);
  }

  Status checkAtomic(const Inst &inst) {
    const bool isStore = inst.op == SpvOpAtomicStore;
    const Inst &type = isStore ? scan.typeOf(inst.operand(3)) : scan.def(inst.operand(0));
    const uint32_t pointer = inst.operand(isStore ? 0 : 2);
    // No text that SPIRV-Cross 1.3.239 writes asks for the extensions of these.
    if (type.operand(1) == 64)
      return cannot(inst, "atomic operations on 64 bits");
    if (type.op == SpvOpTypeFloat && profile.isOpenGl() && inst.op != SpvOpAtomicExchange)
      return cannot(inst, "atomic operations on floats");
    if (type.op == SpvOpTypeFloat && scan.def(pointer).op != SpvOpImageTexelPointer &&
        profile.isOpenGl())
      return cannot(inst, "atomic operations on floats");
    if (inst.op != SpvOpAtomicLoad)
      return success();
    // There is no atomic load: SPIRV-Cross adds 0, which needs memory that can be written.
    const GlslScan::Resource *from = scan.resourceOf(pointer);
    if (from && (scan.hasDecoration(from->id, SpvDecorationNonWritable) ||
                 scan.hasMemberDecoration(from->type, SpvDecorationNonWritable)))
      return cannot(inst, "an atomic load from memory that is read-only");
    return success();
  }

  Status checkMemory(const Inst &inst) {
    switch (inst.op) {
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
      if (Status fine = checkResourceIndex(inst); !fine)
        return fine;
      return checkBuiltIn(inst, inst.operand(2));
    case SpvOpLoad:
      return checkBuiltIn(inst, inst.operand(2));
    default:
      return success();
    }
  }

  Status checkBuiltIn(const Inst &inst, uint32_t variable) {
    const std::optional<uint32_t> builtIn = scan.decoration(variable, SpvDecorationBuiltIn);
    if (!builtIn)
      return success();
    switch (static_cast<SpvBuiltIn>(*builtIn)) {
    case SpvBuiltInNumWorkgroups:
    case SpvBuiltInWorkgroupSize:
    case SpvBuiltInWorkgroupId:
    case SpvBuiltInLocalInvocationId:
    case SpvBuiltInGlobalInvocationId:
    case SpvBuiltInLocalInvocationIndex:
      return success();
    case SpvBuiltInSubgroupSize:
    case SpvBuiltInNumSubgroups:
    case SpvBuiltInSubgroupId:
    case SpvBuiltInSubgroupLocalInvocationId:
    case SpvBuiltInSubgroupEqMask:
    case SpvBuiltInSubgroupGeMask:
    case SpvBuiltInSubgroupGtMask:
    case SpvBuiltInSubgroupLeMask:
    case SpvBuiltInSubgroupLtMask:
      return profile.vulkan ? success() : cannot(inst, "subgroup built-in values");
    default:
      return profile.vulkan ? success() : cannot(inst, "this built-in value");
    }
  }

  /// GLSL ES 3.10 and 3.20, 4.1.9 "Arrays": which arrays may be indexed by what.
  Status checkResourceIndex(const Inst &chain) {
    if (!profile.es)
      return success();
    for (const GlslScan::Resource &resource : scan.resources()) {
      if (resource.id != chain.operand(2) || !resource.isArray || scan.isConstant(chain.operand(3)))
        continue;
      const Inst &type = scan.def(resource.type);
      const bool isStorageImage = type.op == SpvOpTypeImage && type.operand(6) == 2;
      const bool isStorageBuffer = resource.storage == SpvStorageClassStorageBuffer ||
                                   scan.hasDecoration(resource.type, SpvDecorationBufferBlock);
      if (profile.version < 320 || isStorageImage || isStorageBuffer)
        return cannot(chain, "an array of " +
                                 std::string(isStorageBuffer  ? "storage buffers"
                                             : isStorageImage ? "images"
                                                              : "resources") +
                                 " with an index that is no constant (" + scan.name(resource) +
                                 ")");
    }
    return success();
  }

  Status checkImageOp(const Inst &inst) {
    switch (inst.op) {
    case SpvOpImageQueryLod:
    case SpvOpImageQueryLevels:
      return profile.es ? cannot(inst, "a question for levels of detail") : success();
    case SpvOpImageQuerySamples:
      // Below 4.50 SPIRV-Cross does not name the extension that has it.
      return profile.es || profile.version < 450 ? cannot(inst, "a question for samples")
                                                 : success();
    case SpvOpImageGather:
    case SpvOpImageDrefGather:
      return checkGather(inst);
    default:
      break;
    }
    if (inst.op == SpvOpImageSparseRead ||
        (inst.op >= SpvOpImageSparseSampleImplicitLod && inst.op <= SpvOpImageSparseTexelsResident))
      return cannot(inst, "sparse images");
    return success();
  }

  Status checkGather(const Inst &inst) {
    // GLSL ES 3.10, 8.9: the offset of textureGatherOffset is a constant, textureGatherOffsets
    // does not exist.
    if (!profile.es || profile.version >= 320)
      return success();
    const uint32_t with = inst.operand(5);
    if ((with & SpvImageOperandsConstOffsetsMask) != 0)
      return cannot(inst, "a gather with four offsets, which GLSL ES has from 3.20 on");
    if ((with & SpvImageOperandsOffsetMask) != 0)
      return cannot(inst, "a gather with an offset that is no constant, which GLSL ES has from "
                          "3.20 on");
    return success();
  }

  const GlslProfile &profile;
  const ModuleFacts &facts;
  const GlslScan &scan;
};

} // namespace

Status checkGlslInstructions(const GlslProfile &profile, const ModuleFacts &facts,
                             const GlslScan &scan) {
  return InstructionRules(profile, facts, scan).run();
}

} // namespace tailor
