//===- Tuning/SubgroupSizes.h - Variants with a required subgroup size ----===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a device has subgroups of several sizes, a pipeline may ask for one of
// them, and the same module runs otherwise. That is no new variant, but it is
// one more thing to try. It is offered only for modules which have no way to
// notice: see usesSubgroups().
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_SUBGROUPSIZES_H
#define TAILOR_TUNING_SUBGROUPSIZES_H

#include "Bundle/Manifest.h"
#include "Vulkan/Device.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tailor {

/// A variant, to be tried with a required subgroup size besides the driver's choice.
struct SubgroupChoice {
  size_t variant = 0; ///< index into KernelInfo::variants
  uint32_t size = 0;
  friend bool operator==(const SubgroupChoice &, const SubgroupChoice &) = default;
};

/// The required subgroup sizes to try: each power of two between the device's smallest and largest,
/// where it has several and lets compute pipelines ask. A workgroup must not have more subgroups
/// than the device allows, and, but for the smallest size, half a subgroup of invocations must not
/// stay empty. None for modules that use subgroups, or that cannot be read. By variant, then size.
/// `evenIfOne`: also where the device has one size only; for tests.
std::vector<SubgroupChoice> subgroupChoices(const Bundle &bundle, const KernelInfo &kernel,
                                            const vulkan::DeviceInfo &device,
                                            bool evenIfOne = false);

/// Whether what a module does may hang off the size of subgroups: a capability, an instruction, an
/// input or a scope of subgroups, derivatives, a clock, or something that is not understood.
bool usesSubgroups(std::span<const uint32_t> words);

} // namespace tailor

#endif
