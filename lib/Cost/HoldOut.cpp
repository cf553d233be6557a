//===- Cost/HoldOut.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Cost/HoldOut.h"

#include "Support/Hash.h"

#include <charconv>
#include <cstdint>
#include <string>

namespace tailor {

bool isHeldOut(std::string_view kernelName) {
  const std::string digits = sha256Hex(kernelName);
  uint64_t bits = 0;
  std::from_chars(digits.data(), digits.data() + 16, bits, 16);
  return bits % 3 == 0;
}

} // namespace tailor
