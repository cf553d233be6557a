//===- Backends/CrossRules.cpp ---------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/CrossRules.h"

#include "Backends/GlslScan.h"

#include "spirv-tools/libspirv.h"

namespace tailor {
namespace {

using Inst = GlslScan::Inst;

/// From the first to the last of a row of opcodes.
struct OpRange {
  SpvOp first, last;
};
/// What may stand in a function.
constexpr OpRange kWritten[] = {
    {SpvOpNop, SpvOpUndef},
    {SpvOpLine, SpvOpLine},
    {SpvOpNoLine, SpvOpNoLine},
    {SpvOpExtInst, SpvOpExtInst},
    {SpvOpFunction, SpvOpCopyMemory}, // parameters, calls, variables, loads and stores
    {SpvOpAccessChain, SpvOpInBoundsAccessChain},
    {SpvOpArrayLength, SpvOpArrayLength},
    {SpvOpVectorExtractDynamic, SpvOpTranspose}, // composites
    {SpvOpSampledImage, SpvOpImage},             // sampling, reads and writes of images
    {SpvOpImageQuerySizeLod, SpvOpImageQuerySize},
    {SpvOpImageQueryLod, SpvOpImageQuerySamples},
    {SpvOpConvertFToU, SpvOpFConvert}, // OpQuantizeToF16 flushes, texts do not
    {SpvOpBitcast, SpvOpBitcast},
    {SpvOpSNegate, SpvOpSMulExtended}, // arithmetic
    {SpvOpAny, SpvOpIsInf},
    {SpvOpLogicalEqual, SpvOpFUnordGreaterThanEqual},
    {SpvOpShiftRightLogical, SpvOpBitCount},
    {SpvOpControlBarrier, SpvOpMemoryBarrier},
    {SpvOpAtomicLoad, SpvOpAtomicExchange},
    {SpvOpAtomicCompareExchange, SpvOpAtomicCompareExchange},
    {SpvOpAtomicIIncrement, SpvOpAtomicXor},
    {SpvOpPhi, SpvOpSwitch},
    {SpvOpReturn, SpvOpUnreachable},
    {SpvOpImageTexelPointer, SpvOpImageTexelPointer},
    {SpvOpGroupNonUniformElect, SpvOpGroupNonUniformQuadSwap},
    {SpvOpCopyLogical, SpvOpCopyLogical},
    {SpvOpSubgroupBallotKHR, SpvOpSubgroupFirstInvocationKHR},
    {SpvOpSubgroupAllKHR, SpvOpSubgroupReadInvocationKHR},
    {SpvOpAtomicFAddEXT, SpvOpAtomicFAddEXT},
};

bool isWritten(SpvOp op) {
  for (const OpRange &range : kWritten)
    if (op >= range.first && op <= range.last)
      return true;
  return false;
}

/// Operations on integers that go by their own sign, which a text takes from the operands; false
/// for what has none.
bool isOfSign(SpvOp op, bool &isSigned) {
  switch (op) {
  case SpvOpSDiv:
  case SpvOpSRem:
  case SpvOpSMod:
  case SpvOpShiftRightArithmetic:
  case SpvOpSLessThan:
  case SpvOpSLessThanEqual:
  case SpvOpSGreaterThan:
  case SpvOpSGreaterThanEqual:
  case SpvOpSConvert:
    isSigned = true;
    return true;
  case SpvOpUDiv:
  case SpvOpUMod:
  case SpvOpShiftRightLogical:
  case SpvOpULessThan:
  case SpvOpULessThanEqual:
  case SpvOpUGreaterThan:
  case SpvOpUGreaterThanEqual:
  case SpvOpUConvert:
    isSigned = false;
    return true;
  default:
    return false;
  }
}

class CrossRules {
public:
  CrossRules(std::string_view language, const EmitRequest &request, const ModuleFacts &facts)
      : language(language), options(request.options), facts(facts), scan(facts) {}

  Status run() {
    bool isInFunction = false;
    for (const Inst &inst : scan.instructions()) {
      isInFunction = isInFunction || inst.op == SpvOpFunction;
      if (isInFunction && !isWritten(inst.op))
        return cannot(inst, "Op" + std::string(spvOpcodeString(inst.op)));
      if (Status fine = check(inst); !fine)
        return fine;
    }
    return success();
  }

private:
  Failure cannot(const Inst &inst, const std::string &what) const {
    return failure(facts.at(inst.word), std::string(language) + " cannot express " + what);
  }

  Status check(const Inst &inst) {
    switch (inst.op) {
    case SpvOpExtInstImport:
      return checkSet(inst);
    case SpvOpVariable:
      // SPIRV-Cross leaves the value out.
      if (inst.operand(2) == SpvStorageClassWorkgroup && inst.operands.size() > 3)
        return cannot(inst, "workgroup memory that starts with a value (" +
                                scan.name(inst.operand(1)) + ")");
      return success();
    case SpvOpSource:
      modulosAreOpen = inst.operand(0) == SpvSourceLanguageGLSL ||
                       inst.operand(0) == SpvSourceLanguageESSL ||
                       inst.operand(0) == SpvSourceLanguageHLSL;
      return success();
    case SpvOpSpecConstantOp:
      return checkConstant(inst);
    case SpvOpAtomicLoad:
    case SpvOpAtomicExchange:
    case SpvOpAtomicFAddEXT:
      return checkAtomic(inst, inst.operand(2), scan.def(inst.operand(0)));
    case SpvOpAtomicStore:
      return checkAtomic(inst, inst.operand(0), scan.typeOf(inst.operand(3)));
    default:
      return success();
    }
  }

  /// A call of printf is written whatever the language.
  Status checkSet(const Inst &inst) {
    const char *bytes = reinterpret_cast<const char *>(inst.operands.data() + 1);
    const std::string_view name(bytes); // a valid module ends it
    const bool isDebug = name == "OpenCL.DebugInfo.100" || name == "DebugInfo" ||
                         (name.starts_with("NonSemantic.") && name != "NonSemantic.DebugPrintf");
    if (name == "GLSL.std.450" || isDebug ||
        (name == "NonSemantic.DebugPrintf" && language == "glsl" && options.vulkanGlsl))
      return success();
    return cannot(inst, name == "NonSemantic.DebugPrintf"
                            ? "printf (NonSemantic.DebugPrintf)"
                            : "the instructions of " + std::string(name));
  }

  /// Passes reach what functions compute, not what is computed of specialization constants.
  Status checkConstant(const Inst &inst) {
    const auto op = static_cast<SpvOp>(inst.operand(2));
    const std::string what =
        "Op" + std::string(spvOpcodeString(op)) + " of specialization constants";
    if (op == SpvOpSMod && !modulosAreOpen)
      return cannot(inst, what);
    bool isSigned = false;
    if (!isOfSign(op, isSigned))
      return success();
    const bool isShift = op == SpvOpShiftRightArithmetic || op == SpvOpShiftRightLogical;
    for (size_t index = 3; index < (isShift ? 4 : inst.operands.size()); ++index)
      if (!isOfType(inst.operand(index), isSigned))
        return cannot(inst, what + " of the other sign");
    const Inst &result = scan.def(inst.operand(0));
    if (result.op == SpvOpTypeInt && (result.operand(2) != 0) != isSigned)
      return cannot(inst, what + " of the other sign");
    return success();
  }

  bool isOfType(uint32_t id, bool isSigned) const {
    const Inst *type = &scan.typeOf(id);
    if (type->op == SpvOpTypeVector)
      type = &scan.def(type->operand(1));
    return type->op != SpvOpTypeInt || (type->operand(2) != 0) == isSigned;
  }

  /// HLSL and Metal go through what is there for integers. Of Vulkan GLSL only additions ask for
  /// their extension.
  Status checkAtomic(const Inst &inst, uint32_t pointer, const Inst &type) {
    if (type.op != SpvOpTypeFloat)
      return success();
    const bool isImage = scan.def(pointer).op == SpvOpImageTexelPointer;
    const bool isAdd = inst.op == SpvOpAtomicFAddEXT;
    const std::string what = "atomic operations on floats";
    if (language == "glsl" || language == "essl")
      return isAdd || isImage ? Status(success()) : cannot(inst, what + " other than additions");
    return cannot(inst, what);
  }

  std::string_view language;
  const EmitOptions &options;
  const ModuleFacts &facts;
  const GlslScan scan;
  bool modulosAreOpen = false; ///< leavesModuloOpen (Numbers.h)
};

} // namespace

Status checkCrossRules(std::string_view language, const EmitRequest &request,
                       const ModuleFacts &facts) {
  return CrossRules(language, request, facts).run();
}

} // namespace tailor
