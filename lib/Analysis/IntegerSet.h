//===- Analysis/IntegerSet.h - Bit patterns that an integer may have -------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A set of bit patterns of one width, 1 (a boolean) to 64 bits, that holds at least
// those a value can have. Up to kMaxListed patterns are listed one by one; larger
// sets are what lies both in an interval of unsigned numbers and in an interval of
// signed ones. SPIR-V's integers have a sign only in the eyes of an opcode, and so
// here.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_INTEGERSET_H
#define TAILOR_ANALYSIS_INTEGERSET_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tailor {

class IntegerSet {
public:
  static constexpr unsigned kMaxListed = 32;

  /// Nothing is known, nor what the width is.
  IntegerSet() = default;
  static IntegerSet none(unsigned width);
  static IntegerSet all(unsigned width);
  static IntegerSet of(unsigned width, uint64_t bits);
  /// Up to kMaxListed patterns in any order, each cut to the width; all() of more.
  static IntegerSet of(unsigned width, llvm::ArrayRef<uint64_t> patterns);
  /// The numbers of the type in [low, high].
  static IntegerSet ofUnsigned(unsigned width, uint64_t low, uint64_t high);
  static IntegerSet ofSigned(unsigned width, int64_t low, int64_t high);
  /// What is in both intervals.
  static IntegerSet ofBoth(unsigned width, uint64_t low, uint64_t high, int64_t signedLow,
                           int64_t signedHigh);

  static uint64_t maxUnsigned(unsigned width);
  static int64_t maxSigned(unsigned width);
  static int64_t minSigned(unsigned width) { return -maxSigned(width) - 1; }
  /// The pattern as a signed number, and back.
  static int64_t asSigned(unsigned width, uint64_t bits);
  static uint64_t asBits(unsigned width, int64_t value);

  unsigned width() const { return bitWidth; }
  /// Of a value that has integer patterns at all.
  bool isTracked() const { return bitWidth != 0; }
  bool isEmpty() const { return listed && list.empty(); }
  bool isAll() const;
  bool isListed() const { return listed; }
  /// Ascending as unsigned numbers; of a listed set.
  llvm::ArrayRef<uint64_t> patterns() const { return list; }
  std::optional<uint64_t> single() const;
  bool contains(uint64_t bits) const;
  // The ends of both intervals; of a set that is not empty.
  uint64_t low() const { return unsignedLow; }
  uint64_t high() const { return unsignedHigh; }
  int64_t signedLow() const { return least; }
  int64_t signedHigh() const { return greatest; }

  /// Sets that hold the union and the intersection, of sets of one width.
  IntegerSet unite(const IntegerSet &other) const;
  IntegerSet intersect(const IntegerSet &other) const;
  IntegerSet without(uint64_t bits) const;
  /// At least this and `next`, with every end that moved at the end of what the type has: a chain
  /// of these is short.
  IntegerSet widen(const IntegerSet &next) const;

  /// `{1, 2, 4}`, `[0, 255]`, with the signed interval where it says more; `all`, `none`.
  std::string str() const;
  friend bool operator==(const IntegerSet &, const IntegerSet &) = default;

private:
  void tighten();
  void setList(llvm::SmallVector<uint64_t, 4> patterns);

  unsigned bitWidth = 0;
  bool listed = false;
  llvm::SmallVector<uint64_t, 4> list;
  uint64_t unsignedLow = 0, unsignedHigh = 0;
  int64_t least = 0, greatest = 0;
};

} // namespace tailor

#endif
