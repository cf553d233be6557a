//===- Support/Printable.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Support/Printable.h"

#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Unicode.h"

namespace tailor {

/// Bytes of the character that `text` starts with; 0 where a terminal should not see it.
static size_t printableBytes(std::string_view text) {
  const auto *start = reinterpret_cast<const llvm::UTF8 *>(text.data());
  const llvm::UTF8 *at = start, *end = start + text.size();
  llvm::UTF32 character = 0;
  if (llvm::convertUTF8Sequence(&at, end, &character, llvm::strictConversion) !=
          llvm::conversionOK ||
      !llvm::sys::unicode::isPrintable(static_cast<int>(character)))
    return 0;
  return static_cast<size_t>(at - start);
}

std::string printable(std::string_view text) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  while (!text.empty()) {
    size_t bytes = printableBytes(text);
    if (bytes != 0) {
      out += text.substr(0, bytes);
      text.remove_prefix(bytes);
      continue;
    }
    // All bytes of a character that is valid but not printable come here one by one: those that
    // follow its first are no character by themselves.
    auto byte = static_cast<unsigned char>(text.front());
    out += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
    text.remove_prefix(1);
  }
  return out;
}

} // namespace tailor
