//===- Analysis/LaneEvaluator.h - The values of one invocation -------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes what an integer, a condition or an address of the canonical form is
// for one invocation of the authored grid, where it hangs off nothing but ids,
// the host's values and loop counters. Loops are seen at one iteration each, the
// first unless told otherwise. What depends on the contents of memory, or on how
// often a loop ran, is "not known", never a number.
//
// It stands on the form alone, not on AffineAnalysis (but for counters past the
// first iteration), so that each can be tested against the other.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_LANEEVALUATOR_H
#define TAILOR_ANALYSIS_LANEEVALUATOR_H

#include "Analysis/Dispatch.h"
#include "Analysis/KernelAnalysis.h"
#include "Analysis/PointerLayout.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <unordered_map>
#include <utility>

namespace tailor {

/// An invocation of the authored grid.
struct Lane {
  std::array<uint32_t, 3> group{};   ///< WorkgroupId
  std::array<uint32_t, 3> localId{}; ///< LocalInvocationId
  friend bool operator==(const Lane &, const Lane &) = default;
};

/// What the host supplies. A leaf that it does not answer (nullopt, or no function) is assumed to
/// be kAssumedInteger, or 1.0 where it is read as a floating-point number, provided that all
/// invocations read the same one; where they read different ones it is not known.
struct HostValues {
  static constexpr uint32_t kAssumedInteger = 1024;
  static constexpr uint32_t kAssumedGroups = 1024; ///< NumWorkgroups on each axis
  UniformLeafValue leaf;
  std::optional<std::array<uint32_t, 3>> numWorkgroups;
};

/// Whether an invocation runs a block, at the iterations that are looked at.
enum class Activity : uint8_t { No, Yes, Unknown };

/// What evaluators of one kernel share. Outlives them; must not outlive the analysis.
class LaneModel {
public:
  explicit LaneModel(const KernelAnalysis &analysis);

  static constexpr uint64_t kOtherLoops = uint64_t{1} << 63;
  const KernelAnalysis &analysis() const { return kernel; }
  /// Loops around a block, as bits; the last bit stands for all loops from the 64th on and for
  /// cycles that are no loops.
  uint64_t loopsAround(const Block &block) const { return loopMask[block.index()]; }
  /// The bit of the loop whose header the block is; 0 for other blocks.
  uint64_t loopOfHeader(const Block &block) const { return headerBit[block.index()]; }
  /// Position in a reverse post-order of the blocks.
  unsigned order(const Block &block) const { return position[block.index()]; }
  /// A private variable that holds one constant for good: its initializer, or the value of its only
  /// store where that comes before `load`. Id::None for any other.
  Id constantContent(const Instruction &variable, const Instruction &load) const;
  const std::optional<PointerLayout> &layoutOf(const Instruction &load) const;
  Id targetOf(const Instruction &terminator, uint64_t bits) const;

private:
  void numberLoops();
  void orderBlocks();
  void findStores();

  const KernelAnalysis &kernel;
  std::vector<uint64_t> loopMask, headerBit;
  std::vector<unsigned> position;
  /// The only write to a private variable; null where there are several, or one that is no store of
  /// a constant.
  llvm::DenseMap<uint32_t, const Instruction *> onlyStore;
  mutable llvm::DenseMap<const Instruction *, std::optional<PointerLayout>> layouts;
  /// The cases of each OpSwitch that was asked about.
  mutable std::unordered_map<const Instruction *, std::unordered_map<uint64_t, Id>> switchCases;
};

class LaneEvaluator {
public:
  LaneEvaluator(const LaneModel &model, const Lane &lane, const HostValues &host);

  /// Looks at the loop with this header at its iteration `count` (0: the first). Counters that are
  /// not affine are then not known.
  void setIteration(const Block &header, uint64_t count);

  /// The value of `id` as instruction `at` sees it; parts that are not known are of width 0.
  ConstantValue value(Id id, const Instruction &at);
  /// Component `component` of an integer or a boolean, zero-extended; nullopt: not known.
  std::optional<uint64_t> integer(Id id, const Instruction &at, unsigned component = 0);
  /// Bytes from the start of the variable; nullopt: an index is not known.
  std::optional<uint64_t> address(const PointerLayout &layout, const Instruction &at);
  /// Every way into the block is judged: all branches that it is control dependent on.
  Activity activity(const Block &block);
  /// Whether an assumed value of the host went into what was asked for since the last call.
  bool takeAssumption() { return std::exchange(assumed, false); }

  static bool isKnown(const ConstantValue &value) {
    return value.isComposite() || value.width != 0;
  }
  static ConstantValue unknown() { return {ConstantValue::Kind::Int, 0, false, 0, {}}; }

private:
  struct Known {
    ConstantValue value;
    uint64_t loops = 0;   ///< whose iteration it depends on, as bits
    bool assumed = false; ///< HostValues assumed something of it
  };
  /// An instruction's operands while it is computed: those that are not evaluated yet are noted.
  struct Request {
    const Instruction &inst;
    const Block *where;                 ///< nullptr: no block
    llvm::SmallVector<Id, 4> missing{}; ///< to be evaluated first
    uint64_t loops = 0;                 ///< of what was read
    bool assumed = false;               ///< something that was read
    bool isComplete() const { return missing.empty(); }
  };
  /// One branch that is taken on the way.
  struct Condition {
    const Instruction *terminator;
    const Block *target;
  };
  enum class Truth : uint8_t { False, True, Unknown };

  void require(Id id);
  const Known *find(Id id);
  ConstantValue read(Request &request, Id id);
  std::optional<uint64_t> readInteger(Request &request, Id id);
  ConstantValue compute(Request &request);
  ConstantValue computeComponents(Request &request);
  ConstantValue computeComposite(Request &request);
  ConstantValue computeDynamic(Request &request);
  ConstantValue computeSelect(Request &request);
  ConstantValue computeExtended(Request &request);
  // LanePhis.cpp
  ConstantValue computePhi(Request &request);
  ConstantValue computeCounter(Request &request);
  std::optional<uint64_t> evaluateAffine(Request &request, const AffineExpr &expr);
  Truth judge(Request &request, const Condition &condition);
  Truth judgeEdge(Request &request, const Block &from, const Block &to);
  Activity judgeBlock(Request &request, llvm::SmallVectorImpl<const Block *> &pending,
                      const Block &block);
  // LaneMemory.cpp
  ConstantValue computeLoad(Request &request);
  ConstantValue loadBuiltIn(Request &request, const PointerPath &path);
  ConstantValue loadHost(Request &request, const PointerLayout &layout);
  ConstantValue readHost(Request &request, Id type, const PointerLayout &layout, uint64_t offset,
                         uint64_t stride, bool mayAssume, unsigned depth);
  ConstantValue hostScalar(Request &request, Id type, const PointerLayout &layout, uint64_t offset,
                           bool mayAssume);
  ConstantValue queryImage(Request &request);
  ConstantValue queryLength(Request &request);
  std::optional<uint32_t> askLeaf(const UniformExpr &leaf);
  std::optional<uint64_t> addressOf(Request &request, const PointerLayout &layout);
  bool isSameForDispatch(const PointerLayout &layout) const;

  const LaneModel &model;
  const Module &module;
  Lane lane;
  const HostValues &host;
  llvm::DenseMap<uint32_t, Known> known;
  llvm::DenseMap<const Block *, uint64_t> iterations;
  struct KnownActivity {
    Activity activity = Activity::Unknown;
    bool assumed = false;
  };
  llvm::DenseMap<const Block *, KnownActivity> activities;
  bool assumed = false;
};

} // namespace tailor

#endif
