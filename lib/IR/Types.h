//===- IR/Types.h - Questions about types: scalars, sizes, layouts ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_IR_TYPES_H
#define TAILOR_IR_TYPES_H

#include "IR/Constants.h"
#include "IR/Module.h"

namespace tailor {

/// The component type of a vector or matrix; any other type itself.
Id scalarTypeOf(const Module &module, Id type);
/// Components of a vector; 1 for a scalar; 0 for everything else.
unsigned componentCount(const Module &module, Id type);
bool isIntType(const Module &module, Id type, unsigned width = 0); ///< scalar; any width if 0
bool isBoolType(const Module &module, Id type);                    ///< scalar

/// What an array, or an array of arrays, holds; any other type itself.
Id withoutArrays(const Module &module, Id type);

/// The pointee of a pointer type, and its storage class.
struct PointerType {
  spv::StorageClass storageClass;
  Id pointee;
};
std::optional<PointerType> pointerType(const Module &module, Id type);
/// The same for the type of the value `id`.
std::optional<PointerType> pointerTypeOfValue(const Module &module, Id id);

/// A number of bytes, never of bits or elements.
struct Bytes {
  uint64_t count = 0;
  friend auto operator<=>(const Bytes &, const Bytes &) = default;
};

struct TypeLayout {
  Bytes size, alignment;
};
/// Size and alignment of a type. Offset, ArrayStride and MatrixStride decorations hold where
/// they stand; elsewhere the rules of std430 (base alignment of Vulkan's "Offset and Stride
/// Assignment"), with booleans as 4 bytes: how Vulkan counts workgroup memory. nullopt for opaque
/// types, runtime arrays and lengths that `constants` does not know.
std::optional<TypeLayout> layoutOf(const Module &module, Id type, ConstantEvaluator &constants);

} // namespace tailor

#endif
