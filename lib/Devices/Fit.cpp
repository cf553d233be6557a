//===- Devices/Fit.cpp -----------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Devices/Fit.h"

namespace tailor {

std::vector<LimitBreach> breachesOf(const DeviceProfile &profile, const Dim3 &localSize,
                                    std::optional<uint64_t> sharedBytes) {
  std::vector<LimitBreach> breaches;
  auto check = [&](std::string limit, uint64_t wanted, uint64_t allowed, const std::string &what) {
    if (wanted > allowed)
      breaches.push_back({std::move(limit), wanted, allowed,
                          "workgroup " + what + ", " + std::string(profile.key) + " allows " +
                              std::to_string(allowed)});
  };
  if (profile.maxInvocations)
    check("invocations", localSize.product(), *profile.maxInvocations,
          "has " + std::to_string(localSize.product()) + " invocations");
  if (profile.maxSize)
    for (unsigned axis = 0; axis < 3; ++axis) {
      std::string name(1, kAxisName[axis]);
      check("size." + name, localSize[axis], (*profile.maxSize)[axis],
            "is " + std::to_string(localSize[axis]) + " long along " + name);
    }
  if (profile.maxSharedBytes && sharedBytes)
    check("shared_bytes", *sharedBytes, *profile.maxSharedBytes,
          "has " + std::to_string(*sharedBytes) + " bytes of memory");
  return breaches;
}

} // namespace tailor
