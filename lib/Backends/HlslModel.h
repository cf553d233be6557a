//===- Backends/HlslModel.h - The shader model that a kernel asks for ------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inside lib/Backends alone. What of a kernel HLSL has since when, and what it has
// not: one list, from the Direct3D 11.3 functional specification, the shader models'
// pages of the DirectX specifications, and what FXC 10 and DXC 1.9 take.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BACKENDS_HLSLMODEL_H
#define TAILOR_BACKENDS_HLSLMODEL_H

#include "Backends/HlslRegisters.h"

namespace tailor {

/// A shader model, 50 to 66, as a user writes it: `6.2`.
std::string modelName(uint32_t model);

struct HlslModel {
  uint32_t model = 50;
  /// SPIRV-Cross writes half and int16_t rather than min16 types, and loads as templates.
  bool nativeTypes = false;
  /// Of LanguageInterface: optional features of Direct3D, and flags of DXC.
  std::vector<std::string> features;
};

/// The lowest model that has what the kernel uses; `asked`, where it is not 0 and is enough.
/// Refuses what no model has, and what `asked` has not, with the instruction.
Result<HlslModel> chooseModel(uint32_t asked, const ModuleFacts &facts,
                              const spirv_cross::CompilerHLSL &compiler,
                              const std::vector<BoundResource> &bound,
                              const spirv_cross::SmallVector<spirv_cross::Resource> &pushConstants);

} // namespace tailor

#endif
