//===- Frontend/KnobExpression.h - Constraints over knobs -----------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `TILE*TILE <= 1024 && TILE % UNROLL == 0`: integers, names of knobs,
// parentheses and, from the loosest to the tightest,
//
//   ||   &&   == !=   < <= > >=   << >>   + -   * / %   and ! - + in front
//
// Integers are whole numbers of -2^63 to 2^64-1: what 64 bits hold, with a sign or
// without. Nothing wraps: a result outside of that is an error. Division rounds to
// zero and `%` has the sign of its left side, as in C; `>>` rounds down. Comparisons
// and logic give 0 or 1, and `&&` and `||` look at their right side only where it
// counts.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_FRONTEND_KNOBEXPRESSION_H
#define TAILOR_FRONTEND_KNOBEXPRESSION_H

#include "Frontend/LocatedText.h"
#include "Support/Result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tailor {

/// A whole number of -2^63 to 2^64-1. Zero is not negative.
struct KnobInteger {
  bool negative = false;
  uint64_t magnitude = 0;

  /// `16`, `-3`, `0x10`, `010` (octal, as shaders have it), each with `u` or `U` behind it if need
  /// be; nothing else.
  static std::optional<KnobInteger> parse(std::string_view text);
  std::string str() const;
  friend bool operator==(const KnobInteger &, const KnobInteger &) = default;
};

class KnobExpression {
public:
  /// Fails, with `kind`, at the character that is wrong.
  static Result<KnobExpression> parse(LocatedText text, ErrorKind kind);

  /// Gives a name's value as text; nullopt: there is no such name.
  using Lookup = std::function<std::optional<std::string>(const std::string &name)>;
  /// The value. Fails at the name that has no value or one that is no integer, at the operator
  /// whose result does not fit, and at the division by zero.
  Result<KnobInteger> evaluate(const Lookup &lookup) const;

  struct Name {
    std::string name;
    Location location;
  };
  /// The names in it, in order.
  std::vector<Name> names() const;
  const std::string &str() const { return text.str(); }
  Location location() const { return text.at(0); }
  ErrorKind errorKind() const { return kind; }

private:
  friend class KnobExpressionParser;
  friend class KnobExpressionRun;
  enum class Op : uint8_t {
    Number,
    Name,
    Not,
    Negate,
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
  };
  struct Node {
    Op op;
    size_t offset;              ///< of the operator, or of the first character
    size_t left = 0, right = 0; ///< indices into `nodes`
    KnobInteger value;          ///< of a Number
    std::string name;           ///< of a Name
  };

  LocatedText text;
  ErrorKind kind = ErrorKind::Refused;
  std::vector<Node> nodes; ///< operands before their operators: the last one is the whole
};

} // namespace tailor

#endif
