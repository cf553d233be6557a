//===- passes/SwizzleGroups.cpp - The order of groups, in bands ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/SwizzleGroups.h"

#include "passes/AuthoredIds.h"
#include "passes/VariantProof.h"

#include <algorithm>

namespace tailor {

Result<std::unique_ptr<Pass>> SwizzleGroups::create(PassArguments &arguments) {
  Options options;
  options.entry = arguments.string("entry").value_or("");
  options.rows = static_cast<uint32_t>(arguments.integer("rows", 1, kMaxBandRows).value_or(8));
  if (Status read = arguments.finish(); !read)
    return read.takeFailure();
  return std::unique_ptr<Pass>(std::make_unique<SwizzleGroups>(std::move(options)));
}

/// The largest Gx for which rows·Gx fits 32 bits.
static uint32_t widestGrid(uint32_t rows) { return UINT32_MAX / rows; }

Dim3 swizzledGroup(const Dim3 &group, const Dim3 &groups, uint32_t rows) {
  if (groups.x > widestGrid(rows))
    return group;
  const uint32_t row = group.y % rows, band = group.y - row;
  const uint32_t height = std::min(groups.y - band, rows);
  const uint32_t number = row * groups.x + group.x; // below rows·Gx
  return {number / height, band + number % height, group.z};
}

namespace {

/// swizzledGroup on ids.
class BandModel final : public PlacementModel {
public:
  BandModel(const Dim3 &authored, uint32_t rows) : PlacementModel(authored), rows(rows) {}
  bool replaces(spv::BuiltIn builtIn) const override {
    return builtIn == spv::BuiltIn::WorkgroupId || builtIn == spv::BuiltIn::GlobalInvocationId;
  }

protected:
  Id local(IdEmitter &emit, unsigned axis) const override {
    return authored[axis] == 1 ? emit.constant(0)
                               : emit.physical(spv::BuiltIn::LocalInvocationId, axis);
  }
  Id groupCount(IdEmitter &emit, unsigned axis) const override {
    return emit.physical(spv::BuiltIn::NumWorkgroups, axis);
  }
  Id global(IdEmitter &emit, unsigned axis) const override {
    return axis == 2 ? emit.physical(spv::BuiltIn::GlobalInvocationId, axis)
                     : PlacementModel::global(emit, axis);
  }
  Id group(IdEmitter &emit, unsigned axis) const override {
    Id own = emit.physical(spv::BuiltIn::WorkgroupId, axis);
    if (axis == 2)
      return own;
    Id x = emit.physical(spv::BuiltIn::WorkgroupId, 0);
    Id y = emit.physical(spv::BuiltIn::WorkgroupId, 1);
    Id across = emit.physical(spv::BuiltIn::NumWorkgroups, 0);
    Id row = emit.umod(y, emit.constant(rows));
    Id band = emit.sub(y, row);
    Id left = emit.sub(emit.physical(spv::BuiltIn::NumWorkgroups, 1), band);
    Id height = emit.umin(left, emit.constant(rows));
    Id number = emit.add(emit.mul(row, across), x);
    Id column = emit.udiv(number, height);
    Id moved = column;
    if (axis == 1) { // the remainder, without a second division
      Id rest = emit.sub(number, emit.mul(column, height));
      moved = emit.add(band, rest);
    }
    Id fits = emit.emit(spv::Op::OpULessThanEqual, {across, emit.constant(widestGrid(rows))}, {},
                        emit.globals().boolType());
    return emit.emit(spv::Op::OpSelect, {fits, moved, own});
  }

private:
  uint32_t rows;
};

} // namespace

Result<Change> SwizzleGroups::run(Module &module, PassContext &context) {
  Result<VariantKernel> kernel = findVariantKernel(module, options.entry, context);
  if (!kernel)
    return kernel.takeFailure();
  if (options.rows == 1)
    return Change::Unchanged;
  if (auto proven = proveVariant(module, *kernel, options.certificate, Technique::Swizzle,
                                 kernel->authored, context);
      !proven)
    return proven.takeFailure();
  const std::vector<uint32_t> before = module.words();
  if (Status replaced =
          replaceIds(module, kernel->entry, BandModel(kernel->authored, options.rows));
      !replaced)
    return replaced.takeFailure();
  return module.words() == before ? Change::Unchanged : Change::Changed;
}

} // namespace tailor
