//===- passes/SwizzleLanes.cpp - Which lane runs which authored invocation ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/SwizzleLanes.h"

#include "passes/AuthoredIds.h"
#include "passes/ModuleEdits.h"
#include "passes/VariantProof.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace tailor {

static constexpr std::string_view kOrders[] = {"row", "column", "morton", "tile"};

std::string_view nameOf(LaneOrder order) { return kOrders[static_cast<size_t>(order)]; }

std::optional<LaneOrder> parseLaneOrder(std::string_view name) {
  for (size_t at = 0; at < std::size(kOrders); ++at)
    if (kOrders[at] == name)
      return static_cast<LaneOrder>(at);
  return std::nullopt;
}

Result<std::unique_ptr<Pass>> SwizzleLanes::create(PassArguments &arguments) {
  Options options;
  options.entry = arguments.string("entry").value_or("");
  options.size = arguments.dim3("size");
  std::string name = arguments.string("order").value_or("");
  std::optional<LaneOrder> order = parseLaneOrder(name);
  if (name.empty())
    arguments.complain("the pass 'swizzle-lanes' needs its option order=ORDER");
  else if (!order)
    arguments.complainOf("order", "'" + name + "' is none of row, column, morton and tile");
  options.swizzle.order = order.value_or(LaneOrder::Row);
  options.swizzle.tile = arguments.dim3("tile").value_or(Dim3{});
  const bool isTile = options.swizzle.order == LaneOrder::Tile;
  if (isTile && !arguments.has("tile"))
    arguments.complain("the order 'tile' needs the option tile=AxB");
  if (!isTile && arguments.has("tile"))
    arguments.complainOf("tile", "the order '" + name + "' has no tiles");
  if (options.swizzle.tile.z != 1)
    arguments.complainOf("tile", "a tile has two axes: write AxB");
  if (Status read = arguments.finish(); !read)
    return read.takeFailure();
  return std::unique_ptr<Pass>(std::make_unique<SwizzleLanes>(std::move(options)));
}

//===----------------------------------------------------------------------===//
// The permutations, on numbers and on ids
//===----------------------------------------------------------------------===//

Status checkSwizzle(const LaneSwizzle &swizzle, const Dim3 &authored) {
  auto fail = [&](std::string text) { return Status(failure({}, std::move(text))); };
  switch (swizzle.order) {
  case LaneOrder::Row:
  case LaneOrder::Column:
    return success();
  case LaneOrder::Morton:
    if (llvm::isPowerOf2_32(authored.x) && llvm::isPowerOf2_32(authored.y))
      return success();
    return fail("the order 'morton' needs powers of two on x and y, the authored size is " +
                authored.str());
  case LaneOrder::Tile: {
    const Dim3 &tile = swizzle.tile;
    if (tile.x != 0 && tile.y != 0 && authored.x % tile.x == 0 && authored.y % tile.y == 0)
      return success();
    return fail("tiles of " + std::to_string(tile.x) + "x" + std::to_string(tile.y) +
                " do not fill the authored size " + authored.str());
  }
  }
  return success();
}

namespace {

/// Numbers in the place of ids: what the permutation computes, for whoever wants to know.
struct NumberArithmetic {
  using Value = uint32_t;
  Value constant(uint32_t value) const { return value; }
  Value add(Value a, Value b) const { return a + b; }
  Value mul(Value a, Value b) const { return a * b; }
  Value udiv(Value a, Value b) const { return a / b; }
  Value umod(Value a, Value b) const { return a % b; }
  Value bitAnd(Value a, Value b) const { return a & b; }
  Value bitOr(Value a, Value b) const { return a | b; }
  Value lshr(Value a, unsigned bits) const { return a >> bits; }
};

/// The same on ids of a module.
struct IdArithmetic {
  using Value = Id;
  IdEmitter &emit;
  Value constant(uint32_t value) const { return emit.constant(value); }
  Value add(Value a, Value b) const { return emit.add(a, b); }
  Value mul(Value a, Value b) const { return emit.mul(a, b); }
  Value udiv(Value a, Value b) const { return emit.udiv(a, b); }
  Value umod(Value a, Value b) const { return emit.umod(a, b); }
  Value bitAnd(Value a, Value b) const { return emit.bitAnd(a, b); }
  Value bitOr(Value a, Value b) const { return emit.bitOr(a, b); }
  Value lshr(Value a, unsigned bits) const { return emit.lshr(a, bits); }
};

/// One axis of the authored local id, from the index of the lane.
template <typename Arithmetic> class Lanes {
public:
  using Value = typename Arithmetic::Value;
  Lanes(const LaneSwizzle &swizzle, const Dim3 &authored, Arithmetic arithmetic)
      : swizzle(swizzle), authored(authored), on(arithmetic) {}

  Value axis(Value index, unsigned axis) const {
    if (authored[axis] == 1)
      return on.constant(0);
    const uint32_t plane = authored.x * authored.y; // at most an index of a lane: no wrap
    if (axis == 2)
      return on.udiv(index, on.constant(plane));
    Value place = authored.z == 1 ? index : on.umod(index, on.constant(plane));
    switch (swizzle.order) {
    case LaneOrder::Row:
      return axis == 0 ? low(place, 0) : high(place, 0);
    case LaneOrder::Column:
      return axis == 1 ? low(place, 1) : high(place, 1);
    case LaneOrder::Morton:
      return morton(place, axis);
    case LaneOrder::Tile:
      return tiled(place, axis);
    }
    return place;
  }

private:
  Value low(Value place, unsigned fast) const {
    return authored[1 - fast] == 1 ? place : on.umod(place, on.constant(authored[fast]));
  }
  Value high(Value place, unsigned fast) const {
    return on.udiv(place, on.constant(authored[fast]));
  }

  /// Bit b of the axis is bit 2b (x) or 2b+1 (y) of the place; above what both axes have, the bits
  /// of the longer one follow.
  Value morton(Value place, unsigned axis) const {
    const unsigned both = llvm::Log2_32(std::min(authored.x, authored.y));
    const unsigned own = llvm::Log2_32(authored[axis]);
    Value sum = on.constant(0);
    for (unsigned bit = 0; bit < both; ++bit)
      sum = on.bitOr(sum, on.bitAnd(on.lshr(place, bit + axis), on.constant(1u << bit)));
    if (own > both) {
      Value rest = on.lshr(place, 2 * both);
      sum = on.bitOr(sum, on.mul(rest, on.constant(1u << both)));
    }
    return sum;
  }

  Value tiled(Value place, unsigned axis) const {
    const Dim3 &tile = swizzle.tile;
    const uint32_t area = tile.x * tile.y, across = authored.x / tile.x;
    Value number = on.udiv(place, on.constant(area));
    Value inside = on.umod(place, on.constant(area));
    Value first =
        axis == 0 ? on.umod(number, on.constant(across)) : on.udiv(number, on.constant(across));
    Value rest =
        axis == 0 ? on.umod(inside, on.constant(tile.x)) : on.udiv(inside, on.constant(tile.x));
    return on.add(on.mul(first, on.constant(tile[axis])), rest);
  }

  const LaneSwizzle &swizzle;
  Dim3 authored;
  Arithmetic on;
};

class SwizzleModel final : public PlacementModel {
public:
  SwizzleModel(const LaneSwizzle &swizzle, const Dim3 &authored)
      : PlacementModel(authored), swizzle(swizzle) {}
  bool replaces(spv::BuiltIn builtIn) const override {
    return isPlacement(builtIn) && builtIn != spv::BuiltIn::WorkgroupId &&
           builtIn != spv::BuiltIn::NumWorkgroups;
  }
  Id component(IdEmitter &emit, spv::BuiltIn builtIn, unsigned axis) const override {
    if (builtIn == spv::BuiltIn::LocalInvocationIndex && swizzle.order == LaneOrder::Row)
      return emit.physical(builtIn, 0);
    return PlacementModel::component(emit, builtIn, axis);
  }

protected:
  Id local(IdEmitter &emit, unsigned axis) const override {
    Id index = emit.physical(spv::BuiltIn::LocalInvocationIndex, 0);
    return Lanes(swizzle, authored, IdArithmetic{emit}).axis(index, axis);
  }
  Id group(IdEmitter &emit, unsigned axis) const override {
    return emit.physical(spv::BuiltIn::WorkgroupId, axis);
  }
  Id groupCount(IdEmitter &emit, unsigned axis) const override {
    return emit.physical(spv::BuiltIn::NumWorkgroups, axis);
  }

private:
  LaneSwizzle swizzle;
};

} // namespace

Dim3 swizzledLane(const LaneSwizzle &swizzle, const Dim3 &authored, uint32_t index) {
  Lanes lanes(swizzle, authored, NumberArithmetic{});
  return {lanes.axis(index, 0), lanes.axis(index, 1), lanes.axis(index, 2)};
}

Result<Change> SwizzleLanes::run(Module &module, PassContext &context) {
  Result<VariantKernel> kernel = findVariantKernel(module, options.entry, context);
  if (!kernel)
    return kernel.takeFailure();
  const Dim3 size = options.size.value_or(kernel->authored);
  if (options.swizzle.order == LaneOrder::Row && size == kernel->authored)
    return Change::Unchanged;
  if (Status fits = checkSwizzle(options.swizzle, kernel->authored); !fits) {
    Diagnostic why = fits.diagnostic();
    why.location = Location::inFile(module.source.file);
    return failure(std::move(why));
  }
  if (auto proven =
          proveVariant(module, *kernel, options.certificate, Technique::Swizzle, size, context);
      !proven)
    return proven.takeFailure();
  const std::vector<uint32_t> before = module.words();
  if (Status replaced =
          replaceIds(module, kernel->entry, SwizzleModel(options.swizzle, kernel->authored));
      !replaced)
    return replaced.takeFailure();
  setLocalSize(module, kernel->entry, size);
  return module.words() == before ? Change::Unchanged : Change::Changed;
}

} // namespace tailor
