//===- Analysis/Barriers.h - Barriers and atomics of a kernel -------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_BARRIERS_H
#define TAILOR_ANALYSIS_BARRIERS_H

#include "Analysis/Executors.h"
#include "Analysis/KernelAnalysis.h"
#include "Analysis/TripCounts.h"
#include "Analysis/Waiting.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace tailor {

/// Where an instruction stands among loops.
struct LoopPlace {
  unsigned depth = 0; ///< loops around it
  /// The product of their trip counts: a number, or a sum of products of names.
  TripSum trips;
};

/// An OpControlBarrier.
struct BarrierFact {
  const Instruction *inst = nullptr;
  std::string execution, memory; ///< scopes: Workgroup, Subgroup, ...; `unknown`
  std::string semantics;         ///< AcquireRelease|WorkgroupMemory; None; unknown
  LoopPlace loops;
  /// Over which invocations the control flow to it is the same.
  UniformityScope control = UniformityScope::Invocation;
  /// A barrier over a workgroup that its invocations are not known to reach alike, and why.
  bool isDivergent = false;
  std::vector<CauseStep> cause;
  /// Per axis: whether all groups that `pack` would put together along it reach it alike, and why
  /// not.
  std::array<bool, 3> packUniform{};
  std::array<std::vector<CauseStep>, 3> packCause;
};

/// An OpMemoryBarrier.
struct MemoryBarrierFact {
  const Instruction *inst = nullptr;
  std::string scope, semantics;
  LoopPlace loops;
};

/// How the invocations that run an atomic share its address.
enum class Contention : uint8_t {
  OneAddress,    ///< the same for all invocations of `contentionScope`
  PerLane,       ///< another one for each invocation of a workgroup, or of a row along x
  ByIds,         ///< made of ids and values of the dispatch, but shared by some invocations
  DataDependent, ///< read from memory
};
std::string_view nameOf(Contention contention); ///< one-address, per-lane, by-ids, data-dependent

struct AtomicFact {
  const Instruction *inst = nullptr;
  const Instruction *variable = nullptr; ///< null where the pointer cannot be traced
  std::string name;                      ///< the variable's, or its block's
  std::string space;                     ///< workgroup, buffer, image; other
  std::string operation;                 ///< add, min, cas, ...
  bool resultUsed = false;
  std::string scope, semantics;
  Contention contention = Contention::DataDependent;
  UniformityScope contentionScope = UniformityScope::Invocation; ///< of OneAddress
  /// PerLane: distinct in the whole workgroup, not only along its first axis that is longer than 1.
  bool distinctInWorkgroup = false;
  Executors executors;
  LoopPlace loops;
};

/// A comparison of an atomic's result with a count of the dispatch: how a kernel finds out which
/// group was the last one to finish.
struct LastGroupCounter {
  const Instruction *comparison = nullptr;
  const Instruction *atomic = nullptr;
  bool byNumWorkgroups = false; ///< else by a value that the host supplies
};

struct BarrierFacts {
  std::vector<BarrierFact> barriers;
  std::vector<MemoryBarrierFact> memoryBarriers;
  std::vector<AtomicFact> atomics;
  std::optional<WaitingLoop> waiting;
  std::vector<LastGroupCounter> lastGroupCounters;
};

/// All of the reachable blocks, in the order of the canonical form.
BarrierFacts gatherBarriers(const KernelAnalysis &kernel);

/// `Workgroup`; `Scope#n` for a number without a name here; `unknown` where it is not known.
std::string scopeName(std::optional<uint64_t> scope);
/// `AcquireRelease|WorkgroupMemory`, `None`, `unknown`.
std::string semanticsName(std::optional<uint64_t> semantics);
/// `add`, `cas`, `load`, ... of an OpAtomic*.
std::string atomicName(spv::Op op);

} // namespace tailor

#endif
