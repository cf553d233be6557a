//===- passes/IdReads.h - Where a kernel reads its ids ---------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_IDREADS_H
#define TAILOR_PASSES_IDREADS_H

#include "IR/Module.h"
#include "Support/Result.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <vector>

namespace tailor {

/// A load of a built-in id, whole or of one component.
struct IdRead {
  Instruction *load;
  spv::BuiltIn builtIn;
  Id index = Id::None; ///< of the access chain that is loaded; None: the whole variable
};

struct IdReads {
  std::vector<IdRead> reads;         ///< in the order of the module, by variable
  std::vector<Instruction *> chains; ///< the access chains that are loaded
  std::vector<Id> variables;         ///< those of the built-ins, used or not
};

/// The reads of every built-in that `wanted` names, in what `entry` reaches. They are of 32-bit
/// integers: three for a whole id, one for a component and for LocalInvocationIndex. Fails, located
/// at the use, where a read is of another type, where such a variable is used in any other way than
/// by loads, or where a read is in a function that another entry point reaches too.
Result<IdReads> findIdReads(Module &module, const EntryPoint &entry,
                            llvm::function_ref<bool(spv::BuiltIn)> wanted);

/// Drops access chains that nothing uses any more, and from the interface of `entry` the variables
/// that nothing it reaches uses.
void dropUnusedIds(Module &module, const EntryPoint &entry, const IdReads &ids);

} // namespace tailor

#endif
