//===- Analysis/LivePressure.cpp - Live values of a kernel -----------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Liveness of each SSA value by itself: from a use up the predecessors to the
// definition, which is linear in the blocks where the value is alive. Operands
// of a phi are used at the end of the predecessor they come from. What nothing
// observable is computed from takes no register: the canonical form keeps it,
// a compiler does not.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Work.h"

#include "IR/Types.h"

#include "llvm/ADT/DenseSet.h"

#include <algorithm>

namespace tailor {

namespace {

class Liveness {
public:
  explicit Liveness(const KernelAnalysis &kernel)
      : module(kernel.module()), function(kernel.form().function()), kernel(kernel) {}
  std::optional<LivePressure> run();

private:
  /// Entries of all live-out lists together, past which the kernel is given up.
  static constexpr size_t kMaxEntries = size_t{64} << 20;
  struct Value {
    unsigned weight, block;
    std::vector<unsigned> usedIn; ///< blocks where it must be alive at the start
    std::vector<unsigned> usedAtEndOf;
  };

  void findNeeded();
  bool isObservable(const Instruction &inst) const;
  bool isNeeded(const Instruction &inst) const { return needed.contains(&inst); }
  void number();
  void collectUses();
  bool spread(unsigned value);
  void scan(const Block &block, LivePressure &most);
  unsigned componentsOf(Id type, unsigned depth = 0) const;
  const unsigned *numberOf(Id id) const {
    auto found = numbers.find(raw(id));
    return found == numbers.end() ? nullptr : &found->second;
  }

  const Module &module;
  const Function &function;
  const KernelAnalysis &kernel;
  std::vector<const Block *> blocks; ///< by index; null where unreachable
  llvm::DenseSet<const Instruction *> needed;
  llvm::DenseSet<uint32_t> readPrivate; ///< private variables that are read, by id
  std::vector<Value> values;
  llvm::DenseMap<uint32_t, unsigned> numbers; ///< by id
  std::vector<std::vector<unsigned>> liveOut; ///< values by block
  std::vector<unsigned> inMark, outMark;      ///< the last value that came by, by block, plus one
  std::vector<unsigned> aliveMark;            ///< the last block that it was alive in, by value
  size_t entries = 0;
};

/// Registers of 32 bits; 0 for what takes none: handles and what is no value.
unsigned Liveness::componentsOf(Id typeId, unsigned depth) const {
  const Instruction *type = module.def(typeId);
  if (!type || depth > 16)
    return 0;
  auto times = [](uint64_t count, uint64_t each) {
    return static_cast<unsigned>(std::min<uint64_t>(count * each, 1u << 24));
  };
  switch (type->opcode()) {
  case spv::Op::OpTypeBool:
  case spv::Op::OpTypePointer:
    return 1;
  case spv::Op::OpTypeInt:
  case spv::Op::OpTypeFloat:
    return (type->literal(0) + 31) / 32;
  case spv::Op::OpTypeVector:
  case spv::Op::OpTypeMatrix:
    return times(type->literal(1), componentsOf(type->id(0), depth + 1));
  case spv::Op::OpTypeArray:
    return times(kernel.constants().evaluateInt(type->id(1)).value_or(1),
                 componentsOf(type->id(0), depth + 1));
  case spv::Op::OpTypeStruct: {
    unsigned sum = 0;
    for (unsigned at = 0; at < type->numOperands(); ++at)
      sum += componentsOf(type->id(at), depth + 1);
    return std::min(sum, 1u << 24);
  }
  default:
    return 0;
  }
}

/// Of which something beside its result can be seen.
bool Liveness::isObservable(const Instruction &inst) const {
  if (inst.opcode() == spv::Op::OpStore || inst.opcode() == spv::Op::OpCopyMemory) {
    std::optional<PointerPath> path = tracePointer(module, inst.id(0));
    return !path || path->space != MemorySpace::Private ||
           readPrivate.contains(raw(path->variable->result()));
  }
  if (!isValid(inst.result()) || isAtomic(inst.opcode()) ||
      inst.opcode() == spv::Op::OpFunctionCall)
    return true;
  return inst.opcode() == spv::Op::OpExtInst && inst.numOperands() > 3 && inst.isId(3) &&
         pointerTypeOfValue(module, inst.id(3));
}

void Liveness::findNeeded() {
  auto reads = [&](Id pointer) {
    std::optional<PointerPath> path = tracePointer(module, pointer);
    if (path && path->space == MemorySpace::Private)
      readPrivate.insert(raw(path->variable->result()));
  };
  std::vector<const Instruction *> all, work;
  for (const Block *block : blocks)
    if (block)
      for (const Instruction &inst : block->instructions())
        all.push_back(&inst);
  for (const Instruction *inst : all)
    if (inst->opcode() == spv::Op::OpLoad)
      reads(inst->id(0));
    else if (inst->opcode() == spv::Op::OpCopyMemory)
      reads(inst->id(1));
  for (const Instruction *inst : all)
    if (isObservable(*inst))
      work.push_back(inst);
  while (!work.empty()) {
    const Instruction *inst = work.back();
    work.pop_back();
    if (!needed.insert(inst).second)
      continue;
    for (unsigned at = 0; at < inst->numOperands(); ++at)
      if (const Instruction *def = inst->isId(at) ? module.def(inst->id(at)) : nullptr;
          def && def->parent() && def->opcode() != spv::Op::OpLabel)
        work.push_back(def);
  }
}

void Liveness::number() {
  for (const Block *each : blocks) {
    if (!each)
      continue;
    const Block &block = *each;
    for (const Instruction &inst : block.instructions()) {
      bool isValue = isValid(inst.result()) && isNeeded(inst) &&
                     inst.opcode() != spv::Op::OpVariable && inst.opcode() != spv::Op::OpUndef;
      unsigned weight = isValue ? componentsOf(inst.typeId()) : 0;
      if (weight == 0)
        continue;
      numbers[raw(inst.result())] = static_cast<unsigned>(values.size());
      values.push_back({weight, block.index(), {}, {}});
    }
  }
}

void Liveness::collectUses() {
  for (const Block *block : blocks) {
    if (!block)
      continue;
    for (const Instruction &inst : block->instructions())
      for (unsigned at = 0; isNeeded(inst) && at < inst.numOperands(); ++at) {
        const unsigned *value = inst.isId(at) ? numberOf(inst.id(at)) : nullptr;
        if (!value)
          continue;
        Value &used = values[*value];
        if (inst.opcode() == spv::Op::OpPhi) {
          const Instruction *from = module.def(inst.id(at + 1));
          if (from && from->parent() && blocks[from->parent()->index()])
            used.usedAtEndOf.push_back(from->parent()->index());
        } else if (used.block != block->index() &&
                   (used.usedIn.empty() || used.usedIn.back() != block->index())) {
          used.usedIn.push_back(block->index());
        }
      }
  }
}

/// Enters a value into the lists of the blocks at whose end it is alive; false: too many.
bool Liveness::spread(unsigned value) {
  const Value &each = values[value];
  unsigned mark = value + 1;
  std::vector<unsigned> work = each.usedIn; // alive at the start
  auto aliveAtEnd = [&](unsigned block) {
    if (outMark[block] == mark)
      return;
    outMark[block] = mark;
    liveOut[block].push_back(value);
    ++entries;
    if (block != each.block)
      work.push_back(block);
  };
  for (unsigned block : each.usedAtEndOf)
    aliveAtEnd(block);
  while (!work.empty() && entries <= kMaxEntries) {
    unsigned block = work.back();
    work.pop_back();
    if (inMark[block] == mark)
      continue;
    inMark[block] = mark;
    for (const Block *before : blocks[block]->predecessors())
      if (blocks[before->index()])
        aliveAtEnd(before->index());
  }
  return entries <= kMaxEntries;
}

void Liveness::scan(const Block &block, LivePressure &most) {
  unsigned mark = block.index() + 1;
  uint64_t alive = 0;
  for (unsigned value : liveOut[block.index()]) {
    aliveMark[value] = mark;
    alive += values[value].weight;
  }
  auto note = [&](uint64_t components, const Instruction &at) { // of equals the first
    bool isHere = most.at && most.at->parent() == &block;
    if (components > most.components || (isHere && components == most.components))
      most = {static_cast<unsigned>(std::min<uint64_t>(components, UINT32_MAX)), &at};
  };
  for (const Instruction &inst : llvm::reverse(block.instructions())) {
    if (!isNeeded(inst))
      continue;
    if (inst.opcode() == spv::Op::OpPhi) {
      note(alive, inst); // all phis of a block come alive together
      break;
    }
    if (const unsigned *value = isValid(inst.result()) ? numberOf(inst.result()) : nullptr) {
      bool isUsed = aliveMark[*value] == mark; // an atomic's result need not be
      note(alive + (isUsed ? 0 : values[*value].weight), inst);
      if (isUsed)
        alive -= values[*value].weight;
    }
    for (unsigned operand = 0; operand < inst.numOperands(); ++operand) {
      const unsigned *value = inst.isId(operand) ? numberOf(inst.id(operand)) : nullptr;
      if (!value || aliveMark[*value] == mark)
        continue;
      aliveMark[*value] = mark;
      alive += values[*value].weight;
    }
    note(alive, inst);
  }
}

std::optional<LivePressure> Liveness::run() {
  blocks.resize(function.size());
  for (const Block &block : function.blocks())
    if (kernel.flow().isReachable(block))
      blocks[block.index()] = &block;
  findNeeded();
  number();
  collectUses();
  liveOut.resize(blocks.size());
  inMark.assign(blocks.size(), 0);
  outMark.assign(blocks.size(), 0);
  for (unsigned value = 0; value < values.size(); ++value)
    if (!spread(value))
      return std::nullopt;
  aliveMark.assign(values.size(), 0);
  LivePressure most;
  for (const Block *block : blocks)
    if (block)
      scan(*block, most);
  return most;
}

} // namespace

std::optional<LivePressure> measurePressure(const KernelAnalysis &kernel) {
  return Liveness(kernel).run();
}

} // namespace tailor
