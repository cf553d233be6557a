//===- passes/GuardGrid.h - Nothing happens outside of the grid ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives a kernel the logical grid N = G·S as three values of the host, and makes
// the invocations with a global id outside of it do nothing:
//
//     if (GlobalInvocationId.x >= N.x || ...) return;
//
// NumWorkgroups reads as N/S on the guarded axes, with S the size that the module
// has. In the authored module all this changes nothing, since no invocation is
// outside of the grid and N/S are the authored counts: so the kernel stays the
// same kernel, and `resize` and `remap-ids`, which come after this pass, can be
// dispatched by the rule `guarded`, with any number of groups that cover the grid:
//
//     canonicalize-workgroup-size,guard-grid,remap-ids<size=100x1x1>
//
// The values are 32-bit unsigned integers x, y, z: `push-constants` puts them behind the
// kernel's own block (at a multiple of 4, in a copy of the block's type), or makes a
// block at offset 0. Where they would end past 128 bytes, which is all that every
// device has, or with `spec-constants`, they are three specialization constants with
// new SpecIds, which default to an empty grid. A note says where they are. They
// must not be frozen.
//
// Not handled, and refused: kernels with control barriers, subgroup operations or
// derivatives (what part of a group does nothing would change them, and neither
// resize nor remap-ids takes them), push constants that are used otherwise than by
// loads and access chains, functions that another entry point shares. Running it after
// `remap-ids` would make NumWorkgroups wrong, which is then computed already.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_GUARDGRID_H
#define TAILOR_PASSES_GUARDGRID_H

#include "passes/GridValues.h"
#include "passes/PassArguments.h"

namespace tailor {

/// What the host must pass to a guarded kernel: the logical grid, in invocations on each axis.
struct GridGuard {
  /// What it came to be; SpecConstants where push constants had no room.
  GridSource source = GridSource::PushConstants;
  uint32_t offset = 0;               ///< PushConstants: kGridBytes bytes from here, x first
  std::array<uint32_t, 3> specIds{}; ///< SpecConstants: of x, y, z
  std::array<bool, 3> axes{};        ///< the guarded ones; the host passes all three
};

/// The pass. `axes`: those to guard, at least one; a variant needs those on which its size does not
/// divide the authored one. The module has one literal size (canonical-size), which is S above.
Result<GridGuard> guardGrid(Module &module, const EntryPoint &entry, GridSource source,
                            std::array<bool, 3> axes);

class GuardGrid final : public Pass {
public:
  struct Options {
    GridSource source = GridSource::PushConstants;
    std::array<bool, 3> axes = {true, true, true};
    std::string entry; ///< empty: PassContext::entryPoint, or the only compute entry point
  };
  static constexpr OptionInfo kOptions[] = {
      {"axes", "AXES", "those to guard: some of x, y and z (default xyz)"},
      {"entry", "ENTRY", "the kernel; else `--entry`, else the only one"},
      {"source", "SOURCE", "`push-constants` (default) or `spec-constants`"},
  };

  explicit GuardGrid(Options options) : options(std::move(options)) {}
  static Result<std::unique_ptr<Pass>> create(PassArguments &arguments);
  static const PassInfo &passInfo();
  const PassInfo &info() const override { return passInfo(); }
  Result<Change> run(Module &module, PassContext &context) override;

private:
  Options options;
};

} // namespace tailor

#endif
