//===- languages/hlsl/ConsumerRepairs.h - What consumers get wrong ---------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Differences between a consumer's SPIR-V and Direct3D, or the kernel's host, that
// are faults of the consumer and not of the text:
//   vkd3d-compiler 1.2  makes a texel buffer of each ByteAddressBuffer
//   both                give images formats of their own, which HLSL does not name
//   glslang 12          counts words in ByteAddressBuffer::GetDimensions, not bytes
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_LANGUAGES_HLSL_CONSUMERREPAIRS_H
#define TAILOR_LANGUAGES_HLSL_CONSUMERREPAIRS_H

#include "IR/Module.h"
#include "Support/Result.h"

namespace tailor::languages {

/// Makes storage buffers of the texel buffers of 32-bit integers.
void replaceTexelBuffers(Module &module);

/// Gives the type of a storage image that format (of SPIR-V). Fails where images of two formats
/// share a type.
Status setImageFormat(Module &module, const Instruction &variable, uint32_t format);

/// Lengths of buffers in bytes.
void countBytes(Module &module);

} // namespace tailor::languages

#endif
