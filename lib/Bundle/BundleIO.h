//===- Bundle/BundleIO.h - Reading and writing bundle files --------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bytes of a .tailor file (docs/formats.md): a FlatBuffer (bundle.fbs)
// followed by the SHA-256 of all its bytes. The same bundle always gives the
// same bytes. Reading trusts nothing: every offset is verified before it is
// followed, the work is linear in the size of the file, and what the tables
// say is checked before anyone acts on it.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BUNDLE_BUNDLEIO_H
#define TAILOR_BUNDLE_BUNDLEIO_H

#include "Bundle/Manifest.h"
#include "Support/Result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace tailor {

/// The value of `schema` that this version writes; it reads 1 too, which has no shared texts.
inline constexpr uint32_t kBundleSchema = 2;
/// Bytes 4 to 7 of a bundle.
inline constexpr std::string_view kBundleIdentifier = "TLRB";
/// The checksum behind the FlatBuffer, in bytes.
inline constexpr size_t kBundleChecksumBytes = 32;
/// FlatBuffers addresses with 31 bits.
inline constexpr uint64_t kMaxBundleBytes = (uint64_t{1} << 31) - 1;

/// The bundle's bytes. Fails with ErrorKind::Refused when they could be more than
/// `maxBytes` (an estimate, at most 300 bytes above the truth for each table and text), and with
/// ErrorKind::Internal when the bundle is not well formed (Validate.h).
Result<std::string> writeBundle(const Bundle &bundle, uint64_t maxBytes = kMaxBundleBytes);

/// The bundle in the bytes. Fails with ErrorKind::Refused, located at `fileName`, when they are
/// not a bundle, of another schema, cut short, damaged, or say what no writer would.
Result<Bundle> readBundle(std::string_view bytes, const std::string &fileName);

} // namespace tailor

#endif
