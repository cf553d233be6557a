//===- Naga/Unavailable.cpp - A build without naga -------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Naga/Naga.h"

namespace tailor::naga {

bool isAvailable() { return false; }

std::string_view whyUnavailable() { return "this build has no WGSL: " TAILOR_NAGA_MISSING; }

std::string_view version() { return {}; }

static Failure unavailable(const std::string &fileName) {
  return failure(Location::inFile(fileName), std::string(whyUnavailable()), ErrorKind::Environment);
}

Result<std::string> wgslFromSpirv(std::span<const uint32_t>, const std::string &fileName) {
  return unavailable(fileName);
}

Result<std::vector<uint32_t>> spirvFromWgsl(std::string_view, const std::string &fileName) {
  return unavailable(fileName);
}

Status checkWgsl(std::string_view, const std::string &fileName) { return unavailable(fileName); }

} // namespace tailor::naga
