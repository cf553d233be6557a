//===- Backends/HlslScan.cpp -----------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/HlslScan.h"

#include "spirv/unified1/GLSL.std.450.h"

#include <algorithm>
#include <map>
#include <optional>

namespace tailor {
namespace {

using Operands = std::span<const uint32_t>;

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

/// The types and constants that say where an access chain leads to.
class Chains {
public:
  void look(SpvOp op, Operands operands);
  /// Whether the chain chooses, at run time, a component of a vector, a column of a matrix or an
  /// element of a structure's array, in a variable that is not memory: what FXC cannot write to
  /// (X3500, array reference cannot be used as an l-value).
  bool isDynamicPart(Operands chain) const;

private:
  struct Type {
    SpvOp op;
    std::vector<uint32_t> parts; ///< element or members; of a pointer: class and pointee
  };
  std::map<uint32_t, Type> types;
  std::map<uint32_t, uint32_t> constants; ///< id -> value
  std::map<uint32_t, uint32_t> variables; ///< id -> type
};

void Chains::look(SpvOp op, Operands operands) {
  switch (op) {
  case SpvOpTypeVector:
  case SpvOpTypeMatrix:
  case SpvOpTypeArray:
    types[operands[0]] = {op, {operands[1]}};
    break;
  case SpvOpTypePointer:
  case SpvOpTypeStruct:
    types[operands[0]] = {op, {operands.begin() + 1, operands.end()}};
    break;
  case SpvOpConstant:
    constants[operands[1]] = operands[2];
    break;
  case SpvOpVariable:
    variables[operands[1]] = operands[0];
    break;
  default:
    break;
  }
}

bool Chains::isDynamicPart(Operands chain) const {
  auto variable = variables.find(chain[2]);
  auto pointer = variable == variables.end() ? types.end() : types.find(variable->second);
  if (pointer == types.end() || (pointer->second.parts[0] != SpvStorageClassFunction &&
                                 pointer->second.parts[0] != SpvStorageClassPrivate))
    return false;
  uint32_t type = pointer->second.parts[1];
  bool isInStructure = false;
  for (uint32_t index : chain.subspan(3)) {
    auto found = types.find(type);
    if (found == types.end())
      return false;
    const auto &[op, parts] = found->second;
    auto constant = constants.find(index);
    if (op == SpvOpTypeStruct) {
      if (constant == constants.end() || constant->second >= parts.size())
        return false;
      isInStructure = true;
    } else if (constant == constants.end() && (op != SpvOpTypeArray || isInStructure)) {
      return true;
    }
    type = parts[op == SpvOpTypeStruct ? constant->second : 0];
  }
  return false;
}

/// The blocks of one function, for what a switch says of them.
class Blocks {
public:
  /// The word of a switch of which a case runs on into another one, or goes on with a loop around
  /// the switch.
  std::optional<uint32_t> fallThrough() const;
  void look(SpvOp op, Operands operands, uint32_t word);

private:
  struct Switch {
    uint32_t word, header, merge;
    std::set<uint32_t> targets; ///< without the merge block
  };
  bool runsOn(const Switch &choice, uint32_t from) const;

  std::map<uint32_t, std::vector<uint32_t>> successors;
  std::vector<Switch> switches;
  std::map<uint32_t, uint32_t> loops; ///< continue target -> header
  uint32_t block = 0, merge = 0;
};

void Blocks::look(SpvOp op, Operands operands, uint32_t word) {
  switch (op) {
  case SpvOpLabel:
    block = operands[0];
    merge = 0;
    break;
  case SpvOpLoopMerge:
    loops[operands[1]] = block;
    merge = operands[0];
    break;
  case SpvOpSelectionMerge:
    merge = operands[0];
    break;
  case SpvOpBranch:
    successors[block] = {operands[0]};
    break;
  case SpvOpBranchConditional:
    successors[block] = {operands[1], operands[2]};
    break;
  case SpvOpSwitch: {
    // The default, then a literal of one word and a label each: 64-bit selectors are no HLSL.
    std::set<uint32_t> targets{operands[1]};
    for (size_t at = 3; at < operands.size(); at += 2)
      targets.insert(operands[at]);
    successors[block].assign(targets.begin(), targets.end());
    targets.erase(merge);
    switches.push_back({word, block, merge, std::move(targets)});
    break;
  }
  default:
    break;
  }
}

bool Blocks::runsOn(const Switch &choice, uint32_t from) const {
  // The header dominates all cases: who gets from one to another without it fell through. Continue
  // targets end the search; one whose loop's header was not met belongs to a loop around.
  std::set<uint32_t> seen{from, choice.header, choice.merge}, continues;
  std::vector<uint32_t> pending{from};
  while (!pending.empty()) {
    const uint32_t at = pending.back();
    pending.pop_back();
    auto next = successors.find(at);
    if (next == successors.end())
      continue;
    for (uint32_t to : next->second) {
      if (to != from && choice.targets.contains(to))
        return true;
      if (auto loop = loops.find(to); loop != loops.end() && loop->second != to)
        continues.insert(loop->second);
      else if (seen.insert(to).second)
        pending.push_back(to);
    }
  }
  return std::any_of(continues.begin(), continues.end(), [&](uint32_t header) {
    return !seen.contains(header) || header == choice.header;
  });
}

std::optional<uint32_t> Blocks::fallThrough() const {
  for (const Switch &choice : switches)
    for (uint32_t target : choice.targets)
      if (runsOn(choice, target))
        return choice.word;
  return std::nullopt;
}

class Scanner {
public:
  explicit Scanner(const ModuleFacts &facts) : facts(facts) {}

  HlslScan scan() {
    facts.forEachInstruction([&](SpvOp op, Operands operands, uint32_t word) {
      at = word;
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

  void lookAtType(SpvOp op, Operands operands);
  void lookAtBody(SpvOp op, Operands operands);
  void lookAtDoubles(SpvOp op, Operands operands);
  void lookAtSubgroups(SpvOp op, Operands operands);

  const ModuleFacts &facts;
  HlslScan found;
  uint32_t at = 0; ///< word of the instruction that is looked at
  Chains chains;
  Blocks blocks;              ///< of the function that is looked at
  std::set<uint32_t> doubles; ///< types of doubles, vectors and matrices of them
  std::set<uint32_t> dynamic; ///< access chains to a part chosen at run time
};

void Scanner::lookAtType(SpvOp op, Operands operands) {
  switch (op) {
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
void Scanner::lookAtDoubles(SpvOp op, Operands operands) {
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

void Scanner::lookAtSubgroups(SpvOp op, Operands operands) {
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

void Scanner::lookAtBody(SpvOp op, Operands operands) {
  if (isSubgroup(op)) {
    lookAtSubgroups(op, operands);
    return;
  }
  chains.look(op, operands);
  blocks.look(op, operands, at);
  lookAtDoubles(op, operands);
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
    blocks = Blocks();
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
