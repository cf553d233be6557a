//===- Analysis/Guards.cpp -------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/Guards.h"

#include "Analysis/GuardBounds.h"
#include "Analysis/GuardConditions.h"
#include "Analysis/GuardHazards.h"
#include "Analysis/GuardSaturation.h"

#include <algorithm>

namespace tailor {

GuardResult findGuards(const CanonicalForm &form, const ControlFlow &flow, const IdDependence &ids,
                       const AffineAnalysis &affine) {
  GuardResult result;
  ConditionFinder conditions(form, flow);
  BoundReader reader(form, ids, affine);
  Saturation saturation(form, flow, ids, reader);
  HazardFinder hazards(form, flow, ids);
  std::array<bool, 3> onlyAddress{}; ///< the refusal so far is of an access chain
  auto refuseOn = [&](unsigned axis, const Instruction &inst, const char *hazard) {
    // What is done at an address says more than that the address is formed.
    bool isAddress =
        inst.opcode() == spv::Op::OpAccessChain || inst.opcode() == spv::Op::OpInBoundsAccessChain;
    if (result.refusal[axis] && !(onlyAddress[axis] && !isAddress))
      return;
    onlyAddress[axis] = isAddress;
    result.refusal[axis] = Diagnostic::error(form.locationOf(inst),
                                             std::string(hazard) + " without a bounds check on " +
                                                 "the " + kAxisName[axis] + " axis");
  };
  for (const Block &block : form.function().blocks()) {
    if (!flow.isReachable(block))
      continue;
    std::optional<AxisBounds> ofBlock;
    for (const Instruction &inst : block.instructions()) {
      const char *hazard = hazards.hazard(inst);
      if (!hazard)
        continue;
      if (!ofBlock)
        ofBlock = reader.allOf(conditions.at(block));
      for (unsigned axis = 0; axis < 3; ++axis) {
        const std::vector<DispatchBound> &under = (*ofBlock)[axis];
        std::vector<DispatchBound> &list = result.bounds[axis];
        if (under.empty()) {
          if (std::optional<Saturation::Bounds> reached = saturation.of(inst, axis)) {
            for (DispatchBound &bound : *reached)
              if (!llvm::is_contained(list, bound))
                list.push_back(std::move(bound));
            continue;
          }
          refuseOn(axis, inst, hazard);
          continue;
        }
        bool covered = std::any_of(under.begin(), under.end(), [&](const DispatchBound &bound) {
          return llvm::is_contained(list, bound);
        });
        if (!covered)
          list.push_back(under.front());
      }
    }
  }
  for (unsigned axis = 0; axis < 3; ++axis)
    if (result.refusal[axis])
      result.bounds[axis].clear();
  return result;
}

} // namespace tailor
