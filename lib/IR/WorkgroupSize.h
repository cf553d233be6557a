//===- IR/WorkgroupSize.h - The one reader of the three spellings of the size ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module spells the workgroup size of an entry point in one of three ways:
// the execution mode LocalSize, the execution mode LocalSizeId, or a constant
// decorated BuiltIn WorkgroupSize, which overrides the others for every entry
// point of the module (SPIR-V 1.6, sections 3.6 and 3.21). Nothing else in the
// project reads them.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_IR_WORKGROUPSIZE_H
#define TAILOR_IR_WORKGROUPSIZE_H

#include "IR/Constants.h"
#include "IR/Module.h"
#include "Support/Dim3.h"
#include "Support/Result.h"

namespace tailor {

enum class SizeSpelling : uint8_t { LocalSize, LocalSizeId, WorkgroupSize };
std::string_view nameOf(SizeSpelling spelling);

struct WorkgroupSize {
  Dim3 size;             ///< invocations a workgroup, per axis
  SizeSpelling spelling; ///< the one that counts
  bool specialized;      ///< depends on a specialization constant
};

/// The size of `entry` (model GLCompute) under `spec`. Fails, located, when the entry point
/// has none, when an axis is zero, or when a constant cannot be evaluated.
Result<WorkgroupSize> readWorkgroupSize(const Module &module, const EntryPoint &entry,
                                        const SpecMap &spec = {});

/// The constant decorated BuiltIn WorkgroupSize, or null.
const Instruction *workgroupSizeConstant(const Module &module);

/// The compute entry point called `name`; with an empty name the only one. Fails listing those
/// there are.
Result<EntryPoint> findComputeEntryPoint(const Module &module, const std::string &name);

} // namespace tailor

#endif
