//===- Analysis/RegionRules.cpp --------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/RegionRules.h"

#include "Analysis/OptimizerSteps.h"

#include "spirv-tools/optimizer.hpp"
#include "llvm/ADT/STLExtras.h"

namespace tailor {

bool leavesTogether(const KernelAnalysis &kernel, const Block &block) {
  if (block.successors().size() < 2)
    return true;
  const Id condition = block.terminator()->id(0);
  const Instruction *definition = kernel.module().def(condition);
  return (definition && isConstant(definition->opcode())) ||
         kernel.uniformity().at(condition, block) >= UniformityScope::Workgroup;
}

Result<Module> withOneReturn(const CanonicalForm &form) {
  const Module &authored = form.authoredModule();
  Result<OptimizerSteps> steps =
      OptimizerSteps::create(form.module().words(), authored.source.file);
  if (!steps)
    return steps.takeFailure();
  steps->run("merging returns", [](spvtools::Optimizer &optimizer) {
    optimizer.RegisterPass(spvtools::CreateMergeReturnPass())
        .RegisterPass(spvtools::CreateLocalSingleBlockLoadStoreElimPass())
        .RegisterPass(spvtools::CreateLocalSingleStoreElimPass())
        .RegisterPass(spvtools::CreateSSARewritePass());
  });
  if (!steps->undone().empty())
    return failure(authored.locationOf(*form.entry().inst),
                   "returns from inside of a loop or switch could not be merged: " +
                       steps->undone().front());
  return steps->takeModule();
}

namespace {

/// A place of the kernel in the module that `locations` was made from.
Location placeOf(const KernelAnalysis &kernel, const Instruction &inst,
                 const CanonicalForm &locations) {
  const Location location = kernel.locationOf(inst);
  return &kernel.form() == &locations ? location : locations.authoredLocation(location);
}

/// Where invocations part, and by what.
void addParting(Diagnostic &refusal, const KernelAnalysis &kernel, const Block &block,
                const CanonicalForm &locations) {
  const Instruction &branch = *block.terminator();
  refusal.addNote(placeOf(kernel, branch, locations), "they part at this branch");
  for (const CauseStep &step :
       kernel.uniformity().causeOf(branch.id(0), UniformityScope::Workgroup))
    refusal.addNote(placeOf(kernel, *step.inst, locations), step.text);
}

bool isBarrier(const Instruction &inst) { return inst.opcode() == spv::Op::OpControlBarrier; }

std::optional<Diagnostic> refuseRegionsOf(const KernelAnalysis &kernel,
                                          const CanonicalForm &locations) {
  const Block *stuck = nullptr;
  Result<std::vector<DivergentRegion>> regions = findDivergentRegions(
      kernel.form().function(), kernel.flow(),
      [&](const Block &block) { return leavesTogether(kernel, block); }, &stuck);
  if (regions)
    return refuseBarriers(kernel, *regions, locations);
  Diagnostic refusal = regions.takeFailure().diagnostic;
  if (stuck) {
    refusal.location = placeOf(kernel, *stuck->terminator(), locations);
    addParting(refusal, kernel, *stuck, locations);
  }
  return refusal;
}

} // namespace

std::optional<Diagnostic> refuseBarriers(const KernelAnalysis &kernel,
                                         const std::vector<DivergentRegion> &regions,
                                         const CanonicalForm &locations) {
  for (const DivergentRegion &region : regions)
    for (const Block *block : region.blocks) {
      auto barrier = llvm::find_if(block->instructions(), isBarrier);
      if (barrier == block->instructions().end())
        continue;
      Diagnostic refusal = Diagnostic::error(
          placeOf(kernel, *barrier, locations),
          "a control barrier stands in a part of the kernel that invocations of a workgroup may go "
          "through in different ways");
      addParting(refusal, kernel, *region.parting, locations);
      return refusal;
    }
  return std::nullopt;
}

std::optional<Diagnostic> refuseRegions(const KernelAnalysis &kernel) {
  Function &function = kernel.form().function();
  auto isReached = [&](const Block &block) { return kernel.flow().isReachable(block); };
  const bool parts = llvm::any_of(function.blocks(), [&](const Block &block) {
    return isReached(block) && !leavesTogether(kernel, block);
  });
  if (!parts)
    return std::nullopt;
  if (!returnsFromInside(function, kernel.flow()))
    return refuseRegionsOf(kernel, kernel.form());
  const bool meets = llvm::any_of(function.blocks(), [&](const Block &block) {
    return isReached(block) && llvm::any_of(block.instructions(), isBarrier);
  });
  if (!meets)
    return std::nullopt;
  Result<Module> merged = withOneReturn(kernel.form());
  if (!merged)
    return merged.takeFailure().diagnostic;
  Result<KernelAnalysis> again =
      KernelAnalysis::create(*merged, merged->entryPoints().front(), kernel.spec());
  if (!again)
    return again.takeFailure().diagnostic;
  return refuseRegionsOf(*again, kernel.form());
}

} // namespace tailor
