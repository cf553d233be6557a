//===- Tuning/Reflect.h - What a module wants from its host ---------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The descriptors, push constants and specialization constants of a compute
// module, by SPIRV-Cross; the size, which it reads in one spelling alone, by our
// own reader. Used to write a workload template, and to check that
// a workload gives a kernel everything that it uses before a device is touched.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_REFLECT_H
#define TAILOR_TUNING_REFLECT_H

#include "Support/Dim3.h"
#include "Support/Result.h"
#include "Tuning/Workload.h"
#include "Vulkan/Compare.h"
#include "Vulkan/Resources.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tailor {

/// A numeric member of a block: offsets and sizes in bytes.
struct ReflectedMember {
  std::string name; ///< "light.color" for a nested structure, "weights" for an array
  uint32_t offset = 0;
  vulkan::ElementType type = vulkan::ElementType::U32;
  uint32_t components = 1; ///< of a vector, or all elements of a small array of scalars
  uint32_t bytes = 0;
  bool inArray = false; ///< an array, or a part of one: a workload may give a few of its values
};

/// A descriptor that the kernel uses, as all the variables that look at it want it.
struct ReflectedBinding {
  uint32_t set = 0, binding = 0;
  vulkan::ResourceKind kind = vulkan::ResourceKind::StorageBuffer;
  std::string name;       ///< of the variable, or of its block
  uint32_t arraySize = 1; ///< descriptors; 0 for an unsized array
  bool readOnly = false, writeOnly = false;

  // Buffers.
  uint64_t fixedBytes = 0;                                ///< without the runtime array
  uint32_t runtimeStride = 0;                             ///< 0: no runtime array
  vulkan::ElementType element = vulkan::ElementType::U32; ///< first scalar of the contents
  std::vector<ReflectedMember> members;                   ///< of the fixed part

  // Images.
  std::string format; ///< GLSL layout name; empty: not declared
  vulkan::ImageDim dim = vulkan::ImageDim::D2;
  /// How the kernel takes its texels: Float (which normalized formats give too), Uint or Sint.
  vulkan::ComponentType texel = vulkan::ComponentType::Float;

  std::string str() const; ///< "set 0 binding 2 ('dst')"
};

struct ReflectedSpecConstant {
  uint32_t id = 0;
  std::string name;
  vulkan::ElementType type = vulkan::ElementType::U32;
  bool isBool = false;
  uint64_t defaultBits = 0; ///< zero-extended; of the first constant with this id
  bool differs = false;     ///< another constant with this id has another default
  bool decidesSize = false; ///< the workgroup size is computed from it
};

struct Reflection {
  std::string entryPoint;
  Dim3 localSize;                         ///< under the defaults of the specialization constants
  std::vector<ReflectedBinding> bindings; ///< that the entry point uses, by set and binding, once
  uint32_t pushConstantBytes = 0;
  std::vector<ReflectedMember> pushConstants;
  std::vector<ReflectedSpecConstant> specConstants; ///< by id, each id once
};

/// Fails with Refused, located at `file`, for a module that SPIRV-Cross cannot
/// read or without that entry point, and for one that wants what no workload can
/// give or the runner never enables.
Result<Reflection> reflect(std::span<const uint32_t> words, const std::string &entryPoint,
                           const std::string &file);

/// Reports, at the workload's places, everything in which `size` does not fit
/// the module: a binding that the kernel uses and the workload lacks, another
/// kind, dim or format, a buffer too small, a push constant without value (arrays
/// may be zero), a specialization constant that the module does not have.
void checkWorkload(const ProblemSize &size, const Reflection &reflection,
                   std::string_view kernelName, Diagnostics &diags);

/// A workload file for a kernel: every binding and constant by name with a
/// plausible size, to be edited. Deterministic. It reads back, and fits the
/// kernel. Fails with Refused, located at `file`, for a kernel that writes
/// nothing: it has no output that could be compared.
Result<std::string> workloadTemplate(const Reflection &reflection, std::string_view kernelName,
                                     const std::string &file);

} // namespace tailor

#endif
