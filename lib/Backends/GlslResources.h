//===- Backends/GlslResources.h - Where GLSL's resources are bound --------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// OpenGL has no sets, no samplers of their own and few binding points, each
// kind of resource with numbers of its own, and an array takes one number an
// element. Per kind: where every resource can keep the binding that it has in
// the module, all do; otherwise all of the kind are numbered from 0 in the
// order of (set, binding). Two views of one buffer share a number, since a
// buffer is bound to a point and not to a block.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BACKENDS_GLSLRESOURCES_H
#define TAILOR_BACKENDS_GLSLRESOURCES_H

#include "Backends/GlslProfile.h"
#include "Backends/TextNames.h"

#include "spirv_cross/spirv_glsl.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tailor {

/// A resource of the text.
struct GlslResource {
  BindingKind kind;
  uint32_t id; ///< of the variable that is declared
  uint32_t set, binding;
  uint32_t count; ///< elements of an array; 0: no literal
  /// An image joined with a sampler: the sampler's (set, binding).
  std::optional<std::pair<uint32_t, uint32_t>> sampler{};
  bool isPushConstants = false;
  uint32_t place = 0; ///< the binding in the text
};

class GlslResources {
public:
  GlslResources(spirv_cross::CompilerGLSL &compiler, const GlslProfile &profile,
                const ModuleFacts &facts, uint32_t pushConstants, const TextNames &names)
      : compiler(compiler), profile(profile), facts(facts), pushConstants(pushConstants),
        names(names) {}

  /// Before the text is made: joins images with samplers, places everything and refuses what is
  /// over the guaranteed limits. For Vulkan GLSL everything stays.
  Status place();
  /// The images joined with samplers, which have names of ours.
  std::vector<uint32_t> joined() const;
  /// When the text is there: what its host must know.
  LanguageInterface interface(const std::string &text) const;

  /// How the text would spell the types of the blocks, if it had them: by the names that they are
  /// declared with, and by the ids of structures without a name.
  std::vector<std::string> blockNames() const;

private:
  void gather();
  void joinSamplers();
  uint32_t countOf(uint32_t id) const;
  Status checkCounts() const;
  Status checkBlockSizes() const;
  void placeKind(BindingKind kind);
  bool keepsBindings(const std::vector<GlslResource *> &of, uint32_t limit) const;
  PlacedResource describe(const GlslResource &resource) const;
  PlacedValues describePushConstants(const GlslResource &resource) const;
  std::string nameOf(const GlslResource &resource) const;
  std::string kindOf(const GlslResource &resource) const;

  spirv_cross::CompilerGLSL &compiler;
  const GlslProfile &profile;
  const ModuleFacts &facts;
  uint32_t pushConstants; ///< id of the variable, whatever its storage class is by now; 0: none
  const TextNames &names;
  std::vector<GlslResource> list; ///< in the order of (set, binding), push constants last
};

/// The extensions that a text cannot do without: `#extension NAME : require` outside any condition,
/// or in a condition that ends in an error where none of its extensions is there (of those the
/// first). Sorted.
std::vector<std::string> requiredExtensions(const std::string &text);

} // namespace tailor

#endif
