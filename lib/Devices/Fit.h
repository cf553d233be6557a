//===- Devices/Fit.h - Whether a workgroup is within a device's limits ----===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_DEVICES_FIT_H
#define TAILOR_DEVICES_FIT_H

#include "Devices/Profile.h"

#include <vector>

namespace tailor {

/// A limit that a workgroup is over.
struct LimitBreach {
  std::string limit; ///< `invocations`, `size.x`, `shared_bytes`
  uint64_t wanted = 0, allowed = 0;
  std::string text; ///< `workgroup has 512 invocations, webgpu-default allows 256`
};

/// `sharedBytes`: workgroup memory of the kernel; nullopt: not known, and not checked. Empty: it
/// fits as far as the profile's limits are known.
std::vector<LimitBreach> breachesOf(const DeviceProfile &profile, const Dim3 &localSize,
                                    std::optional<uint64_t> sharedBytes);

} // namespace tailor

#endif
