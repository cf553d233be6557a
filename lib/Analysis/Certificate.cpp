//===- Analysis/Certificate.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/Certificate.h"

#include "Analysis/FactGathering.h"
#include "Analysis/GroupIndependence.h"
#include "Analysis/Guards.h"
#include "Analysis/KernelAnalysis.h"
#include "Analysis/Opcodes.h"
#include "Analysis/SizeConstants.h"

#include <algorithm>

namespace tailor {

namespace {

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
  // By what the kernel reads, not by what is refused: a refusal may have another reason.
  bool readsLocal = std::any_of(facts.ids.begin(), facts.ids.end(), [](const std::string &id) {
    return id != "GlobalInvocationId" && id != "WorkgroupSize";
  });
  return certificate.resizeLegal() || !readsLocal ? "global-id" : "local-ids";
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

Certificate certify(const KernelAnalysis &kernel, const LegalityRelaxation &relaxed) {
  const CanonicalForm &form = kernel.form();
  Certificate certificate;
  certificate.relaxed = relaxed;
  certificate.entryPoint = form.entry().name();
  certificate.authored = kernel.authored();
  certificate.facts = gatherFacts(kernel);
  certificate.verdicts = judgeTechniques(kernel, refuseGroupDependence(kernel), relaxed);
  certificate.facts.kernelClass = classify(certificate);
  // Every technique freezes the constants of the size, or gives them values: what they have with
  // the author must be known.
  if (std::optional<Diagnostic> unknown =
          refuseUnknownSizeConstants(form.authoredModule(), form.entry(), kernel.spec()))
    for (TechniqueVerdict &verdict : certificate.verdicts)
      verdict.refusal = unknown;
  certificate.usesAxis = usedAxes(form, kernel.flow(), kernel.ids());
  certificate.rewrite.needed = readsReconstructedIds(certificate.facts);
  for (TechniqueVerdict &verdict : certificate.verdicts)
    for (const std::string &step : form.incomplete())
      if (verdict.refusal)
        verdict.refusal->addNote(Location::inFile(form.authoredModule().source.file),
                                 "a step to the canonical form was undone: " + step);
  if (certificate.resizeLegal() || certificate.verdict(Technique::Remap).legal()) {
    GuardResult guards = findGuards(form, kernel.flow(), kernel.ids(), kernel.affine());
    certificate.bounds = std::move(guards.bounds);
    certificate.coverRefusal = std::move(guards.refusal);
  }
  return certificate;
}

Result<Certificate> certify(const Module &module, const EntryPoint &entry, const SpecMap &spec) {
  Result<KernelAnalysis> kernel = KernelAnalysis::create(module, entry, spec);
  if (!kernel)
    return kernel.takeFailure();
  return certify(*kernel);
}

static Failure notThatSize(const Certificate &certificate, Technique technique, const Dim3 &size) {
  const TechniqueVerdict &verdict = certificate.verdict(technique);
  const Dim3 &authored = certificate.authored.size;
  if (technique == Technique::Pack)
    for (unsigned axis = 0; axis < 3; ++axis)
      if (size[axis] != authored[axis] && size[axis] % authored[axis] == 0 &&
          verdict.axisRefusal[axis])
        return failure(*verdict.axisRefusal[axis]);
  return failure({}, std::string(nameOf(technique)) + " does not make " + size.str() + " of " +
                         authored.str());
}

Result<Dispatch> dispatchOf(const Certificate &certificate, Technique technique, const Dim3 &size,
                            bool allowCover) {
  const TechniqueVerdict &verdict = certificate.verdict(technique);
  if (verdict.refusal)
    return failure(*verdict.refusal);
  const Dim3 &authored = certificate.authored.size;
  if (size.product() == 0)
    return failure({}, "a workgroup size has no zero axis");
  if (size != authored && !allowsSize(technique, verdict, authored, size))
    return notThatSize(certificate, technique, size);
  Dispatch dispatch{DispatchRule::Exact, authored, size, {}};
  if (technique == Technique::Coarsen || technique == Technique::Swizzle)
    return Dispatch{DispatchRule::Same, {}, {}, {}};
  if (technique == Technique::Pack || technique == Technique::Respecialize)
    return dispatch;
  bool allGuarded = true;
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (authored[axis] % size[axis] == 0)
      continue;
    const std::vector<DispatchBound> &bounds = certificate.bounds[axis];
    allGuarded &= !bounds.empty() || !certificate.relaxed.checks(LegalityCondition::Guards);
    dispatch.bounds.insert(dispatch.bounds.end(), bounds.begin(), bounds.end());
  }
  bool keepsCount = technique == Technique::Resize || !verdict.readsGroupCount;
  const bool divides =
      authored.x % size.x == 0 && authored.y % size.y == 0 && authored.z % size.z == 0;
  if (allowCover && allGuarded && keepsCount && !divides)
    dispatch.rule = DispatchRule::Cover;
  else
    dispatch.bounds.clear();
  return dispatch;
}

} // namespace tailor
