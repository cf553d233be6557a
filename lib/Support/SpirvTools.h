//===- Support/SpirvTools.h - Validation and target environments ----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The thin part of SPIRV-Tools that every layer needs: which environment a
// module belongs to, and whether it is valid there. Everything here may be
// called from several threads at once.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_SUPPORT_SPIRVTOOLS_H
#define TAILOR_SUPPORT_SPIRVTOOLS_H

#include "Support/Result.h"

#include "spirv-tools/libspirv.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tailor {

inline constexpr uint32_t kSpirvMagic = 0x07230203;
inline constexpr uint32_t kSpirvMagicSwapped = 0x03022307;
inline constexpr uint32_t kSpirvHeaderWords = 5;

/// `vulkan1.0` to `vulkan1.3`, `vulkan1.1spv1.4` and SPIRV-Tools' other names
/// (`spv1.5`, ...); nothing when SPIRV-Tools does not know the name.
std::optional<spv_target_env> parseTargetEnv(std::string_view name);

/// The Vulkan environment that first took modules of this header's version:
/// 1.0 Vulkan 1.0, up to 1.3 Vulkan 1.1, 1.4 Vulkan 1.1 with SPIR-V 1.4,
/// 1.5 Vulkan 1.2, 1.6 and later Vulkan 1.3. Reads headers of either byte
/// order. Words without a SPIR-V header count as 1.0.
spv_target_env targetEnvOf(std::span<const uint32_t> words);

/// Where an OpSource names a language that SPIRV-Tools cannot parse (newer than
/// C++ for OpenCL: Slang, ...), the index of that operand word. `words` are in
/// the machine's byte order.
std::optional<size_t> unknownSourceLanguageWord(std::span<const uint32_t> words);

/// Validates a module as Vulkan would take it with scalar block layout and
/// LocalSizeId enabled. `targetEnv` empty: targetEnvOf(words). A failure is
/// ErrorKind::Refused, located at the word of the instruction that is wrong,
/// with the instruction's text in a note. An unknown source language is no
/// reason to refuse. An unknown `targetEnv` is ErrorKind::Usage.
Status validateSpirv(std::span<const uint32_t> words, const std::string &fileName,
                     std::string_view targetEnv = {});

} // namespace tailor

#endif
