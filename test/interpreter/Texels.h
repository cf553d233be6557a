//===- interpreter/Texels.h - Texels as bytes and as numbers ----------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_INTERPRETER_TEXELS_H
#define TAILOR_INTERPRETER_TEXELS_H

#include "interpreter/Scalars.h"

#include "Vulkan/Resources.h"

#include <array>
#include <cstddef>

namespace tailor::interp {

/// Four words of scalars of shape `scalar` (its kind and width); absent components are 0, 0, 0, 1.
/// Conversions: Vulkan 1.3, "Numeric Representation and Computation" and "Texel Input Operations".
std::array<uint64_t, 4> decodeTexel(const vulkan::ImageFormat &format, const std::byte *bytes,
                                    const Shape &scalar);
/// The reverse; a format takes the components that it has.
void encodeTexel(const vulkan::ImageFormat &format, std::byte *bytes,
                 const std::array<uint64_t, 4> &words, const Shape &scalar);

} // namespace tailor::interp

#endif
