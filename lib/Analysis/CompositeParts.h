//===- Analysis/CompositeParts.h - Parts of structures and vectors ---------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_COMPOSITEPARTS_H
#define TAILOR_ANALYSIS_COMPOSITEPARTS_H

#include "IR/Module.h"

#include "llvm/ADT/SmallVector.h"

namespace tailor {

/// A part of the value `id`: literal indices, outermost first, a vector's component included. An
/// empty path is the value itself.
struct ValuePart {
  Id id = Id::None;
  llvm::SmallVector<uint32_t, 4> path;
};

/// The part from where it was put together: back through extractions, constructions, insertions,
/// shuffles and copies, those of constants included. Stops in front of a value of reduced
/// precision (a copy of it may be another number), and where a part is put together from several.
ValuePart sourceOf(const Module &module, ValuePart part);
/// The same for a component of what an OpCompositeExtract takes out; component 0 of a scalar.
ValuePart sourceOfExtract(const Module &module, const Instruction &extract, unsigned component);

/// The type that the indices lead to; Id::None where they do not fit `type`.
Id typeOfPart(const Module &module, Id type, llvm::ArrayRef<uint32_t> path);

} // namespace tailor

#endif
