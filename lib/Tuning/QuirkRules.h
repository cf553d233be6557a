//===- Tuning/QuirkRules.h - What faults of drivers mean for tuning -------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// lib/Devices/Quirks.def has the faults, each with its source; here is what is
// made of them. The authored module is never forbidden: it is what the host runs
// anyway.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_QUIRKRULES_H
#define TAILOR_TUNING_QUIRKRULES_H

#include "Bundle/Manifest.h"
#include "Devices/Quirks.h"
#include "Vulkan/Runner.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tailor {

/// Why a variant is not to be tried on a device with these faults; nullopt: nothing speaks against
/// it. `candidate`: the variant as it would be run.
std::optional<std::string> forbiddenBy(std::span<const Quirk *const> quirks,
                                       const KernelInfo &kernel, const vulkan::Candidate &candidate,
                                       const vulkan::KernelInstance &instance);

/// Whether the fault forbids variants of some kernels; what does not is for people to know.
bool forbidsVariants(const Quirk &quirk);

/// `mali-zero-init: workgroup memory that ... does not (zero_init_unreliable; https://...)`
std::string sentenceOf(const Quirk &quirk);

} // namespace tailor

#endif
