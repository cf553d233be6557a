//===- Tuning/ReflectMembers.h - The members of a block (internal) --===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Apart from the rest of the reflection: what a block of numbers holds, by
// SPIRV-Cross.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_REFLECTMEMBERS_H
#define TAILOR_TUNING_REFLECTMEMBERS_H

#include "Tuning/Reflect.h"

#include <spirv_cross/spirv_cross.hpp>

namespace tailor {

/// Of a scalar, vector or matrix type, or of an array of them; none for others.
std::optional<vulkan::ElementType> elementTypeOf(const spirv_cross::SPIRType &type);

/// The first scalar inside a type.
vulkan::ElementType firstScalar(const spirv_cross::Compiler &compiler,
                                const spirv_cross::SPIRType &type);

/// The numeric members of a block, in its order. Arrays of more than `maxArrayValues` elements, and
/// such as are as long as the buffer, are left out.
void addMembers(const spirv_cross::Compiler &compiler, const spirv_cross::SPIRType &block,
                uint32_t maxArrayValues, std::vector<ReflectedMember> &out);

} // namespace tailor

#endif
