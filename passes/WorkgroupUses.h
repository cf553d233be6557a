//===- passes/WorkgroupUses.h - Where a kernel uses its workgroup memory ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_WORKGROUPUSES_H
#define TAILOR_PASSES_WORKGROUPUSES_H

#include "IR/Constants.h"
#include "IR/Module.h"
#include "Support/Result.h"

#include "llvm/ADT/DenseSet.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace tailor {

bool isAccessChain(spv::Op op); ///< OpAccessChain, OpInBoundsAccessChain
/// The type of a pointer to a whole variable whose block has an explicit layout
/// (SPV_KHR_workgroup_memory_explicit_layout).
bool isBlockPointer(const Module &module, Id type);

/// The workgroup variables that what `entry` reaches uses, in the order of the module.
std::vector<Instruction *> workgroupVariables(const Module &module, const EntryPoint &entry);

/// The distance between two copies of any explicitly laid out block among `variables`: all start at
/// one byte, copy by copy. 0: there are none. nullopt: a size is not known, of `*unknown`.
std::optional<uint64_t> blockStride(const Module &module,
                                    const std::vector<Instruction *> &variables,
                                    ConstantEvaluator &constants,
                                    const Instruction **unknown = nullptr);

/// A use of a pointer to a whole variable: the variable itself, or a parameter that stands for it.
struct WholeUse {
  Instruction *user;
  unsigned operand;
  Id pointer;
};

struct WorkgroupUses {
  std::vector<Instruction *> variables; ///< in the order of the module
  /// Parameters that are a whole variable in every call. Where some call makes anything else, the
  /// module has variable pointers, and the parameter may be any pointer of its type.
  llvm::DenseSet<uint32_t> parameters;
  /// Functions with such uses or parameters, in the order of the module, with the uses by
  /// instructions that mean something. Arguments for `parameters` are not among them.
  std::vector<std::pair<Function *, std::vector<WholeUse>>> functions;
  uint64_t blockStride = 0;
};

/// Fails where the memory cannot be given copies: see passes/WorkgroupCopies.h.
Result<WorkgroupUses> findWorkgroupUses(Module &module, const EntryPoint &entry);

} // namespace tailor

#endif
