//===- Analysis/GroupIndependence.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/GroupIndependence.h"

#include "Analysis/Opcodes.h"
#include "Analysis/Waiting.h"
#include "IR/Types.h"

#include "spirv/unified1/GLSL.std.450.h"

namespace tailor {

namespace {

class Scan {
public:
  Scan(const CanonicalForm &form, const ControlFlow &flow, const IdDependence &ids)
      : form(form), module(form.module()), flow(flow), ids(ids) {}

  std::optional<Diagnostic> run();

private:
  using Refusal = std::optional<Diagnostic>;
  Refusal refuse(const Instruction &inst, std::string text) const {
    return Diagnostic::error(form.locationOf(inst), std::move(text));
  }
  Refusal executionModes() const;
  Refusal uniformDecorations() const;
  Refusal instruction(const Instruction &inst) const;
  Refusal variableUse(const Instruction &inst) const;
  Refusal memoryAccess(const Instruction &inst) const;
  Refusal atomic(const Instruction &inst) const;
  Refusal scope(const Instruction &inst, Id scope, const char *what) const;
  Refusal dependence(const Instruction &inst, Id value, const std::string &what) const;
  Refusal addressDependence(const Instruction &inst, const PointerPath &path) const;
  Refusal descriptorIndex(const Instruction &inst, const PointerPath &path) const;
  Refusal arrayLength(const Instruction &inst) const;
  Refusal undefinedOperand(const Instruction &inst) const;
  Refusal extInst(const Instruction &inst) const;
  Refusal waiting() const;

  const CanonicalForm &form;
  const Module &module;
  const ControlFlow &flow;
  const IdDependence &ids;
};

std::optional<Diagnostic> Scan::run() {
  if (!ids.converged())
    return Diagnostic::error(form.locationOf(form.function().definition()),
                             "the data-flow analysis of the kernel did not settle");
  if (Refusal refusal = executionModes())
    return refusal;
  if (Refusal refusal = uniformDecorations())
    return refusal;
  for (const Block &block : form.function().blocks()) {
    if (!flow.isReachable(block))
      continue;
    for (const Instruction &inst : block.instructions())
      if (Refusal refusal = instruction(inst))
        return refusal;
  }
  return waiting();
}

Scan::Refusal Scan::executionModes() const {
  for (const Instruction &mode : module.section(Section::ExecutionModes)) {
    uint32_t number = mode.literal(1);
    switch (static_cast<spv::ExecutionMode>(number)) {
    case spv::ExecutionMode::LocalSize:
    case spv::ExecutionMode::LocalSizeId:
    case spv::ExecutionMode::DenormPreserve:
    case spv::ExecutionMode::DenormFlushToZero:
    case spv::ExecutionMode::SignedZeroInfNanPreserve:
    case spv::ExecutionMode::RoundingModeRTE:
    case spv::ExecutionMode::RoundingModeRTZ:
      continue;
    default:
      return refuse(mode, "execution mode " + std::to_string(number) +
                              " may depend on the workgroup size");
    }
  }
  return std::nullopt;
}

/// `Uniform` says that a value is the same in a workgroup: of another workgroup it may be false.
Scan::Refusal Scan::uniformDecorations() const {
  const Module &authored = form.authoredModule();
  for (const Instruction &inst : authored.section(Section::Annotations)) {
    bool isUniform =
        inst.opcode() != spv::Op::OpMemberDecorate && inst.numOperands() > 1 &&
        (inst.opcode() == spv::Op::OpDecorate || inst.opcode() == spv::Op::OpDecorateId) &&
        (inst.literal(1) == static_cast<uint32_t>(spv::Decoration::Uniform) ||
         inst.literal(1) == static_cast<uint32_t>(spv::Decoration::UniformId));
    if (!isUniform)
      continue;
    const Instruction *target = authored.def(inst.id(0));
    const Instruction *here = module.def(inst.id(0));
    bool holds =
        (target && isConstant(target->opcode())) ||
        (here && here->parent() && ids.summary(inst.id(0)).variation() == Variation::Dispatch);
    if (!holds)
      return Diagnostic::error(target ? authored.locationOf(*target) : authored.locationOf(inst),
                               "a value is decorated Uniform, which another workgroup size could "
                               "make untrue");
  }
  return std::nullopt;
}

Scan::Refusal Scan::instruction(const Instruction &inst) const {
  if (Refusal refusal = variableUse(inst))
    return refusal;
  std::string name = nameOf(inst.opcode());
  switch (classOf(inst.opcode())) {
  case OpcodeClass::ControlBarrier:
    return refuse(inst, "a control barrier makes the invocations of a workgroup meet");
  case OpcodeClass::Subgroup:
    return refuse(inst, name + " exchanges values inside a subgroup");
  case OpcodeClass::Derivative:
    return refuse(inst, name + " takes derivatives across a quad");
  case OpcodeClass::Call:
    return refuse(inst, "a function call could not be inlined");
  case OpcodeClass::Unknown:
    return refuse(inst, name + " is not understood by this analysis");
  case OpcodeClass::MemoryBarrier:
    return scope(inst, inst.id(0), "a memory barrier");
  case OpcodeClass::Atomic:
    return atomic(inst);
  case OpcodeClass::Memory:
  case OpcodeClass::ImageAccess:
  case OpcodeClass::ImageSample:
    return memoryAccess(inst);
  case OpcodeClass::ArrayLength:
    return arrayLength(inst);
  case OpcodeClass::ExtInst:
    return extInst(inst);
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

Scan::Refusal Scan::scope(const Instruction &inst, Id scopeId, const char *what) const {
  std::optional<uint64_t> value = ids.constants().evaluateInt(scopeId);
  if (!value)
    return refuse(inst, std::string(what) + " has a scope that is not known");
  switch (static_cast<spv::Scope>(*value)) {
  case spv::Scope::CrossDevice:
  case spv::Scope::Device:
  case spv::Scope::QueueFamily:
  case spv::Scope::Invocation:
    return std::nullopt;
  default:
    return refuse(inst, std::string(what) + " orders memory inside a workgroup or subgroup alone");
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

/// An index into an array of descriptors must be the same for all invocations of a workgroup,
/// unless it is decorated NonUniform (Vulkan, "Descriptor Set Interface"): another size makes other
/// groups.
Scan::Refusal Scan::descriptorIndex(const Instruction &inst, const PointerPath &path) const {
  std::optional<PointerType> type = pointerType(module, path.variable->typeId());
  const Instruction *pointee = type ? module.def(type->pointee) : nullptr;
  unsigned dimensions = 0; // of the array of descriptors
  while (pointee && (pointee->opcode() == spv::Op::OpTypeArray ||
                     pointee->opcode() == spv::Op::OpTypeRuntimeArray)) {
    ++dimensions;
    pointee = module.def(pointee->id(0));
  }
  bool isDescriptor = path.space == MemorySpace::UniformBuffer ||
                      path.space == MemorySpace::StorageBuffer ||
                      path.space == MemorySpace::Resource;
  if (dimensions == 0 || !isDescriptor)
    return std::nullopt;
  if (path.indices.size() < dimensions)
    return refuse(inst, "a whole array of descriptors is accessed at once");
  bool uniform = true;
  for (unsigned at = 0; at < dimensions; ++at)
    uniform &= ids.summary(path.indices[at]).variation() == Variation::Dispatch;
  if (uniform)
    return std::nullopt;
  bool nonUniform = module.hasDecoration(inst.result(), spv::Decoration::NonUniform);
  for (const Instruction *chain : path.chains)
    nonUniform |= module.hasDecoration(chain->result(), spv::Decoration::NonUniform);
  if (nonUniform)
    return std::nullopt;
  return refuse(inst, "the descriptor index into '" + module.name(path.variable->result()) +
                          "' must be uniform in a workgroup and is not decorated NonUniform");
}

Scan::Refusal Scan::arrayLength(const Instruction &inst) const {
  std::optional<PointerPath> path = tracePointer(module, inst.id(0));
  if (!path)
    return refuse(inst, "the length of an array behind an unknown pointer is asked for");
  if (Refusal refusal = descriptorIndex(inst, *path))
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
  // The operands that are pointers to memory or loaded images.
  llvm::SmallVector<std::optional<PointerPath>, 2> paths;
  bool isPointer = op == spv::Op::OpLoad || op == spv::Op::OpStore || op == spv::Op::OpCopyMemory ||
                   op == spv::Op::OpImageTexelPointer;
  paths.push_back(isPointer ? tracePointer(module, inst.id(0)) : traceResource(module, inst.id(0)));
  if (op == spv::Op::OpCopyMemory)
    paths.push_back(tracePointer(module, inst.id(1)));
  for (const std::optional<PointerPath> &path : paths) {
    if (!path)
      return refuse(inst, nameOf(op) + " goes through a pointer whose variable is not known "
                                       "(physical address, variable pointer)");
    if (Refusal refusal = descriptorIndex(inst, *path))
      return refusal;
    // Also of what is only read, or private: an index that fitted the authored ids may not fit what
    // takes their place.
    if (Refusal refusal = addressDependence(inst, *path))
      return refusal;
  }

  unsigned firstMemoryOperand = op == spv::Op::OpLoad ? 1 : 2;
  if (isPointer && op != spv::Op::OpImageTexelPointer)
    for (unsigned at = firstMemoryOperand; at < inst.numOperands(); ++at)
      if (inst.isId(at))
        if (Refusal refusal = scope(inst, inst.id(at), "a memory access"))
          return refusal;
  constexpr uint32_t kMakeTexel = 0x100 | 0x200; // MakeTexelAvailable, MakeTexelVisible
  unsigned imageOperands = op == spv::Op::OpImageWrite ? 3 : 2;
  if ((op == spv::Op::OpImageRead || op == spv::Op::OpImageWrite) &&
      inst.numOperands() > imageOperands && (inst.literal(imageOperands) & kMakeTexel))
    return refuse(inst, nameOf(op) + " orders memory at a scope that this analysis does not read");

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
    if (Refusal refusal = descriptorIndex(inst, *path))
      return refusal;
    if (Refusal refusal = addressDependence(inst, *path))
      return refusal;
  }
  if (Refusal refusal = scope(inst, inst.id(1), "an atomic"))
    return refusal;
  for (unsigned at = 2; at < inst.numOperands(); ++at)
    if (inst.isId(at))
      if (Refusal refusal = dependence(inst, inst.id(at), "the operand of an atomic"))
        return refusal;
  return std::nullopt;
}

Scan::Refusal Scan::extInst(const Instruction &inst) const {
  std::string set = module.extInstSet(inst.id(0));
  if (set.rfind("NonSemantic.", 0) == 0)
    return std::nullopt;
  if (set != "GLSL.std.450")
    return refuse(inst, "the extended instruction set '" + set + "' is not understood");
  uint32_t number = inst.literal(1);
  if (number >= GLSLstd450InterpolateAtCentroid && number <= GLSLstd450InterpolateAtOffset)
    return refuse(inst, "an interpolation has no meaning in a compute shader");
  if (number == GLSLstd450Modf || number == GLSLstd450Frexp) {
    std::optional<PointerPath> path = tracePointer(module, inst.id(3));
    if (!path || path->space != MemorySpace::Private)
      return refuse(inst, "an extended instruction writes to memory that is not private");
  }
  return std::nullopt;
}

/// A loop that looks at memory which other invocations write, and decides by it, may be waiting
/// for them: another schedule could then never end.
Scan::Refusal Scan::waiting() const {
  std::optional<WaitingLoop> loop = findWaiting(form, flow, ids);
  if (!loop)
    return std::nullopt;
  Refusal refusal = refuse(*loop->branch, "invocations may wait on each other: the loop decides by "
                                          "memory that other invocations write");
  refusal->addNote(form.locationOf(*loop->read), "it is read here");
  return refusal;
}

} // namespace

std::optional<Diagnostic> refuseGroupDependence(const CanonicalForm &form, const ControlFlow &flow,
                                                const IdDependence &ids) {
  return Scan(form, flow, ids).run();
}

} // namespace tailor
