//===- Backends/Backend.h - A SPIR-V variant in another language ----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes one variant in one language. What the host that binds the text must
// know, language by language:
//
//   spirv  The words as they are, in little-endian byte order.
//   glsl   OpenGL core. Resources of a kind keep their bindings where all can;
//          else all of the kind are numbered anew. Separate images and samplers
//          are joined, each pair a unit. Push constants become the uniform block
//          PushConstants, or a storage block where std140 cannot hold them. With
//          EmitOptions::vulkanGlsl everything stays as in Vulkan.
//   essl   The same for OpenGL ES.
//   hlsl   The lowest shader model that the kernel's features allow, from 5.0 on.
//          Registers have the number of the binding, and from 5.1 on the space of
//          the set. Push constants are a constant buffer at register(b0, space30),
//          the workgroup counts, where the kernel reads them, at register(b0,
//          space31) as a uint3. Shader model 5.0 has no spaces: there both follow
//          the kernel's own constant buffers, and sets that share a register ask
//          for 5.1. What the kernel only reads, buffer or image, is a t register,
//          what it writes a u register; a combined sampler is split into t and s of
//          one number. The function is main.
//   msl    Metal 2.1. Buffers, textures and samplers are numbered from 0, each on
//          their own, in the order of (set, binding); push constants take the
//          buffer index after the last buffer; where the kernel asks for the
//          length of a buffer, the lengths come in at [[buffer(30)]]. A text has
//          no workgroup size: the host passes it at dispatch. The text carries
//          [[max_total_threads_per_threadgroup(N)]], so that Metal compiles for
//          it, or fails. The function has the name of the entry point, main0
//          for main.
//   wgsl   Groups and bindings are sets and bindings. Push constants are a buffer,
//          and the samplers of combined ones have places, behind the kernel's own
//          bindings.
//
// May be called from several threads at once.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BACKENDS_BACKEND_H
#define TAILOR_BACKENDS_BACKEND_H

#include "Backends/LanguageInterface.h"
#include "Support/Dim3.h"
#include "Support/Result.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tailor {

/// What a language's limits mean (Backends.def). Given: the user says that the devices take it.
enum class LimitStrength : uint8_t { None, Hard, Guaranteed, Given };

struct LanguageLimits {
  LimitStrength strength = LimitStrength::None;
  uint32_t maxInvocations = UINT32_MAX; ///< per workgroup
  Dim3 maxSize{UINT32_MAX, UINT32_MAX, UINT32_MAX};
  uint64_t maxSharedBytes = UINT64_MAX; ///< per entry point
  std::string_view source;              ///< the specification that the figures are from
};

/// Metal differs by platform in what it offers to one version.
enum class MslPlatform : uint8_t { MacOs, Ios };

struct EmitOptions {
  uint32_t glslVersion = 450; ///< `#version`: 430, 440, 450 or 460
  bool vulkanGlsl = false;    ///< GLSL for Vulkan (sets, push constants) in place of OpenGL
  uint32_t esslVersion = 310; ///< `#version`: 310 or 320
  /// 50 (Direct3D 11), 51, 60 to 66; 0: the lowest that the kernel's features allow
  uint32_t hlslShaderModel = 0;
  uint32_t mslVersion = 20100; ///< major * 10000 + minor * 100; 2.0 to 3.1
  MslPlatform mslPlatform = MslPlatform::MacOs;
  /// By language: what its devices take, in place of what it promises (raiseLimit).
  std::map<std::string, LanguageLimits, std::less<>> limits{};
};

struct EmitRequest {
  /// A module that is valid in its environment, in the machine's byte order,
  /// whose entry point has its size as one literal LocalSize and nothing else
  /// (the pass canonicalize-workgroup-size leaves it so).
  std::span<const uint32_t> spirv;
  std::string entryPoint;
  Dim3 localSize;       ///< the size that the text must come out with
  std::string fileName; ///< for the locations of messages; may be empty
  EmitOptions options;
};

struct Backend {
  std::string_view name;   ///< as in --targets
  std::string_view suffix; ///< of its files, without the leading dot
  LanguageLimits limits;
};

/// Every language, in the order of Backends.def.
std::span<const Backend> backends();
/// Nothing when there is no such language.
const Backend *findBackend(std::string_view name);

/// The limits of a language under these options.
const LanguageLimits &limitsOf(const Backend &backend, const EmitOptions &options);

/// Takes `essl.invocations=1024`, `wgsl.size=1024x1024x64` or `wgsl.shared-bytes=32768`: devices
/// take more (or less) than the language promises. ErrorKind::Usage for anything else, and for a
/// language whose limits no device exceeds.
Status raiseLimit(EmitOptions &options, const std::string &text);

/// Whether a workgroup fits into a language: a size or an amount of workgroup
/// memory over its limits is ErrorKind::Refused, with both figures.
Status checkLimits(const Backend &backend, const Dim3 &localSize, uint64_t sharedBytes,
                   Location where = {}, const EmitOptions &options = {});

/// A size as texts of a language state it, between what does not depend on it: `8, 4, 1`; for msl
/// the count of invocations. Empty for `spirv`, whose size is not text, and for unknown languages.
std::string statementOf(std::string_view target, const Dim3 &size);

/// Bytes of a text.
struct TextRange {
  size_t at = 0, count = 0;
  friend bool operator==(const TextRange &, const TextRange &) = default;
};

/// Two modules that differ in their LocalSize literals alone gave these texts: the bytes of `a` in
/// which its size stands, so that any other size put there gives that size's text. Nothing where
/// the texts differ in anything else, or in nothing: where the size stands is found by what
/// changes with it, and not by how it looks.
std::optional<TextRange> findSize(std::string_view target, std::string_view a, const Dim3 &sizeOfA,
                                  std::string_view b, const Dim3 &sizeOfB);

/// A variant in a language.
struct Emitted {
  std::string code; ///< the bytes of its file
  LanguageInterface interface;
};

/// Writes the variant. Failures: ErrorKind::Usage for an
/// unknown target, an entry point that is not there, or options out of range;
/// Refused for a size over the language's limits and for what the language, or
/// the cross-compiler, cannot express; Internal when the size read back from
/// the text is not `localSize`.
Result<Emitted> emit(std::string_view target, const EmitRequest &request);

} // namespace tailor

#endif
