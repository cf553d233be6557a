//===- passes/Replication.cpp ----------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/Replication.h"

#include "Analysis/IdDependence.h"
#include "Analysis/Memory.h"
#include "Analysis/Opcodes.h"
#include "IR/Types.h"
#include "passes/ModuleEdits.h"

#include "spirv/unified1/GLSL.std.450.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tailor {

bool isValueAlone(const Module &module, const Instruction &inst) {
  switch (classOf(inst.opcode())) {
  case OpcodeClass::Pure:
  case OpcodeClass::Componentwise:
  case OpcodeClass::ImageSample:
  case OpcodeClass::ImageQuery:
  case OpcodeClass::ArrayLength:
    return isValid(inst.result());
  case OpcodeClass::ExtInst: // modf and frexp write through a pointer
    return inst.literal(1) != GLSLstd450Modf && inst.literal(1) != GLSLstd450Frexp;
  case OpcodeClass::Memory:
    if (inst.opcode() == spv::Op::OpLoad) {
      std::optional<PointerPath> path = tracePointer(module, inst.id(0));
      bool isVolatile = inst.numOperands() > 1 && (inst.literal(1) & 0x1) != 0;
      return path && !isVolatile && !isDeclaredShared(module, *path->variable);
    }
    return inst.opcode() == spv::Op::OpAccessChain ||
           inst.opcode() == spv::Op::OpInBoundsAccessChain ||
           inst.opcode() == spv::Op::OpPtrAccessChain;
  default:
    return false;
  }
}

namespace {

class Replicator {
public:
  Replicator(Module &module, Function &function, const ReplicationPlan &plan)
      : module(module), function(function), plan(plan), builder(module), copies(plan.copies) {}

  void run();

private:
  using Values = llvm::SmallVector<Id, 4>;     ///< by copy
  using Labels = llvm::DenseMap<uint32_t, Id>; ///< of one copy of a region, by the old label
  using BlockSet = llvm::SmallPtrSet<const Block *, 16>;

  void copyPrivateVariables();
  void together(const Block &block);
  void togetherPhi(const Instruction &phi, Block &into);
  void togetherInstruction(const Instruction &inst, Block &into);
  void togetherValue(const Instruction &inst, Block &into);
  void agree(const Instruction &inst, Agreement agreement, Block &into);
  void apart(const DivergentRegion &region, Block &head);
  Block &enclose(const DivergentRegion &region, Block &before, const Labels &labels, Id end);
  Labels labelsOf(const DivergentRegion &region, unsigned copy, Id start, Id end) const;
  void apartBlock(const Block &block, Block &into, unsigned copy, const Labels &labels, Id end);
  void leave(const Block &from, Block &into, unsigned copy, const Labels &labels, Id end);
  void fillPhis();
  void decorateCopies();

  Id valueOf(Id id, unsigned copy) const {
    auto at = values.find(raw(id));
    return at == values.end() ? id : at->second[copy];
  }
  /// Fresh ids for every copy but the first, which keeps its own.
  const Values &define(Id id) {
    Values list = {id};
    for (unsigned copy = 1; copy < copies; ++copy)
      list.push_back(module.freshId());
    copied.push_back(id);
    return values[raw(id)] = std::move(list);
  }
  Instruction copyOf(const Instruction &inst, Id result, unsigned copy,
                     const Labels *labels = nullptr) const;
  Instruction &put(Block &block, const Instruction &inst) {
    return module.insert(block, block.instructions().end(), inst);
  }
  Block &newBlock(Id label) { return module.appendBlock(function, label); }
  /// The way from a region to its exit: phis there take one value from it for each copy.
  struct ExitEdge {
    BlockSet from;
    Id label;                              ///< of the block behind the last copy
    llvm::DenseMap<uint32_t, Values> phis; ///< by the phi's result
  };
  const ExitEdge *exitEdge(const Block &exit, Id pred) const;

  Module &module;
  Function &function;
  const ReplicationPlan &plan;
  Builder builder;
  const unsigned copies;
  llvm::DenseMap<uint32_t, Values> values; ///< of ids that differ between copies
  std::vector<Id> copied;                  ///< ids with fresh copies
  llvm::DenseMap<const Block *, std::vector<ExitEdge>> exits;
  llvm::DenseMap<uint32_t, const Block *> oldBlocks; ///< by label
  /// Phis are filled when every value is known.
  struct Pending {
    Instruction *made;
    const Instruction *old;
    unsigned copy;
    std::optional<Labels> labels; ///< inside of a region
  };
  std::vector<Pending> pending;
};

Instruction Replicator::copyOf(const Instruction &inst, Id result, unsigned copy,
                               const Labels *labels) const {
  return withIds(inst, result, [&](Id id) {
    auto label = labels ? labels->find(raw(id)) : Labels::const_iterator();
    return labels && label != labels->end() ? label->second : valueOf(id, copy);
  });
}

//===----------------------------------------------------------------------===//
// Together
//===----------------------------------------------------------------------===//

/// Memory of an invocation's own that is declared outside of the function.
void Replicator::copyPrivateVariables() {
  std::vector<Instruction *> variables;
  for (Instruction &inst : module.section(Section::Globals))
    if (inst.opcode() == spv::Op::OpVariable &&
        inst.literal(0) == static_cast<uint32_t>(spv::StorageClass::Private))
      variables.push_back(&inst);
  EntryPoint entry = module.entryPoints().front();
  for (Instruction *variable : variables) {
    bool listed = false;
    for (unsigned at = 0; at < entry.numInterfaceIds(); ++at)
      listed |= entry.interfaceId(at) == variable->result();
    Values ids = define(variable->result());
    for (Id id : llvm::drop_begin(ids)) {
      module.append(Section::Globals, copyOf(*variable, id, 0));
      if (listed)
        entry.inst->addId(id);
    }
  }
}

void Replicator::togetherPhi(const Instruction &phi, Block &into) {
  bool once = plan.isUniform(phi) && !exits.contains(phi.parent());
  Values ids = {phi.result()};
  if (!once)
    ids = define(phi.result());
  for (unsigned copy = 0; copy < ids.size(); ++copy)
    pending.push_back({&put(into, Instruction(spv::Op::OpPhi, phi.typeId(), ids[copy])), &phi, copy,
                       std::nullopt});
}

/// Once for all copies with the same operands.
void Replicator::togetherValue(const Instruction &inst, Block &into) {
  if (plan.isUniform(inst)) {
    put(into, copyOf(inst, inst.result(), 0));
    return;
  }
  Values ids;
  std::vector<Instruction> made;
  for (unsigned copy = 0; copy < copies; ++copy) {
    Instruction one = copyOf(inst, Id::None, copy);
    auto same = llvm::find_if(
        made, [&](const Instruction &other) { return other.operandWords() == one.operandWords(); });
    if (same != made.end()) {
      ids.push_back(same->result());
      continue;
    }
    Id id = made.empty() ? inst.result() : module.freshId();
    ids.push_back(id);
    made.push_back(copyOf(inst, id, copy));
    put(into, made.back());
  }
  if (made.size() == 1)
    return;
  copied.push_back(inst.result());
  values[raw(inst.result())] = std::move(ids);
}

/// One condition for all copies: it is true in each of them, or it is the same in each of them.
void Replicator::agree(const Instruction &inst, Agreement agreement, Block &into) {
  std::vector<Id> conditions = {valueOf(inst.id(0), 0)};
  for (unsigned copy = 1; copy < copies; ++copy)
    if (Id condition = valueOf(inst.id(0), copy); !llvm::is_contained(conditions, condition))
      conditions.push_back(condition);
  auto emit = [&](spv::Op op, Id left, Id right) {
    Instruction made(op, inst.typeId(), module.freshId());
    made.addId(left);
    if (isValid(right))
      made.addId(right);
    return put(into, made).result();
  };
  auto joined = [&](spv::Op op) {
    Id value = conditions.front();
    for (Id condition : llvm::drop_begin(conditions))
      value = emit(op, value, condition);
    return value;
  };
  Id agreed = joined(spv::Op::OpLogicalAnd);
  if (agreement == Agreement::Alike)
    agreed = conditions.size() == 1
                 ? builder.boolConstant(true)
                 : emit(spv::Op::OpLogicalOr, agreed,
                        emit(spv::Op::OpLogicalNot, joined(spv::Op::OpLogicalOr), Id::None));
  put(into, Instruction(spv::Op::OpCopyObject, inst.typeId(), inst.result()).addId(agreed));
}

void Replicator::togetherInstruction(const Instruction &inst, Block &into) {
  auto emit = [&](spv::Op op, Id type, llvm::ArrayRef<Id> ids, llvm::ArrayRef<uint32_t> literals) {
    Instruction made(op, type, module.freshId());
    for (Id id : ids)
      made.addId(id);
    for (uint32_t literal : literals)
      made.addLiteral(literal);
    return put(into, made).result();
  };
  if (std::optional<std::vector<Id>> placed = plan.placement(inst, emit)) {
    values[raw(inst.result())] = Values(placed->begin(), placed->end());
    return;
  }
  if (auto found = plan.agreements.find(raw(inst.result()));
      isValid(inst.result()) && found != plan.agreements.end()) {
    agree(inst, found->second, into);
    return;
  }
  switch (inst.opcode()) {
  case spv::Op::OpControlBarrier:
  case spv::Op::OpMemoryBarrier:
  case spv::Op::OpNop:
  case spv::Op::OpUndef:
    put(into, copyOf(inst, inst.result(), 0));
    return;
  default:
    break;
  }
  if (isTerminator(inst.opcode()) || isMerge(inst.opcode())) {
    put(into, copyOf(inst, Id::None, 0));
  } else if (isValueAlone(module, inst)) {
    togetherValue(inst, into);
  } else {
    Values ids(copies, Id::None);
    if (isValid(inst.result()))
      ids = define(inst.result());
    for (unsigned copy = 0; copy < copies; ++copy)
      put(into, copyOf(inst, ids[copy], copy));
  }
}

void Replicator::together(const Block &block) {
  Block &into = newBlock(block.id());
  const auto region =
      llvm::find_if(plan.regions, [&](const DivergentRegion &each) { return each.head == &block; });
  const bool isHead = region != plan.regions.end();
  for (const Instruction &inst : block.instructions()) {
    if (isHead && (isMerge(inst.opcode()) || isTerminator(inst.opcode())))
      break;
    if (inst.opcode() == spv::Op::OpPhi)
      togetherPhi(inst, into);
    else
      togetherInstruction(inst, into);
  }
  if (isHead)
    apart(*region, into);
}

//===----------------------------------------------------------------------===//
// Apart
//===----------------------------------------------------------------------===//

Replicator::Labels Replicator::labelsOf(const DivergentRegion &region, unsigned copy, Id start,
                                        Id end) const {
  Labels labels;
  labels[raw(region.head->id())] = start;
  if (region.exit)
    labels[raw(region.exit->id())] = end;
  for (const Block *block : region.blocks)
    labels[raw(block->id())] = copy == 0 ? block->id() : module.freshId();
  return labels;
}

/// The end of a block of the region; where the function would end, the copy does.
void Replicator::leave(const Block &from, Block &into, unsigned copy, const Labels &labels,
                       Id end) {
  if (const Instruction *merge = from.merge(); merge && labels.contains(raw(merge->id(0))))
    put(into, copyOf(*merge, Id::None, copy, &labels));
  if (from.terminator()->opcode() == spv::Op::OpReturn)
    put(into, Instruction(spv::Op::OpBranch).addId(end));
  else
    put(into, copyOf(*from.terminator(), Id::None, copy, &labels));
}

void Replicator::apartBlock(const Block &block, Block &into, unsigned copy, const Labels &labels,
                            Id end) {
  for (const Instruction &inst : block.instructions()) {
    if (isMerge(inst.opcode()) || isTerminator(inst.opcode()))
      break;
    Id result = isValid(inst.result()) ? valueOf(inst.result(), copy) : Id::None;
    if (inst.opcode() == spv::Op::OpPhi)
      pending.push_back(
          {&put(into, Instruction(spv::Op::OpPhi, inst.typeId(), result)), &inst, copy, labels});
    else
      put(into, copyOf(inst, result, copy, &labels));
  }
  leave(block, into, copy, labels, end);
}

/// What the breaks, continues or returns of a tail leave: a switch of one case, or a loop of one
/// iteration, whose header is the head's copy where the head is such a header itself.
Block &Replicator::enclose(const DivergentRegion &region, Block &before, const Labels &labels,
                           Id end) {
  const Id start = labels.lookup(raw(region.head->id()));
  if (!region.needsLoop) {
    put(before, Instruction(spv::Op::OpSelectionMerge).addId(end).addLiteral(0));
    put(before, Instruction(spv::Op::OpSwitch).addId(builder.uintConstant(0)).addId(start));
    return newBlock(start);
  }
  const Instruction *merge = region.head->merge();
  const bool isHeader = merge && merge->opcode() == spv::Op::OpLoopMerge;
  if (isHeader && before.id() == region.head->id())
    put(before, copyOf(*merge, Id::None, 0));
  const Id header = isHeader ? start : module.freshId(),
           left = labels.lookup(raw(region.exit->id()));
  put(before, Instruction(spv::Op::OpBranch).addId(header));
  Block &loop = newBlock(header);
  put(loop, Instruction(spv::Op::OpLoopMerge).addId(end).addId(left).addLiteral(0));
  if (isHeader)
    return loop;
  put(loop, Instruction(spv::Op::OpBranch).addId(start));
  return newBlock(start);
}

void Replicator::apart(const DivergentRegion &region, Block &head) {
  for (const Block *block : region.blocks)
    for (const Instruction &inst : block->instructions())
      if (isValid(inst.result()))
        define(inst.result());
  ExitEdge edge;
  edge.from.insert(region.blocks.begin(), region.blocks.end());
  edge.from.insert(region.head);
  Block *at = &head;
  for (unsigned copy = 0; copy < copies; ++copy) {
    const Id end = module.freshId();
    const Id left = region.needsLoop ? module.freshId() : end; // where its ways out lead
    const Id start = region.isTail ? module.freshId() : at->id();
    const Labels labels = labelsOf(region, copy, start, left);
    const Block &before = *at;
    if (region.isTail)
      at = &enclose(region, *at, labels, end);
    leave(*region.head, *at, copy, labels, end);
    for (const Block *block : region.blocks)
      apartBlock(*block, newBlock(labels.lookup(raw(block->id()))), copy, labels, end);
    at = &newBlock(left);
    if (!region.exit)
      continue;
    for (const Instruction &phi : region.exit->instructions()) {
      if (phi.opcode() != spv::Op::OpPhi)
        break;
      Instruction made(spv::Op::OpPhi, phi.typeId(), module.freshId());
      for (unsigned entry = 0; entry + 1 < phi.numOperands(); entry += 2)
        if (edge.from.contains(oldBlocks.lookup(raw(phi.id(entry + 1)))))
          made.addId(valueOf(phi.id(entry), copy)).addId(labels.lookup(raw(phi.id(entry + 1))));
      edge.phis[raw(phi.result())].push_back(put(*at, made).result());
    }
    if (region.needsLoop) { // its continue target: no second iteration
      const Id header = before.terminator()->id(0);
      put(*at, Instruction(spv::Op::OpBranchConditional)
                   .addId(builder.boolConstant(true))
                   .addId(end)
                   .addId(header));
      at = &newBlock(end);
    }
  }
  edge.label = at->id();
  if (!region.exit) {
    put(*at, Instruction(spv::Op::OpReturn));
    return;
  }
  put(*at, Instruction(spv::Op::OpBranch).addId(region.exit->id()));
  exits[region.exit].push_back(std::move(edge));
}

//===----------------------------------------------------------------------===//
// Afterwards
//===----------------------------------------------------------------------===//

const Replicator::ExitEdge *Replicator::exitEdge(const Block &exit, Id pred) const {
  auto edges = exits.find(&exit);
  if (edges == exits.end())
    return nullptr;
  auto edge = llvm::find_if(edges->second, [&](const ExitEdge &each) {
    return each.from.contains(oldBlocks.lookup(raw(pred)));
  });
  return edge == edges->second.end() ? nullptr : &*edge;
}

void Replicator::fillPhis() {
  for (const Pending &each : pending) {
    const Instruction &old = *each.old;
    llvm::SmallPtrSet<const ExitEdge *, 2> seen;
    for (unsigned at = 0; at + 1 < old.numOperands(); at += 2) {
      Id pred = old.id(at + 1);
      if (each.labels) {
        auto label = each.labels->find(raw(pred));
        each.made->addId(valueOf(old.id(at), each.copy))
            .addId(label == each.labels->end() ? pred : label->second);
      } else if (const ExitEdge *edge = exitEdge(*old.parent(), pred)) {
        if (seen.insert(edge).second)
          each.made->addId(edge->phis.lookup(raw(old.result()))[each.copy]).addId(edge->label);
      } else {
        each.made->addId(valueOf(old.id(at), each.copy)).addId(pred);
      }
    }
  }
}

void Replicator::decorateCopies() {
  std::vector<ValueCopies> all;
  for (Id id : copied) {
    ValueCopies &fresh = all.emplace_back(id, llvm::SmallVector<Id, 4>());
    for (Id copy : values.lookup(raw(id)))
      if (copy != id && !llvm::is_contained(fresh.second, copy))
        fresh.second.push_back(copy);
  }
  copyDecorations(module, all);
}

void Replicator::run() {
  copyPrivateVariables();
  BlockSet inside;
  for (const DivergentRegion &region : plan.regions)
    inside.insert(region.blocks.begin(), region.blocks.end());
  BlockList old;
  old.splice(old.begin(), function.blocks());
  for (const Block &block : old)
    oldBlocks[raw(block.id())] = &block;
  // An exit that comes first in the function would not know its edges yet.
  for (const DivergentRegion &region : plan.regions)
    if (region.exit)
      exits[region.exit];
  for (const Block &block : old)
    if (!inside.contains(&block))
      together(block);
  fillPhis();
  decorateCopies();
  for (Block &block : old)
    while (!block.instructions().empty())
      module.erase(block, block.instructions().back());
  function.rebuildCfg();
}

} // namespace

void replicate(Module &module, Function &function, const ReplicationPlan &plan) {
  Replicator(module, function, plan).run();
}

} // namespace tailor
