//===- Support/Dim3.cpp ----------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Support/Dim3.h"

#include <charconv>

namespace tailor {

std::optional<Dim3> parseDim3(std::string_view text) {
  Dim3 size;
  const char *at = text.data();
  const char *end = at + text.size();
  for (unsigned axis = 0; axis < 3; ++axis) {
    uint32_t value = 0;
    auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || value == 0)
      return std::nullopt;
    size[axis] = value;
    at = next;
    if (at == end)
      return size;
    if (*at++ != 'x')
      return std::nullopt;
  }
  return std::nullopt; // a fourth axis, or an 'x' at the end
}

} // namespace tailor
