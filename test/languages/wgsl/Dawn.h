//===- languages/wgsl/Dawn.h - WGSL run by Dawn under node -----------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_LANGUAGES_WGSL_DAWN_H
#define TAILOR_LANGUAGES_WGSL_DAWN_H

#include "../LanguageCases.h"

#include <string>
#include <vector>

namespace tailor::languages {

/// The two ways to a software device: SwiftShader through Vulkan; llvmpipe through OpenGL ES, which
/// is WebGPU's compatibility mode.
enum class DawnBackend : uint8_t { Vulkan, OpenGles };
std::string_view nameOf(DawnBackend backend); ///< "dawn-vulkan", "dawn-opengles"

/// What is not on this machine: node, the npm package, the device. Empty where all is.
std::string missingForDawn(DawnBackend backend);

/// A text with what it is bound to. `outputs`: indices into `resources`, in the order wanted back.
struct DawnJob {
  std::string text;
  LanguageInterface interface;
  std::vector<vulkan::ResourceDesc> resources;
  std::vector<size_t> outputs;
  std::vector<std::byte> pushConstants;
  Dim3 groups;
};
DawnJob jobOf(const LanguageCase &made);

struct DawnOutcome {
  std::string error; ///< empty: it ran
  std::string device;
  std::vector<std::vector<std::byte>> outputs;
};

/// Runs the jobs in one process, or, where a job ends it, in as many as it takes: that job's
/// outcome says so, and the others run. Fails where the jobs cannot be handed over.
Result<std::vector<DawnOutcome>> runInDawn(const std::vector<DawnJob> &jobs, DawnBackend backend);

} // namespace tailor::languages

#endif
