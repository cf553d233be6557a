//===- Backends/WgslUniformityRules.cpp -===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/WgslUniformityRules.h"

#include "IR/Types.h"

#include <deque>

namespace tailor::wgsl {

Rules::Rules(Module &module, Function &function,
             const llvm::DenseSet<const Instruction *> &uniformLoads)
    : module(module), function(function), flow(function),
      constructs(structuredConstructs(function)), uniformLoads(uniformLoads) {
  do {
    changed = false;
    for (Block &block : function.blocks())
      visit(block);
  } while (changed);
}

Id Rules::rootOf(Id pointer, Cause *differs) const {
  for (const Instruction *def = module.def(pointer); def; def = module.def(pointer)) {
    switch (def->opcode()) {
    case spv::Op::OpVariable:
      return def->result();
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
      for (unsigned i = 1; differs && i < def->numOperands(); ++i)
        if (of(def->id(i)))
          *differs = def;
      pointer = def->id(0);
      continue;
    case spv::Op::OpCopyObject:
      pointer = def->id(0);
      continue;
    default:
      return Id::None;
    }
  }
  return Id::None;
}

void Rules::mark(Id value, Cause why) {
  if (isValid(value) && values.try_emplace(raw(value), why).second)
    changed = true;
}

void Rules::mark(const Block &block, Cause why) {
  if (blocks.try_emplace(&block, why).second)
    changed = true;
}

void Rules::visit(Block &block) {
  for (const Instruction &inst : block.instructions())
    visit(inst, block);
  const Instruction *end = block.terminator();
  const bool isBranch =
      end && (end->opcode() == spv::Op::OpBranchConditional || end->opcode() == spv::Op::OpSwitch);
  if (isBranch && of(end->id(0)))
    diverge(block, *end);
  // Those who come here leave without the others.
  Cause why = of(block);
  if (!why)
    return;
  if (end && block.successors().empty() && end->opcode() != spv::Op::OpUnreachable)
    leaveFunction(*why->parent(), *why);
  for (const Block *target : block.successors())
    leave(*target, block, why, /*loopsAlone=*/true);
}

void Rules::visit(const Instruction &inst, const Block &block) {
  switch (inst.opcode()) {
  case spv::Op::OpVariable:
  case spv::Op::OpUndef:
    return;
  case spv::Op::OpStore:
    return store(inst.id(0), inst.id(1), inst, block);
  case spv::Op::OpCopyMemory:
    if (Id root = rootOf(inst.id(0)); isValid(root))
      mark(root, &inst);
    return;
  case spv::Op::OpLoad:
    if (Cause why = loaded(inst))
      mark(inst.result(), why);
    return;
  case spv::Op::OpPhi:
    for (unsigned i = 0; i + 1 < inst.numOperands(); i += 2) {
      const Block *from = function.block(inst.id(i + 1));
      if (of(inst.id(i)) || (from && of(*from)))
        mark(inst.result(), &inst);
    }
    return;
  case spv::Op::OpImageRead:
  case spv::Op::OpFunctionCall:
    return mark(inst.result(), &inst);
  default:
    break;
  }
  const std::string name = nameOf(inst.opcode());
  if (llvm::StringRef(name).starts_with("OpAtomic") || llvm::StringRef(name).starts_with("OpGroup"))
    return uniformLoads.contains(&inst) ? void() : mark(inst.result(), &inst);
  // frexp, modf: they write through a pointer.
  if (inst.opcode() == spv::Op::OpExtInst)
    for (unsigned i = 0; i < inst.numOperands(); ++i)
      if (inst.isId(i) && pointerTypeOfValue(module, inst.id(i)))
        mark(rootOf(inst.id(i)), &inst);
  // Pointers are looked at where they are used.
  if (!isValid(inst.result()) || pointerType(module, inst.typeId()))
    return;
  for (unsigned i = 0; i < inst.numOperands(); ++i)
    if (inst.isId(i) && of(inst.id(i)))
      return mark(inst.result(), &inst);
}

void Rules::store(Id pointer, Id value, const Instruction &inst, const Block &block) {
  Cause index = nullptr;
  const Id root = rootOf(pointer, &index);
  if (isValid(root) && (index || of(value) || of(block)))
    mark(root, &inst);
}

Cause Rules::loaded(const Instruction &inst) const {
  Cause index = nullptr;
  const Id root = rootOf(inst.id(0), &index);
  const Instruction *variable = module.def(root);
  if (!variable || uniformLoads.contains(&inst))
    return variable ? nullptr : &inst;
  switch (static_cast<spv::StorageClass>(variable->literal(0))) {
  case spv::StorageClass::Function:
    return index ? index : of(root) ? &inst : nullptr;
  case spv::StorageClass::Uniform:
  case spv::StorageClass::StorageBuffer: {
    const Id type = pointerType(module, variable->typeId())->pointee;
    const bool readOnly =
        module.hasDecoration(root, spv::Decoration::NonWritable) ||
        (static_cast<spv::StorageClass>(variable->literal(0)) == spv::StorageClass::Uniform &&
         !module.hasDecoration(type, spv::Decoration::BufferBlock));
    return readOnly ? index : &inst;
  }
  case spv::StorageClass::UniformConstant:
    return index;
  case spv::StorageClass::Input: {
    const auto builtIn = static_cast<spv::BuiltIn>(
        module.decoration(root, spv::Decoration::BuiltIn).value_or(UINT32_MAX));
    const bool same =
        builtIn == spv::BuiltIn::WorkgroupId || builtIn == spv::BuiltIn::NumWorkgroups;
    return same ? index : &inst;
  }
  default:
    return &inst;
  }
}

const Construct *Rules::constructOf(const Block &header, Construct::Kind kind) const {
  for (const Construct &construct : constructs)
    if (construct.kind == kind && construct.header == &header)
      return &construct;
  return nullptr;
}

void Rules::leave(const Block &target, const Block &from, Cause why, bool loopsAlone) {
  for (const Construct &construct : constructs) {
    if (loopsAlone && construct.kind != Construct::Kind::Loop)
      continue;
    const bool isTarget = construct.mergeBlock == &target || construct.continueTarget == &target ||
                          (construct.kind == Construct::Kind::Loop && construct.header == &target);
    if (isTarget && flow.dominates(*construct.header, from))
      within(*construct.header, construct.mergeBlock, [&](Block &block) { mark(block, why); });
  }
}

void Rules::diverge(Block &header, const Instruction &branch) {
  const Construct *selection = constructOf(header, Construct::Kind::Selection);
  if (!selection) {
    // A branch out of a loop, or the head of one.
    for (Block *target : header.successors())
      leave(*target, header, &branch);
    if (const Construct *loop = constructOf(header, Construct::Kind::Loop))
      within(header, loop->mergeBlock, [&](Block &block) { mark(block, &branch); });
    return;
  }
  std::vector<Block *> inside;
  within(header, selection->mergeBlock, [&](Block &block) { inside.push_back(&block); });
  for (Block *block : inside) {
    if (block != &header)
      mark(*block, &branch);
    for (Block *target : block->successors()) {
      const bool stays =
          target == selection->mergeBlock ||
          (flow.dominates(header, *target) && !flow.dominates(*selection->mergeBlock, *target));
      if (!stays || target == &header)
        leave(*target, header, &branch);
    }
    if (block->successors().empty())
      leaveFunction(header, branch);
  }
}

void Rules::leaveFunction(Block &header, const Instruction &branch) {
  std::deque<Block *> pending(header.successors().begin(), header.successors().end());
  llvm::DenseSet<const Block *> seen;
  while (!pending.empty()) {
    Block *block = pending.front();
    pending.pop_front();
    if (!seen.insert(block).second)
      continue;
    mark(*block, &branch);
    pending.insert(pending.end(), block->successors().begin(), block->successors().end());
  }
}

} // namespace tailor::wgsl
