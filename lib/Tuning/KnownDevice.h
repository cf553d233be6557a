//===- Tuning/KnownDevice.h - What is known of a device at hand -----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_KNOWNDEVICE_H
#define TAILOR_TUNING_KNOWNDEVICE_H

#include "Devices/Quirks.h"
#include "Devices/Recognize.h"
#include "Vulkan/Device.h"

namespace tailor {

/// Who it is, by what its driver says. The texts of the result are those of lib/Devices.
Recognition recognize(const vulkan::DeviceInfo &device);
/// Faults of its driver, as far as lib/Devices has them.
std::vector<const Quirk *> quirksOf(const vulkan::DeviceInfo &device);
/// The limits that its driver reports, and what lib/Devices knows besides.
DeviceProfile profileOf(const vulkan::DeviceInfo &device);

} // namespace tailor

#endif
