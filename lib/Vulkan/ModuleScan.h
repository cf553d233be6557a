//===- Vulkan/ModuleScan.h - What a module asks of the runner (internal) ===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to lib/Vulkan: one walk over a module's words, for the checks that
// must come before the driver sees it. (The project's IR stands in a layer that
// this library does not use: the runner takes words and needs no more.)
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_VULKAN_MODULESCAN_H
#define TAILOR_VULKAN_MODULESCAN_H

#include "Support/Result.h"
#include "Vulkan/Resources.h"

#include <optional>
#include <span>

namespace tailor::vulkan {

/// One descriptor binding that some function of the module accesses.
struct ScannedBinding {
  uint32_t set = 0, binding = 0;
  std::optional<ResourceKind> kind; ///< none: no kind that this runner binds
  std::optional<uint32_t> count;    ///< array elements; none: unknown or unsized
  // Images:
  uint32_t dim = 0; ///< spv::Dim
  bool arrayed = false, multisampled = false;
  uint32_t format = 0; ///< spv::ImageFormat; 0: unknown
  bool integerTexel = false, signedTexel = false;
};

struct ModuleScan {
  uint32_t version = 0; ///< 0x00010300 for 1.3
  std::vector<uint32_t> capabilities;
  std::vector<std::string> computeEntryPoints;
  std::vector<ScannedBinding> bindings;
  bool asksForLength = false; ///< OpArrayLength: the bound range shows in the result
  bool localSizeId = false;
};

Result<ModuleScan> scanModule(std::span<const uint32_t> words);

} // namespace tailor::vulkan

#endif
