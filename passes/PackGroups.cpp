//===- passes/PackGroups.cpp - Several authored groups in one --------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/PackGroups.h"

#include "passes/AuthoredIds.h"
#include "passes/ModuleEdits.h"
#include "passes/VariantProof.h"
#include "passes/WorkgroupCopies.h"

namespace tailor {

Result<std::unique_ptr<Pass>> PackGroups::create(PassArguments &arguments) {
  Options options;
  if (!arguments.has("size"))
    arguments.complain("the pass 'pack-groups' needs its option size=AxBxC");
  options.size = arguments.dim3("size").value_or(Dim3{});
  options.entry = arguments.string("entry").value_or("");
  if (Status read = arguments.finish(); !read)
    return read.takeFailure();
  return std::unique_ptr<Pass>(std::make_unique<PackGroups>(std::move(options)));
}

uint64_t packedGroups(const Dim3 &authored, const Dim3 &size) {
  return Dim3{size.x / authored.x, size.y / authored.y, size.z / authored.z}.product();
}

namespace {

class PackedIds final : public PlacementModel {
public:
  PackedIds(const Dim3 &authored, const Dim3 &size) : PlacementModel(authored), size(size) {}

  bool replaces(spv::BuiltIn builtIn) const override {
    return isPlacement(builtIn) && builtIn != spv::BuiltIn::GlobalInvocationId;
  }
  /// The number of the invocation's group among those of its workgroup.
  Id packed(IdEmitter &emit) const {
    Id sum = emit.constant(0);
    uint32_t stride = 1;
    for (unsigned axis = 0; axis < 3; ++axis) {
      sum = emit.add(sum, emit.mul(packed(emit, axis), emit.constant(stride)));
      stride *= groups(axis);
    }
    return sum;
  }

protected:
  Id local(IdEmitter &emit, unsigned axis) const override {
    if (authored[axis] == 1)
      return emit.constant(0);
    Id id = emit.physical(spv::BuiltIn::LocalInvocationId, axis);
    return groups(axis) == 1 ? id : emit.umod(id, emit.constant(authored[axis]));
  }
  Id group(IdEmitter &emit, unsigned axis) const override {
    Id first =
        emit.mul(emit.physical(spv::BuiltIn::WorkgroupId, axis), emit.constant(groups(axis)));
    return emit.add(first, packed(emit, axis));
  }
  Id groupCount(IdEmitter &emit, unsigned axis) const override {
    return emit.mul(emit.physical(spv::BuiltIn::NumWorkgroups, axis), emit.constant(groups(axis)));
  }

private:
  uint32_t groups(unsigned axis) const { return size[axis] / authored[axis]; }
  Id packed(IdEmitter &emit, unsigned axis) const {
    if (groups(axis) == 1)
      return emit.constant(0);
    return emit.udiv(emit.physical(spv::BuiltIn::LocalInvocationId, axis),
                     emit.constant(authored[axis]));
  }

  Dim3 size;
};

} // namespace

Result<Change> PackGroups::run(Module &module, PassContext &context) {
  Result<VariantKernel> kernel = findVariantKernel(module, options.entry, context);
  if (!kernel)
    return kernel.takeFailure();
  const Dim3 &authored = kernel->authored, &size = options.size;
  if (authored == size)
    return Change::Unchanged;
  const Location file = Location::inFile(module.source.file);
  if (size.product() == 0 || size.product() > INT32_MAX)
    return failure(file, "a workgroup size of " + size.str() + " has no invocations, or too many",
                   ErrorKind::Usage);
  for (unsigned axis = 0; axis < 3; ++axis)
    if (size[axis] % authored[axis] != 0)
      return failure(file, "a workgroup of " + size.str() + " does not hold whole groups of " +
                               authored.str() + " along " + kAxisName[axis]);
  if (auto proven =
          proveVariant(module, *kernel, options.certificate, Technique::Pack, size, context);
      !proven)
    return proven.takeFailure();

  PackedIds ids(authored, size);
  if (Status replaced = replaceIds(module, kernel->entry, ids); !replaced)
    return replaced.takeFailure();
  // After the ids: it reads those of the variant.
  const auto copies = static_cast<uint32_t>(packedGroups(authored, size));
  if (Status copied = copyWorkgroupMemory(module, kernel->entry, copies,
                                          [&](IdEmitter &emit) { return ids.packed(emit); });
      !copied)
    return copied.takeFailure();
  setLocalSize(module, kernel->entry, size);
  return Change::Changed;
}

} // namespace tailor
