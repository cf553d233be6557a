//===- Backends/GlslProfile.h - A version of GLSL or GLSL ES --------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What tells the texts that SPIRV-Cross's GLSL writer makes apart: OpenGL's
// GLSL, GLSL ES, and GLSL for Vulkan. OpenGL and ES guarantee little of each
// kind of resource, and number them in few places; a text that needs more than
// what is guaranteed would be rejected by some implementation.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BACKENDS_GLSLPROFILE_H
#define TAILOR_BACKENDS_GLSLPROFILE_H

#include "Backends/Backend.h"
#include "Backends/CrossSupport.h"

#include <optional>
#include <string>
#include <string_view>

namespace tailor {

/// What every implementation offers to one compute shader: counts of resources (the elements of an
/// array count each), and the numbers that `binding` may take (0 up to the figure, exclusive).
struct GlslLimits {
  uint32_t uniformBuffers, uniformBindings; ///< MAX_COMPUTE_UNIFORM_BLOCKS, _BUFFER_BINDINGS
  uint32_t storageBuffers, storageBindings; ///< MAX_COMPUTE_SHADER_STORAGE_BLOCKS, _BINDINGS
  uint32_t textures, textureUnits;          ///< MAX_COMPUTE_TEXTURE_IMAGE_UNITS, MAX_COMBINED_...
  uint32_t images, imageUnits;              ///< MAX_COMPUTE_IMAGE_UNIFORMS, MAX_IMAGE_UNITS
  uint32_t outputs;           ///< MAX_COMBINED_SHADER_OUTPUT_RESOURCES: images and storage buffers
  uint32_t uniformBlockBytes; ///< MAX_UNIFORM_BLOCK_SIZE
  std::string_view source;
};

struct GlslProfile {
  std::string target;   ///< glsl, essl
  std::string language; ///< for messages: `glsl 450`, `essl 310`, `Vulkan glsl 450`
  uint32_t version = 450;
  bool es = false, vulkan = false;
  GlslLimits limits{}; ///< nothing for Vulkan, whose devices have limits of their own

  bool isOpenGl() const { return !vulkan; }
  /// Of a kind: how many there may be, and below what their numbers stay.
  uint32_t countLimit(BindingKind kind) const;
  uint32_t bindingLimit(BindingKind kind) const;
  /// `450`, `310 es`, `450 vulkan`.
  std::string versionText() const;
  /// `<language> cannot express <what>`, located.
  Failure cannot(Location where, std::string_view what) const;
};

/// The profile that the options ask for. ErrorKind::Usage for a version that there is not.
Result<GlslProfile> glslProfile(const EmitRequest &request, bool es);

} // namespace tailor

#endif
