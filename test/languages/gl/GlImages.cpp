//===- languages/gl/GlImages.cpp -------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GlImages.h"

#include <cstring>

namespace tailor::languages {
namespace {

using vulkan::ImageDim;

/// No text gets so many: OpenGL ES guarantees 16 to a kernel and 48 units.
constexpr GLenum kSpareUnit = 47;

/// How texels of a format come in, and how a framebuffer gives them out: ES lets every framebuffer
/// be read as four components of one type alone.
struct TexelFormat {
  std::string_view name;
  GLenum internalFormat, format, type;
  GLenum readFormat, readType;
  uint32_t components, componentBytes;
};
constexpr TexelFormat kFormats[] = {
    {"rgba8", GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, GL_RGBA, GL_UNSIGNED_BYTE, 4, 1},
    {"rgba32f", GL_RGBA32F, GL_RGBA, GL_FLOAT, GL_RGBA, GL_FLOAT, 4, 4},
    {"rg32f", GL_RG32F, GL_RG, GL_FLOAT, GL_RGBA, GL_FLOAT, 2, 4},
    {"r32f", GL_R32F, GL_RED, GL_FLOAT, GL_RGBA, GL_FLOAT, 1, 4},
    {"r32ui", GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, GL_RGBA_INTEGER, GL_UNSIGNED_INT, 1, 4},
    {"r32i", GL_R32I, GL_RED_INTEGER, GL_INT, GL_RGBA_INTEGER, GL_INT, 1, 4},
};

const TexelFormat *findFormat(std::string_view name) {
  for (const TexelFormat &format : kFormats)
    if (format.name == name)
      return &format;
  return nullptr;
}

GLenum targetOf(ImageDim dim) {
  switch (dim) {
  case ImageDim::D2:
    return GL_TEXTURE_2D;
  case ImageDim::D3:
    return GL_TEXTURE_3D;
  case ImageDim::D2Array:
    return GL_TEXTURE_2D_ARRAY;
  case ImageDim::D1:
  case ImageDim::D1Array:
  case ImageDim::Cube:
    break;
  }
  return 0;
}

Failure unknown(const vulkan::ResourceDesc &desc) {
  return failure({}, desc.str() + ": the test has no " + std::string(nameOf(desc.dim)) +
                         " textures of the format " + desc.format);
}

GLsizei sizeOf(uint32_t extent) { return static_cast<GLsizei>(extent); }

} // namespace

Result<GlTexture> makeTexture(const GlFunctions &gl, const vulkan::ResourceDesc &desc,
                              std::span<const std::byte> contents) {
  const TexelFormat *format = findFormat(desc.format);
  GlTexture made;
  made.target = targetOf(desc.dim);
  if (!format || made.target == 0)
    return unknown(desc);
  made.internalFormat = format->internalFormat;
  made.isLayered = desc.dim != ImageDim::D2;
  const GLsizei x = sizeOf(desc.extent.x), y = sizeOf(desc.extent.y), z = sizeOf(desc.extent.z);
  gl.GenTextures(1, &made.name);
  gl.ActiveTexture(GL_TEXTURE0 + kSpareUnit); // the other units keep what is bound there
  gl.BindTexture(made.target, made.name);
  gl.PixelStorei(GL_UNPACK_ALIGNMENT, 1);
  if (made.isLayered) {
    gl.TexStorage3D(made.target, 1, made.internalFormat, x, y, z);
    gl.TexSubImage3D(made.target, 0, 0, 0, 0, x, y, z, format->format, format->type,
                     contents.data());
  } else {
    gl.TexStorage2D(made.target, 1, made.internalFormat, x, y);
    gl.TexSubImage2D(made.target, 0, 0, 0, x, y, format->format, format->type, contents.data());
  }
  gl.TexParameteri(made.target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  gl.TexParameteri(made.target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  gl.BindTexture(made.target, 0);
  return made;
}

Result<std::vector<std::byte>> readTexture(const GlFunctions &gl, const GlTexture &texture,
                                           const vulkan::ResourceDesc &desc) {
  const TexelFormat *format = findFormat(desc.format);
  if (!format)
    return unknown(desc);
  const size_t texels = size_t{desc.extent.x} * desc.extent.y;
  const size_t texelBytes = size_t{format->components} * format->componentBytes;
  std::vector<std::byte> wide(texels * 4 * format->componentBytes), packed;
  GLuint framebuffer = 0;
  gl.GenFramebuffers(1, &framebuffer);
  gl.BindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
  gl.PixelStorei(GL_PACK_ALIGNMENT, 1);
  for (uint32_t layer = 0; layer < (texture.isLayered ? desc.extent.z : 1); ++layer) {
    if (texture.isLayered)
      gl.FramebufferTextureLayer(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture.name, 0,
                                 static_cast<GLint>(layer));
    else
      gl.FramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture.target,
                              texture.name, 0);
    if (gl.CheckFramebufferStatus(GL_READ_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
      return unknown(desc);
    gl.ReadPixels(0, 0, sizeOf(desc.extent.x), sizeOf(desc.extent.y), format->readFormat,
                  format->readType, wide.data());
    for (size_t texel = 0; texel < texels; ++texel) {
      const std::byte *from = wide.data() + texel * 4 * format->componentBytes;
      packed.insert(packed.end(), from, from + texelBytes);
    }
  }
  gl.DeleteFramebuffers(1, &framebuffer);
  return packed;
}

Result<GLuint> makeSampler(const GlFunctions &gl, const vulkan::SamplerDesc &desc) {
  if (desc.unnormalized)
    return failure({}, "OpenGL has no samplers of texel coordinates");
  const GLint filter = desc.filter == vulkan::Filter::Linear ? GL_LINEAR : GL_NEAREST;
  GLint wrap = GL_CLAMP_TO_EDGE;
  switch (desc.address) {
  case vulkan::AddressMode::ClampToEdge:
    break;
  case vulkan::AddressMode::Repeat:
    wrap = GL_REPEAT;
    break;
  case vulkan::AddressMode::MirroredRepeat:
    wrap = GL_MIRRORED_REPEAT;
    break;
  case vulkan::AddressMode::ClampToBorder:
    wrap = GL_CLAMP_TO_BORDER;
    break;
  }
  GLuint sampler = 0;
  gl.GenSamplers(1, &sampler);
  gl.SamplerParameteri(sampler, GL_TEXTURE_MIN_FILTER, filter);
  gl.SamplerParameteri(sampler, GL_TEXTURE_MAG_FILTER, filter);
  for (GLenum axis : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_WRAP_R})
    gl.SamplerParameteri(sampler, axis, wrap);
  return sampler;
}

} // namespace tailor::languages
