//===- Analysis/PointerLayout.h - Where a pointer points, in bytes ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A path of access chains from a variable, as bytes: an offset for the indices
// that are constants, and a stride for each that is not. Offset, ArrayStride and
// MatrixStride hold where they stand; elsewhere the rules of std430 (IR/Types.h).
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_POINTERLAYOUT_H
#define TAILOR_ANALYSIS_POINTERLAYOUT_H

#include "Analysis/Memory.h"
#include "IR/Constants.h"

namespace tailor {

/// An index that is no constant.
struct PointerStep {
  Id index = Id::None;
  uint64_t stride = 0; ///< bytes from one element to the next
  /// Elements of the array, vector or matrix that it chooses from; none for a runtime array and
  /// for a length that is not known.
  std::optional<uint64_t> length;
};

struct PointerLayout {
  PointerPath path;
  /// Indices into arrays of descriptors, which are no part of the address.
  llvm::SmallVector<Id, 1> descriptors;
  uint64_t offset = 0; ///< bytes that the constant indices lead to
  llvm::SmallVector<PointerStep, 4> steps;
  Id pointee = Id::None;
  /// Bytes between the components of a vector that is a column of a row-major matrix; 0 where they
  /// are adjacent.
  uint64_t componentStride = 0;
};

/// nullopt where an offset or a layout on the way is not known.
std::optional<PointerLayout> layoutOfPointer(const Module &module, const PointerPath &path,
                                             ConstantEvaluator &constants);

/// The byte offset of a member: Offset, or its place by the rules of std430.
std::optional<uint64_t> memberOffset(const Module &module, const Instruction &structType,
                                     uint32_t member, ConstantEvaluator &constants);
/// The bytes between the elements of an array: ArrayStride, or the element's size at its alignment.
/// nullopt for an array of descriptors.
std::optional<uint64_t> arrayStride(const Module &module, const Instruction &arrayType,
                                    ConstantEvaluator &constants);

} // namespace tailor

#endif
