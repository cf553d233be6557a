//===- languages/hlsl/RegisterBinding.h - Registers back to bindings -------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A text's registers become a kernel's bindings again, by what the interface of the
// text says and by nothing else: an interface that is wrong leaves a resource
// without its contents.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_LANGUAGES_HLSL_REGISTERBINDING_H
#define TAILOR_LANGUAGES_HLSL_REGISTERBINDING_H

#include "LanguageCases.h"

#include "IR/Module.h"

namespace tailor::languages {

enum class RegisterSource {
  Glslang, ///< registers are bindings, spaces are sets
  Vkd3d,   ///< registers are names; t buffers are texel buffers
};

struct BoundModule {
  std::vector<uint32_t> words;
  vulkan::KernelInstance instance; ///< the problem's, with what arrives in constant buffers
};

/// The module that a consumer made of the text, with the bindings of the kernel. Fails for a
/// variable whose register the interface does not name.
Result<BoundModule> bindRegisters(Module module, RegisterSource source, const LanguageCase &made);

/// Runs the module on the reference device; the outputs in the order of the problem's.
Result<std::vector<std::vector<std::byte>>> runBound(const BoundModule &bound,
                                                     const LanguageCase &made);

} // namespace tailor::languages

#endif
