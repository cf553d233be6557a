//===- Analysis/AbstractValue.h - What a value depends on ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An integer value of the kernel is seen as
//
//   sum of g[k]·GlobalId[k]  +  sum of w[k]·WorkgroupId[k]  +  c  +  rest
//
// with coefficients modulo 2^32. LocalInvocationId[k] is GlobalId[k] minus
// S[k]·WorkgroupId[k]: so WorkgroupId·S + LocalInvocationId has w = 0, whether
// S is a constant of the module or a literal the compiler folded. A value with
// w = 0 is a function of the global id and of what is the same for the whole
// dispatch: no workgroup size can change it. docs/legality.md has the proof.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_ABSTRACTVALUE_H
#define TAILOR_ANALYSIS_ABSTRACTVALUE_H

#include "IR/Module.h"

#include "llvm/ADT/SmallVector.h"

#include <array>
#include <cstdint>

namespace tailor {

/// How far the `rest` of a value may vary, ascending.
enum class Variation : uint8_t {
  None,     ///< no rest: the affine part is the value
  Dispatch, ///< the same for every invocation of the dispatch, and at all times
  Global,   ///< a function of the global id, and of memory
  Group,    ///< depends on how the grid is cut into groups
};

/// One scalar component.
struct AbstractScalar {
  std::array<uint32_t, 3> g{}, w{};
  uint32_t c = 0;
  Variation rest = Variation::None;
  bool reached = false;               ///< false: bottom, no value has come yet
  uint8_t axes = 0;                   ///< bit k: can depend on an id of axis k
  bool fromAtomic = false;            ///< can depend on what another invocation writes meanwhile
  const Instruction *cause = nullptr; ///< what brought in the dependence on groups

  static AbstractScalar constant(uint32_t value);
  static AbstractScalar varying(Variation rest);
  static AbstractScalar group(const Instruction *cause);
  static AbstractScalar globalId(unsigned axis);

  bool hasGroupPart() const { return w[0] != 0 || w[1] != 0 || w[2] != 0; }
  bool hasGlobalPart() const { return g[0] != 0 || g[1] != 0 || g[2] != 0; }
  bool isConstant() const {
    return reached && rest == Variation::None && !hasGroupPart() && !hasGlobalPart();
  }
  /// Exactly GlobalId[axis].
  bool isGlobalId(unsigned axis) const;
  /// The variation of the value as a whole: what an operation that is not linear makes of it.
  Variation variation() const;
  bool dependsOnGroups() const { return variation() == Variation::Group; }

  friend bool operator==(const AbstractScalar &, const AbstractScalar &) = default;
};

/// A scalar or vector by component; any other type as one summary component.
using AbstractValue = llvm::SmallVector<AbstractScalar, 4>;

AbstractScalar add(const AbstractScalar &a, const AbstractScalar &b);
AbstractScalar negate(const AbstractScalar &a);
AbstractScalar scale(const AbstractScalar &a, uint32_t factor);
/// The result of an operation of which nothing is known but that it is a function of its operands.
AbstractScalar opaque(llvm::ArrayRef<AbstractScalar> operands);
/// Either of two values; `choice`: how the choice between them varies, Group being left to whoever
/// asks (a branch on it is judged by itself).
AbstractScalar meet(const AbstractScalar &a, const AbstractScalar &b,
                    Variation choice = Variation::Global);

} // namespace tailor

#endif
