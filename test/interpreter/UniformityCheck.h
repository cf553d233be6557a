//===- interpreter/UniformityCheck.h - Claims against what was computed -----===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Holds what the uniformity analysis says of a kernel against a run of it. A
// value that is said to be the same over a set of invocations must be so among
// all who compute it in the same iterations of the loops around; a block whose
// control flow is said to be the same must be reached by all of the set, or by
// none, in those iterations.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_INTERPRETER_UNIFORMITYCHECK_H
#define TAILOR_INTERPRETER_UNIFORMITYCHECK_H

#include "Analysis/KernelAnalysis.h"
#include "interpreter/Interpreter.h"

#include "llvm/ADT/DenseMap.h"

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace tailor::interp {

/// The sets that are claimed about. Subgroups are counted as runs of Inputs::subgroupSize local
/// indices.
enum class ClaimedSet : uint8_t { Subgroup, Workgroup, Dispatch, PackX, PackY, PackZ };
inline constexpr unsigned kNumClaimedSets = 6;

class UniformityChecker : public Observer {
public:
  /// With the claims of the kernel's analysis. `groups`: those that will run.
  UniformityChecker(const KernelAnalysis &kernel, std::vector<Dim3> groups, uint32_t subgroupSize);

  /// Another claim, for tests of the check.
  void claim(const Instruction &inst, unsigned component, ClaimedSet set);
  void claim(const Block &block, ClaimedSet set);

  Interest interest() const override;
  void onValue(const Where &where, llvm::ArrayRef<uint64_t> components) override;
  void onBranch(const Where &where, const Block &to) override;

  /// After the run: what was claimed and is not so, a line each, at most 20.
  std::vector<std::string> finish();
  /// Comparisons of a value with one that another invocation had, by set.
  const std::array<uint64_t, kNumClaimedSets> &compared() const { return comparisons; }
  /// Claims about the control flow to blocks that were reached.
  uint64_t arrivalsChecked() const { return arrivals; }

private:
  struct ValueClaims {
    std::vector<uint8_t> sets; ///< by component, a bit each
    uint8_t all = 0;
  };
  struct Arrivals {
    const Block *block;
    ClaimedSet set;
    uint64_t expected, count = 0;
  };
  uint64_t keyOf(ClaimedSet set, const Dim3 &group, uint32_t invocation) const;
  uint64_t membersOf(ClaimedSet set, const Dim3 &group, uint32_t invocation) const;
  void arrive(const Block &block, const Where &where, llvm::ArrayRef<uint32_t> iterations);
  void complain(std::string text);

  const KernelAnalysis &kernel;
  std::vector<Dim3> groups;
  uint32_t subgroupSize;
  llvm::DenseMap<const Instruction *, ValueClaims> values;
  llvm::DenseMap<const Block *, uint8_t> blocks;
  std::unordered_map<uint64_t, uint64_t> seen; ///< first value by instance, set and component
  std::unordered_map<uint64_t, Arrivals> arrived;
  std::array<uint64_t, kNumClaimedSets> comparisons{};
  uint64_t arrivals = 0;
  std::vector<std::string> wrong;
  std::set<std::pair<const void *, unsigned>> blamed; ///< one line for each claim
};

} // namespace tailor::interp

#endif
