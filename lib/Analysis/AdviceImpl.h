//===- Analysis/AdviceImpl.h - The rules behind Advice.h -------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_ADVICEIMPL_H
#define TAILOR_ANALYSIS_ADVICEIMPL_H

#include "Analysis/Advice.h"

namespace tailor {

using AdviceList = std::vector<Advice>;

/// Strided, AxisOfOne: by evaluating other sizes and orders of the lanes (AdviceTraffic.cpp).
void adviseTraffic(const Findings &findings, AdviceList &list);
/// BankConflict: by evaluating padded rows (AdviceBanks.cpp).
void adviseBanks(const Findings &findings, AdviceList &list);

/// `1,234,567`.
std::string grouped(uint64_t number);
/// `1 sector`, `1,024 sectors`.
std::string counted(uint64_t count, std::string_view noun);

} // namespace tailor

#endif
