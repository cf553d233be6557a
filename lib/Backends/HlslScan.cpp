//===- Backends/HlslScan.cpp -----------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/HlslScan.h"

#include "Backends/HlslShapes.h"

#include "spirv/unified1/GLSL.std.450.h"

#include <algorithm>
#include <optional>

namespace tailor {
namespace {

constexpr const char *kDynamicWrite =
    "writes to a component, column or array of a structure that is chosen at run time";

bool isSubgroup(SpvOp op) {
  return (op >= SpvOpGroupNonUniformElect && op <= SpvOpGroupNonUniformQuadSwap) ||
         (op >= SpvOpSubgroupBallotKHR && op <= SpvOpSubgroupReadInvocationKHR);
}

bool isSubgroupBuiltIn(uint32_t builtIn) {
  switch (builtIn) {
  case SpvBuiltInSubgroupSize:
  case SpvBuiltInSubgroupLocalInvocationId:
  case SpvBuiltInSubgroupEqMask:
  case SpvBuiltInSubgroupGeMask:
  case SpvBuiltInSubgroupGtMask:
  case SpvBuiltInSubgroupLeMask:
  case SpvBuiltInSubgroupLtMask:
    return true;
  default:
    return false;
  }
}

class Scanner {
public:
  explicit Scanner(const ModuleFacts &facts) : facts(facts) {}

  HlslScan scan() {
    facts.forEachInstruction([&](SpvOp op, HlslOperands operands, uint32_t word) {
      at = word;
      if (op == SpvOpExtInst && operands[2] != standard)
        return; // of debug information
      lookAtType(op, operands);
      lookAtBody(op, operands);
    });
    return std::move(found);
  }

private:
  void need(uint32_t model, const std::string &what) { need(model, what, at); }
  void need(uint32_t model, const std::string &what, uint32_t word) {
    auto isThis = [&](const HlslNeed &each) { return each.what == what; };
    if (std::none_of(found.needs.begin(), found.needs.end(), isThis))
      found.needs.push_back({model, what, facts.at(word)});
  }

  void lookAtType(SpvOp op, HlslOperands operands);
  void lookAtBody(SpvOp op, HlslOperands operands);
  void lookAtDoubles(SpvOp op, HlslOperands operands);
  void lookAtSubgroups(SpvOp op, HlslOperands operands);
  void lookAtAtomics(SpvOp op, HlslOperands operands);

  const ModuleFacts &facts;
  HlslScan found;
  uint32_t at = 0;       ///< word of the instruction that is looked at
  uint32_t standard = 0; ///< id of GLSL.std.450
  HlslChains chains;
  HlslBlocks blocks;          ///< of the function that is looked at
  std::set<uint32_t> longs;   ///< types of 64-bit integers
  std::set<uint32_t> doubles; ///< types of doubles, vectors and matrices of them
  std::set<uint32_t> dynamic; ///< access chains to a part chosen at run time
};

void Scanner::lookAtType(SpvOp op, HlslOperands operands) {
  switch (op) {
  case SpvOpExtInstImport:
    if (reinterpret_cast<const char *>(operands.data() + 1) == std::string_view("GLSL.std.450"))
      standard = operands[0];
    break;
  case SpvOpTypeInt:
  case SpvOpTypeFloat: {
    const bool isInt = op == SpvOpTypeInt;
    const uint32_t width = operands[1];
    if (width == 8)
      need(kNoModel, "8-bit integers");
    if (width == 16) {
      need(62, isInt ? "16-bit integers" : "16-bit floats");
      found.features.insert({"-enable-16bit-types", "Native16BitShaderOpsSupported"});
    }
    if (width == 64 && isInt) {
      longs.insert(operands[0]);
      need(60, "64-bit integers");
      found.features.insert("Int64ShaderOps");
    }
    if (width == 64 && !isInt) {
      doubles.insert(operands[0]);
      found.features.insert("DoublePrecisionFloatShaderOps");
    }
    break;
  }
  case SpvOpTypeVector:
  case SpvOpTypeMatrix:
    if (doubles.contains(operands[1]))
      doubles.insert(operands[0]);
    break;
  case SpvOpDecorate:
    if (operands.size() < 3 || operands[1] != SpvDecorationBuiltIn)
      break;
    if (isSubgroupBuiltIn(operands[2])) {
      need(60, "subgroups");
      found.features.insert("WaveOps");
    }
    if (operands[2] == SpvBuiltInSubgroupId || operands[2] == SpvBuiltInNumSubgroups)
      need(kNoModel, operands[2] == SpvBuiltInSubgroupId ? "the number of a subgroup (SubgroupId)"
                                                         : "the number of subgroups");
    break;
  default:
    break;
  }
}

/// HLSL's functions are those of floats. FXC makes a float of a double that it is given there
/// (X3205, a warning), and DXC fails; abs, min, max, clamp and fma are for doubles too.
void Scanner::lookAtDoubles(SpvOp op, HlslOperands operands) {
  if (doubles.empty())
    return;
  constexpr const char *what = "this function of doubles";
  switch (op) {
  case SpvOpExtInst:
    switch (operands[3]) {
    case GLSLstd450FAbs:
    case GLSLstd450FMin:
    case GLSLstd450FMax:
    case GLSLstd450FClamp:
    case GLSLstd450NMin:
    case GLSLstd450NMax:
    case GLSLstd450NClamp:
    case GLSLstd450Fma:
      break;
    case GLSLstd450UnpackDouble2x32:
      need(kNoModel, what);
      break;
    default:
      if (doubles.contains(operands[0]))
        need(kNoModel, what);
    }
    break;
  case SpvOpIsNan:
  case SpvOpIsInf:
    need(kNoModel, "isnan or isinf beside doubles");
    break;
  case SpvOpDot:
  case SpvOpFMod:
  case SpvOpFRem:
  case SpvOpMatrixTimesMatrix:
  case SpvOpMatrixTimesVector:
  case SpvOpVectorTimesMatrix:
    if (doubles.contains(operands[0]))
      need(kNoModel, what);
    break;
  default:
    break;
  }
}

/// SPIRV-Cross 1.3.239 writes the 32-bit operation of a byte-address buffer, whatever the width;
/// DXC warns and cuts the value.
void Scanner::lookAtAtomics(SpvOp op, HlslOperands operands) {
  const auto [storage, type] = chains.pointerOf(operands[op == SpvOpAtomicStore ? 0 : 2]);
  if (!longs.contains(type))
    return;
  if (storage != SpvStorageClassWorkgroup)
    need(kNoModel, "atomic operations on 64-bit integers in a buffer");
  need(66, "atomic operations on 64-bit integers");
  found.features.insert("AtomicInt64OnGroupSharedSupported");
}

void Scanner::lookAtSubgroups(SpvOp op, HlslOperands operands) {
  need(60, "subgroup operations");
  found.features.insert("WaveOps");
  switch (op) {
  case SpvOpGroupNonUniformInverseBallot:
  case SpvOpGroupNonUniformBallotBitExtract:
  case SpvOpGroupNonUniformBallotFindLSB:
  case SpvOpGroupNonUniformBallotFindMSB:
    need(kNoModel, "this operation on a ballot");
    break;
  default:
    break;
  }
  if (op >= SpvOpGroupNonUniformIAdd && op <= SpvOpGroupNonUniformLogicalXor &&
      operands[3] == SpvGroupOperationClusteredReduce)
    need(kNoModel, "operations on clusters of a subgroup");
}

void Scanner::lookAtBody(SpvOp op, HlslOperands operands) {
  if (isSubgroup(op)) {
    lookAtSubgroups(op, operands);
    return;
  }
  chains.look(op, operands);
  blocks.look(op, operands, at);
  lookAtDoubles(op, operands);
  if (op >= SpvOpAtomicLoad && op <= SpvOpAtomicXor)
    lookAtAtomics(op, operands);
  if (op == SpvOpExtInst && operands[3] >= GLSLstd450Asinh && operands[3] <= GLSLstd450Atanh)
    need(kNoModel, "the inverse hyperbolic functions");
  switch (op) {
  case SpvOpAccessChain:
  case SpvOpInBoundsAccessChain:
    if (chains.isDynamicPart(operands))
      dynamic.insert(operands[1]);
    break;
  case SpvOpStore:
    if (dynamic.contains(operands[0]))
      need(60, kDynamicWrite);
    break;
  case SpvOpVectorInsertDynamic:
    need(60, kDynamicWrite);
    break;
  case SpvOpFunctionEnd:
    // FXC: X3537, fall-throughs are not allowed; X3708, continue cannot be used in a switch.
    if (std::optional<uint32_t> word = blocks.fallThrough())
      need(60, "a case of a switch that runs on into the next one or goes on with a loop", *word);
    blocks = HlslBlocks();
    break;
  case SpvOpAtomicFAddEXT:
  case SpvOpAtomicFMinEXT:
  case SpvOpAtomicFMaxEXT:
    need(kNoModel, "atomic operations on floats");
    break;
  default:
    break;
  }
}

} // namespace

HlslScan scanForHlsl(const ModuleFacts &facts) { return Scanner(facts).scan(); }

} // namespace tailor
