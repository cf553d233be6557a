//===- Report/Words.h - Figures in words ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_REPORT_WORDS_H
#define TAILOR_REPORT_WORDS_H

#include "Support/Dim3.h"
#include "Tuning/DatabaseTypes.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tailor::report {

/// A time, a rate or a ratio that can be shown and compared: above 0, and finite.
bool isFigure(double value);

std::string fixed(double value, int decimals);
/// Three significant digits: `0.0123`, `1.23`, `12.3`, `123`, `1,234`.
std::string figure(double value);
/// The same without zeros at the end: `1`, `0.05`.
std::string shortFigure(double value);
std::string percent(double fraction, int decimals = 1); ///< "12.3 %"
/// Whole percents; "less than 1 %" where that would be none.
std::string share(double fraction);
std::string count(size_t number, std::string_view noun); ///< "1 variant", "2 variants"
/// "812 ns", "12.3 µs"; "-" where there is none.
std::string time(double ns);
/// The same without zeros at the end: `1 ms`, for ticks.
std::string timeTick(double ns);
/// "16×8": with the last extent where it is not 1.
std::string size(const Dim3 &size);
/// "1.23×"
std::string times(double ratio);

/// The technique's part of a variant's id, without the size that it ends with:
/// `coarsen-16x4x1+swizzle-16x4x1-tile4x4` is `coarsen + swizzle tile4x4`.
std::string techniqueOf(const StoredCandidate &candidate);
/// `resize-64x1x1`, `resize-64x1x1, subgroups of 32`
std::string nameOf(const StoredCandidate &candidate);

/// The driver refused it or it did harm, or its result was wrong.
bool isBad(const StoredCandidate &candidate);
/// "measured", "left out", "dropped", "failed", "wrong result"
std::string stateOf(const StoredCandidate &candidate);

/// How well two lists agree on the order of things, from -1 (reversed) to 1: Spearman's rank
/// correlation, equal values sharing the mean of their ranks. 0 where one has no order.
/// Both of one length.
double rankCorrelation(std::span<const double> first, std::span<const double> second);

} // namespace tailor::report

#endif
