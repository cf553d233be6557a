//===- Backends/GlslProfile.cpp --------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/GlslProfile.h"

#include <algorithm>
#include <array>

namespace tailor {
namespace {

// Where versions of a specification differ, the least of them.
constexpr GlslLimits kDesktop{14,
                              36,
                              8,
                              8,
                              16,
                              48,
                              8,
                              8,
                              8,
                              16384,
                              "OpenGL 4.3 core specification, implementation dependent compute "
                              "shader and aggregate shader limits"};
constexpr GlslLimits kEs{12,
                         36,
                         4,
                         4,
                         16,
                         48,
                         4,
                         4,
                         4,
                         16384,
                         "OpenGL ES 3.1 specification, tables 20.45 to 20.47: implementation "
                         "dependent compute shader and aggregate shader limits"};

constexpr std::array<uint32_t, 4> kDesktopVersions{430, 440, 450, 460};
constexpr std::array<uint32_t, 2> kEsVersions{310, 320};

} // namespace

uint32_t GlslProfile::countLimit(BindingKind kind) const {
  switch (kind) {
  case BindingKind::UniformBuffer:
    return limits.uniformBuffers;
  case BindingKind::StorageBuffer:
    return limits.storageBuffers;
  case BindingKind::Image:
    return limits.images;
  case BindingKind::Texture:
  case BindingKind::Sampler:
    break;
  }
  return limits.textures;
}

uint32_t GlslProfile::bindingLimit(BindingKind kind) const {
  switch (kind) {
  case BindingKind::UniformBuffer:
    return limits.uniformBindings;
  case BindingKind::StorageBuffer:
    return limits.storageBindings;
  case BindingKind::Image:
    return limits.imageUnits;
  case BindingKind::Texture:
  case BindingKind::Sampler:
    break;
  }
  return limits.textureUnits;
}

std::string GlslProfile::versionText() const {
  return std::to_string(version) + (es ? " es" : vulkan ? " vulkan" : "");
}

Failure GlslProfile::cannot(Location where, std::string_view what) const {
  return failure(std::move(where), language + " cannot express " + std::string(what));
}

Result<GlslProfile> glslProfile(const EmitRequest &request, bool es) {
  const EmitOptions &options = request.options;
  GlslProfile profile;
  profile.es = es;
  profile.vulkan = !es && options.vulkanGlsl;
  profile.version = es ? options.esslVersion : options.glslVersion;
  profile.target = es ? "essl" : "glsl";
  profile.language =
      (profile.vulkan ? "Vulkan " : "") + profile.target + " " + std::to_string(profile.version);
  profile.limits = es ? kEs : kDesktop;
  const auto isOneOf = [&](const auto &versions) {
    return std::find(versions.begin(), versions.end(), profile.version) != versions.end();
  };
  if (es ? !isOneOf(kEsVersions) : !isOneOf(kDesktopVersions))
    return failure(Location::inFile(request.fileName),
                   es ? "compute shaders need GLSL ES 310 or 320, not " +
                            std::to_string(profile.version)
                      : "compute shaders need GLSL 430, 440, 450 or 460, not " +
                            std::to_string(profile.version),
                   ErrorKind::Usage);
  return profile;
}

} // namespace tailor
