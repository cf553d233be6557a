//===- Tuning/PortfolioText.h - Portfolios to read ------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_PORTFOLIOTEXT_H
#define TAILOR_TUNING_PORTFOLIOTEXT_H

#include "Tuning/Portfolio.h"

#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace tailor {

inline constexpr unsigned kPortfolioSchema = 1;

struct KernelPortfolio {
  PortfolioTable table;
  Portfolio portfolio;
};

/// For each kernel the sets by their size, the answer, and each place's loss.
void printPortfolios(llvm::raw_ostream &os, const std::vector<KernelPortfolio> &kernels);
/// The same as JSON, schema 1 (docs/formats.md).
void writePortfolios(llvm::raw_ostream &os, const std::string &tool,
                     const std::vector<KernelPortfolio> &kernels);

} // namespace tailor

#endif
