//===- Analysis/RetryLoops.cpp ---------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/RetryLoops.h"

#include "Analysis/Affine.h"
#include "Analysis/Opcodes.h"

namespace tailor {

namespace {

/// The innermost loop around a block.
class Round {
public:
  Round(const KernelAnalysis &kernel, const Block &block)
      : kernel(kernel), loop(kernel.affine().loopOf(block)) {}
  const LoopInfo *info() const { return loop; }
  bool contains(const Block &block) const { return kernel.affine().contains(*loop, block); }

private:
  const KernelAnalysis &kernel;
  const LoopInfo *loop;
};

constexpr unsigned kMaxDepth = 12;

/// Memory that holds the same all the time.
bool isFixedMemory(const std::optional<PointerPath> &path) {
  return path && (path->space == MemorySpace::Input || path->space == MemorySpace::PushConstant ||
                  path->space == MemorySpace::UniformBuffer);
}

bool isPure(const Instruction &inst) {
  OpcodeClass kind = classOf(inst.opcode());
  return (kind == OpcodeClass::Componentwise || kind == OpcodeClass::Pure) &&
         inst.opcode() != spv::Op::OpUndef;
}

/// Two values that are computed alike from the same values, and so are the same in one round.
bool isSameValue(const Module &module, Id a, Id b, unsigned depth = 0) {
  if (a == b)
    return true;
  const Instruction *left = module.def(a), *right = module.def(b);
  if (!left || !right || depth > kMaxDepth || left->opcode() != right->opcode() ||
      left->typeId() != right->typeId() || left->numOperands() != right->numOperands())
    return false;
  if (left->opcode() == spv::Op::OpLoad) {
    std::optional<PointerPath> from = tracePointer(module, left->id(0)),
                               other = tracePointer(module, right->id(0));
    if (!isFixedMemory(from) || !isFixedMemory(other) || from->variable != other->variable ||
        from->indices.size() != other->indices.size())
      return false;
    for (size_t at = 0; at < from->indices.size(); ++at)
      if (!isSameValue(module, from->indices[at], other->indices[at], depth + 1))
        return false;
    return true;
  }
  if (!isPure(*left) && !isConstant(left->opcode()))
    return false;
  for (unsigned at = 0; at < left->numOperands(); ++at) {
    if (left->isId(at) != right->isId(at))
      return false;
    if (left->isId(at) ? !isSameValue(module, left->id(at), right->id(at), depth + 1)
                       : left->operand(at).numWords != right->operand(at).numWords ||
                             left->literal64(at) != right->literal64(at))
      return false;
  }
  return true;
}

/// A value that every round of the loop computes alike.
bool isInvariant(const Module &module, const Round &loop, Id id, unsigned depth = 0) {
  const Instruction *def = module.def(id);
  if (!def || depth > kMaxDepth)
    return false;
  if (!def->parent() || !loop.contains(*def->parent()))
    return true;
  llvm::SmallVector<Id, 4> operands;
  if (def->opcode() == spv::Op::OpLoad) {
    std::optional<PointerPath> path = tracePointer(module, def->id(0));
    if (!isFixedMemory(path))
      return false;
    operands = path->indices;
  } else if (isPure(*def)) {
    for (unsigned at = 0; at < def->numOperands(); ++at)
      if (def->isId(at))
        operands.push_back(def->id(at));
  } else {
    return false;
  }
  for (Id operand : operands)
    if (!isInvariant(module, loop, operand, depth + 1))
      return false;
  return true;
}

/// Two pointers that are the same place in one round.
bool isSamePlace(const Module &module, Id a, Id b) {
  if (a == b)
    return true;
  std::optional<PointerPath> left = tracePointer(module, a), right = tracePointer(module, b);
  if (!left || !right || left->variable != right->variable ||
      left->indices.size() != right->indices.size())
    return false;
  for (size_t at = 0; at < left->indices.size(); ++at)
    if (!isSameValue(module, left->indices[at], right->indices[at]))
      return false;
  return true;
}

/// An atomic that gives what memory holds and leaves it there.
bool onlyReads(const Module &module, const Instruction &atomic) {
  auto isZero = [&](Id id) {
    const Instruction *value = module.def(id);
    return value && (value->opcode() == spv::Op::OpConstantNull ||
                     (value->opcode() == spv::Op::OpConstant && value->literal64(0) == 0));
  };
  switch (atomic.opcode()) {
  case spv::Op::OpAtomicLoad:
    return true;
  case spv::Op::OpAtomicIAdd:
  case spv::Op::OpAtomicISub:
  case spv::Op::OpAtomicOr:
  case spv::Op::OpAtomicXor:
    return isZero(atomic.id(3));
  case spv::Op::OpAtomicCompareExchange: // what it writes is what was there
    return isSameValue(module, atomic.id(4), atomic.id(5));
  default:
    return false;
  }
}

/// Whether a round writes memory that others see, but for the swap itself. Then it could make its
/// own swap fail, and would be waiting for whoever keeps it from writing.
bool writesBesides(const KernelAnalysis &kernel, const Round &loop, const Instruction &swap) {
  const Module &module = kernel.module();
  for (const Block &block : kernel.form().function().blocks()) {
    if (!kernel.flow().isReachable(block) || !loop.contains(block))
      continue;
    for (const Instruction &inst : block.instructions()) {
      if (&inst == &swap)
        continue;
      switch (classOf(inst.opcode())) {
      case OpcodeClass::Atomic:
        if (!onlyReads(module, inst))
          return true;
        break;
      case OpcodeClass::Call:
      case OpcodeClass::Unknown:
      case OpcodeClass::ControlBarrier:
        return true;
      case OpcodeClass::ImageAccess:
        if (inst.opcode() == spv::Op::OpImageWrite)
          return true;
        break;
      case OpcodeClass::Memory:
        if (inst.opcode() == spv::Op::OpStore || inst.opcode() == spv::Op::OpCopyMemory) {
          std::optional<PointerPath> path = tracePointer(module, inst.id(0));
          if (!path || path->space != MemorySpace::Private)
            return true;
        }
        break;
      default:
        break;
      }
    }
  }
  return false;
}

const Instruction *compareAndSwap(const Module &module, Id id) {
  const Instruction *inst = module.def(id);
  return inst && inst->opcode() == spv::Op::OpAtomicCompareExchange ? inst : nullptr;
}

} // namespace

bool isRetryExit(const KernelAnalysis &kernel, const Block &block) {
  const Module &module = kernel.module();
  const Instruction *branch = block.terminator();
  if (!branch || branch->opcode() != spv::Op::OpBranchConditional)
    return false;
  const Instruction *test = module.def(branch->id(0));
  bool succeeds = true; // the condition being true means success
  while (test && test->opcode() == spv::Op::OpLogicalNot) {
    succeeds = !succeeds;
    test = module.def(test->id(0));
  }
  if (!test || (test->opcode() != spv::Op::OpIEqual && test->opcode() != spv::Op::OpINotEqual))
    return false;
  succeeds ^= test->opcode() == spv::Op::OpINotEqual;

  constexpr unsigned kComparator = 5; // SPIR-V 1.6, OpAtomicCompareExchange
  const Instruction *swap = nullptr;
  for (unsigned at : {0u, 1u})
    if (const Instruction *inst = compareAndSwap(module, test->id(at));
        inst && inst->id(kComparator) == test->id(1 - at))
      swap = inst;
  if (!swap)
    return false;

  const Round loop(kernel, block);
  if (!loop.info() || !loop.contains(*swap->parent()) ||
      !kernel.flow().dominates(*swap->parent(), block) || writesBesides(kernel, loop, *swap))
    return false;
  // On success the loop is left.
  Id onSuccess = branch->id(succeeds ? 1 : 2);
  for (const Block *next : block.successors())
    if (next->id() == onSuccess && loop.contains(*next))
      return false;

  auto isFresh = [&](const Instruction *read) {
    return read && isAtomic(read->opcode()) && read->opcode() != spv::Op::OpAtomicStore &&
           read->parent() && loop.contains(*read->parent()) &&
           isSamePlace(module, read->id(0), swap->id(0));
  };
  const Instruction *old = module.def(swap->id(kComparator));
  if (isFresh(old)) // read in the round that compares with it
    return true;
  if (!old || old->opcode() != spv::Op::OpPhi || old->parent() != loop.info()->header)
    return false;
  // Of the round before: the place must not have moved since.
  std::optional<PointerPath> place = tracePointer(module, swap->id(0));
  if (!place)
    return false;
  for (Id index : place->indices)
    if (!isInvariant(module, loop, index))
      return false;
  for (unsigned at = 0; at + 1 < old->numOperands(); at += 2) {
    const Instruction *label = module.def(old->id(at + 1));
    bool comesRound = label && label->parent() && loop.contains(*label->parent());
    if (comesRound && !isFresh(module.def(old->id(at))))
      return false;
  }
  return true;
}

} // namespace tailor
