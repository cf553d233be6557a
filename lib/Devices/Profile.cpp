//===- Devices/Profile.cpp -------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Devices/Profile.h"

#include "llvm/ADT/StringRef.h"

#include <climits>

namespace tailor {

static constexpr DeviceProfile kProfiles[] = {
#define TAILOR_DEVICE(...) {__VA_ARGS__},
#include "Devices/Devices.def"
};

std::span<const DeviceProfile> deviceProfiles() { return kProfiles; }

Result<const DeviceProfile *> findProfile(std::string_view key) {
  const DeviceProfile *nearest = nullptr;
  unsigned distance = UINT_MAX;
  for (const DeviceProfile &profile : kProfiles) {
    if (profile.key == key)
      return &profile;
    unsigned edits = llvm::StringRef(profile.key).edit_distance(llvm::StringRef(key));
    if (edits < distance) {
      distance = edits;
      nearest = &profile;
    }
  }
  Failure unknown =
      failure({}, "there is no device profile '" + std::string(key) + "'", ErrorKind::Usage);
  if (nearest && distance <= key.size() / 2)
    unknown.diagnostic.addNote({}, "did you mean '" + std::string(nearest->key) + "'?");
  unknown.diagnostic.addNote({}, "`--profile list` lists them");
  return unknown;
}

} // namespace tailor
