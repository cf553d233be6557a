//===- Analysis/Certificate.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/Certificate.h"

#include "Analysis/CanonicalForm.h"
#include "Analysis/FactGathering.h"
#include "Analysis/GroupIndependence.h"
#include "Analysis/Guards.h"
#include "Analysis/IdDependence.h"
#include "Analysis/Opcodes.h"

#include <algorithm>

namespace tailor {

namespace {

/// The value of a constant that the host leaves alone.
uint64_t defaultOf(const Instruction &constant) {
  return constant.opcode() == spv::Op::OpSpecConstant
             ? constant.literal64(0)
             : constant.opcode() == spv::Op::OpSpecConstantTrue;
}

/// The values of the specialization constants that the size hangs off: the host's, else the
/// defaults. Where several constants share a SpecId and differ in their defaults, the id has no one
/// value without the host: it is left out, and what is computed from it is unknown.
SpecMap sizeSpecialization(const Module &module, const EntryPoint &entry, const SpecMap &spec) {
  std::set<uint32_t> ids = specIdsOfSize(module, entry), ambiguous;
  SpecMap values;
  for (const Instruction &inst : module.section(Section::Globals)) {
    if (!isSpecConstant(inst.opcode()))
      continue;
    std::optional<uint32_t> id = module.decoration(inst.result(), spv::Decoration::SpecId);
    if (!id || !ids.contains(*id))
      continue;
    if (auto given = spec.find(*id); given != spec.end())
      values[*id] = given->second;
    else if (auto [known, isNew] = values.try_emplace(*id, defaultOf(inst));
             !isNew && known->second != defaultOf(inst))
      ambiguous.insert(*id);
  }
  for (uint32_t id : ambiguous)
    values.erase(id);
  return values;
}

bool isSubgroupInput(const std::string &builtIn) {
  return builtIn.find("Subgroup") != std::string::npos;
}

std::string classify(const Certificate &certificate) {
  const KernelFacts &facts = certificate.facts;
  if (!facts.subgroupOps.empty() ||
      std::any_of(facts.ids.begin(), facts.ids.end(), isSubgroupInput))
    return "subgroup";
  if (facts.sharedBytes != 0 || facts.controlBarriers != 0)
    return "workgroup-memory";
  return certificate.resizeLegal() ? "global-id" : "local-ids";
}

/// Axes that an effect, an address or a branch can depend on.
std::array<bool, 3> usedAxes(const CanonicalForm &form, const ControlFlow &flow,
                             const IdDependence &ids) {
  uint8_t axes = 0;
  for (const Block &block : form.function().blocks()) {
    if (!flow.isReachable(block))
      continue;
    for (const Instruction &inst : block.instructions()) {
      OpcodeClass kind = classOf(inst.opcode());
      bool matters = kind == OpcodeClass::Memory || kind == OpcodeClass::Atomic ||
                     kind == OpcodeClass::ImageAccess || isTerminator(inst.opcode());
      if (!matters || inst.opcode() == spv::Op::OpLoad)
        continue;
      for (unsigned at = 0; at < inst.numOperands(); ++at)
        if (inst.isId(at))
          axes |= ids.summary(inst.id(at)).axes;
    }
  }
  return {(axes & 1) != 0, (axes & 2) != 0, (axes & 4) != 0};
}

bool readsReconstructedIds(const KernelFacts &facts) {
  return std::any_of(facts.ids.begin(), facts.ids.end(), [](const std::string &id) {
    return id == "LocalInvocationId" || id == "LocalInvocationIndex" || id == "WorkgroupId";
  });
}

} // namespace

Result<Certificate> certify(const Module &module, const EntryPoint &entry, const SpecMap &spec) {
  Result<WorkgroupSize> size = readWorkgroupSize(module, entry, spec);
  if (!size)
    return size.takeFailure();
  Result<CanonicalForm> form = CanonicalForm::create(module, entry);
  if (!form)
    return form.takeFailure();
  ControlFlow flow(form->function());
  IdDependence ids(*form, flow, size->size, sizeSpecialization(module, entry, spec));
  ConstantEvaluator constants(form->module(), spec);

  Certificate certificate;
  certificate.entryPoint = entry.name();
  certificate.authored = *size;
  certificate.facts = gatherFacts(*form, flow, constants);
  certificate.resizeRefusal = refuseGroupDependence(*form, flow, ids);
  certificate.facts.kernelClass = classify(certificate);
  certificate.usesAxis = usedAxes(*form, flow, ids);
  certificate.rewrite.needed = readsReconstructedIds(certificate.facts);
  if (certificate.resizeRefusal) {
    for (const std::string &step : form->incomplete())
      certificate.resizeRefusal->addNote(Location::inFile(module.source.file),
                                         "the canonical form is incomplete: " + step + " failed");
    return certificate;
  }
  GuardResult guards = findGuards(*form, flow, ids);
  certificate.bounds = std::move(guards.bounds);
  certificate.coverRefusal = std::move(guards.refusal);
  return certificate;
}

Result<Dispatch> resizeDispatch(const Certificate &certificate, const Dim3 &size, bool allowCover) {
  if (certificate.resizeRefusal)
    return failure(*certificate.resizeRefusal);
  Dispatch dispatch{DispatchRule::Exact, certificate.authored.size, size, {}};
  bool allGuarded = true;
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (size[axis] == 0)
      return failure({}, "a workgroup size has no zero axis");
    if (certificate.authored.size[axis] % size[axis] == 0)
      continue;
    const std::vector<DispatchBound> &bounds = certificate.bounds[axis];
    allGuarded &= !bounds.empty();
    dispatch.bounds.insert(dispatch.bounds.end(), bounds.begin(), bounds.end());
  }
  if (allowCover && allGuarded && !dispatch.bounds.empty())
    dispatch.rule = DispatchRule::Cover;
  else
    dispatch.bounds.clear();
  return dispatch;
}

} // namespace tailor
