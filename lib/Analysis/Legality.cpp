//===- Analysis/Legality.cpp -----------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/Legality.h"

#include "Analysis/Descriptors.h"
#include "Analysis/InstructionRules.h"
#include "Analysis/KernelAnalysis.h"
#include "Analysis/Opcodes.h"
#include "Analysis/RegionRules.h"
#include "Analysis/SharedMemory.h"
#include "Analysis/SizeConstants.h"
#include "Analysis/Waiting.h"
#include "IR/Types.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace tailor {

static constexpr std::string_view kTechniqueNames[] = {"resize",  "remap",   "pack",
                                                       "coarsen", "swizzle", "respecialize"};
static_assert(std::size(kTechniqueNames) == kNumTechniques);

std::string_view nameOf(Technique technique) {
  return kTechniqueNames[static_cast<size_t>(technique)];
}

std::optional<Technique> parseTechnique(std::string_view name) {
  for (Technique technique : kTechniques)
    if (nameOf(technique) == name)
      return technique;
  return std::nullopt;
}

namespace {

class Judge {
public:
  Judge(const KernelAnalysis &kernel, const LegalityRelaxation &relaxed)
      : kernel(kernel), form(kernel.form()), module(kernel.module()), relaxed(relaxed),
        memory(analyzeSharedMemory(kernel)) {
    for (const Block &block : form.function().blocks())
      if (kernel.flow().isReachable(block))
        for (const Instruction &inst : block.instructions())
          instructions.push_back(&inst);
    hasBarrier = std::any_of(instructions.begin(), instructions.end(), [](const auto *inst) {
      return inst->opcode() == spv::Op::OpControlBarrier;
    });
    common = shared();
  }

  TechniqueVerdict remap() const;
  TechniqueVerdict pack() const;
  TechniqueVerdict coarsen() const;
  TechniqueVerdict swizzle() const;
  TechniqueVerdict respecialize() const;

private:
  using Refusal = std::optional<Diagnostic>;
  Refusal refuse(const Instruction &inst, std::string text) const {
    return refusalAt(form, inst, std::move(text));
  }
  Refusal shared() const;
  Refusal rescheduling(const Instruction &inst) const;
  Refusal variableUse(const Instruction &inst) const;
  Refusal exchange() const;
  Refusal lockstep() const;
  Refusal meetings() const;
  Refusal workgroupPointers() const;
  using StaysUniform = llvm::function_ref<bool(Id value, const Block &use)>;
  Refusal descriptors(StaysUniform staysUniform, const char *when) const;
  Refusal packAlong(unsigned axis) const;
  Refusal decorations(llvm::function_ref<bool(Id)> stays) const {
    return checks(LegalityCondition::UniformDecorations) ? refuseUniformDecorations(form, stays)
                                                         : std::nullopt;
  }
  bool reads(spv::BuiltIn builtIn) const;
  bool isDispatchUniform(Id id) const {
    return kernel.ids().summary(id).variation() == Variation::Dispatch;
  }
  bool followsSize() const;
  bool checks(LegalityCondition condition) const { return relaxed.checks(condition); }
  static void addChain(Diagnostic &refusal, const CanonicalForm &form,
                       const std::vector<CauseStep> &chain) {
    for (const CauseStep &step : chain)
      refusal.addNote(form.locationOf(*step.inst), step.text);
  }

  const KernelAnalysis &kernel;
  const CanonicalForm &form;
  const Module &module;
  const LegalityRelaxation relaxed;
  SharedMemory memory;
  Refusal common;                                ///< of every technique but resize
  std::vector<const Instruction *> instructions; ///< the reachable ones
  bool hasBarrier = false;
};

//===----------------------------------------------------------------------===//
// What stops every technique but resize, which has its own proof
//===----------------------------------------------------------------------===//

/// A physical pointer or a variable pointer is a value like others to whoever keeps the ids.
bool isPointerArithmetic(spv::Op op) {
  switch (op) {
  case spv::Op::OpConvertUToPtr:
  case spv::Op::OpConvertPtrToU:
  case spv::Op::OpPtrAccessChain:
  case spv::Op::OpPtrEqual:
  case spv::Op::OpPtrNotEqual:
  case spv::Op::OpPtrDiff:
    return true;
  default:
    return false;
  }
}

Judge::Refusal Judge::variableUse(const Instruction &inst) const {
  for (unsigned at = 0; at < inst.numOperands(); ++at) {
    const Instruction *used = inst.isId(at) ? module.def(inst.id(at)) : nullptr;
    if (!used || used->opcode() != spv::Op::OpVariable)
      continue;
    MemorySpace space = spaceOf(module, *used);
    if (space == MemorySpace::Other)
      return refuse(inst, "the storage class of '" + module.name(used->result()) +
                              "' is not understood by this analysis");
    if (space != MemorySpace::Input)
      continue;
    std::optional<spv::BuiltIn> builtIn = builtInOf(module, *used);
    if (!builtIn || isForeignBuiltIn(*builtIn))
      return refuse(inst,
                    "the value of " +
                        (builtIn ? nameOf(*builtIn) : "'" + module.name(used->result()) + "'") +
                        " depends on how invocations are put into subgroups, or is not known "
                        "here");
  }
  return std::nullopt;
}

Judge::Refusal Judge::rescheduling(const Instruction &inst) const {
  if (checks(LegalityCondition::Opcodes) && !isPointerArithmetic(inst.opcode()))
    if (Refusal refusal = refuseOpcode(form, inst))
      return refusal;
  if (checks(LegalityCondition::SubgroupInputs))
    if (Refusal refusal = variableUse(inst))
      return refusal;
  if (!checks(LegalityCondition::Scopes))
    return std::nullopt;
  if (inst.opcode() == spv::Op::OpControlBarrier) {
    std::optional<uint64_t> scope = kernel.ids().constants().evaluateInt(inst.id(0));
    if (scope != static_cast<uint64_t>(spv::Scope::Workgroup))
      return refuse(inst, "a control barrier whose scope is not the workgroup");
    return std::nullopt;
  }
  OrderingReach reach = orderingReach(inst, kernel.ids().constants());
  if (reach == OrderingReach::Subgroup)
    return refuse(inst, std::string(orderingName(inst)) + " orders memory inside a subgroup alone");
  if (reach == OrderingReach::Unknown && inst.opcode() != spv::Op::OpImageRead &&
      inst.opcode() != spv::Op::OpImageWrite)
    return refuse(inst, std::string(orderingName(inst)) + " has a scope that is not known");
  return std::nullopt;
}

Judge::Refusal Judge::shared() const {
  if (!kernel.ids().converged())
    return refuse(form.function().definition(),
                  "the data-flow analysis of the kernel did not settle");
  if (Refusal refusal = refuseExecutionModes(form))
    return refusal;
  for (const Instruction *inst : instructions)
    if (Refusal refusal = rescheduling(*inst))
      return refusal;
  return checks(LegalityCondition::Waiting) ? refuseWaiting(kernel) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// remap
//===----------------------------------------------------------------------===//

bool Judge::reads(spv::BuiltIn builtIn) const {
  for (const Instruction *inst : instructions)
    for (unsigned at = 0; at < inst->numOperands(); ++at) {
      const Instruction *used = inst->isId(at) ? module.def(inst->id(at)) : nullptr;
      if (used && used->opcode() == spv::Op::OpVariable &&
          spaceOf(module, *used) == MemorySpace::Input && builtInOf(module, *used) == builtIn)
        return true;
    }
  return false;
}

/// What makes the invocations of a workgroup meet.
Judge::Refusal Judge::exchange() const {
  for (const Instruction *inst : instructions) {
    if (inst->opcode() == spv::Op::OpControlBarrier) {
      if (!checks(LegalityCondition::ExchangeBarrier))
        continue;
      return refuse(*inst, "a control barrier makes the invocations of a workgroup meet");
    }
    if (!checks(LegalityCondition::ExchangeOrdering))
      continue;
    switch (orderingReach(*inst, kernel.ids().constants())) {
    case OrderingReach::None:
    case OrderingReach::Device:
      break;
    case OrderingReach::Unknown:
      return refuse(*inst, std::string(orderingName(*inst)) +
                               " orders memory at a scope that this analysis does not read");
    default:
      return refuse(*inst, std::string(orderingName(*inst)) +
                               " orders memory inside a workgroup or subgroup alone");
    }
  }
  return std::nullopt;
}

/// Indices into arrays of descriptors that must be uniform and may not stay so.
Judge::Refusal Judge::descriptors(StaysUniform staysUniform, const char *when) const {
  if (!checks(LegalityCondition::Descriptors))
    return std::nullopt;
  for (const Instruction *inst : instructions)
    for (const std::optional<PointerPath> &path : accessedPaths(module, *inst)) {
      if (!path)
        continue;
      DescriptorIndices indices = descriptorIndices(module, *inst, *path);
      std::string name = "'" + module.name(path->variable->result()) + "'";
      if (indices.wholeArray)
        return refuse(*inst, "a whole array of descriptors is accessed at once");
      for (Id index : indices.mustBeUniform)
        if (!staysUniform(index, *inst->parent()))
          return refuse(*inst, "the descriptor index into " + name +
                                   " must be uniform in a workgroup, is not decorated NonUniform, "
                                   "and may differ " +
                                   when);
    }
  return std::nullopt;
}

TechniqueVerdict Judge::remap() const {
  TechniqueVerdict verdict;
  auto staysUniform = [this](Id id, const Block &use) {
    return isUniformInDispatch(kernel, id, use);
  };
  verdict.refusal = common;
  if (!verdict.refusal)
    verdict.refusal = exchange();
  if (!verdict.refusal)
    verdict.refusal = decorations([this](Id id) { return isDispatchUniform(id); });
  if (!verdict.refusal)
    verdict.refusal = descriptors(staysUniform, "in another workgroup");
  verdict.readsGroupCount =
      checks(LegalityCondition::GroupCount) && reads(spv::BuiltIn::NumWorkgroups);
  if (verdict.refusal)
    return verdict;
  for (const SharedVariable &variable : memory.variables) {
    verdict.dividesOnly = checks(LegalityCondition::DividesOnly);
    if (variable.usedAsPrivate || !checks(LegalityCondition::WorkgroupMemory))
      continue;
    for (const Instruction *inst : instructions)
      for (unsigned at = 0; at < inst->numOperands() && !verdict.refusal; ++at)
        if (inst->isId(at) && inst->id(at) == variable.variable->result()) {
          verdict.refusal = refuse(*inst, "workgroup memory '" + variable.name +
                                              "' is shared inside a workgroup");
          verdict.refusal->addNote(form.locationOf(*variable.variable), "it is declared here");
        }
  }
  return verdict;
}

//===----------------------------------------------------------------------===//
// pack
//===----------------------------------------------------------------------===//

/// Each group gets a copy of the workgroup memory: every pointer into it must be known by form.
Judge::Refusal Judge::workgroupPointers() const {
  if (!checks(LegalityCondition::WorkgroupPointers))
    return std::nullopt;
  for (const Instruction *inst : instructions) {
    std::optional<PointerType> type = pointerType(module, inst->typeId());
    if (!type || type->storageClass != spv::StorageClass::Workgroup)
      continue;
    if (!tracePointer(module, inst->result()))
      return refuse(*inst, nameOf(inst->opcode()) +
                               " makes a pointer into workgroup memory whose variable is not "
                               "known by form");
  }
  return std::nullopt;
}

/// Packed along the axis, a group's invocations have consecutive numbers as before, and those that
/// were a subgroup still are one, of whatever width.
bool keepsSubgroups(const Dim3 &size, unsigned axis) {
  for (unsigned later = axis + 1; later < 3; ++later)
    if (size[later] != 1)
      return false;
  return llvm::isPowerOf2_64(size.product());
}

Judge::Refusal Judge::packAlong(unsigned axis) const {
  const Uniformity &uniformity = kernel.uniformity();
  std::string where = std::string("the groups along ") + kAxisName[axis];
  for (const Instruction *inst : instructions) {
    if (inst->opcode() != spv::Op::OpControlBarrier || !checks(LegalityCondition::PackControl) ||
        uniformity.isPackUniformControl(*inst->parent(), axis))
      continue;
    Refusal refusal =
        refuse(*inst, "whether a control barrier is reached, or how often, may differ "
                      "between " +
                          where);
    addChain(*refusal, form, uniformity.causeOfPackControl(*inst->parent(), axis));
    return refusal;
  }
  if (!keepsSubgroups(kernel.size(), axis))
    if (Refusal refusal = lockstep())
      return refusal;
  // A pointer into workgroup memory is to lead into the copy of the group.
  auto staysDecorated = [&](Id id) {
    std::optional<PointerType> pointer = pointerTypeOfValue(module, id);
    return uniformity.isPackUniform(id, axis) &&
           !(pointer && pointer->storageClass == spv::StorageClass::Workgroup);
  };
  if (Refusal refusal = decorations(staysDecorated))
    return refusal;
  auto staysUniform = [&](Id id, const Block &use) {
    return uniformity.isPackUniform(id, axis, Uniformity::kAll, &use);
  };
  return descriptors(staysUniform, ("between " + where).c_str());
}

TechniqueVerdict Judge::pack() const {
  TechniqueVerdict verdict;
  verdict.refusal = common;
  if (!verdict.refusal)
    verdict.refusal = workgroupPointers();
  if (verdict.refusal)
    return verdict;
  bool any = false;
  for (unsigned axis = 0; axis < 3; ++axis) {
    verdict.axisRefusal[axis] = packAlong(axis);
    any |= !verdict.axisRefusal[axis];
  }
  if (!any)
    verdict.refusal = verdict.axisRefusal[0];
  return verdict;
}

//===----------------------------------------------------------------------===//
// coarsen, swizzle
//===----------------------------------------------------------------------===//

/// Volatile or coherent workgroup memory: the mark of code that expects its invocations to run
/// side by side without barriers. Its order is no longer that of the hardware when it is moved.
Judge::Refusal Judge::lockstep() const {
  if (!checks(LegalityCondition::Lockstep))
    return std::nullopt;
  auto isShared = [&](const SharedVariable &each) {
    return isDeclaredShared(module, *each.variable);
  };
  const bool anyShared = std::any_of(memory.variables.begin(), memory.variables.end(), isShared);
  for (const Instruction *inst : instructions) {
    const bool isCopy = inst->opcode() == spv::Op::OpCopyMemory;
    if (inst->opcode() != spv::Op::OpLoad && inst->opcode() != spv::Op::OpStore && !isCopy)
      continue;
    const bool isVolatile = (memoryOperands(*inst) & 0x1) != 0;
    for (unsigned operand = 0; operand <= unsigned{isCopy}; ++operand) {
      std::optional<PointerType> type = pointerTypeOfValue(module, inst->id(operand));
      if (!type || type->storageClass != spv::StorageClass::Workgroup)
        continue;
      std::optional<PointerPath> path = tracePointer(module, inst->id(operand));
      if (!isVolatile && !(path ? isDeclaredShared(module, *path->variable) : anyShared))
        continue;
      std::string name = path ? " '" + module.name(path->variable->result()) + "'" : "";
      return refuse(*inst, "workgroup memory" + name +
                               " is volatile or coherent: invocations may rely on running side by "
                               "side");
    }
  }
  return std::nullopt;
}

/// A barrier that one physical invocation passes for several authored ones. That a valid kernel
/// reaches its barriers alike is not enough: in `if (a) { if (b) barrier(); }` the invocations may
/// part at `a` wherever `b` holds for none of them.
Judge::Refusal Judge::meetings() const {
  if (!checks(LegalityCondition::Meetings))
    return std::nullopt;
  const Uniformity &uniformity = kernel.uniformity();
  for (const Instruction *inst : instructions) {
    if (inst->opcode() != spv::Op::OpControlBarrier ||
        uniformity.control(*inst->parent()) >= UniformityScope::Workgroup)
      continue;
    Refusal refusal = refuse(*inst, "whether a control barrier is reached, or how often, is not "
                                    "proven to be the same for a whole workgroup");
    addChain(*refusal, form,
             uniformity.causeOfControl(*inst->parent(), UniformityScope::Workgroup));
    return refusal;
  }
  return std::nullopt;
}

/// The conditions of swizzle, barriers that all reach together, something to put together, and no
/// barrier where invocations may part: all may reach it, and come to it by different ways.
TechniqueVerdict Judge::coarsen() const {
  TechniqueVerdict verdict = swizzle();
  if (verdict.legal())
    verdict.refusal = meetings();
  if (verdict.legal() && kernel.size().product() == 1)
    verdict.refusal = refuse(form.function().definition(),
                             "a workgroup of one invocation cannot be made smaller");
  if (verdict.legal() && checks(LegalityCondition::Regions))
    verdict.refusal = refuseRegions(kernel);
  return verdict;
}

TechniqueVerdict Judge::swizzle() const {
  TechniqueVerdict verdict;
  verdict.refusal = common;
  if (!verdict.refusal)
    verdict.refusal = lockstep();
  if (!verdict.refusal) // such a value may differ in a subgroup, in another order of the lanes
    verdict.refusal = decorations(
        [this](Id id) { return kernel.uniformity().of(id) >= UniformityScope::Workgroup; });
  return verdict;
}

//===----------------------------------------------------------------------===//
// respecialize
//===----------------------------------------------------------------------===//

/// Something in the body, or a length, is computed from the constants that the size is.
bool Judge::followsSize() const {
  const Module &authored = form.authoredModule();
  std::set<uint32_t> specIds = specIdsOfSize(authored, kernel.form().entry());
  // Constants that hang off those SpecIds, the decorated size among them.
  std::set<uint32_t> hanging;
  for (const Instruction &inst : authored.section(Section::Globals)) {
    bool hangs = false;
    if (auto id = authored.decoration(inst.result(), spv::Decoration::SpecId))
      hangs = specIds.contains(*id);
    for (unsigned at = 0; at < inst.numOperands(); ++at)
      hangs |= inst.isId(at) && hanging.contains(raw(inst.id(at)));
    if (hangs && isValid(inst.result()))
      hanging.insert(raw(inst.result()));
  }
  for (const SharedVariable &variable : memory.variables)
    if (variable.dependsOnSize)
      return true;
  for (const Instruction *inst : instructions)
    for (unsigned at = 0; at < inst->numOperands(); ++at)
      if (inst->isId(at) && hanging.contains(raw(inst->id(at))) &&
          isConstant(module.def(inst->id(at))->opcode()))
        return true;
  return false;
}

TechniqueVerdict Judge::respecialize() const {
  TechniqueVerdict verdict;
  const Module &authored = form.authoredModule();
  const Instruction &where = form.function().definition();
  if (specIdsOfSize(authored, form.entry()).empty()) {
    verdict.refusal = refuse(where, "the workgroup size is no specialization constant");
    return verdict;
  }
  if (memory.variables.empty() && !hasBarrier)
    return verdict;
  if (!followsSize()) {
    verdict.refusal =
        refuse(where, "the size is a specialization constant, but nothing in the body "
                      "follows it: lengths and loops hold literals");
    for (const SharedVariable &variable : memory.variables)
      verdict.refusal->addNote(form.locationOf(*variable.variable),
                               "the length of '" + variable.name + "' is fixed");
    return verdict;
  }
  for (const SharedVariable &variable : memory.variables)
    if (!variable.dependsOnSize && !variable.usedAsPrivate)
      verdict.fixedVariables.push_back(variable.name);
  return verdict;
}

} // namespace

std::array<TechniqueVerdict, kNumTechniques>
judgeTechniques(const KernelAnalysis &kernel, const std::optional<Diagnostic> &resizeRefusal,
                const LegalityRelaxation &relaxed) {
  Judge judge(kernel, relaxed);
  TechniqueVerdict resize;
  if (relaxed.checks(LegalityCondition::GroupIndependence))
    resize.refusal = resizeRefusal;
  return {resize,          judge.remap(),   judge.pack(),
          judge.coarsen(), judge.swizzle(), judge.respecialize()};
}

bool allowsSize(Technique technique, const TechniqueVerdict &verdict, const Dim3 &authored,
                const Dim3 &size) {
  if (!verdict.legal() || size.product() == 0)
    return false;
  auto onEveryAxis = [&](auto &&holds) { return holds(0u) && holds(1u) && holds(2u); };
  auto divides = [&](unsigned axis) { return authored[axis] % size[axis] == 0; };
  switch (technique) {
  case Technique::Resize:
  case Technique::Respecialize:
    return size != authored;
  case Technique::Remap:
    return size != authored && (!verdict.dividesOnly || onEveryAxis(divides));
  case Technique::Coarsen:
    return size != authored && onEveryAxis(divides);
  case Technique::Pack:
    return size != authored && onEveryAxis([&](unsigned axis) {
             return size[axis] % authored[axis] == 0 &&
                    (size[axis] == authored[axis] || !verdict.axisRefusal[axis]);
           });
  case Technique::Swizzle:
    return size.product() == authored.product();
  }
  return false;
}

std::string sizesText(Technique technique, const TechniqueVerdict &verdict, const Dim3 &authored) {
  if (!verdict.legal())
    return "refused";
  std::string size = authored.str();
  switch (technique) {
  case Technique::Resize:
    return "legal, any size";
  case Technique::Remap:
    return verdict.dividesOnly ? "legal, divisors of " + size : "legal, any size";
  case Technique::Coarsen:
    return "legal, divisors of " + size;
  case Technique::Swizzle:
    return "legal, any order of the lanes of " + size;
  case Technique::Pack: {
    std::vector<std::string> axes;
    for (unsigned axis = 0; axis < 3; ++axis)
      if (!verdict.axisRefusal[axis])
        axes.emplace_back(1, kAxisName[axis]);
    std::string list = axes.front();
    for (size_t at = 1; at < axes.size(); ++at)
      list += (at + 1 == axes.size() ? " and " : ", ") + axes[at];
    return "legal, multiples of " + size + " along " + list;
  }
  case Technique::Respecialize: {
    std::string text = "legal as declared, any size";
    for (size_t at = 0; at < verdict.fixedVariables.size(); ++at)
      text += (at == 0 ? "; the length of " : ", ") + verdict.fixedVariables[at];
    return verdict.fixedVariables.empty() ? text : text + " stays";
  }
  }
  return "refused";
}

} // namespace tailor
