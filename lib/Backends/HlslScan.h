//===- Backends/HlslScan.h - What a kernel asks of HLSL, by instruction ----===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BACKENDS_HLSLSCAN_H
#define TAILOR_BACKENDS_HLSLSCAN_H

#include "Backends/Emitters.h"

#include <set>
#include <vector>

namespace tailor {

/// Above every shader model: HLSL has it never.
inline constexpr uint32_t kNoModel = UINT32_MAX;

/// Something that asks for a shader model above 5.0.
struct HlslNeed {
  uint32_t model;
  std::string what; ///< "16-bit floats"
  Location where;
};

struct HlslScan {
  std::vector<HlslNeed> needs;    ///< in the order of the module; each `what` once
  std::set<std::string> features; ///< as in LanguageInterface
};

/// Types and instructions of what the entry point reaches.
HlslScan scanForHlsl(const ModuleFacts &facts);

} // namespace tailor

#endif
