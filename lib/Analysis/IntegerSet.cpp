//===- Analysis/IntegerSet.cpp ---------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/IntegerSet.h"

#include <algorithm>
#include <iterator>

namespace tailor {

uint64_t IntegerSet::maxUnsigned(unsigned width) {
  return width >= 64 ? UINT64_MAX : (uint64_t{1} << width) - 1;
}

int64_t IntegerSet::maxSigned(unsigned width) {
  return static_cast<int64_t>(maxUnsigned(width) >> 1);
}

int64_t IntegerSet::asSigned(unsigned width, uint64_t bits) {
  const uint64_t top = uint64_t{1} << (width - 1);
  return static_cast<int64_t>((bits ^ top) - top);
}

uint64_t IntegerSet::asBits(unsigned width, int64_t value) {
  return static_cast<uint64_t>(value) & maxUnsigned(width);
}

IntegerSet IntegerSet::none(unsigned width) {
  IntegerSet set;
  set.bitWidth = width;
  set.listed = true;
  return set;
}

IntegerSet IntegerSet::all(unsigned width) { return ofUnsigned(width, 0, maxUnsigned(width)); }

IntegerSet IntegerSet::of(unsigned width, uint64_t bits) {
  IntegerSet set = none(width);
  set.setList({bits & maxUnsigned(width)});
  return set;
}

IntegerSet IntegerSet::of(unsigned width, llvm::ArrayRef<uint64_t> patterns) {
  llvm::SmallVector<uint64_t, 4> cut;
  for (uint64_t bits : patterns)
    cut.push_back(bits & maxUnsigned(width));
  std::sort(cut.begin(), cut.end());
  cut.erase(std::unique(cut.begin(), cut.end()), cut.end());
  if (cut.size() > kMaxListed)
    return all(width);
  IntegerSet set = none(width);
  set.setList(std::move(cut));
  return set;
}

IntegerSet IntegerSet::ofUnsigned(unsigned width, uint64_t low, uint64_t high) {
  return ofBoth(width, low, high, minSigned(width), maxSigned(width));
}

IntegerSet IntegerSet::ofSigned(unsigned width, int64_t low, int64_t high) {
  return ofBoth(width, 0, maxUnsigned(width), low, high);
}

IntegerSet IntegerSet::ofBoth(unsigned width, uint64_t low, uint64_t high, int64_t signedLow,
                              int64_t signedHigh) {
  IntegerSet set;
  set.bitWidth = width;
  set.unsignedLow = low;
  set.unsignedHigh = std::min(high, maxUnsigned(width));
  set.least = std::max(signedLow, minSigned(width));
  set.greatest = std::min(signedHigh, maxSigned(width));
  set.tighten();
  return set;
}

/// `patterns`: ascending, without duplicates.
void IntegerSet::setList(llvm::SmallVector<uint64_t, 4> patterns) {
  listed = true;
  list = std::move(patterns);
  unsignedLow = unsignedHigh = 0;
  least = greatest = 0;
  if (list.empty())
    return;
  unsignedLow = list.front();
  unsignedHigh = list.back();
  least = maxSigned(bitWidth);
  greatest = minSigned(bitWidth);
  for (uint64_t bits : list) {
    least = std::min(least, asSigned(bitWidth, bits));
    greatest = std::max(greatest, asSigned(bitWidth, bits));
  }
}

/// The numbers below the sign bit that are in both intervals, and those with it, give the ends
/// anew; a list where they are few.
void IntegerSet::tighten() {
  const uint64_t half = static_cast<uint64_t>(maxSigned(bitWidth)); // the last without a sign bit
  const uint64_t top = maxUnsigned(bitWidth);
  const bool hasLower = greatest >= 0, hasUpper = least < 0;
  const uint64_t lowerFrom = std::max(unsignedLow, least > 0 ? asBits(bitWidth, least) : 0);
  const uint64_t lowerTo = std::min(unsignedHigh, hasLower ? asBits(bitWidth, greatest) : 0);
  const uint64_t upperFrom = std::max({unsignedLow, half + 1, asBits(bitWidth, least)});
  const uint64_t upperTo = std::min(unsignedHigh, greatest < 0 ? asBits(bitWidth, greatest) : top);
  const bool lower = least <= greatest && hasLower && lowerFrom <= lowerTo;
  const bool upper = least <= greatest && hasUpper && upperFrom <= upperTo;
  if (!lower && !upper)
    return setList({});
  unsignedLow = lower ? lowerFrom : upperFrom;
  unsignedHigh = upper ? upperTo : lowerTo;
  least = asSigned(bitWidth, upper ? upperFrom : lowerFrom);
  greatest = asSigned(bitWidth, lower ? lowerTo : upperTo);
  if ((lower && lowerTo - lowerFrom >= kMaxListed) || (upper && upperTo - upperFrom >= kMaxListed))
    return;
  llvm::SmallVector<uint64_t, 4> few;
  for (uint64_t at = 0; lower && at <= lowerTo - lowerFrom; ++at)
    few.push_back(lowerFrom + at);
  for (uint64_t at = 0; upper && at <= upperTo - upperFrom; ++at)
    few.push_back(upperFrom + at);
  if (few.size() <= kMaxListed)
    setList(std::move(few));
}

bool IntegerSet::isAll() const {
  if (listed)
    return bitWidth != 0 && bitWidth <= 5 && list.size() == maxUnsigned(bitWidth) + 1;
  return unsignedLow == 0 && unsignedHigh == maxUnsigned(bitWidth) &&
         least == minSigned(bitWidth) && greatest == maxSigned(bitWidth);
}

std::optional<uint64_t> IntegerSet::single() const {
  return listed && list.size() == 1 ? std::optional(list.front()) : std::nullopt;
}

bool IntegerSet::contains(uint64_t bits) const {
  if (listed)
    return std::binary_search(list.begin(), list.end(), bits);
  const int64_t value = asSigned(bitWidth, bits);
  return bits >= unsignedLow && bits <= unsignedHigh && value >= least && value <= greatest;
}

IntegerSet IntegerSet::unite(const IntegerSet &other) const {
  if (isEmpty() || other.isEmpty())
    return isEmpty() ? other : *this;
  if (listed && other.listed) {
    llvm::SmallVector<uint64_t, 4> both;
    std::set_union(list.begin(), list.end(), other.list.begin(), other.list.end(),
                   std::back_inserter(both));
    if (both.size() <= kMaxListed) {
      IntegerSet set = none(bitWidth);
      set.setList(std::move(both));
      return set;
    }
  }
  return ofBoth(bitWidth, std::min(unsignedLow, other.unsignedLow),
                std::max(unsignedHigh, other.unsignedHigh), std::min(least, other.least),
                std::max(greatest, other.greatest));
}

IntegerSet IntegerSet::intersect(const IntegerSet &other) const {
  if (listed || other.listed) {
    const IntegerSet &few = listed ? *this : other, &filter = listed ? other : *this;
    llvm::SmallVector<uint64_t, 4> both;
    for (uint64_t bits : few.list)
      if (filter.contains(bits))
        both.push_back(bits);
    IntegerSet set = none(bitWidth);
    set.setList(std::move(both));
    return set;
  }
  return ofBoth(bitWidth, std::max(unsignedLow, other.unsignedLow),
                std::min(unsignedHigh, other.unsignedHigh), std::max(least, other.least),
                std::min(greatest, other.greatest));
}

IntegerSet IntegerSet::without(uint64_t bits) const {
  IntegerSet set = *this;
  if (listed) {
    llvm::SmallVector<uint64_t, 4> rest;
    for (uint64_t each : list)
      if (each != bits)
        rest.push_back(each);
    set.setList(std::move(rest));
    return set;
  }
  const int64_t value = asSigned(bitWidth, bits);
  // Intervals that are not listed hold more than one number, so that no end wraps.
  set.unsignedLow += set.unsignedLow == bits;
  set.unsignedHigh -= set.unsignedHigh == bits;
  set.least += set.least == value;
  set.greatest -= set.greatest == value;
  set.tighten();
  return set;
}

IntegerSet IntegerSet::widen(const IntegerSet &next) const {
  IntegerSet united = unite(next);
  if (isEmpty() || united == *this)
    return united;
  const uint64_t half = static_cast<uint64_t>(maxSigned(bitWidth));
  uint64_t lowest = united.unsignedLow, highest = united.unsignedHigh;
  int64_t signedLowest = united.least, signedHighest = united.greatest;
  // A list that grows is no list any more, whichever way it grew.
  if (lowest < unsignedLow)
    lowest = 0;
  if (highest > unsignedHigh)
    highest = highest <= half && unsignedHigh < half ? half : maxUnsigned(bitWidth);
  if (signedLowest < least)
    signedLowest = signedLowest >= 0 ? 0 : minSigned(bitWidth);
  if (signedHighest > greatest)
    signedHighest = maxSigned(bitWidth);
  IntegerSet wide = ofBoth(bitWidth, lowest, highest, signedLowest, signedHighest);
  return wide.unite(united);
}

std::string IntegerSet::str() const {
  if (!isTracked() || isAll())
    return "all";
  if (isEmpty())
    return "none";
  std::string text;
  if (listed) {
    for (uint64_t bits : list)
      text += (text.empty() ? "{" : ", ") + std::to_string(bits);
    return text + "}";
  }
  const bool hasUnsigned = unsignedLow != 0 || unsignedHigh != maxUnsigned(bitWidth);
  if (hasUnsigned)
    text = "[" + std::to_string(unsignedLow) + ", " + std::to_string(unsignedHigh) + "]";
  if (!hasUnsigned || (least < 0 && greatest >= 0 &&
                       (least != minSigned(bitWidth) || greatest != maxSigned(bitWidth))))
    text += std::string(text.empty() ? "" : " and ") + "[" + std::to_string(least) + ", " +
            std::to_string(greatest) + "] signed";
  return text;
}

} // namespace tailor
