//===- Backends/Legalize.cpp -----------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/Legalize.h"

#include "Backends/HlslModule.h"
#include "Backends/Indices.h"
#include "Backends/Numbers.h"
#include "Backends/OrderPhis.h"
#include "IR/Reader.h"
#include "passes/JoinLoopTests.h"

namespace tailor {

Result<std::optional<std::vector<uint32_t>>>
legalize(std::string_view target, const EmitRequest &request, const ModuleFacts &facts) {
  const bool isWgsl = target == "wgsl", isHlsl = target == "hlsl";
  std::optional<std::vector<uint32_t>> words;
  const bool hasLoopValues = facts.firstUse(SpvOpLoopMerge) && facts.firstUse(SpvOpPhi);
  const bool hasIndices = (isHlsl || target == "glsl") && mayHaveOtherIndices(facts);
  if (!mayNeedNumbersSpelledOut(facts) && (isWgsl || !hasLoopValues) && !hasIndices &&
      (!isHlsl || !mayNeedLegalizingForHlsl(facts)))
    return words;
  Result<Module> module = readModule(request.spirv, request.fileName);
  if (!module)
    return module.takeFailure();
  if (target != "msl") // whose atomics go by their pointer, which gets a cast
    if (Status fine = refuseAtomicsOfOtherSign(target, *module); !fine)
      return fine.takeFailure();

  bool changed = spellOutNumbers(*module, /*openNotEqual=*/isWgsl) == Change::Changed;
  if (isWgsl || !leavesModuloOpen(*module))
    changed |= rewriteSignedModulo(*module) == Change::Changed;
  if (!isWgsl) {
    changed |= joinLoopTests(*module) == Change::Changed;
    changed |= orderPhis(*module) == Change::Changed;
  }
  if (hasIndices)
    changed |= convertIndices(*module) == Change::Changed;
  if (isHlsl) {
    Result<Change> legal = legalizeForHlsl(*module);
    if (!legal)
      return legal.takeFailure();
    changed |= *legal == Change::Changed;
  }
  if (changed)
    words = module->words();
  return words;
}

} // namespace tailor
