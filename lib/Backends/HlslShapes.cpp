//===- Backends/HlslShapes.cpp ---------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/HlslShapes.h"

#include <algorithm>

namespace tailor {

void HlslChains::look(SpvOp op, HlslOperands operands) {
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
  case SpvOpAccessChain:
  case SpvOpInBoundsAccessChain:
    pointers[operands[1]] = operands[0];
    break;
  default:
    break;
  }
}

std::pair<uint32_t, uint32_t> HlslChains::pointerOf(uint32_t id) const {
  auto pointer = pointers.find(id);
  auto type = pointer == pointers.end() ? types.end() : types.find(pointer->second);
  return type == types.end() ? std::pair(0u, 0u)
                             : std::pair(type->second.parts[0], type->second.parts[1]);
}

bool HlslChains::isDynamicPart(HlslOperands chain) const {
  auto [storage, type] = pointerOf(chain[2]);
  if (storage != SpvStorageClassFunction && storage != SpvStorageClassPrivate)
    return false;
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

void HlslBlocks::look(SpvOp op, HlslOperands operands, uint32_t word) {
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

bool HlslBlocks::runsOn(const Switch &choice, uint32_t from) const {
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

std::optional<uint32_t> HlslBlocks::fallThrough() const {
  for (const Switch &choice : switches)
    for (uint32_t target : choice.targets)
      if (runsOn(choice, target))
        return choice.word;
  return std::nullopt;
}

} // namespace tailor
