//===- Support/TextScan.h - Text taken piece by piece ----------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_SUPPORT_TEXTSCAN_H
#define TAILOR_SUPPORT_TEXTSCAN_H

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tailor {

/// Takes `token` off the front of the text; false, and the text as it was, where it is not there.
inline bool take(std::string_view &text, std::string_view token) {
  if (!text.starts_with(token))
    return false;
  text.remove_prefix(token.size());
  return true;
}

/// Takes a decimal number of 32 bits, without a sign, off the front of the text; nothing, and the
/// text as it was, where none is there or it is too large.
inline std::optional<uint32_t> takeNumber(std::string_view &text) {
  uint32_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc())
    return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return value;
}

} // namespace tailor

#endif
