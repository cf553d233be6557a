//===- passes/SwizzleLanes.h - Which lane runs which authored invocation ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lets the lanes of a workgroup run its authored invocations in another order, so
// that neighbours in memory become neighbours in a subgroup. The authored local id
// becomes a permutation of LocalInvocationIndex i, with S the authored size:
//
//     row       i = x + S.x·(y + S.y·z), as authored
//     column    i = y + S.y·(x + S.x·z)
//     morton    the bits of x and y in turn, x first (the longer axis has the rest on
//               top), then z; S.x and S.y must be powers of two
//     tile      tiles of A x B one after the other, row by row inside and outside, then
//               z; A must divide S.x and B S.y
//
// GlobalInvocationId is WorkgroupId·S plus that local id, LocalInvocationIndex the
// authored index of it; groups and their number stay. The size may become any shape of
// as many invocations: i alone says which invocation a lane runs. What nothing reads is
// not computed.
//
// Legal where no lane meets another one by its place in a subgroup (docs/legality.md,
// swizzle): the certificate proves that, or this pass refuses with the instruction
// that stopped the proof. The host dispatches the authored groups.
//
// Not handled, and refused with its location: a built-in variable used in any other
// way than by loads, ids in a structure, a function that reads ids and is shared
// with another entry point.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_SWIZZLELANES_H
#define TAILOR_PASSES_SWIZZLELANES_H

#include "Analysis/Certificate.h"
#include "passes/PassArguments.h"

#include <optional>
#include <string_view>

namespace tailor {

enum class LaneOrder : uint8_t { Row, Column, Morton, Tile };
std::string_view nameOf(LaneOrder order); ///< as in the pass's option: "row"
std::optional<LaneOrder> parseLaneOrder(std::string_view name);

/// A permutation of the invocations of one workgroup.
struct LaneSwizzle {
  LaneOrder order = LaneOrder::Row;
  Dim3 tile; ///< of LaneOrder::Tile: x and y; z is 1
};

/// Whether the permutation is one of workgroups of `authored`. Fails without a location.
Status checkSwizzle(const LaneSwizzle &swizzle, const Dim3 &authored);
/// The authored local id that lane `index` runs; `index` is below authored.product().
Dim3 swizzledLane(const LaneSwizzle &swizzle, const Dim3 &authored, uint32_t index);

class SwizzleLanes final : public Pass {
public:
  struct Options {
    LaneSwizzle swizzle;
    std::optional<Dim3> size; ///< none: the authored one
    std::string entry;        ///< empty: PassContext::entryPoint, or the only compute entry point
    /// The proof, if it is there already: of this entry point at this module's size. Null:
    /// certify() is asked. Must outlive the run.
    const Certificate *certificate = nullptr;
  };
  static constexpr OptionInfo kOptions[] = {
      {"entry", "ENTRY", "the kernel; else `--entry`, else the only one"},
      {"order", "ORDER", "`row`, `column`, `morton` or `tile` (needed)"},
      {"size", "AxBxC", "a size of as many invocations (default: the authored one)"},
      {"tile", "AxB", "of the order `tile`"},
  };

  explicit SwizzleLanes(Options options) : options(std::move(options)) {}
  static Result<std::unique_ptr<Pass>> create(PassArguments &arguments);
  static const PassInfo &passInfo();
  const PassInfo &info() const override { return passInfo(); }
  Result<Change> run(Module &module, PassContext &context) override;

private:
  Options options;
};

} // namespace tailor

#endif
