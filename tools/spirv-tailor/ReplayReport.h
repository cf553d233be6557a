//===- tools/spirv-tailor/ReplayReport.h - What replay prints ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TOOLS_SPIRV_TAILOR_REPLAYREPORT_H
#define TAILOR_TOOLS_SPIRV_TAILOR_REPLAYREPORT_H

#include "Tuning/Replay.h"

namespace tailor {

struct ReplayRequest {
  std::vector<std::string> searches;
  std::vector<size_t> budgets;
  unsigned seeds = 1;
  bool explain = false;
};

void printReplay(llvm::raw_ostream &os, const std::vector<ReplaySite> &sites,
                 const ReplayRequest &request);
/// Schema 1, docs/tuning.md.
void writeReplayJson(llvm::raw_ostream &os, const std::vector<ReplaySite> &sites,
                     const ReplayRequest &request);

} // namespace tailor

#endif
