//===- Analysis/FactGathering.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/FactGathering.h"

#include "Analysis/AccessPatterns.h"
#include "Analysis/Opcodes.h"
#include "Analysis/SharedMemory.h"

#include <set>

namespace tailor {

namespace {

class Gatherer {
public:
  explicit Gatherer(const KernelAnalysis &kernel)
      : kernel(kernel), module(kernel.module()), flow(kernel.flow()) {}

  KernelFacts run();

private:
  void visit(const Instruction &inst);
  void noteVariable(const Instruction &variable);

  const KernelAnalysis &kernel;
  const Module &module;
  const ControlFlow &flow;
  KernelFacts facts;
  std::set<std::string> builtIns, subgroupOps;
};

void Gatherer::noteVariable(const Instruction &variable) {
  if (spaceOf(module, variable) == MemorySpace::Input)
    if (std::optional<spv::BuiltIn> builtIn = builtInOf(module, variable))
      builtIns.insert(nameOf(*builtIn));
}

void Gatherer::visit(const Instruction &inst) {
  for (unsigned at = 0; at < inst.numOperands(); ++at)
    if (inst.isId(at))
      if (const Instruction *used = module.def(inst.id(at));
          used && used->opcode() == spv::Op::OpVariable)
        noteVariable(*used);
  spv::Op op = inst.opcode();
  switch (classOf(op)) {
  case OpcodeClass::ControlBarrier:
    ++facts.controlBarriers;
    facts.barriersInLoops += flow.inCycle(*inst.parent());
    break;
  case OpcodeClass::Subgroup:
  case OpcodeClass::Derivative:
    subgroupOps.insert(nameOf(op));
    break;
  case OpcodeClass::Atomic:
    ++facts.atomics;
    break;
  default:
    break;
  }
}

KernelFacts Gatherer::run() {
  for (const Block &block : kernel.form().function().blocks())
    if (flow.isReachable(block))
      for (const Instruction &inst : block.instructions())
        visit(inst);
  facts.ids.assign(builtIns.begin(), builtIns.end());
  facts.subgroupOps.assign(subgroupOps.begin(), subgroupOps.end());
  // A variable whose bytes are not known leaves those of the others.
  facts.sharedBytes = knownSharedBytes(kernel);
  for (const MemoryAccess &access : findAccesses(kernel))
    facts.accesses.push_back(factOf(access));
  return std::move(facts);
}

} // namespace

KernelFacts gatherFacts(const KernelAnalysis &kernel) { return Gatherer(kernel).run(); }

} // namespace tailor
