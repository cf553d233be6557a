//===- interpreter/AccessCheck.h - Predicted addresses against a run's ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Holds what the analyses say of a kernel's accesses against a run of it: the
// address of each lane and whether it takes part, sectors, lines and bank
// conflicts of a subgroup, the polynomial of every address in every iteration, and
// whose bytes of workgroup memory are whose.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_INTERPRETER_ACCESSCHECK_H
#define TAILOR_INTERPRETER_ACCESSCHECK_H

#include "Analysis/Traffic.h"
#include "interpreter/Interpreter.h"

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace tailor::interp {

/// What a check compared.
struct AccessCounts {
  uint64_t addresses = 0;   ///< predicted addresses of lanes beside those of a run
  uint64_t activities = 0;  ///< lanes that are said to take part, or not to
  uint64_t exact = 0;       ///< subgroups' sectors and lines, number against number
  uint64_t bounded = 0;     ///< the same, number against bounds
  uint64_t banks = 0;       ///< degrees of bank conflicts
  uint64_t polynomials = 0; ///< addresses of a run beside the polynomial's value
  uint64_t opaque = 0;      ///< addresses whose polynomial has symbols that are not known here
  uint64_t otherRounds = 0; ///< addresses predicted for iterations behind the first
  void add(const AccessCounts &other);
  std::string str() const;
};

/// The host's values that `inputs` hold, as the evaluator asks for them. Copies what it needs.
HostValues hostValuesOf(const Inputs &inputs);

/// What is checked of one run.
struct AccessPlan {
  Dim3 size; ///< of the workgroups that are looked at; another than the authored: as remap maps it
  std::array<uint32_t, 3> group{};
  uint32_t subgroup = 32;
  /// Run the kernel itself with `size`; else its authored workgroups, those that hold the lanes.
  bool isResized = false;
};

/// Runs what the plan says and compares; what is wrong, a line each. A run that fails is one of
/// them. `inputs` are as the host binds them; `host`: what the prediction is made with.
std::vector<std::string> checkAccesses(const KernelAnalysis &kernel, const AccessPlan &plan,
                                       const Inputs &inputs, AccessCounts &counts,
                                       const HostValues &host);
inline std::vector<std::string> checkAccesses(const KernelAnalysis &kernel, const AccessPlan &plan,
                                              const Inputs &inputs, AccessCounts &counts) {
  return checkAccesses(kernel, plan, inputs, counts, hostValuesOf(inputs));
}

/// Runs workgroup (0, 0, 0) and names the variables of workgroup memory in which two invocations
/// touch one byte.
Result<std::set<const Instruction *>> sharedAmongInvocations(const KernelAnalysis &kernel,
                                                             const Inputs &inputs);

} // namespace tailor::interp

#endif
