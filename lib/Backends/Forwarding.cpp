//===- Backends/Forwarding.cpp ---------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#define SPV_ENABLE_UTILITY_CODE
#include "Backends/Forwarding.h"

#include "Support/SpirvTools.h"

#include "spirv/unified1/spirv.h"

#include <set>

namespace tailor {
namespace {

constexpr unsigned kMaxChain = 64; // pointers made from pointers, until we take them for memory

class Values {
public:
  explicit Values(std::span<const uint32_t> words) : words(words), ids(words[3]) {}

  std::vector<uint32_t> run() {
    each([&](uint32_t at) { define(at); });
    each([&](uint32_t at) { use(at); });
    return {held.begin(), held.end()};
  }

private:
  struct Value {
    uint32_t word = 0;          ///< of what defines it
    uint32_t block = 0;         ///< its block's label; 0: outside of blocks
    bool comesOfMemory = false; ///< what it is in its block, written out, reads memory
    bool isSeen = false;        ///< by hold
  };

  template <typename Visit> void each(Visit visit) {
    block = 0;
    for (uint32_t at = kSpirvHeaderWords; at < words.size(); at += length(at)) {
      if (opAt(at) == SpvOpLabel)
        block = words[at + 1];
      visit(at);
      if (opAt(at) == SpvOpFunctionEnd)
        block = 0;
    }
  }

  uint32_t length(uint32_t at) const { return words[at] >> 16; }
  SpvOp opAt(uint32_t at) const { return static_cast<SpvOp>(words[at] & 0xffff); }
  SpvOp opOf(uint32_t id) const {
    return id < ids.size() && ids[id].word != 0 ? opAt(ids[id].word) : SpvOpNop;
  }
  uint32_t operandOf(uint32_t id, uint32_t index) const {
    const uint32_t at = id < ids.size() ? ids[id].word : 0;
    return at != 0 && index < length(at) ? words[at + index] : 0;
  }

  /// Of an instruction: the words that may be operands.
  std::span<const uint32_t> operandsAt(uint32_t at) const {
    bool hasResult = false, hasType = false;
    SpvHasResultAndType(opAt(at), &hasResult, &hasType);
    const uint32_t first = 1 + (hasResult ? 1 : 0) + (hasType ? 1 : 0);
    return first < length(at) ? words.subspan(at + first, length(at) - first)
                              : std::span<const uint32_t>();
  }

  void define(uint32_t at) {
    bool hasResult = false, hasType = false;
    SpvHasResultAndType(opAt(at), &hasResult, &hasType);
    const uint32_t id = hasResult ? words[at + (hasType ? 2 : 1)] : 0;
    if (id != 0 && id < ids.size())
      ids[id] = {at, block, comesOfMemory(at), false};
    if (opAt(at) == SpvOpDecorate && words[at + 2] == SpvDecorationBufferBlock)
      bufferBlocks.insert(words[at + 1]);
  }

  bool comesOfMemory(uint32_t at) const {
    if (block == 0 || opAt(at) == SpvOpPhi)
      return false;
    if (readsMemory(at))
      return true;
    for (uint32_t operand : operandsAt(at))
      if (isOfBlock(operand, block) && ids[operand].comesOfMemory)
        return true;
    return false;
  }

  bool isOfBlock(uint32_t id, uint32_t label) const {
    return id < ids.size() && ids[id].word != 0 && ids[id].block == label;
  }

  /// Whatever leaves its block is held. Words that are no ids may be taken for some: that holds
  /// what need not be.
  void use(uint32_t at) {
    if (block == 0 || opAt(at) == SpvOpLine || opAt(at) == SpvOpLabel)
      return;
    const bool isPhi = opAt(at) == SpvOpPhi;
    for (uint32_t index = isPhi ? 3 : 1; index < length(at); index += isPhi ? 2 : 1) {
      const uint32_t id = words[at + index], user = isPhi ? words[at + index + 1] : block;
      if (!isOfBlock(id, 0) && !isOfBlock(id, user) && id < ids.size())
        hold(id);
    }
    // Two phis take each other's value: the copy is there to be one (OrderPhis.h).
    if (opAt(at) == SpvOpCopyObject && opOf(words[at + 3]) == SpvOpPhi && !isOpaque(words[at + 1]))
      held.insert(words[at + 2]);
  }

  bool isOpaque(uint32_t type) const {
    switch (opOf(type)) {
    case SpvOpTypeArray:
    case SpvOpTypeRuntimeArray:
      return isOpaque(operandOf(type, 2));
    case SpvOpTypeImage:
    case SpvOpTypeSampler:
    case SpvOpTypeSampledImage:
    case SpvOpTypePointer:
    case SpvOpTypeVoid:
      return true;
    default:
      return false;
    }
  }

  /// The structure that a variable holds, or has an array of.
  uint32_t blockOf(uint32_t variable) const {
    uint32_t type = operandOf(operandOf(variable, 1), 3);
    while (opOf(type) == SpvOpTypeArray || opOf(type) == SpvOpTypeRuntimeArray)
      type = operandOf(type, 2);
    return type;
  }

  /// Whether no invocation writes what a pointer points to.
  bool isReadOnly(uint32_t pointer) const {
    for (unsigned step = 0; step < kMaxChain; ++step) {
      switch (opOf(pointer)) {
      case SpvOpAccessChain:
      case SpvOpInBoundsAccessChain:
      case SpvOpPtrAccessChain:
      case SpvOpCopyObject:
        pointer = operandOf(pointer, 3);
        break;
      case SpvOpVariable: {
        const uint32_t storage = operandOf(pointer, 3);
        if (storage == SpvStorageClassUniform)
          return !bufferBlocks.contains(blockOf(pointer));
        return storage == SpvStorageClassInput || storage == SpvStorageClassUniformConstant ||
               storage == SpvStorageClassPushConstant;
      }
      default:
        return false;
      }
    }
    return false;
  }

  /// Whether the instruction gives what memory, or the other invocations, make of it now.
  bool readsMemory(uint32_t at) const {
    const SpvOp op = opAt(at);
    switch (op) {
    case SpvOpLoad:
      return !isOpaque(words[at + 1]) && !isReadOnly(words[at + 3]);
    case SpvOpFunctionCall:
    case SpvOpImageRead:
    case SpvOpImageSparseRead:
      return !isOpaque(words[at + 1]);
    default:
      return (op >= SpvOpAtomicLoad && op <= SpvOpAtomicXor && op != SpvOpAtomicStore) ||
             (op >= SpvOpGroupNonUniformElect && op <= SpvOpGroupNonUniformQuadSwap) ||
             (op >= SpvOpSubgroupBallotKHR && op <= SpvOpSubgroupReadInvocationKHR);
    }
  }

  /// Holds a value, or what it is made of in its block.
  void hold(uint32_t wanted) {
    std::vector<uint32_t> pending{wanted};
    while (!pending.empty()) {
      const uint32_t id = pending.back();
      pending.pop_back();
      Value &value = ids[id];
      if (value.isSeen || !value.comesOfMemory)
        continue;
      value.isSeen = true;
      // A part rather than the whole, which may be a large array.
      if (readsMemory(value.word) || opAt(value.word) == SpvOpCompositeExtract) {
        held.insert(id);
        continue;
      }
      for (uint32_t operand : operandsAt(value.word))
        if (isOfBlock(operand, value.block))
          pending.push_back(operand);
    }
  }

  std::span<const uint32_t> words;
  std::vector<Value> ids;
  std::set<uint32_t> held, bufferBlocks;
  uint32_t block = 0;
};

} // namespace

std::vector<uint32_t> valuesToHold(std::span<const uint32_t> words) { return Values(words).run(); }

} // namespace tailor
