//===- Analysis/AbstractValue.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/AbstractValue.h"

#include <algorithm>

namespace tailor {

AbstractScalar AbstractScalar::constant(uint32_t value) {
  AbstractScalar result;
  result.c = value;
  result.reached = true;
  return result;
}

AbstractScalar AbstractScalar::varying(Variation rest) {
  AbstractScalar result;
  result.rest = rest;
  result.reached = true;
  return result;
}

AbstractScalar AbstractScalar::group(const Instruction *cause) {
  AbstractScalar result = varying(Variation::Group);
  result.cause = cause;
  return result;
}

AbstractScalar AbstractScalar::globalId(unsigned axis) {
  AbstractScalar result = constant(0);
  result.g[axis] = 1;
  result.axes = static_cast<uint8_t>(1u << axis);
  return result;
}

bool AbstractScalar::isGlobalId(unsigned axis) const {
  return *this == [&] {
    AbstractScalar id = globalId(axis);
    id.fromAtomic = fromAtomic;
    id.axes = axes;
    id.cause = cause;
    return id;
  }();
}

Variation AbstractScalar::variation() const {
  if (hasGroupPart())
    return Variation::Group;
  if (hasGlobalPart())
    return std::max(rest, Variation::Global);
  return rest == Variation::None ? Variation::Dispatch : rest;
}

/// Once the rest is not nothing, the constant is part of it.
static void normalise(AbstractScalar &value) {
  if (value.rest != Variation::None)
    value.c = 0;
  if (value.rest == Variation::Group)
    value.g = value.w = {};
}

static void takeMarks(AbstractScalar &result, const AbstractScalar &from) {
  result.fromAtomic |= from.fromAtomic;
  result.axes |= from.axes;
  if (!result.cause)
    result.cause = from.cause;
}

AbstractScalar add(const AbstractScalar &a, const AbstractScalar &b) {
  if (!a.reached || !b.reached)
    return {};
  AbstractScalar result = a;
  for (unsigned axis = 0; axis < 3; ++axis) {
    result.g[axis] += b.g[axis];
    result.w[axis] += b.w[axis];
  }
  result.c += b.c;
  result.rest = std::max(a.rest, b.rest);
  takeMarks(result, b);
  normalise(result);
  return result;
}

AbstractScalar negate(const AbstractScalar &a) { return scale(a, UINT32_MAX); }

AbstractScalar scale(const AbstractScalar &a, uint32_t factor) {
  AbstractScalar result = a;
  for (unsigned axis = 0; axis < 3; ++axis) {
    result.g[axis] *= factor;
    result.w[axis] *= factor;
  }
  result.c *= factor;
  return result;
}

AbstractScalar opaque(llvm::ArrayRef<AbstractScalar> operands) {
  AbstractScalar result = AbstractScalar::varying(Variation::Dispatch);
  for (const AbstractScalar &operand : operands) {
    if (!operand.reached)
      return {};
    result.rest = std::max(result.rest, operand.variation());
    result.fromAtomic |= operand.fromAtomic;
    result.axes |= operand.axes;
    if (operand.dependsOnGroups() && !result.cause)
      result.cause = operand.cause;
  }
  return result;
}

AbstractScalar meet(const AbstractScalar &a, const AbstractScalar &b, Variation choice) {
  if (!a.reached)
    return b;
  if (!b.reached)
    return a;
  AbstractScalar result = a;
  takeMarks(result, b);
  result.rest = std::max(a.rest, b.rest);
  // Two values with a rest are equal only by luck, so they vary as the choice between them does.
  bool same = a.g == b.g && a.w == b.w && a.c == b.c && result.rest == Variation::None;
  if (!same)
    result.rest = std::max({result.rest, choice, Variation::Dispatch});
  if (a.g != b.g) {
    result.g = {};
    result.rest = std::max(result.rest, Variation::Global);
  }
  if (a.w != b.w)
    result.rest = Variation::Group;
  normalise(result);
  return result;
}

} // namespace tailor
