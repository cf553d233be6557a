//===- Analysis/Waiting.cpp ------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether a block runs again depends on the branches that it is control
// dependent on, through any number of others. A branch waits when it decides,
// in that sense, about itself and about a read of memory that others write, and
// its condition can depend on such a read.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Waiting.h"

#include "Analysis/BarrierIntervals.h"
#include "Analysis/RetryLoops.h"
#include "Analysis/SharedMemory.h"
#include "IR/Types.h"

#include "spirv/unified1/GLSL.std.450.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include <set>

namespace tailor {

namespace {

class Search {
public:
  explicit Search(const KernelAnalysis &kernel)
      : kernel(kernel), form(kernel.form()), module(kernel.module()), flow(kernel.flow()),
        ids(kernel.ids()) {}

  std::optional<WaitingLoop> run();

private:
  using MemoryKey = uint64_t;
  static constexpr MemoryKey kAnyMemory = 0; ///< no id, and no descriptor

  void collect();
  bool isSource(const Instruction &inst);
  bool isPolled(const Instruction &read, const Instruction &variable);
  std::optional<PointerPath> memoryOf(const Instruction &inst) const;
  MemoryKey keyOf(const std::optional<PointerPath> &path) const;

  void propagate();
  bool visit(const Instruction &inst, bool conditional);
  bool taintMemory(const std::optional<PointerPath> &path);
  bool holdsTaint(const std::optional<PointerPath> &path) const;
  bool isTainted(Id id) const { return values.contains(raw(id)); }
  bool usesTaint(const Instruction &inst) const;
  bool phiIsChosen(const Instruction &phi) const;
  bool decidesByTaint(const Block &block) const;

  llvm::BitVector controlledBy(const Block &block) const;
  const Instruction *readBehind(const Instruction &branch, const llvm::BitVector &inside) const;

  const KernelAnalysis &kernel;
  const CanonicalForm &form;
  const Module &module;
  const ControlFlow &flow;
  const IdDependence &ids;
  llvm::DenseMap<const Instruction *, bool> isOwn; ///< workgroup variables that were asked about
  std::optional<BarrierIntervals> intervals;       ///< made when workgroup memory is read in a loop
  std::vector<const Block *> blocks;               ///< reachable, in order
  std::vector<const Instruction *> sources;
  llvm::DenseMap<uint32_t, std::vector<const Instruction *>> groupWrites; ///< by variable
  std::vector<const Instruction *> unknownWrites;        ///< of a variable that is not known
  llvm::DenseMap<uint32_t, llvm::BitVector> writePlaces; ///< by variable, as asked for
  std::vector<std::vector<unsigned>> dependents;         ///< blocks that a block controls directly
  llvm::DenseSet<const Instruction *> isSourceOf;
  llvm::DenseSet<uint32_t> values;
  std::set<MemoryKey> memory;
  llvm::BitVector conditionalBlocks; ///< whether they run is decided by tainted branches
};

/// What the instruction reads from or writes to: operand 0 of most.
std::optional<PointerPath> Search::memoryOf(const Instruction &inst) const {
  switch (inst.opcode()) {
  case spv::Op::OpImageRead:
  case spv::Op::OpImageFetch:
  case spv::Op::OpImageWrite:
    return traceResource(module, inst.id(0));
  default:
    break;
  }
  const Instruction *pointer = module.def(inst.id(0));
  if (pointer && pointer->opcode() == spv::Op::OpImageTexelPointer)
    return tracePointer(module, pointer->id(0));
  return tracePointer(module, inst.id(0));
}

/// One key for all that may be the same memory. Descriptors under one binding are; what is
/// decorated Aliased may be any other.
Search::MemoryKey Search::keyOf(const std::optional<PointerPath> &path) const {
  if (!path || module.hasDecoration(path->variable->result(), spv::Decoration::Aliased))
    return kAnyMemory;
  auto set = module.decoration(path->variable->result(), spv::Decoration::DescriptorSet);
  auto binding = module.decoration(path->variable->result(), spv::Decoration::Binding);
  if (set && binding)
    return (uint64_t{1} << 62) | (uint64_t{*set & 0x3fffffff} << 32) | *binding;
  return raw(path->variable->result());
}

static bool writesMemory(spv::Op op) {
  return op == spv::Op::OpStore || op == spv::Op::OpCopyMemory || op == spv::Op::OpImageWrite ||
         (isAtomic(op) && op != spv::Op::OpAtomicLoad);
}

/// Workgroup memory that is looked at again and again, while others may write it.
bool Search::isPolled(const Instruction &read, const Instruction &variable) {
  auto [own, isUnasked] = isOwn.try_emplace(&variable);
  if (isUnasked)
    own->second = isUsedAsPrivate(kernel, variable);
  if (own->second)
    return false;
  if (!intervals)
    intervals.emplace(form, flow, ids.constants());
  if (!intervals->repeatsWithoutBarrier(read))
    return false;
  auto [known, isNew] = writePlaces.try_emplace(raw(variable.result()));
  llvm::BitVector &written = known->second; // places before the writes
  if (isNew) {
    written.resize(intervals->numBarriers() + 1);
    for (const auto *writes : {&groupWrites[raw(variable.result())], &unknownWrites})
      for (const Instruction *write : *writes)
        for (unsigned place : intervals->placesBefore(*write))
          written.set(place);
  }
  return llvm::any_of(intervals->placesBefore(read),
                      [&](unsigned place) { return written.test(place); });
}

bool Search::isSource(const Instruction &inst) {
  spv::Op op = inst.opcode();
  bool copies = op == spv::Op::OpCopyMemory;
  bool reads = op == spv::Op::OpLoad || op == spv::Op::OpImageRead || isAtomic(op);
  if (!(reads && isValid(inst.result())) && !copies)
    return false;
  if (copies) {
    std::optional<PointerPath> from = tracePointer(module, inst.id(1));
    if (!from || from->space == MemorySpace::Workgroup)
      return !from || isPolled(inst, *from->variable);
    bool isBuffer = from->space == MemorySpace::StorageBuffer;
    return ids.readsSharedState(inst) || (isBuffer && ids.mayBeWritten(*from->variable));
  }
  std::optional<PointerPath> path = memoryOf(inst);
  if (path && path->space == MemorySpace::Workgroup)
    return isPolled(inst, *path->variable);
  constexpr uint32_t kSharedTexel = 0x200 | 0x400 | 0x800; // MakeTexelVisible, NonPrivate, Volatile
  if (op == spv::Op::OpImageRead && inst.numOperands() > 2 && (inst.literal(2) & kSharedTexel))
    return true;
  return ids.readsSharedState(inst);
}

void Search::collect() {
  dependents.resize(form.function().size());
  conditionalBlocks.resize(static_cast<unsigned>(form.function().size()));
  bool anyCycle = false;
  for (const Block &block : form.function().blocks()) {
    if (!flow.isReachable(block))
      continue;
    blocks.push_back(&block);
    anyCycle |= flow.inCycle(block);
  }
  if (!anyCycle)
    return;
  for (const Block *block : blocks) {
    for (const Block *controller : flow.controllers(*block))
      dependents[controller->index()].push_back(block->index());
    for (const Instruction &inst : block->instructions())
      if (writesMemory(inst.opcode())) {
        std::optional<PointerPath> path = memoryOf(inst);
        if (!path)
          unknownWrites.push_back(&inst);
        else if (path->space == MemorySpace::Workgroup)
          groupWrites[raw(path->variable->result())].push_back(&inst);
      }
  }
  for (const Block *block : blocks)
    if (flow.inCycle(*block))
      for (const Instruction &inst : block->instructions())
        if (isSource(inst)) {
          sources.push_back(&inst);
          isSourceOf.insert(&inst);
        }
}

// --- what can depend on the sources ---

bool Search::taintMemory(const std::optional<PointerPath> &path) {
  return memory.insert(keyOf(path)).second;
}

bool Search::holdsTaint(const std::optional<PointerPath> &path) const {
  if (memory.empty())
    return false;
  if (path && (path->space == MemorySpace::Input || path->space == MemorySpace::PushConstant))
    return false;
  MemoryKey key = keyOf(path);
  return key == kAnyMemory || memory.contains(key) || memory.contains(kAnyMemory);
}

bool Search::usesTaint(const Instruction &inst) const {
  for (unsigned at = 0; at < inst.numOperands(); ++at)
    if (inst.isId(at) && isTainted(inst.id(at)))
      return true;
  return false;
}

bool Search::decidesByTaint(const Block &block) const {
  const Instruction *last = block.terminator();
  return block.successors().size() > 1 && last->numOperands() > 0 && isTainted(last->id(0));
}

bool Search::phiIsChosen(const Instruction &phi) const {
  for (const Block *from : phi.parent()->predecessors())
    if (conditionalBlocks.test(from->index()) || decidesByTaint(*from))
      return true;
  return false;
}

/// Whether something became tainted by this instruction. `conditional`: whether it runs is.
bool Search::visit(const Instruction &inst, bool conditional) {
  bool tainted = usesTaint(inst), changed = false;
  spv::Op op = inst.opcode();
  if (op == spv::Op::OpCopyMemory)
    tainted |= isSourceOf.contains(&inst) || holdsTaint(tracePointer(module, inst.id(1)));
  if (writesMemory(op) && (tainted || conditional))
    changed |= taintMemory(memoryOf(inst));
  if (op == spv::Op::OpExtInst && module.extInstSet(inst.id(0)) == "GLSL.std.450" &&
      (inst.literal(1) == GLSLstd450Modf || inst.literal(1) == GLSLstd450Frexp) &&
      (tainted || conditional))
    changed |= taintMemory(tracePointer(module, inst.id(3)));
  if (!isValid(inst.result()))
    return changed;
  if (op == spv::Op::OpLoad || op == spv::Op::OpImageRead || op == spv::Op::OpImageFetch ||
      isAtomic(op))
    tainted |= isSourceOf.contains(&inst) || holdsTaint(memoryOf(inst));
  if (op == spv::Op::OpPhi)
    tainted |= phiIsChosen(inst);
  return (tainted && values.insert(raw(inst.result())).second) || changed;
}

void Search::propagate() {
  for (bool changed = true; changed;) {
    changed = false;
    for (const Block *block : blocks) {
      unsigned index = block->index();
      if (!conditionalBlocks.test(index))
        for (const Block *controller : flow.controllers(*block))
          if (conditionalBlocks.test(controller->index()) || decidesByTaint(*controller)) {
            conditionalBlocks.set(index);
            changed = true;
            break;
          }
      for (const Instruction &inst : block->instructions())
        changed |= visit(inst, conditionalBlocks.test(index));
    }
  }
}

// --- the branch that waits ---

llvm::BitVector Search::controlledBy(const Block &block) const {
  llvm::BitVector seen(static_cast<unsigned>(dependents.size()));
  std::vector<unsigned> work = dependents[block.index()];
  while (!work.empty()) {
    unsigned index = work.back();
    work.pop_back();
    if (seen.test(index))
      continue;
    seen.set(index);
    work.insert(work.end(), dependents[index].begin(), dependents[index].end());
  }
  return seen;
}

/// The source that the condition is computed from, as near as values lead; else the first inside.
const Instruction *Search::readBehind(const Instruction &branch,
                                      const llvm::BitVector &inside) const {
  std::vector<Id> work = {branch.id(0)};
  llvm::DenseSet<uint32_t> seen;
  for (size_t at = 0; at < work.size(); ++at) {
    const Instruction *inst = module.def(work[at]);
    if (!inst || !inst->parent() || !seen.insert(raw(work[at])).second)
      continue;
    if (isSourceOf.contains(inst) && inside.test(inst->parent()->index()))
      return inst;
    for (unsigned operand = 0; operand < inst->numOperands(); ++operand)
      if (inst->isId(operand))
        work.push_back(inst->id(operand));
  }
  for (const Instruction *source : sources)
    if (inside.test(source->parent()->index()))
      return source;
  return nullptr;
}

std::optional<WaitingLoop> Search::run() {
  collect();
  if (sources.empty())
    return std::nullopt;
  propagate();
  for (const Block *block : blocks) {
    if (!flow.inCycle(*block) || !decidesByTaint(*block))
      continue;
    llvm::BitVector inside = controlledBy(*block);
    if (!inside.test(block->index()) || isRetryExit(kernel, *block))
      continue;
    if (const Instruction *read = readBehind(*block->terminator(), inside))
      return WaitingLoop{block->terminator(), read};
  }
  return std::nullopt;
}

} // namespace

std::optional<WaitingLoop> findWaiting(const KernelAnalysis &kernel) {
  return Search(kernel).run();
}

std::optional<Diagnostic> refuseWaiting(const KernelAnalysis &kernel) {
  std::optional<WaitingLoop> loop = findWaiting(kernel);
  if (!loop)
    return std::nullopt;
  Diagnostic refusal = Diagnostic::error(kernel.locationOf(*loop->branch),
                                         "invocations may wait on each other: the loop decides by "
                                         "memory that other invocations write");
  refusal.addNote(kernel.locationOf(*loop->read), "it is read here");
  return refusal;
}

} // namespace tailor
