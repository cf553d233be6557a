//===- Support/Printable.h - Text that any reader can be shown ------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_SUPPORT_PRINTABLE_H
#define TAILOR_SUPPORT_PRINTABLE_H

#include <string>
#include <string_view>

namespace tailor {

/// Names can hold any bytes. Control characters, those that turn the direction of the text, and
/// what is no UTF-8 come out as `\x1b`, byte by byte; the rest as it is. The result is UTF-8.
std::string printable(std::string_view text);

} // namespace tailor

#endif
