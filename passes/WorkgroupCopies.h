//===- passes/WorkgroupCopies.h - Workgroup memory, several times ----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every workgroup variable of a kernel, of type T, becomes an array of T; each
// invocation works in the copy that its technique gives it. T is never edited:
//
//   tile : T                          tile : T[copies]
//   OpAccessChain %tile i j           OpAccessChain %tile copy i j
//   any other use of %tile            of OpAccessChain %tile copy, made at the
//                                     head of the function
//
// Blocks with an explicit layout all start at byte 0, so that one is seen through
// the others. So are their copies, by a common stride:
//
//   Block { a; b; }                   Block { Inner { a; b; } copies[n]; }
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_WORKGROUPCOPIES_H
#define TAILOR_PASSES_WORKGROUPCOPIES_H

#include "IR/Constants.h"
#include "IR/Module.h"
#include "Support/Result.h"
#include "passes/AuthoredIds.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <optional>

namespace tailor {

/// Gives each workgroup variable that `entry` reaches `copies` copies (at least 1; 1 changes
/// nothing). `copyOf`: which of them an invocation works in, below `copies`; asked for once in each
/// function that needs it. Functions that take pointers to such variables take pointers to the
/// arrays. Variables that only others reach stay.
///
/// Fails, with the module unchanged, where: a variable, or a function that uses one, is also used
/// by what `entry` does not reach; its address is stored in another variable; its initialiser is
/// not null; the size of a block with an explicit layout hangs off a specialization constant, or
/// such a block's pointer is used by anything but loads, stores, access chains and calls.
Status copyWorkgroupMemory(Module &module, const EntryPoint &entry, uint32_t copies,
                           llvm::function_ref<Id(IdEmitter &)> copyOf);

/// Bytes of workgroup memory that `entry` then uses, counted as Analysis/SharedMemory.h does;
/// lengths under the host's values `spec`, defaults elsewhere. nullopt: a length is not known.
std::optional<uint64_t> bytesOfWorkgroupCopies(const Module &module, const EntryPoint &entry,
                                               uint32_t copies, const SpecMap &spec = {});

} // namespace tailor

#endif
