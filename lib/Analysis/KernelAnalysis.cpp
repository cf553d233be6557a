//===- Analysis/KernelAnalysis.cpp -----------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/KernelAnalysis.h"

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

} // namespace

struct KernelAnalysis::Impl {
  Impl(CanonicalForm canonical, const WorkgroupSize &authored, const SpecMap &sizeSpec,
       const SpecMap &hostSpec)
      : authored(authored), form(std::move(canonical)), flow(form.function()),
        ids(form, flow, authored.size, sizeSpec), affine(form, flow, ids, authored.size),
        constants(form.module(), hostSpec) {}

  WorkgroupSize authored;
  CanonicalForm form;
  ControlFlow flow;
  IdDependence ids;
  AffineAnalysis affine;
  mutable ConstantEvaluator constants;
  mutable std::optional<Uniformity> uniformity;
};

KernelAnalysis::KernelAnalysis() = default;
KernelAnalysis::KernelAnalysis(KernelAnalysis &&) noexcept = default;
KernelAnalysis::~KernelAnalysis() = default;

Result<KernelAnalysis> KernelAnalysis::create(const Module &module, const EntryPoint &entry,
                                              const SpecMap &spec) {
  Result<WorkgroupSize> size = readWorkgroupSize(module, entry, spec);
  if (!size)
    return size.takeFailure();
  constexpr uint64_t kMaxInvocations = uint64_t{1} << 31; // far above what any device takes
  if (size->size.product() >= kMaxInvocations)
    return failure(module.locationOf(*entry.inst),
                   "the workgroup size " + size->size.str() + " is too large for any device");
  Result<CanonicalForm> form = CanonicalForm::create(module, entry);
  if (!form)
    return form.takeFailure();
  KernelAnalysis result;
  result.impl = std::make_unique<Impl>(std::move(*form), *size,
                                       sizeSpecialization(module, entry, spec), spec);
  return result;
}

const WorkgroupSize &KernelAnalysis::authored() const { return impl->authored; }
const CanonicalForm &KernelAnalysis::form() const { return impl->form; }
const ControlFlow &KernelAnalysis::flow() const { return impl->flow; }
const IdDependence &KernelAnalysis::ids() const { return impl->ids; }
const AffineAnalysis &KernelAnalysis::affine() const { return impl->affine; }
ConstantEvaluator &KernelAnalysis::constants() const { return impl->constants; }
const SpecMap &KernelAnalysis::spec() const { return impl->constants.specMap(); }

const Uniformity &KernelAnalysis::uniformity() const {
  if (!impl->uniformity)
    impl->uniformity.emplace(impl->form, impl->flow, impl->ids, impl->affine);
  return *impl->uniformity;
}

} // namespace tailor
