//===- Analysis/SharedMemory.h - Workgroup memory as a function of the size ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_SHAREDMEMORY_H
#define TAILOR_ANALYSIS_SHAREDMEMORY_H

#include "Analysis/KernelAnalysis.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tailor {

/// A Workgroup variable that the kernel uses.
struct SharedVariable {
  const Instruction *variable = nullptr;
  std::string name;
  std::optional<uint64_t> bytes; ///< at the authored size; nullopt: a length is not known
  std::string type;              ///< `f32[16][17]`, `vec4<f32>`, the name of a structure
  std::string elementType;       ///< `f32`: without the lengths
  std::set<uint32_t> specIds;    ///< that its lengths hang off
  bool dependsOnSize = false;    ///< one of them is a SpecId of the workgroup size
  /// The bytes for people: `1088`, `4*size.x*size.y`, `16*spec(3)`; `size.x` where a length is the
  /// constant that the size's x is.
  std::string expression;
  /// A block with an explicit layout: all of these share the same bytes
  /// (SPV_KHR_workgroup_memory_explicit_layout).
  bool aliased = false;
  /// No invocation of a workgroup touches a byte that another one touches, at any time, and no
  /// control barrier is in the kernel: a stack or scratch space of the invocation's own. Proven, or
  /// false. It holds for an *authored* workgroup: two authored workgroups that a variant runs in
  /// one would meet at the same addresses.
  bool usedAsPrivate = false;
};

struct SharedMemory {
  std::vector<SharedVariable> variables; ///< in the order of the module
  /// In declaration order, each at its alignment by the rules of std430 with booleans as 4 bytes;
  /// aliased blocks start at 0. nullopt: a variable's bytes are not known.
  std::optional<uint64_t> totalBytes;
  bool dependsOnSize = false;
};

SharedMemory analyzeSharedMemory(const KernelAnalysis &analysis);

/// The total at the authored size without the variables whose bytes are not known.
uint64_t knownSharedBytes(const KernelAnalysis &analysis);

/// The total of a module whose size's SpecIds take the values of `size`; an axis that is a literal
/// changes no length. nullopt where a length is not known, or where lengths hang off the size and
/// its SpecIds cannot take these values (one SpecId for two axes, an axis computed from others).
std::optional<uint64_t> sharedBytesAt(const KernelAnalysis &analysis, const Dim3 &size);

/// SharedVariable::usedAsPrivate, for one Workgroup variable.
bool isUsedAsPrivate(const KernelAnalysis &analysis, const Instruction &variable);

} // namespace tailor

#endif
