//===- Analysis/Opcodes.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/Opcodes.h"

namespace tailor {

static bool between(spv::Op op, spv::Op first, spv::Op last) { return op >= first && op <= last; }

static bool isSubgroup(spv::Op op) {
  using enum spv::Op;
  if (between(op, OpGroupNonUniformElect, OpGroupNonUniformQuadSwap) ||
      between(op, OpGroupAll, OpGroupSMax) ||
      between(op, OpSubgroupBallotKHR, OpSubgroupReadInvocationKHR))
    return true;
  std::string name = nameOf(op);
  return name.find("Subgroup") != std::string::npos ||
         name.find("NonUniform") != std::string::npos || name.rfind("OpGroup", 0) == 0;
}

// A table of opcodes, as a switch.
// NOLINTNEXTLINE(readability-function-size)
OpcodeClass classOf(spv::Op op) {
  using enum spv::Op;
  switch (op) {
  case OpNop:
  case OpVariable:
  case OpPhi:
  case OpLabel:
  case OpSelectionMerge:
  case OpLoopMerge:
  case OpBranch:
  case OpBranchConditional:
  case OpSwitch:
  case OpReturn:
  case OpUnreachable:
    return OpcodeClass::Structure;
  case OpUndef:
  case OpVectorExtractDynamic:
  case OpVectorInsertDynamic:
  case OpVectorShuffle:
  case OpCompositeConstruct:
  case OpCompositeExtract:
  case OpCompositeInsert:
  case OpCopyObject:
  case OpCopyLogical:
  case OpTranspose:
  case OpSampledImage:
  case OpImage:
  case OpAny:
  case OpAll:
    return OpcodeClass::Pure;
  case OpConvertFToU:
  case OpConvertFToS:
  case OpConvertSToF:
  case OpConvertUToF:
  case OpUConvert:
  case OpSConvert:
  case OpFConvert:
  case OpQuantizeToF16:
  case OpBitcast:
  case OpIsNan:
  case OpIsInf:
    return OpcodeClass::Componentwise;
  case OpLoad:
  case OpStore:
  case OpCopyMemory:
  case OpAccessChain:
  case OpInBoundsAccessChain:
    return OpcodeClass::Memory;
  case OpImageSampleExplicitLod:
  case OpImageSampleDrefExplicitLod:
  case OpImageSampleProjExplicitLod:
  case OpImageSampleProjDrefExplicitLod:
  case OpImageGather:
  case OpImageDrefGather:
    return OpcodeClass::ImageSample;
  case OpImageFetch:
  case OpImageRead:
  case OpImageWrite:
  case OpImageTexelPointer:
    return OpcodeClass::ImageAccess;
  case OpImageQuerySizeLod:
  case OpImageQuerySize:
  case OpImageQueryLevels:
  case OpImageQuerySamples:
    return OpcodeClass::ImageQuery;
  case OpArrayLength:
    return OpcodeClass::ArrayLength;
  case OpMemoryBarrier:
    return OpcodeClass::MemoryBarrier;
  case OpExtInst:
    return OpcodeClass::ExtInst;
  case OpControlBarrier:
    return OpcodeClass::ControlBarrier;
  case OpImageSampleImplicitLod:
  case OpImageSampleDrefImplicitLod:
  case OpImageSampleProjImplicitLod:
  case OpImageSampleProjDrefImplicitLod:
  case OpImageQueryLod:
    return OpcodeClass::Derivative;
  case OpFunctionCall:
    return OpcodeClass::Call;
  case OpAtomicFlagTestAndSet:
  case OpAtomicFlagClear:
    return OpcodeClass::Unknown; // OpenCL
  default:
    break;
  }
  if (isAtomic(op))
    return OpcodeClass::Atomic;
  if (between(op, OpDPdx, OpFwidthCoarse))
    return OpcodeClass::Derivative;
  if (between(op, OpSNegate, OpFMod) || between(op, OpLogicalEqual, OpFUnordGreaterThanEqual) ||
      between(op, OpShiftRightLogical, OpBitCount))
    return OpcodeClass::Componentwise;
  // Products of vectors and matrices, carries, and integer dot products.
  if (between(op, OpVectorTimesScalar, OpSMulExtended) || between(op, OpSDotKHR, OpSUDotAccSatKHR))
    return OpcodeClass::Pure;
  return isSubgroup(op) ? OpcodeClass::Subgroup : OpcodeClass::Unknown;
}

} // namespace tailor
