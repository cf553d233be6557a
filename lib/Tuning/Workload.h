//===- Tuning/Workload.h - With what a kernel is run ----------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The workload file (JSON, schema 1, docs/formats.md): the resources, values
// and group counts with which a kernel is run and measured, at one or several
// named problem sizes. Everything wrong with a file is reported at its line and
// column.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_WORKLOAD_H
#define TAILOR_TUNING_WORKLOAD_H

#include "Support/Dim3.h"
#include "Support/Result.h"
#include "Tuning/Fill.h"
#include "Vulkan/Compare.h"
#include "Vulkan/Resources.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tailor {

inline constexpr unsigned kWorkloadSchema = 1;

/// A descriptor with its contents and how its output is compared.
struct WorkloadBinding {
  /// All but fill and initial contents, which `fill` makes.
  vulkan::ResourceDesc desc;
  Fill fill;
  /// Of a buffer's contents; an image's components follow from its format.
  vulkan::ElementType element = vulkan::ElementType::U32;
  vulkan::CompareRule compare; ///< outputs: the rule with this binding's element type
  Location location;
};

struct SpecConstantValue {
  uint64_t bits = 0;  ///< zero-extended
  uint32_t bytes = 4; ///< of the constant's type; a boolean has 4
  Location location;
};

struct PushConstantValue {
  uint32_t offset = 0; ///< bytes
  std::vector<std::byte> data;
  Location location;
};

/// A workload with one problem size filled in.
struct ProblemSize {
  std::string name;           ///< "default" when the file names none
  std::optional<Dim3> groups; ///< authored group counts
  std::optional<Dim3> grid;   ///< logical grid in invocations; exactly one of the two is set
  std::vector<WorkloadBinding> bindings;        ///< sorted by set, binding, element
  std::vector<PushConstantValue> pushConstants; ///< sorted by offset, without overlap
  std::map<uint32_t, SpecConstantValue> specConstants;
  Location location;

  /// Authored group counts: `groups`, or the grid over the authored size, rounded up.
  Dim3 groupsFor(const Dim3 &authoredSize) const;
  /// The push constants as one block from offset 0; bytes that no value covers are zero.
  std::vector<std::byte> pushConstantBlock() const;
  /// A hash over everything above except names and places: equal sizes have equal hashes.
  std::string hash() const;
  const WorkloadBinding *find(uint32_t set, uint32_t binding) const;
};

struct Workload {
  std::string file;
  std::optional<std::string> kernel; ///< name in the bundle; none: every kernel of that entry point
  std::optional<std::string> entry;  ///< entry point; none: every entry point
  std::vector<ProblemSize> sizes;    ///< in the order of the file, at least one

  bool appliesTo(std::string_view kernelName, std::string_view entryPoint) const {
    return (!kernel || *kernel == kernelName) && (!entry || *entry == entryPoint);
  }
};

/// Reads a workload from text; `file` names it in messages and is what file
/// fills are relative to. Every fault is reported; nullopt when there is one.
std::optional<Workload> parseWorkload(std::string_view text, const std::string &file,
                                      Diagnostics &diags);
/// The same from a file.
std::optional<Workload> readWorkload(const std::string &path, Diagnostics &diags);

/// Where the file of a Fill::Kind::File is: a relative path starts at the workload's own folder.
std::string fillPath(const Workload &workload, const Fill &fill);

/// The resources with their contents, ready to run. Reads the files of file
/// fills. Checked with vulkan::checkInstance.
Result<vulkan::KernelInstance> instantiate(const Workload &workload, const ProblemSize &size);

} // namespace tailor

#endif
