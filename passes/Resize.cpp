//===- passes/Resize.cpp - Another workgroup size, the same invocations ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/Resize.h"

#include "passes/AuthoredIds.h"
#include "passes/ModuleEdits.h"
#include "passes/VariantProof.h"

namespace tailor {

Result<std::unique_ptr<Pass>> Resize::create(PassArguments &arguments) {
  Options options;
  if (!arguments.has("size"))
    arguments.complain("the pass 'resize' needs its option size=AxBxC");
  options.size = arguments.dim3("size").value_or(Dim3{});
  options.entry = arguments.string("entry").value_or("");
  if (Status read = arguments.finish(); !read)
    return read.takeFailure();
  return std::unique_ptr<Pass>(std::make_unique<Resize>(std::move(options)));
}

namespace {

/// WorkgroupId is 0 and LocalInvocationId the global id, or the other way round where the authored
/// size is 1, so that WorkgroupId·S + LocalInvocationId stays the global id at any size.
class GlobalIdModel final : public IdModel {
public:
  explicit GlobalIdModel(const Dim3 &authored) : authored(authored) {}
  bool replaces(spv::BuiltIn builtIn) const override {
    return builtIn == spv::BuiltIn::WorkgroupId || builtIn == spv::BuiltIn::LocalInvocationId ||
           builtIn == spv::BuiltIn::LocalInvocationIndex;
  }
  Id component(IdEmitter &emit, spv::BuiltIn builtIn, unsigned axis) const override {
    if (builtIn == spv::BuiltIn::LocalInvocationIndex)
      return index(emit);
    bool isGlobal = (builtIn == spv::BuiltIn::WorkgroupId) == (authored[axis] == 1);
    return isGlobal ? emit.physical(spv::BuiltIn::GlobalInvocationId, axis) : emit.constant(0);
  }

private:
  /// l.x + l.y·S.x + l.z·S.x·S.y of that local id, modulo 2^32.
  Id index(IdEmitter &emit) const {
    Id sum = emit.constant(0);
    uint32_t stride = 1;
    for (unsigned axis = 0; axis < 3; ++axis) {
      Id local = component(emit, spv::BuiltIn::LocalInvocationId, axis);
      sum = emit.add(sum, emit.mul(local, emit.constant(stride)));
      stride *= authored[axis];
    }
    return sum;
  }

  Dim3 authored;
};

} // namespace

Result<Change> Resize::run(Module &module, PassContext &context) {
  Result<VariantKernel> kernel = findVariantKernel(module, options.entry, context);
  if (!kernel)
    return kernel.takeFailure();
  if (kernel->authored == options.size)
    return Change::Unchanged;
  auto certificate =
      proveVariant(module, *kernel, options.certificate, Technique::Resize, options.size, context);
  if (!certificate)
    return certificate.takeFailure();
  if ((*certificate)->rewrite.needed)
    if (Status replaced = replaceIds(module, kernel->entry, GlobalIdModel(kernel->authored));
        !replaced)
      return replaced.takeFailure();
  setLocalSize(module, kernel->entry, options.size);
  return Change::Changed;
}

} // namespace tailor
