//===- languages/msl/MslImages.h - Images of the host for the shim --------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_LANGUAGES_MSL_MSLIMAGES_H
#define TAILOR_LANGUAGES_MSL_MSLIMAGES_H

#include "Vulkan/Resources.h"
#include "msl/ShimRuntime.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace tailor::languages {

/// An image with its texels packed in its format, row by row.
class HostImage {
public:
  /// Fails for a format whose components are packed.
  static Result<std::unique_ptr<HostImage>> create(const vulkan::ResourceDesc &desc,
                                                   std::vector<std::byte> contents);
  const MslImage *view() const { return &image; }
  const std::vector<std::byte> &bytes() const { return texels; }

private:
  static void load(const MslImage *image, unsigned x, unsigned y, unsigned z, unsigned *bits);
  static void store(const MslImage *image, unsigned x, unsigned y, unsigned z,
                    const unsigned *bits);
  std::byte *at(unsigned x, unsigned y, unsigned z);

  const vulkan::ImageFormat *format = nullptr;
  std::vector<std::byte> texels;
  MslImage image{};
};

/// What a resource holds before a dispatch (ResourceDesc::fill).
std::vector<std::byte> contentsOf(const vulkan::ResourceDesc &desc);

} // namespace tailor::languages

#endif
