//===- passes/Replication.h - Several invocations in one -------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_REPLICATION_H
#define TAILOR_PASSES_REPLICATION_H

#include "IR/Builder.h"
#include "IR/Module.h"
#include "passes/RegionVersions.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <vector>

namespace tailor {

/// What the copies of a body differ in, and what is known to be the same in all of them.
struct ReplicationPlan {
  unsigned copies = 1;
  std::vector<DivergentRegion> regions; ///< disjoint
  /// Whether all copies compute the same value there, whenever they run it together.
  llvm::function_ref<bool(const Instruction &)> isUniform;
  /// For an instruction that reads where the invocation is: emits it and what each copy has
  /// instead through `emit`, and returns a value a copy. Nothing for all other instructions.
  using Emit = llvm::function_ref<Id(spv::Op op, Id type, llvm::ArrayRef<Id> ids,
                                     llvm::ArrayRef<uint32_t> literals)>;
  llvm::function_ref<std::optional<std::vector<Id>>(const Instruction &, Emit emit)> placement;
  /// By result: instructions of which there is one, that says whether the copies agree.
  const llvm::DenseMap<uint32_t, Agreement> &agreements;
};

/// Whether equal operands give equal results when two copies run the instruction right behind each
/// other, and nothing else comes of it. A read counts: what another invocation could write
/// between the two would be a data race, unless the memory is atomic or volatile.
bool isValueAlone(const Module &module, const Instruction &inst);

/// Rewrites `function`, the body of the only entry point, so that it does the work of `copies`
/// invocations. Outside of the regions each instruction is repeated in place, once for each copy,
/// in the order of the copies, unless all copies' operands are the same and nothing but a value
/// comes of it; control flow is that of the first copy. A region is repeated as a whole, one copy
/// after the other. Control and memory barriers outside of regions are run once for all.
/// Function and Private variables get a copy each. The first copy keeps ids and names.
void replicate(Module &module, Function &function, const ReplicationPlan &plan);

} // namespace tailor

#endif
