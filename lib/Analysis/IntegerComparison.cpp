//===- Analysis/IntegerComparison.cpp --------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/IntegerTransfer.h"

namespace tailor {

bool isIntegerComparison(spv::Op op) {
  switch (op) {
  case spv::Op::OpIEqual:
  case spv::Op::OpINotEqual:
  case spv::Op::OpLogicalEqual:
  case spv::Op::OpLogicalNotEqual:
  case spv::Op::OpULessThan:
  case spv::Op::OpULessThanEqual:
  case spv::Op::OpUGreaterThan:
  case spv::Op::OpUGreaterThanEqual:
  case spv::Op::OpSLessThan:
  case spv::Op::OpSLessThanEqual:
  case spv::Op::OpSGreaterThan:
  case spv::Op::OpSGreaterThanEqual:
    return true;
  default:
    return false;
  }
}

spv::Op mirrored(spv::Op comparison) {
  using enum spv::Op;
  switch (comparison) {
  case OpULessThan:
    return OpUGreaterThan;
  case OpULessThanEqual:
    return OpUGreaterThanEqual;
  case OpUGreaterThan:
    return OpULessThan;
  case OpUGreaterThanEqual:
    return OpULessThanEqual;
  case OpSLessThan:
    return OpSGreaterThan;
  case OpSLessThanEqual:
    return OpSGreaterThanEqual;
  case OpSGreaterThan:
    return OpSLessThan;
  case OpSGreaterThanEqual:
    return OpSLessThanEqual;
  default:
    return comparison;
  }
}

/// The comparison that holds where this one does not.
static spv::Op opposite(spv::Op comparison) {
  using enum spv::Op;
  switch (comparison) {
  case OpIEqual:
    return OpINotEqual;
  case OpINotEqual:
    return OpIEqual;
  case OpLogicalEqual:
    return OpLogicalNotEqual;
  case OpLogicalNotEqual:
    return OpLogicalEqual;
  case OpULessThan:
    return OpUGreaterThanEqual;
  case OpULessThanEqual:
    return OpUGreaterThan;
  case OpUGreaterThan:
    return OpULessThanEqual;
  case OpUGreaterThanEqual:
    return OpULessThan;
  case OpSLessThan:
    return OpSGreaterThanEqual;
  case OpSLessThanEqual:
    return OpSGreaterThan;
  case OpSGreaterThan:
    return OpSLessThanEqual;
  default:
    return OpSLessThan;
  }
}

IntegerSet constrainLeft(spv::Op comparison, const IntegerSet &left, const IntegerSet &right,
                         bool truth) {
  using enum spv::Op;
  const unsigned width = left.width();
  if (left.isEmpty() || right.isEmpty())
    return IntegerSet::none(width);
  const IntegerSet none = IntegerSet::none(width);
  switch (truth ? comparison : opposite(comparison)) {
  case OpIEqual:
  case OpLogicalEqual:
    return left.intersect(right);
  case OpINotEqual:
  case OpLogicalNotEqual:
    return right.single() ? left.without(*right.single()) : left;
  case OpULessThan:
    return right.high() == 0 ? none
                             : left.intersect(IntegerSet::ofUnsigned(width, 0, right.high() - 1));
  case OpULessThanEqual:
    return left.intersect(IntegerSet::ofUnsigned(width, 0, right.high()));
  case OpUGreaterThan:
    return right.low() == IntegerSet::maxUnsigned(width)
               ? none
               : left.intersect(IntegerSet::ofUnsigned(width, right.low() + 1,
                                                       IntegerSet::maxUnsigned(width)));
  case OpUGreaterThanEqual:
    return left.intersect(
        IntegerSet::ofUnsigned(width, right.low(), IntegerSet::maxUnsigned(width)));
  case OpSLessThan:
    return right.signedHigh() == IntegerSet::minSigned(width)
               ? none
               : left.intersect(IntegerSet::ofSigned(width, IntegerSet::minSigned(width),
                                                     right.signedHigh() - 1));
  case OpSLessThanEqual:
    return left.intersect(
        IntegerSet::ofSigned(width, IntegerSet::minSigned(width), right.signedHigh()));
  case OpSGreaterThan:
    return right.signedLow() == IntegerSet::maxSigned(width)
               ? none
               : left.intersect(IntegerSet::ofSigned(width, right.signedLow() + 1,
                                                     IntegerSet::maxSigned(width)));
  case OpSGreaterThanEqual:
    return left.intersect(
        IntegerSet::ofSigned(width, right.signedLow(), IntegerSet::maxSigned(width)));
  default:
    return left;
  }
}

} // namespace tailor
