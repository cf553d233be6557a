//===- passes/ModuleEdits.h - Small edits and questions that several passes share ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_MODULEEDITS_H
#define TAILOR_PASSES_MODULEEDITS_H

#include "IR/Module.h"
#include "IR/WorkgroupSize.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <utility>
#include <vector>

namespace tailor {

/// Whether entry points of that model have a workgroup size (compute, kernel, task, mesh).
bool hasWorkgroupSize(spv::ExecutionModel model);

/// The functions that `root` can reach through calls, itself included, in the order of the module.
std::vector<Function *> reachableFunctions(const Module &module, Id root);

/// Takes the decoration off `target`, also where it came through a decoration group. Returns
/// whether there was one.
bool removeDecoration(Module &module, Id target, spv::Decoration decoration);

/// Removes the names and decorations of ids that are about to go. Keeps those of all others.
void removeNamesAndDecorations(Module &module, const llvm::DenseSet<uint32_t> &ids);

/// Puts `made` in the place of `old`, a global with the same result id; marks and locations move.
Instruction &replaceGlobal(Module &module, Instruction &old, Instruction made);

/// A value and its copies.
using ValueCopies = std::pair<Id, llvm::SmallVector<Id, 4>>;
/// Gives copies of a value what the value itself is decorated with, which holds for each of them:
/// NoContraction, RelaxedPrecision, NonUniform.
void copyDecorations(Module &module, llvm::ArrayRef<ValueCopies> values);

/// The instruction with another result and each id operand replaced by `mapped` of it; without its
/// line marks.
Instruction withIds(const Instruction &inst, Id result, llvm::function_ref<Id(Id)> mapped);

/// The LocalSize and LocalSizeId modes of a function.
std::vector<Instruction *> sizeModes(Module &module, Id function);
/// Makes one literal LocalSize the only size mode of `function`. Returns whether that changed
/// anything. Constants decorated BuiltIn WorkgroupSize are not looked at.
bool setLocalSize(Module &module, const EntryPoint &entry, const Dim3 &size);

} // namespace tailor

#endif
