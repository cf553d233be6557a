//===- languages/gl/GlImages.h - Textures with contents -------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_LANGUAGES_GL_GLIMAGES_H
#define TAILOR_LANGUAGES_GL_GLIMAGES_H

#include "EglContext.h"

#include "Vulkan/Resources.h"

#include <cstddef>
#include <span>
#include <vector>

namespace tailor::languages {

/// A texture of one level, which its owner deletes.
struct GlTexture {
  GLuint name = 0;
  GLenum target = 0;         ///< GL_TEXTURE_2D, ...
  GLenum internalFormat = 0; ///< GL_RGBA8, ...
  bool isLayered = false;    ///< more than one layer, as an image unit binds it
};

/// Fails for formats and dimensions that no kernel of the suite has, so that a new one is noticed.
Result<GlTexture> makeTexture(const GlFunctions &gl, const vulkan::ResourceDesc &desc,
                              std::span<const std::byte> contents);
/// The texels row by row, packed.
Result<std::vector<std::byte>> readTexture(const GlFunctions &gl, const GlTexture &texture,
                                           const vulkan::ResourceDesc &desc);
/// Names a sampler object as the description asks.
Result<GLuint> makeSampler(const GlFunctions &gl, const vulkan::SamplerDesc &desc);

} // namespace tailor::languages

#endif
