//===- Analysis/IdDependence.h - Abstract values of a whole kernel ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_IDDEPENDENCE_H
#define TAILOR_ANALYSIS_IDDEPENDENCE_H

#include "Analysis/AbstractValue.h"
#include "Analysis/CanonicalForm.h"
#include "Analysis/Memory.h"
#include "IR/Cfg.h"
#include "IR/Constants.h"
#include "Support/Dim3.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <set>

namespace tailor {

/// The built-in input that a variable is; nullopt for any other variable.
std::optional<spv::BuiltIn> builtInOf(const Module &module, const Instruction &variable);
/// `LocalInvocationId`; `BuiltIn#n` for a number without a name here.
std::string nameOf(spv::BuiltIn builtIn);
/// Declared (Volatile or Coherent, at the variable or a member) as memory that other invocations
/// may write meanwhile.
bool isDeclaredShared(const Module &module, const Instruction &variable);

/// Abstract values of every id of a canonical form, by iteration to a fixed point (a forward
/// data-flow analysis over SSA). Memory private to an invocation is summarised per variable.
class IdDependence {
public:
  /// `sizeSpec`: the specialization constants that the size hangs off, with their values: a resized
  /// module has them frozen. Every other specialization constant is unknown, the same for the whole
  /// dispatch.
  IdDependence(const CanonicalForm &form, const ControlFlow &flow, const Dim3 &authoredSize,
               const SpecMap &sizeSpec);

  /// The value of any id. Ids that are never computed (unreachable code) come back as Group, so
  /// that nothing is concluded from them.
  AbstractValue value(Id id) const;
  /// All components as one.
  AbstractScalar summary(Id id) const { return opaque(value(id)); }

  /// False: the iteration was given up, and nothing may be concluded.
  bool converged() const { return hasConverged; }
  const WrittenVariables &written() const { return writtenVariables; }
  ConstantEvaluator &constants() const { return evaluator; }
  const ControlFlow &controlFlow() const { return flow; }
  /// A variable that stands for the same descriptor is written.
  bool isWrittenByAnotherName(const Instruction &variable) const;
  /// A storage buffer that nothing in the module writes, and that no other descriptor may alias.
  bool isConstantMemory(const Instruction &variable, MemorySpace space) const;
  /// It is written, under this name or another of its binding, or may be another's memory.
  bool mayBeWritten(const Instruction &variable) const;
  /// The load, copy or atomic reads memory that other invocations may write during the dispatch,
  /// without a data race: atomics, and Volatile or Coherent accesses.
  bool readsSharedState(const Instruction &inst) const;

private:
  AbstractValue compute(const Instruction &inst);
  AbstractValue computeExact(const Instruction &inst);
  AbstractValue computeLinear(const Instruction &inst);
  AbstractValue computeLoad(const Instruction &inst);
  AbstractValue computePhi(const Instruction &inst);
  AbstractValue computeComposite(const Instruction &inst);
  AbstractScalar extracted(const Instruction &extract, unsigned component) const;
  AbstractValue computeComponentwise(const Instruction &inst);
  AbstractValue loadBuiltIn(const Instruction &load, spv::BuiltIn builtIn,
                            llvm::ArrayRef<Id> indices);
  AbstractScalar builtInComponent(const Instruction &load, spv::BuiltIn builtIn, unsigned axis);
  AbstractValue constantValue(const Instruction &inst) const;
  AbstractValue current(Id id) const;
  AbstractScalar firstContent(const Instruction &variable) const;
  AbstractValue spread(const AbstractScalar &scalar, Id type) const;
  void applyStores(const Instruction &inst);
  void storeTo(Id pointer, const AbstractScalar &stored);
  unsigned components(Id type) const;

  const CanonicalForm &form;
  const Module &module;
  const ControlFlow &flow;
  Dim3 size;
  WrittenVariables writtenVariables;
  mutable ConstantEvaluator evaluator;
  llvm::DenseMap<uint32_t, AbstractValue> values;
  llvm::DenseMap<uint32_t, AbstractScalar> privateContent; ///< by variable id
  llvm::DenseSet<uint32_t> undefined; ///< OpUndef at module scope, and constants made of it
  bool changed = false;
  bool hasConverged = false;
  bool communicates = false; ///< the kernel has atomics or memory barriers
};

} // namespace tailor

#endif
