//===- passes/RemapIds.cpp - Another workgroup size, ids as authored ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/RemapIds.h"

#include "passes/AuthoredIds.h"
#include "passes/ModuleEdits.h"
#include "passes/VariantProof.h"

#include <numeric>

namespace tailor {

Result<std::unique_ptr<Pass>> RemapIds::create(PassArguments &arguments) {
  Options options;
  if (!arguments.has("size"))
    arguments.complain("the pass 'remap-ids' needs its option size=AxBxC");
  options.size = arguments.dim3("size").value_or(Dim3{});
  options.entry = arguments.string("entry").value_or("");
  if (Status read = arguments.finish(); !read)
    return read.takeFailure();
  return std::unique_ptr<Pass>(std::make_unique<RemapIds>(std::move(options)));
}

namespace {

/// Axis by axis, with S the authored size and P the variant's. In the first three cases the group
/// and the local id are those of the one authored invocation with this global id, by
/// WorkgroupId·P + LocalInvocationId = group·S + local, without any intermediate value above it.
class RemapModel final : public PlacementModel {
public:
  RemapModel(const Dim3 &authored, const Dim3 &size) : PlacementModel(authored), size(size) {}
  bool replaces(spv::BuiltIn builtIn) const override {
    return isPlacement(builtIn) && builtIn != spv::BuiltIn::GlobalInvocationId;
  }

protected:
  Id local(IdEmitter &emit, unsigned axis) const override {
    const uint32_t s = authored[axis], p = size[axis];
    if (s == 1)
      return emit.constant(0);
    auto lane = [&] { return emit.physical(spv::BuiltIn::LocalInvocationId, axis); };
    if (p % s == 0)
      return p == s ? lane() : emit.umod(lane(), emit.constant(s));
    if (s % p != 0)
      return emit.umod(emit.physical(spv::BuiltIn::GlobalInvocationId, axis), emit.constant(s));
    Id part = emit.umod(emit.physical(spv::BuiltIn::WorkgroupId, axis), emit.constant(s / p));
    Id first = emit.mul(part, emit.constant(p));
    return p == 1 ? first : emit.add(first, lane());
  }

  Id group(IdEmitter &emit, unsigned axis) const override {
    const uint32_t s = authored[axis], p = size[axis];
    if (s % p == 0)
      return emit.udiv(emit.physical(spv::BuiltIn::WorkgroupId, axis), emit.constant(s / p));
    if (s == 1)
      return emit.physical(spv::BuiltIn::GlobalInvocationId, axis);
    if (p % s != 0)
      return emit.udiv(emit.physical(spv::BuiltIn::GlobalInvocationId, axis), emit.constant(s));
    Id first = emit.mul(emit.physical(spv::BuiltIn::WorkgroupId, axis), emit.constant(p / s));
    return emit.add(
        first, emit.udiv(emit.physical(spv::BuiltIn::LocalInvocationId, axis), emit.constant(s)));
  }

  /// D·P / S without its common factors.
  Id groupCount(IdEmitter &emit, unsigned axis) const override {
    const uint32_t common = std::gcd(authored[axis], size[axis]);
    Id count = emit.physical(spv::BuiltIn::NumWorkgroups, axis);
    return emit.udiv(emit.mul(count, emit.constant(size[axis] / common)),
                     emit.constant(authored[axis] / common));
  }

private:
  Dim3 size;
};

} // namespace

Result<Change> RemapIds::run(Module &module, PassContext &context) {
  Result<VariantKernel> kernel = findVariantKernel(module, options.entry, context);
  if (!kernel)
    return kernel.takeFailure();
  if (kernel->authored == options.size)
    return Change::Unchanged;
  if (auto proven = proveVariant(module, *kernel, options.certificate, Technique::Remap,
                                 options.size, context);
      !proven)
    return proven.takeFailure();
  if (Status replaced =
          replaceIds(module, kernel->entry, RemapModel(kernel->authored, options.size));
      !replaced)
    return replaced.takeFailure();
  setLocalSize(module, kernel->entry, options.size);
  return Change::Changed;
}

} // namespace tailor
