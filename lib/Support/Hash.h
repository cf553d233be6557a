//===- Support/Hash.h - Content hashes -------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_SUPPORT_HASH_H
#define TAILOR_SUPPORT_HASH_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tailor {

/// SHA-256 of the bytes, as 64 lower-case hexadecimal digits. The same on every
/// machine; used for source hashes, shared blobs and database keys.
std::string sha256Hex(std::span<const std::byte> bytes);
std::string sha256Hex(std::string_view bytes);
/// Of the words in little-endian byte order, whatever the machine's.
std::string sha256Hex(std::span<const uint32_t> words);

} // namespace tailor

#endif
