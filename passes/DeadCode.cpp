//===- passes/DeadCode.cpp -------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/DeadCode.h"

#include "Analysis/OptimizerSteps.h"
#include "Support/SpirvTools.h"

#include "spirv-tools/optimizer.hpp"

namespace tailor {

Result<Module> withoutDeadCode(Module made, std::string_view maker) {
  if (Status valid = validateSpirv(made.words(), made.source.file); !valid) {
    Failure fault = valid.takeFailure();
    fault.diagnostic.kind = ErrorKind::Internal;
    fault.diagnostic.text =
        std::string(maker) + " made an invalid module: " + fault.diagnostic.text;
    return fault;
  }
  Result<OptimizerSteps> steps = OptimizerSteps::create(made.words(), made.source.file);
  if (!steps || !steps->run("dead code", [](spvtools::Optimizer &optimizer) {
        optimizer.RegisterPass(spvtools::CreateDeadBranchElimPass())
            .RegisterPass(spvtools::CreateAggressiveDCEPass(true));
      }))
    return made;
  Module clean = steps->takeModule();
  clean.source = made.source;
  return clean;
}

} // namespace tailor
