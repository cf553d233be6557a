//===- Devices/Words.h - Words of a device's name -------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_DEVICES_WORDS_H
#define TAILOR_DEVICES_WORDS_H

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tailor {

/// Runs of letters and digits in small letters, without the signs (R), (TM) and (C):
/// `Adreno (TM) 650` is `adreno`, `650`.
std::vector<std::string> wordsOf(std::string_view name);

/// Where `pattern`'s words (separated by blanks; `?` is any one character) stand in a row in
/// `words`: the index after the last of them; nullopt: nowhere.
std::optional<size_t> findWords(const std::vector<std::string> &words, std::string_view pattern);

} // namespace tailor

#endif
