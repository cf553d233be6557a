//===- Tuning/WorkloadParts.h - The values inside a workload file ---------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pieces that WorkloadReader.cpp puts together. Each reports what is wrong
// and then returns nothing.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_WORKLOADPARTS_H
#define TAILOR_TUNING_WORKLOADPARTS_H

#include "Support/Json.h"
#include "Tuning/Workload.h"

#include <optional>
#include <string_view>

namespace tailor {

/// "type" and "value" of an object, as bytes in memory order.
struct TypedValue {
  vulkan::ElementType type = vulkan::ElementType::U32;
  uint32_t count = 1; ///< components of a vector
  std::vector<std::byte> data;
};
std::optional<TypedValue> parseTypedValue(JsonObject &object);

/// An array of one to three positive integers; missing ones are 1.
std::optional<Dim3> parseExtents(JsonObject &object, std::string_view name);

/// "compare": "exact", { "ulp": N } or { "absolute": A, "relative": R }.
std::optional<vulkan::CompareRule> parseCompare(JsonObject &object);

/// One entry of "bindings". `rule` is the comparison where it gives none.
std::optional<WorkloadBinding> parseBinding(JsonObject &object, const vulkan::CompareRule &rule);

} // namespace tailor

#endif
