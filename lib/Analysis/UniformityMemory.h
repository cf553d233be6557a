//===- Analysis/UniformityMemory.h - Who may change what a load reads -----===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two invocations of one workgroup execute the same dynamic instance of a load,
// and read the same address. Do they read the same value?
//
// If they do not, a write W (by whomever, an atomic one too) came between: in the order that
// synchronisation gives, the load of one, B, is before W and W is before the
// load of the other, A. (A write that no order ties to both loads is a data
// race, which the kernel does not have.) Where control barriers are the only
// synchronisation, count for each event how many barriers its invocation has
// passed. Barriers stand in workgroup-uniform control flow, so both loads, being
// one dynamic instance, have passed the same number. An order between two
// events of different invocations needs a barrier in between, so it raises that
// number; an order inside one invocation never lowers it. From B's load to W to
// A's load the number never falls, and as A and B are two invocations it must
// rise at least once: a contradiction. (Barriers of a subgroup alone are counted
// as a second number for the invocations of that subgroup, with the same
// result.) So all of a workgroup read one value.
//
// Other workgroups, and atomics, can synchronise without a control barrier: an
// invocation that has seen another's atomic write is ordered after what that
// one did before. To matter, the kernel must act on what it saw, with a branch
// that depends on the atomic's result (a spin loop, a lock), and must have fences or
// atomics that order memory. Where both are there, nothing is concluded. A
// result that went through workgroup memory is behind a barrier when it is read
// back, which orders all of the workgroup alike.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_UNIFORMITYMEMORY_H
#define TAILOR_ANALYSIS_UNIFORMITYMEMORY_H

#include "Analysis/CanonicalForm.h"
#include "Analysis/IdDependence.h"
#include "Analysis/Memory.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace tailor {

/// What a load makes of equal addresses.
enum class MemoryRule : uint8_t {
  Constant, ///< equal values in the whole dispatch, at all times
  Own,      ///< memory of the invocation's own: as its content is
  Group,    ///< equal values inside a workgroup, unless the kernel synchronises by atomics
  Any,      ///< nothing
};

class MemoryRules {
public:
  MemoryRules(const CanonicalForm &form, const IdDependence &ids);

  /// Of OpLoad, OpCopyMemory (its source), OpImageRead, OpImageFetch and samples.
  MemoryRule rule(const Instruction &inst) const;
  /// What the instruction reads may have been written by another invocation meanwhile, in a way
  /// that can order the two: atomics, Volatile, Coherent and NonPrivate reads.
  bool observesOthers(const Instruction &inst) const;
  /// The kernel has what can order memory beside control barriers.
  bool hasFences() const { return fences; }
  bool hasCalls() const { return calls; }

private:
  void scan(const Instruction &inst);
  bool isUnknownOr(Id constant, uint64_t mask) const;
  MemoryRule ruleOf(const Instruction &inst, const std::optional<PointerPath> &path) const;
  bool isConstantBuffer(const Instruction &variable) const;

  const Module &module;
  const IdDependence &ids;
  llvm::DenseSet<uint32_t> atomicVariables;
  llvm::DenseSet<uint64_t> atomicBindings, writtenBindings; ///< set << 32 | binding
  mutable llvm::DenseMap<uint32_t, bool> constantBuffers;   ///< by variable, when asked for
  bool atomicAnywhere = false;                              ///< an atomic's variable is not known
  bool fences = false, calls = false;
};

} // namespace tailor

#endif
