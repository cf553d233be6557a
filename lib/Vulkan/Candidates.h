//===- Vulkan/Candidates.h - Checks before any call of the driver (internal) ===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_VULKAN_CANDIDATES_H
#define TAILOR_VULKAN_CANDIDATES_H

#include "Vulkan/ModuleScan.h"
#include "Vulkan/Runner.h"

namespace tailor::vulkan {

/// The device has what the module's capabilities, version and execution modes ask for.
void checkCapabilities(const ModuleScan &scan, const DeviceInfo &device, Diagnostics &diags);

/// The instance binds, under the right kind, everything that the module accesses.
void checkBindings(const ModuleScan &scan, const KernelInstance &instance, Diagnostics &diags);

/// Every check of a candidate; the failure names it, with one note for each
/// fault after the first.
Result<ModuleScan> checkCandidate(const Candidate &candidate, const KernelInstance &instance,
                                  const DeviceInfo &device);

} // namespace tailor::vulkan

#endif
