//===- Analysis/KernelAnalysis.cpp -----------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/KernelAnalysis.h"

#include "Analysis/SizeConstants.h"

namespace tailor {

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
