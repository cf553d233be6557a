//===- IR/Verifier.cpp -----------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "IR/Verifier.h"

#include "IR/Cfg.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace tailor {

namespace {

class Verifier {
public:
  explicit Verifier(Module &module) : module(module) {}
  std::optional<std::string> run();

private:
  using Fault = std::optional<std::string>;
  static std::string name(Id id) { return "%" + std::to_string(raw(id)); }
  Fault definitions();
  Fault function(Function &function);
  Fault block(const Function &function, const Block &block);
  Fault phi(const Instruction &inst, const ControlFlow &flow);
  Fault uses(const Instruction &inst, const ControlFlow &flow);

  Module &module;
  /// Labels, functions, parameters and what stands outside of blocks: defined for all.
  llvm::DenseSet<uint32_t> everywhere;
  llvm::DenseMap<const Instruction *, unsigned> position; ///< in its block
};

std::optional<std::string> Verifier::run() {
  if (Fault fault = definitions())
    return fault;
  for (auto &each : module.functions())
    if (!each->isDeclaration())
      if (Fault fault = function(*each))
        return fault;
  return std::nullopt;
}

Verifier::Fault Verifier::definitions() {
  llvm::DenseSet<uint32_t> seen;
  Fault fault;
  module.forEachInstruction([&](const Instruction &inst) {
    if (!isValid(inst.result()))
      return;
    if (!seen.insert(raw(inst.result())).second && !fault)
      fault = name(inst.result()) + " is defined more than once";
    if (!inst.parent())
      everywhere.insert(raw(inst.result()));
  });
  for (const auto &function : module.functions())
    for (const Block &block : function->blocks())
      everywhere.insert(raw(block.id()));
  return fault;
}

Verifier::Fault Verifier::block(const Function &function, const Block &block) {
  const Instruction *last = block.terminator();
  if (!last || !isTerminator(last->opcode()))
    return "block " + name(block.id()) + " does not end in a terminator";
  unsigned at = 0;
  bool phisAreOver = false;
  for (const Instruction &inst : block.instructions()) {
    position[&inst] = at++;
    if (isTerminator(inst.opcode()) && &inst != last)
      return "block " + name(block.id()) + " has a terminator in its middle";
    bool isPhi = inst.opcode() == spv::Op::OpPhi;
    if (isPhi && phisAreOver)
      return name(inst.result()) + " is a phi behind other instructions";
    phisAreOver |= !isPhi;
  }
  for (unsigned operand = 0; operand < last->numOperands(); ++operand) {
    if (!last->isId(operand))
      continue;
    const Instruction *target = module.def(last->id(operand));
    if (!target)
      return "block " + name(block.id()) + " leads to " + name(last->id(operand)) +
             ", which is not defined";
    if (target->opcode() != spv::Op::OpLabel)
      continue;
    bool isSuccessor = false;
    for (const Block *next : block.successors())
      isSuccessor |= next->id() == target->result() && next->getParent() == &function;
    if (!isSuccessor)
      return "block " + name(block.id()) + " leads out of its function";
  }
  return std::nullopt;
}

Verifier::Fault Verifier::phi(const Instruction &inst, const ControlFlow &flow) {
  llvm::DenseSet<uint32_t> from;
  for (unsigned at = 0; at + 1 < inst.numOperands(); at += 2) {
    from.insert(raw(inst.id(at + 1)));
    const Instruction *value = module.def(inst.id(at));
    if (!value)
      return name(inst.result()) + " uses " + name(inst.id(at)) + ", which is not defined";
    if (everywhere.contains(raw(value->result())))
      continue;
    for (const Block *predecessor : inst.parent()->predecessors())
      if (predecessor->id() == inst.id(at + 1) && flow.isReachable(*predecessor) &&
          !flow.dominates(*value->parent(), *predecessor))
        return name(value->result()) + " does not dominate its use in " + name(inst.result());
  }
  if (inst.numOperands() % 2 != 0 || from.size() != inst.parent()->predecessors().size())
    return name(inst.result()) + " has not one value for each predecessor";
  for (const Block *predecessor : inst.parent()->predecessors())
    if (!from.contains(raw(predecessor->id())))
      return name(inst.result()) + " has no value for " + name(predecessor->id());
  return std::nullopt;
}

Verifier::Fault Verifier::uses(const Instruction &inst, const ControlFlow &flow) {
  auto check = [&](Id id) -> Fault {
    const Instruction *def = module.def(id);
    if (!def)
      return name(id) + " is used and not defined";
    if (everywhere.contains(raw(id)))
      return std::nullopt;
    bool comesBefore = def->parent() == inst.parent()
                           ? position.lookup(def) < position.lookup(&inst)
                           : def->parent()->getParent() == inst.parent()->getParent() &&
                                 flow.dominates(*def->parent(), *inst.parent());
    return comesBefore ? std::nullopt : Fault(name(id) + " does not dominate its use");
  };
  if (isValid(inst.typeId()))
    if (Fault fault = check(inst.typeId()))
      return fault;
  for (unsigned at = 0; at < inst.numOperands(); ++at)
    if (inst.isId(at))
      if (Fault fault = check(inst.id(at)))
        return fault;
  return std::nullopt;
}

Verifier::Fault Verifier::function(Function &function) {
  for (const Block &each : function.blocks())
    if (Fault fault = block(function, each))
      return fault;
  ControlFlow flow(function);
  for (const Block &each : function.blocks()) {
    if (!flow.isReachable(each))
      continue;
    for (const Instruction &inst : each.instructions())
      if (Fault fault = inst.opcode() == spv::Op::OpPhi ? phi(inst, flow) : uses(inst, flow))
        return fault;
  }
  return std::nullopt;
}

} // namespace

std::optional<std::string> structuralFault(Module &module) { return Verifier(module).run(); }

} // namespace tailor
