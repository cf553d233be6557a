//===- Analysis/Barriers.cpp -----------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/Barriers.h"

#include "Analysis/Contention.h"

#include "llvm/ADT/DenseSet.h"

namespace tailor {

// --- names ---

std::string scopeName(std::optional<uint64_t> scope) {
  static constexpr const char *kNames[] = {"CrossDevice", "Device",     "Workgroup",
                                           "Subgroup",    "Invocation", "QueueFamily"};
  if (!scope)
    return "unknown";
  return *scope < std::size(kNames) ? kNames[*scope] : "Scope#" + std::to_string(*scope);
}

std::string semanticsName(std::optional<uint64_t> semantics) {
  static constexpr std::pair<uint64_t, const char *> kNames[] = {{0x2, "Acquire"},
                                                                 {0x4, "Release"},
                                                                 {0x8, "AcquireRelease"},
                                                                 {0x10, "SequentiallyConsistent"},
                                                                 {0x40, "UniformMemory"},
                                                                 {0x80, "SubgroupMemory"},
                                                                 {0x100, "WorkgroupMemory"},
                                                                 {0x200, "CrossWorkgroupMemory"},
                                                                 {0x400, "AtomicCounterMemory"},
                                                                 {0x800, "ImageMemory"},
                                                                 {0x1000, "OutputMemory"},
                                                                 {0x2000, "MakeAvailable"},
                                                                 {0x4000, "MakeVisible"},
                                                                 {0x8000, "Volatile"}};
  if (!semantics)
    return "unknown";
  std::string text;
  uint64_t left = *semantics;
  for (const auto &[bit, name] : kNames)
    if (left & bit) {
      text += (text.empty() ? "" : "|") + std::string(name);
      left &= ~bit;
    }
  if (left != 0)
    text += (text.empty() ? "" : "|") + ("bits#" + std::to_string(left));
  return text.empty() ? "None" : text;
}

std::string atomicName(spv::Op op) {
  using enum spv::Op;
  switch (op) {
  case OpAtomicLoad:
    return "load";
  case OpAtomicStore:
    return "store";
  case OpAtomicExchange:
    return "exchange";
  case OpAtomicCompareExchange:
  case OpAtomicCompareExchangeWeak:
    return "cas";
  case OpAtomicIIncrement:
    return "increment";
  case OpAtomicIDecrement:
    return "decrement";
  case OpAtomicIAdd:
  case OpAtomicFAddEXT:
    return "add";
  case OpAtomicISub:
    return "sub";
  case OpAtomicSMin:
  case OpAtomicUMin:
  case OpAtomicFMinEXT:
    return "min";
  case OpAtomicSMax:
  case OpAtomicUMax:
  case OpAtomicFMaxEXT:
    return "max";
  case OpAtomicAnd:
    return "and";
  case OpAtomicOr:
    return "or";
  case OpAtomicXor:
    return "xor";
  default:
    return nameOf(op);
  }
}

std::string_view nameOf(Contention contention) {
  switch (contention) {
  case Contention::OneAddress:
    return "one-address";
  case Contention::PerLane:
    return "per-lane";
  case Contention::ByIds:
    return "by-ids";
  case Contention::DataDependent:
    return "data-dependent";
  }
  return "";
}

// --- the walk ---

namespace {

class Gatherer {
public:
  explicit Gatherer(const KernelAnalysis &kernel)
      : kernel(kernel), module(kernel.module()), trips(kernel) {}
  BarrierFacts run();

private:
  void visit(const Instruction &inst);
  BarrierFact barrier(const Instruction &inst) const;
  AtomicFact atomic(const Instruction &inst);
  LoopPlace placeOf(const Instruction &inst) const;
  std::string scopeAt(Id id) const { return scopeName(kernel.constants().evaluateInt(id)); }
  std::string semanticsAt(Id id) const { return semanticsName(kernel.constants().evaluateInt(id)); }

  const KernelAnalysis &kernel;
  const Module &module;
  TripCounts trips;
  llvm::DenseSet<uint32_t> usedIds;
  llvm::DenseMap<const Block *, Executors> executors;
  BarrierFacts facts;
};

LoopPlace Gatherer::placeOf(const Instruction &inst) const {
  return {kernel.flow().cycleDepth(*inst.parent()), trips.of(*inst.parent())};
}

BarrierFact Gatherer::barrier(const Instruction &inst) const {
  const Uniformity &uniformity = kernel.uniformity();
  const Block &block = *inst.parent();
  BarrierFact fact;
  fact.inst = &inst;
  fact.execution = scopeAt(inst.id(0));
  fact.memory = scopeAt(inst.id(1));
  fact.semantics = semanticsAt(inst.id(2));
  fact.loops = placeOf(inst);
  fact.control = uniformity.control(block);
  UniformityScope needed =
      fact.execution == "Subgroup" ? UniformityScope::Subgroup : UniformityScope::Workgroup;
  fact.isDivergent = fact.control < needed;
  if (fact.isDivergent)
    fact.cause = uniformity.causeOfControl(block, needed);
  for (unsigned axis = 0; axis < 3; ++axis) {
    fact.packUniform[axis] = uniformity.isPackUniformControl(block, axis);
    if (!fact.packUniform[axis])
      fact.packCause[axis] = uniformity.causeOfPackControl(block, axis);
  }
  return fact;
}

AtomicFact Gatherer::atomic(const Instruction &inst) {
  AtomicFact fact;
  fact.inst = &inst;
  fact.operation = atomicName(inst.opcode());
  fact.resultUsed = isValid(inst.result()) && usedIds.contains(raw(inst.result()));
  fact.scope = scopeAt(inst.id(1));
  fact.semantics = semanticsAt(inst.id(2));
  if (inst.opcode() == spv::Op::OpAtomicCompareExchange)
    if (std::string unequal = semanticsAt(inst.id(3)); unequal != fact.semantics)
      fact.semantics += " (unequal: " + unequal + ")";
  fact.loops = placeOf(inst);
  auto [known, isNew] = executors.try_emplace(inst.parent());
  if (isNew)
    known->second = executorsOf(kernel, *inst.parent());
  fact.executors = known->second;
  judgeContention(kernel, fact);
  return fact;
}

void Gatherer::visit(const Instruction &inst) {
  if (inst.opcode() == spv::Op::OpControlBarrier)
    facts.barriers.push_back(barrier(inst));
  else if (inst.opcode() == spv::Op::OpMemoryBarrier)
    facts.memoryBarriers.push_back(
        {&inst, scopeAt(inst.id(0)), semanticsAt(inst.id(1)), placeOf(inst)});
  else if (isAtomic(inst.opcode()))
    facts.atomics.push_back(atomic(inst));
}

BarrierFacts Gatherer::run() {
  for (const Block &block : kernel.form().function().blocks())
    for (const Instruction &inst : block.instructions())
      for (unsigned at = 0; at < inst.numOperands(); ++at)
        if (inst.isId(at))
          usedIds.insert(raw(inst.id(at)));
  for (const Block &block : kernel.form().function().blocks())
    if (kernel.flow().isReachable(block))
      for (const Instruction &inst : block.instructions())
        visit(inst);
  facts.waiting = findWaiting(kernel);
  if (!facts.atomics.empty())
    facts.lastGroupCounters = findLastGroupCounters(kernel);
  return std::move(facts);
}

} // namespace

BarrierFacts gatherBarriers(const KernelAnalysis &kernel) { return Gatherer(kernel).run(); }

} // namespace tailor
