//===- Analysis/Dispatch.h - Dispatch rules and the bounds they rest on ----===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How a host turns the authored group counts G into those of a variant, and
// the conditions under which it may. The proofs are in docs/legality.md.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_DISPATCH_H
#define TAILOR_ANALYSIS_DISPATCH_H

#include "Support/Dim3.h"
#include "Support/Result.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tailor {

/// Same:    the authored group counts.
/// Exact:   D = G·mul/div per axis; the division must come out even.
/// Cover:   D = ceil(G·mul/div); invocations past the authored grid do nothing,
///          provided that the authored grid reaches every bound (`bounds`).
/// Guarded: as Cover, with the logical grid handed to the variant.
enum class DispatchRule : uint8_t { Same, Exact, Cover, Guarded };
std::string_view nameOf(DispatchRule rule);
std::optional<DispatchRule> parseDispatchRule(std::string_view name);

/// A 32-bit value that is the same for every invocation of a dispatch, as a
/// tree over what the host supplies. Arithmetic wraps as in SPIR-V.
struct UniformExpr {
  enum class Op : uint8_t {
    Constant,     ///< params[0] the value
    SpecConstant, ///< params[0] SpecId, params[1] its default
    PushConstant, ///< params[0] byte offset
    BufferValue,  ///< params: set, binding, byte offset (uniform or never-written storage buffer)
    ImageSize,    ///< params: set, binding, component (level 0)
    ArrayLength,  ///< params: set, binding, byte offset of the array, byte stride
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    UMod,
    UMin,
    UMax,
    SMin,
    SMax,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
    Equal, ///< comparisons give 0 or 1
    NotEqual,
    ULess,
    ULessEqual,
    SLess,
    SLessEqual,
    Select, ///< the second operand where the first is not 0, else the third
  };
  Op op = Op::Constant;
  std::array<uint32_t, 4> params{};
  std::vector<UniformExpr> operands; ///< none for leaves, three for Select, else two

  static UniformExpr constant(uint32_t value) { return {Op::Constant, {value, 0, 0, 0}, {}}; }
  bool isLeaf() const { return op < Op::Add; }
  /// For people: `push_constant[4]`, `image_size(0,1).x`, `(a + b)`,
  /// `(a < b ? a : b)`. A tree deeper than kMaxUniformDepth is cut with `...`.
  std::string str() const;
  friend bool operator==(const UniformExpr &, const UniformExpr &) = default;
};
/// Levels of a tree that any part of the project has to accept: files that hold a deeper one
/// are refused, and an analysis that meets one gives up on it.
inline constexpr unsigned kMaxUniformDepth = 32;
/// Whether each node has the operands that its operator takes, and no leaf is deeper than
/// kMaxUniformDepth.
bool isWellFormed(const UniformExpr &expr);
/// `push_constant`, `add`, `smax`: the operator's name in manifest.json.
std::string_view nameOf(UniformExpr::Op op);
std::optional<UniformExpr::Op> parseUniformOp(std::string_view name);

/// Supplies a leaf's value; nullopt when the host does not know it. Never asked for a
/// Constant; a SpecConstant that the host leaves alone has its default, params[1].
using UniformLeafValue = std::function<std::optional<uint32_t>(const UniformExpr &leaf)>;
/// The value, or nullopt when a leaf is unknown or SPIR-V leaves the result undefined (a zero
/// divisor, a signed quotient that overflows, a shift by 32 or more). Never a guess. Of a Select
/// only the side that is chosen needs a value.
std::optional<uint32_t> evaluate(const UniformExpr &expr, const UniformLeafValue &leafValue);

/// factor · GlobalInvocationId[axis].
struct BoundTerm {
  unsigned axis = 0;
  UniformExpr factor;
  friend bool operator==(const BoundTerm &, const BoundTerm &) = default;
};

/// Some side effects happen only where a sum of global ids is below a bound (at most the bound when
/// inclusive), compared as signed or unsigned 32-bit integers. The sum grows with `axis`, for which
/// it is a bound: an invocation that is far enough along that axis is past it wherever it stands
/// on the others.
struct DispatchBound {
  unsigned axis = 0;
  UniformExpr bound;
  bool isSigned = false;
  bool inclusive = false;
  Location location; ///< the comparison
  /// Empty: the sum is GlobalInvocationId[axis] itself. Else its terms, that of `axis` among them.
  std::vector<BoundTerm> terms{};
  UniformExpr offset{}; ///< what is added to the terms, where there are some
  /// What the sum is divided by before it is compared, rounding down; empty: by nothing.
  std::optional<UniformExpr> divisor{};

  /// `gid.x < push_constant[0]`, `gid.x + push_constant[4]*gid.y < ...`.
  std::string str() const;
  friend bool operator==(const DispatchBound &, const DispatchBound &) = default;
};
/// Invocations on that axis that may have side effects, wherever they stand on the others: the
/// bound as a count, 0 for a negative signed bound. nullopt when it cannot be evaluated, or when
/// the sum does not grow with the axis. That no sum wraps is for `checkCover` to say.
std::optional<uint64_t> evaluateBound(const DispatchBound &bound,
                                      const UniformLeafValue &leafValue);

/// The rule of one variant, as data.
struct Dispatch {
  DispatchRule rule = DispatchRule::Same;
  Dim3 mul, div; ///< authored and variant size per axis; 1 where nothing changes
  /// What `Cover` rests on: at least one bound for each axis whose div does not divide mul.
  /// Each side effect is under at least one of its axis's bounds, so the host must reach all of
  /// them.
  std::vector<DispatchBound> bounds;

  friend bool operator==(const Dispatch &, const Dispatch &) = default;
};

/// The variant's group counts for `groups` of the authored size, or why the variant does
/// not apply: an authored grid past 2^32 invocations on an axis (a global id would be another's),
/// a division that leaves a remainder (Exact), a count over `maxGroups`, a grid past 2^31
/// invocations on an axis (Cover and Guarded: a signed comparison would see negative ids there).
/// No groups stay no groups. Does not look at bounds.
Result<Dim3> variantGroups(const Dispatch &dispatch, const Dim3 &authoredSize, const Dim3 &groups,
                           const Dim3 &maxGroups);

/// Whether the authored grid (groups·authored size) reaches every bound that `Cover` rests on, and
/// no compared sum wraps in the grid that the variant runs. Fails, naming axis, grid and bound,
/// when not or when a bound cannot be evaluated from the host's values. Holds for every other rule,
/// and for a dispatch without groups, where the variant runs nothing either.
Status checkCover(const Dispatch &dispatch, const Dim3 &groups, const Dim3 &authoredSize,
                  const UniformLeafValue &leafValue);

} // namespace tailor

#endif
