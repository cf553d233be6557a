//===- Cost/HoldOut.h - Which kernels nothing is tuned on ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_COST_HOLDOUT_H
#define TAILOR_COST_HOLDOUT_H

#include <string_view>

namespace tailor {

/// Whether a kernel is held out: its recorded times are for judging the cost model and the search,
/// and are not looked at while either is made. About a third of all names, by nothing but the name:
/// the first 64 bits of its SHA-256 are a multiple of 3.
bool isHeldOut(std::string_view kernelName);

} // namespace tailor

#endif
