//===- Analysis/Descriptors.h - Indices into arrays of descriptors ---------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_DESCRIPTORS_H
#define TAILOR_ANALYSIS_DESCRIPTORS_H

#include "Analysis/Memory.h"

namespace tailor {

class KernelAnalysis;

/// An index into an array of descriptors must be the same for all invocations of a workgroup,
/// unless it is decorated NonUniform (Vulkan, "Descriptor Set Interface").
struct DescriptorIndices {
  bool wholeArray = false; ///< an array of descriptors is accessed without all of its indices
  /// The indices that must be uniform; empty where the variable is no array of descriptors, or
  /// the access is decorated NonUniform.
  llvm::SmallVector<Id, 2> mustBeUniform;
};
DescriptorIndices descriptorIndices(const Module &module, const Instruction &access,
                                    const PointerPath &path);

/// The value, where `use` uses it, is the same for all invocations that do so at one time, wherever
/// they are in the dispatch: for those of any workgroup. A loop's counter can be so.
bool isUniformInDispatch(const KernelAnalysis &kernel, Id value, const Block &use);

/// The variables that an access goes to, as pointer paths: of its memory operand, its image, or
/// both sides of a copy. nullopt in the place of what is not known by form.
llvm::SmallVector<std::optional<PointerPath>, 2> accessedPaths(const Module &module,
                                                               const Instruction &access);

} // namespace tailor

#endif
