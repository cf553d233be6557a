//===- Tuning/Picture.h - Pictures in and out -----------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The binary Netpbm formats, which every picture tool converts from and to:
// PGM (P5), PPM (P6) and PAM (P7) are read, PPM is written.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_PICTURE_H
#define TAILOR_TUNING_PICTURE_H

#include "Support/Result.h"
#include "Vulkan/Resources.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tailor {

struct Picture {
  uint32_t width = 0, height = 0;
  uint32_t channels = 0;         ///< 1 grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha
  uint32_t maxValue = 255;       ///< what stands for 1.0, at most 65535
  std::vector<uint16_t> samples; ///< rows from the top, pixel by pixel
};

/// Reads the bytes of a P5, P6 or P7 file. `file` names them in messages.
Result<Picture> parsePicture(std::string_view bytes, const std::string &file);

/// The picture as texels of a format: values over maxValue for normalized and
/// float formats, the samples themselves for integer ones. A missing alpha is
/// 1; a grey picture gives its grey to red, green and blue; a format with fewer
/// components takes the first. Fails for packed formats.
Result<std::vector<std::byte>> texelsOf(const Picture &picture, const vulkan::ImageFormat &format,
                                        const Location &where);

/// Texels of a 2D image as a P6 file: the first three components (a single one
/// as grey), clamped to [0, 1]. nullopt for formats other than the 8-bit
/// normalized and the float ones.
std::optional<std::string> ppmOf(const vulkan::ImageFormat &format, uint32_t width, uint32_t height,
                                 const std::vector<std::byte> &texels);

} // namespace tailor

#endif
