//===- Analysis/Affine.h - Integer values as sums of symbols ---------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An integer value of w bits is congruent, modulo 2^w, to a polynomial
//
//   constant + sum of coefficient · symbol · symbol · ...
//
// over the local id and the workgroup id of each axis, the iteration number of
// each loop, values that the host supplies, and values that are only known as
// themselves. GlobalInvocationId[k] is S[k]·WorkgroupId[k] + LocalInvocationId[k],
// which never wraps (variantGroups, in Analysis/Dispatch, refuses larger grids),
// whatever way a kernel spells it.
//
// The polynomial has an integer range, from the ranges of its symbols. Where
// that range fits the type, the value *is* the polynomial, and division,
// remainder, comparison and widening may look inside it. Where it does not,
// the congruence still holds and nothing else is concluded.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_AFFINE_H
#define TAILOR_ANALYSIS_AFFINE_H

#include "Analysis/CanonicalForm.h"
#include "Analysis/IdDependence.h"
#include "IR/Cfg.h"
#include "Support/Dim3.h"

#include "llvm/ADT/DenseMap.h"

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tailor {

/// An inclusive interval of integers. kMin and kMax stand for "beyond what is tracked".
struct IntRange {
  static constexpr int64_t kMin = INT64_MIN, kMax = INT64_MAX;
  int64_t lo = kMin, hi = kMax;
  bool isBounded() const { return lo != kMin && hi != kMax; }
  bool within(int64_t low, int64_t high) const { return lo >= low && hi <= high; }
  bool fitsUnsigned(unsigned width) const;
  bool fitsSigned(unsigned width) const;
  friend bool operator==(const IntRange &, const IntRange &) = default;
};

/// A number into AffineAnalysis::symbols().
using SymbolIndex = uint32_t;

struct Symbol {
  enum class Kind : uint8_t {
    LocalId,       ///< component `component` of LocalInvocationId; 0 <= it < S
    WorkgroupId,   ///< of WorkgroupId
    NumWorkgroups, ///< of NumWorkgroups
    Iteration,     ///< how often the loop with header `header` has come round: 0, 1, 2, ...
    Uniform,       ///< a value of the dispatch: push constant, uniform buffer, buffer that nobody
                   ///< writes, image size; `def` is the first instruction that reads it
    Value,         ///< component `component` of what `def` computes, as itself
  };
  Kind kind = Kind::Value;
  uint8_t component = 0;
  uint8_t width = 32;
  const Instruction *def = nullptr; ///< Uniform, Value
  const Block *header = nullptr;    ///< Iteration
  IntRange range;
};

struct AffineTerm {
  /// Symbols of the product, ascending; kNone in unused places. A symbol twice is its square.
  static constexpr unsigned kMaxDegree = 4;
  static constexpr SymbolIndex kNone = UINT32_MAX;
  std::array<SymbolIndex, kMaxDegree> symbols{kNone, kNone, kNone, kNone};
  int64_t coefficient = 0;
  unsigned degree() const;
  bool contains(SymbolIndex symbol) const;
  friend bool operator==(const AffineTerm &, const AffineTerm &) = default;
};

struct AffineExpr {
  int64_t constant = 0;
  std::vector<AffineTerm> terms; ///< by their symbols, ascending; no coefficient is 0
  bool isConstant() const { return terms.empty(); }
  friend bool operator==(const AffineExpr &, const AffineExpr &) = default;
};

/// A loop with one header, and how often its body runs.
struct LoopInfo {
  const Block *header = nullptr;
  const LoopInfo *parent = nullptr; ///< the innermost loop around it
  SymbolIndex iteration = 0;        ///< its Iteration symbol
  unsigned depth = 1;               ///< 1 for an outermost loop
  /// The block whose branch is the loop's only exit; null where there are several.
  const Block *exiting = nullptr;
  /// The test stands at the end of the body, which so runs at least once.
  bool testsAtEnd = false;
  /// How often the body runs, where that is one number; proven, nothing can wrap on the way. The
  /// blocks up to a test that does not stand at the end run once more.
  std::optional<uint64_t> tripCount;
  /// The same as a polynomial: where the counter moves by one, so that no wrap can step over the
  /// bound. It means max(0, value).
  std::optional<AffineExpr> trips;
  /// For people, and for where it is not proven: "8", "params.columns", "(n - lid.x + 63) / 64".
  /// Empty: nothing is known.
  std::string tripText;
};

/// The address of an access as bytes from the start of its variable (for an array of descriptors:
/// of the element's buffer), modulo 2^32.
struct AffineAddress {
  const Instruction *variable = nullptr; ///< OpVariable
  MemorySpace space = MemorySpace::Other;
  AffineExpr bytes;
};

struct AffineSolver; ///< AffineImpl.h

class AffineAnalysis {
public:
  AffineAnalysis(const CanonicalForm &form, const ControlFlow &flow, const IdDependence &ids,
                 const Dim3 &size);
  ~AffineAnalysis();
  AffineAnalysis(AffineAnalysis &&) noexcept;

  /// Component `component` of the integer value `id` (8 to 64 bits); nullptr for values of other
  /// types. Constants included. Loop counters are spelled out as init + step·iteration.
  const AffineExpr *expr(Id id, unsigned component = 0) const;
  /// `at`: where the value is used; in the body of a loop its counter has not reached the end.
  IntRange rangeOf(const AffineExpr &expr, const Block *at = nullptr) const;
  /// The range of the value itself, as the unsigned or signed integer that its bits mean.
  IntRange unsignedRange(Id id, unsigned component = 0) const;

  /// References into it hold: symbols come when they are first asked for, and none goes.
  const std::deque<Symbol> &symbols() const;
  /// `lid.x`, `wg.y`, `i(12)`, `params.width`, `%42`: what people may look up in the kernel.
  std::string nameOf(SymbolIndex symbol) const;
  /// `16*wg.x + lid.x + 4`; sums in a stable order.
  std::string str(const AffineExpr &expr) const;

  /// Loops in the order of their headers.
  const std::vector<std::unique_ptr<LoopInfo>> &loops() const;
  /// The innermost loop around a block; null outside of loops, and in a cycle of several headers.
  const LoopInfo *loopOf(const Block &block) const;
  /// Whether the block is in the loop, or in one inside of it.
  bool contains(const LoopInfo &loop, const Block &block) const;

  /// Of a pointer made by access chains from a variable with an explicit layout, or from private
  /// or workgroup memory (laid out as Vulkan counts it). nullopt where the variable is unknown or
  /// an index is.
  std::optional<AffineAddress> address(Id pointer) const;

  /// a - b as a number; nullopt where symbols are left in it.
  AffineExpr scaled(const AffineExpr &expr, int64_t factor) const;
  std::optional<int64_t> difference(const AffineExpr &a, const AffineExpr &b) const;
  /// The polynomial that multiplies the symbol, where the expression is linear in it; zero where
  /// it does not occur. nullopt: it occurs squared.
  std::optional<AffineExpr> coefficientOf(const AffineExpr &expr, SymbolIndex symbol) const;
  /// The symbol of an id component; nullopt where the axis has size 1 (LocalId is then 0) or the
  /// kernel never reads it.
  std::optional<SymbolIndex> localId(unsigned axis) const;
  std::optional<SymbolIndex> workgroupId(unsigned axis) const;

  const Dim3 &size() const;

private:
  std::unique_ptr<AffineSolver> impl;
};

} // namespace tailor

#endif
