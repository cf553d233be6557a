//===- Analysis/GroupIndependence.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/GroupIndependence.h"

#include "Analysis/Descriptors.h"
#include "Analysis/InstructionRules.h"
#include "Analysis/Opcodes.h"
#include "Analysis/Waiting.h"
#include "IR/Types.h"

namespace tailor {

namespace {

class Scan {
public:
  explicit Scan(const KernelAnalysis &kernel)
      : kernel(kernel), form(kernel.form()), module(kernel.module()), ids(kernel.ids()) {}

  std::optional<Diagnostic> run();

private:
  using Refusal = std::optional<Diagnostic>;
  Refusal refuse(const Instruction &inst, std::string text) const {
    return refusalAt(form, inst, std::move(text));
  }
  Refusal instruction(const Instruction &inst) const;
  Refusal variableUse(const Instruction &inst) const;
  Refusal descriptors(const Instruction &inst) const;
  Refusal memoryAccess(const Instruction &inst) const;
  Refusal atomic(const Instruction &inst) const;
  Refusal ordering(const Instruction &inst) const;
  Refusal dependence(const Instruction &inst, Id value, const std::string &what) const;
  Refusal addressDependence(const Instruction &inst, const PointerPath &path) const;
  Refusal arrayLength(const Instruction &inst) const;
  Refusal undefinedOperand(const Instruction &inst) const;

  const KernelAnalysis &kernel;
  const CanonicalForm &form;
  const Module &module;
  const IdDependence &ids;
};

std::optional<Diagnostic> Scan::run() {
  if (!ids.converged())
    return refuse(form.function().definition(),
                  "the data-flow analysis of the kernel did not settle");
  if (Refusal refusal = refuseExecutionModes(form))
    return refusal;
  auto isUniform = [&](Id id) { return ids.summary(id).variation() == Variation::Dispatch; };
  if (Refusal refusal = refuseUniformDecorations(form, isUniform))
    return refusal;
  for (const Block &block : form.function().blocks()) {
    if (!kernel.flow().isReachable(block))
      continue;
    for (const Instruction &inst : block.instructions())
      if (Refusal refusal = instruction(inst))
        return refusal;
  }
  return refuseWaiting(kernel);
}

Scan::Refusal Scan::instruction(const Instruction &inst) const {
  if (Refusal refusal = variableUse(inst))
    return refusal;
  if (Refusal refusal = refuseOpcode(form, inst))
    return refusal;
  if (Refusal refusal = ordering(inst))
    return refusal;
  switch (classOf(inst.opcode())) {
  case OpcodeClass::ControlBarrier:
    return refuse(inst, "a control barrier makes the invocations of a workgroup meet");
  case OpcodeClass::Atomic:
    return atomic(inst);
  case OpcodeClass::Memory:
  case OpcodeClass::ImageAccess:
  case OpcodeClass::ImageSample:
    return memoryAccess(inst);
  case OpcodeClass::ImageQuery:
    return descriptors(inst);
  case OpcodeClass::ArrayLength:
    return arrayLength(inst);
  case OpcodeClass::Structure:
    if (inst.opcode() == spv::Op::OpBranchConditional || inst.opcode() == spv::Op::OpSwitch)
      return dependence(inst, inst.id(0), "control flow");
    if (inst.opcode() == spv::Op::OpPhi && pointerType(module, inst.typeId()))
      return refuse(inst, "a pointer through OpPhi hides which memory it points to");
    return std::nullopt;
  default:
    return undefinedOperand(inst);
  }
}

/// A divisor or a component's number made of authored ids was in range for them; of what a resized
/// kernel has in their place it need not be, also where nobody uses the result.
Scan::Refusal Scan::undefinedOperand(const Instruction &inst) const {
  if (module.hasDecoration(inst.result(), spv::Decoration::NoSignedWrap) ||
      module.hasDecoration(inst.result(), spv::Decoration::NoUnsignedWrap))
    for (unsigned at = 0; at < inst.numOperands(); ++at)
      if (inst.isId(at))
        if (Refusal refusal = dependence(inst, inst.id(at), "a sum that must not wrap"))
          return refusal;
  switch (inst.opcode()) {
  case spv::Op::OpUDiv:
  case spv::Op::OpSDiv:
  case spv::Op::OpUMod:
  case spv::Op::OpSRem:
  case spv::Op::OpSMod:
    return dependence(inst, inst.id(1), "a divisor");
  case spv::Op::OpVectorExtractDynamic:
    return dependence(inst, inst.id(1), "a component's index");
  case spv::Op::OpVectorInsertDynamic:
    return dependence(inst, inst.id(2), "a component's index");
  default:
    return std::nullopt;
  }
}

/// Any use of workgroup memory, or of memory that the analysis has no name for.
Scan::Refusal Scan::variableUse(const Instruction &inst) const {
  for (unsigned at = 0; at < inst.numOperands(); ++at) {
    if (!inst.isId(at))
      continue;
    const Instruction *used = module.def(inst.id(at));
    if (!used || used->opcode() != spv::Op::OpVariable)
      continue;
    switch (spaceOf(module, *used)) {
    case MemorySpace::Workgroup:
      return refuse(inst, "workgroup memory '" + module.name(used->result()) +
                              "' is shared inside a workgroup")
          ->addNote(form.locationOf(*used), "it is declared here");
    case MemorySpace::Other:
      return refuse(inst, "the storage class of '" + module.name(used->result()) +
                              "' is not understood by this analysis");
    default:
      break;
    }
  }
  return std::nullopt;
}

/// Memory that is ordered for a group would be ordered for another one.
Scan::Refusal Scan::ordering(const Instruction &inst) const {
  switch (orderingReach(inst, ids.constants())) {
  case OrderingReach::None:
  case OrderingReach::Device:
    return std::nullopt;
  case OrderingReach::Unknown:
    return refuse(inst, std::string(orderingName(inst)) +
                            (classOf(inst.opcode()) == OpcodeClass::ImageAccess
                                 ? " orders memory at a scope that this analysis does not read"
                                 : " has a scope that is not known"));
  default:
    return refuse(inst, std::string(orderingName(inst)) +
                            " orders memory inside a workgroup or subgroup alone");
  }
}

Scan::Refusal Scan::dependence(const Instruction &inst, Id value, const std::string &what) const {
  AbstractScalar summary = ids.summary(value);
  if (!summary.dependsOnGroups())
    return std::nullopt;
  Refusal refusal = refuse(inst, what + " depends on how the grid is cut into workgroups");
  if (!summary.cause)
    return refusal;
  std::string source = nameOf(summary.cause->opcode());
  if (summary.cause->opcode() == spv::Op::OpLoad)
    if (auto path = tracePointer(module, summary.cause->id(0))) {
      std::optional<spv::BuiltIn> builtIn = builtInOf(module, *path->variable);
      source = builtIn ? nameOf(*builtIn) : "'" + module.name(path->variable->result()) + "'";
    }
  refusal->addNote(form.locationOf(*summary.cause), "it comes from " + source);
  return refusal;
}

Scan::Refusal Scan::addressDependence(const Instruction &inst, const PointerPath &path) const {
  for (Id index : path.indices)
    if (Refusal refusal = dependence(inst, index, "an address"))
      return refusal;
  return std::nullopt;
}

/// Indices that must be uniform in a workgroup: another size makes other groups.
Scan::Refusal Scan::descriptors(const Instruction &inst) const {
  for (const std::optional<PointerPath> &path : accessedPaths(module, inst)) {
    if (!path)
      continue;
    DescriptorIndices indices = descriptorIndices(module, inst, *path);
    if (indices.wholeArray)
      return refuse(inst, "a whole array of descriptors is accessed at once");
    for (Id index : indices.mustBeUniform)
      if (!isUniformInDispatch(kernel, index, *inst.parent())) {
        Refusal refusal =
            refuse(inst, "the descriptor index into '" + module.name(path->variable->result()) +
                             "' must be uniform in a workgroup and is not decorated NonUniform");
        if (module.hasDecoration(index, spv::Decoration::NonUniform)) // drivers ask the pointer
          refusal->addNote(form.locationOf(*module.def(index)),
                           "the index is decorated, the pointer that is made with it is not");
        return refusal;
      }
  }
  return std::nullopt;
}

Scan::Refusal Scan::arrayLength(const Instruction &inst) const {
  std::optional<PointerPath> path = tracePointer(module, inst.id(0));
  if (!path)
    return refuse(inst, "the length of an array behind an unknown pointer is asked for");
  if (Refusal refusal = descriptors(inst))
    return refusal;
  return addressDependence(inst, *path);
}

Scan::Refusal Scan::memoryAccess(const Instruction &inst) const {
  spv::Op op = inst.opcode();
  if (op == spv::Op::OpAccessChain || op == spv::Op::OpInBoundsAccessChain) {
    // An index out of bounds is undefined in itself, used or not. What the pointer may be used for
    // is judged there.
    std::optional<PointerPath> path = tracePointer(module, inst.result());
    return path ? addressDependence(inst, *path) : std::nullopt;
  }
  llvm::SmallVector<std::optional<PointerPath>, 2> paths = accessedPaths(module, inst);
  for (const std::optional<PointerPath> &path : paths) {
    if (!path)
      return refuse(inst, nameOf(op) + " goes through a pointer whose variable is not known "
                                       "(physical address, variable pointer)");
    // Also of what is only read, or private: an index that fitted the authored ids may not fit what
    // takes their place.
    if (Refusal refusal = addressDependence(inst, *path))
      return refusal;
  }

  if (Refusal refusal = descriptors(inst))
    return refusal;
  // What others can see must not depend on groups; what is read shows in the values.
  bool writesShared = (op == spv::Op::OpStore || op == spv::Op::OpCopyMemory) &&
                      paths[0]->space != MemorySpace::Private;
  if (writesShared) {
    if (op == spv::Op::OpStore)
      return dependence(inst, inst.id(1), "the stored value");
    if (paths[1]->space == MemorySpace::Private || paths[1]->space == MemorySpace::Input)
      return refuse(inst, "a copy of private memory is not followed by this analysis");
  }
  if (classOf(op) == OpcodeClass::ImageAccess) // reads and fetches too, for their coordinates
    for (unsigned at = 0; at < inst.numOperands(); ++at)
      if (inst.isId(at) && !pointerTypeOfValue(module, inst.id(at)))
        if (Refusal refusal = dependence(inst, inst.id(at), "an image access"))
          return refusal;
  return std::nullopt;
}

Scan::Refusal Scan::atomic(const Instruction &inst) const {
  unsigned pointerOperand = 0;
  const Instruction *pointer = module.def(inst.id(pointerOperand));
  bool isTexel = pointer && pointer->opcode() == spv::Op::OpImageTexelPointer;
  if (!isTexel) {
    std::optional<PointerPath> path = tracePointer(module, inst.id(pointerOperand));
    if (!path)
      return refuse(inst, "an atomic goes through a pointer whose variable is not known");
    if (Refusal refusal = addressDependence(inst, *path))
      return refusal;
  }
  if (Refusal refusal = descriptors(inst))
    return refusal;
  for (unsigned at = 2; at < inst.numOperands(); ++at)
    if (inst.isId(at))
      if (Refusal refusal = dependence(inst, inst.id(at), "the operand of an atomic"))
        return refusal;
  return std::nullopt;
}

} // namespace

std::optional<Diagnostic> refuseGroupDependence(const KernelAnalysis &kernel) {
  return Scan(kernel).run();
}

} // namespace tailor
