//===- differential/TechniqueGenerator.h - Kernels for techniques, by seed -===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes kernels that mix what the proofs of the techniques look at: ids in every
// spelling, structured control flow that invocations take together or not, early
// returns, workgroup memory of several forms, barriers in loops and functions,
// atomics, images, private arrays, integers of several widths.
//
// Their results do not depend on the order of invocations, by construction.
// Between two barriers an invocation writes slots of its own alone, by a
// bijection of its local index, and slots of others are read between barriers
// that part those reads from all writes. Barriers stand in flow that is the same
// for the workgroup. Results of atomics are used where their order cancels out.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_DIFFERENTIAL_TECHNIQUEGENERATOR_H
#define TAILOR_DIFFERENTIAL_TECHNIQUEGENERATOR_H

#include "Support/Dim3.h"
#include "Tuning/Workload.h"

#include <cstdint>
#include <set>
#include <string>

namespace tailor::differential {

/// What a kernel is sure to have that a technique must look at. With None it has at most what a
/// proof may or may not see through.
enum class Hazard : uint8_t {
  None,
  LocalIds,        ///< addresses that are not those of the global id
  Unguarded,       ///< global ids alone, no bounds check
  SubgroupSum,     ///< lanes of a subgroup meet
  SubgroupLane,    ///< the place in a subgroup as a value
  BufferMeeting,   ///< values pass through a buffer at a barrier, no workgroup memory
  SharedMeeting,   ///< values pass through workgroup memory at a barrier
  SharedPrivate,   ///< workgroup memory, slots of an invocation's own, no barrier
  GroupCount,      ///< guarded, and the number of groups is stored
  GroupBarriers,   ///< barriers under conditions and in loops that differ between groups
  OpaqueBarriers,  ///< barriers that all reach, by what is in memory: no proof sees that
  HiddenBarriers,  ///< invocations part around a barrier that nobody reaches
  VolatileLanes,   ///< values pass between neighbouring lanes in volatile memory, no barrier
  Waiting,         ///< waits for the invocation in front, as long as that takes
  DescriptorIndex, ///< an index into an array of buffers that is the same for a workgroup
};

struct TechniqueKernel {
  std::string glsl;
  Dim3 size, groups;
  Workload workload;        ///< one size
  std::string volatileName; ///< a variable to be made volatile, which GLSL has no word for
  unsigned statements = 0;  ///< they have the numbers below
};

/// The kernel of that number. `dropped`: numbers of statements that are left out, with all that is
/// in them; the others stay as they are.
TechniqueKernel generateTechniqueKernel(uint64_t seed, Hazard hazard = Hazard::None,
                                        const std::set<unsigned> &dropped = {});

} // namespace tailor::differential

#endif
