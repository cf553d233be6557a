//===- Support/Hash.cpp ----------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Support/Hash.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

#include <vector>

namespace tailor {

std::string sha256Hex(std::span<const std::byte> bytes) {
  llvm::ArrayRef<uint8_t> data(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
  return llvm::toHex(llvm::SHA256::hash(data), /*LowerCase=*/true);
}

std::string sha256Hex(std::string_view bytes) {
  return sha256Hex(std::as_bytes(std::span(bytes.data(), bytes.size())));
}

std::string sha256Hex(std::span<const uint32_t> words) {
  std::vector<std::byte> bytes;
  bytes.reserve(words.size() * 4);
  for (uint32_t word : words)
    for (unsigned shift = 0; shift < 32; shift += 8)
      bytes.push_back(static_cast<std::byte>(word >> shift));
  return sha256Hex(std::span<const std::byte>(bytes));
}

} // namespace tailor
