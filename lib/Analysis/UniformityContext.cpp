//===- Analysis/UniformityContext.cpp --------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/UniformityContext.h"

#include "llvm/ADT/GenericCycleImpl.h"
#include "llvm/Support/GenericDomTreeConstruction.h"

namespace llvm {

template <>
Printable GenericSSAContext<tailor::ValueGraph>::print(const tailor::NodeBlock *block) const {
  return Printable([block](raw_ostream &os) { block->printAsOperand(os); });
}

template <>
Printable GenericSSAContext<tailor::ValueGraph>::print(const tailor::ValueNode *node) const {
  return Printable([node](raw_ostream &os) { os << "node " << node->index; });
}

/// One constant from every side: it does not matter which way an invocation came.
template <>
bool GenericSSAContext<tailor::ValueGraph>::isConstantOrUndefValuePhi(
    const tailor::ValueNode &phi) {
  const tailor::Instruction &inst = *phi.inst;
  tailor::Id only = tailor::Id::None;
  for (unsigned at = 0; at + 1 < inst.numOperands(); at += 2) {
    tailor::Id incoming = inst.id(at);
    if (incoming == inst.result())
      continue;
    if (only != tailor::Id::None && incoming != only)
      return false;
    only = incoming;
  }
  return phi.block->graph->isFixed(only);
}

template class DominatorTreeBase<tailor::NodeBlock, false>;
// Other files ask it, and an optimising compiler leaves no copy behind that it made inline here.
template GenericCycle<GenericSSAContext<tailor::ValueGraph>> *
GenericCycleInfo<GenericSSAContext<tailor::ValueGraph>>::getCycle(const tailor::NodeBlock *) const;

} // namespace llvm

namespace tailor {

NodeFlow::NodeFlow(ValueGraph &graph) {
  dominators.recalculate(graph);
  cycles.compute(graph);
}
NodeFlow::~NodeFlow() = default;

} // namespace tailor
