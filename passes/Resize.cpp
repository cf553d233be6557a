//===- passes/Resize.cpp - Another workgroup size, the same invocations ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/Resize.h"

#include "passes/AuthoredIds.h"
#include "passes/ModuleEdits.h"

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

/// Execution modes under which the size means more than a number of invocations.
static Status checkModes(const Module &module, const EntryPoint &entry) {
  for (const Instruction &mode : module.section(Section::ExecutionModes)) {
    if (mode.id(0) != entry.function())
      continue;
    const char *name = nullptr;
    switch (static_cast<spv::ExecutionMode>(mode.literal(1))) {
    case spv::ExecutionMode::DerivativeGroupQuadsNV:
      name = "DerivativeGroupQuads";
      break;
    case spv::ExecutionMode::DerivativeGroupLinearNV:
      name = "DerivativeGroupLinear";
      break;
    case spv::ExecutionMode::SubgroupsPerWorkgroup:
    case spv::ExecutionMode::SubgroupsPerWorkgroupId:
      name = "SubgroupsPerWorkgroup";
      break;
    default:
      continue;
    }
    return failure(module.locationOf(mode),
                   std::string("the execution mode ") + name +
                       " ties the invocations of a workgroup together, so it cannot be resized");
  }
  return success();
}

Result<Change> Resize::run(Module &module, PassContext &context) {
  Result<EntryPoint> entry =
      findComputeEntryPoint(module, options.entry.empty() ? context.entryPoint : options.entry);
  if (!entry)
    return entry.takeFailure();
  Result<WorkgroupSize> authored = readWorkgroupSize(module, *entry, context.spec);
  if (!authored)
    return authored.takeFailure();
  if (authored->size == options.size)
    return Change::Unchanged;
  if (options.size.product() == 0)
    return failure(Location::inFile(module.source.file),
                   "a workgroup size of " + options.size.str() + " has no invocations",
                   ErrorKind::Usage);

  std::optional<Certificate> own;
  const Certificate *certificate = options.certificate;
  if (!certificate) {
    Result<Certificate> proven = certify(module, *entry, context.spec);
    if (!proven)
      return proven.takeFailure();
    certificate = &own.emplace(std::move(*proven));
  }
  if (certificate->entryPoint != entry->name() || certificate->authored.size != authored->size)
    return failure(Location::inFile(module.source.file),
                   "the certificate is for entry point '" + certificate->entryPoint + "' at " +
                       certificate->authored.size.str() + ", not for '" + entry->name() + "' at " +
                       authored->size.str(),
                   ErrorKind::Internal);
  if (!certificate->resizeLegal())
    return failure(*certificate->resizeRefusal());
  if (Status modes = checkModes(module, *entry); !modes)
    return modes.takeFailure();
  if (certificate->rewrite.needed)
    if (Status rewritten = replaceIds(module, *entry, GlobalIdModel(authored->size)); !rewritten)
      return rewritten.takeFailure();
  setLocalSize(module, *entry, options.size);
  return Change::Changed;
}

} // namespace tailor
