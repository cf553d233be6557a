//===- passes/SwizzleGroups.h - The order of groups, in bands ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Devices start workgroups row after row. This pass lets them run in bands of N
// rows, column after column inside a band, so that groups which run at one time
// stand in a block and share what they read in the caches. With Gx x Gy groups, and
// a band that starts at row b and has h = min(Gy - b, N) rows, the group that the
// device calls (x, y) runs the authored group
//
//     r  = (y - b)·Gx + x        its number in the band, row by row
//     x' = r div h               column by column
//     y' = b + r mod h
//
// That is a permutation for all Gx and Gy: r runs over 0 ... h·Gx - 1, each once; its
// quotient and remainder by h name each place of h rows and Gx columns once; bands are
// made of whole rows, and stay apart. z stays, and so do the number of groups and the
// local ids. GlobalInvocationId is the authored group's.
//
// Nothing wraps: r is below N·Gx. Where N·Gx does not fit 32 bits (more than 65,537
// groups on x, with N up to 65,535; few devices allow that), the groups keep their
// order in the whole dispatch, a choice made in the kernel.
//
// Legal where no lane meets another one by its place in a subgroup and no group waits
// for another (docs/legality.md, swizzle): the certificate proves that, or this pass
// refuses with the instruction that stopped the proof. The host dispatches the
// authored groups.
//
// Not handled, and refused with its location: a built-in variable used in any other
// way than by loads, ids in a structure, a function that reads ids and is shared
// with another entry point.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_SWIZZLEGROUPS_H
#define TAILOR_PASSES_SWIZZLEGROUPS_H

#include "Analysis/Certificate.h"
#include "passes/PassArguments.h"

namespace tailor {

inline constexpr uint32_t kMaxBandRows = 65535;

/// The authored group (x and y) that the device's `group` of `groups` runs; rows: 1 to
/// kMaxBandRows, `group` below `groups` on each axis.
Dim3 swizzledGroup(const Dim3 &group, const Dim3 &groups, uint32_t rows);

class SwizzleGroups final : public Pass {
public:
  struct Options {
    uint32_t rows = 8; ///< of a band, 1 to kMaxBandRows; 1 changes nothing
    std::string entry; ///< empty: PassContext::entryPoint, or the only compute entry point
    /// The proof, if it is there already: of this entry point at this module's size. Null:
    /// certify() is asked. Must outlive the run.
    const Certificate *certificate = nullptr;
  };
  static constexpr OptionInfo kOptions[] = {
      {"entry", "ENTRY", "the kernel; else `--entry`, else the only one"},
      {"rows", "N", "rows of groups in a band, 1 to 65535 (default 8)"},
  };

  explicit SwizzleGroups(Options options) : options(std::move(options)) {}
  static Result<std::unique_ptr<Pass>> create(PassArguments &arguments);
  static const PassInfo &passInfo();
  const PassInfo &info() const override { return passInfo(); }
  Result<Change> run(Module &module, PassContext &context) override;

private:
  Options options;
};

} // namespace tailor

#endif
