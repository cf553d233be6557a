//===- interpreter/Interpreter.cpp ------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/Interpreter.h"

#include "interpreter/Decoder.h"
#include "interpreter/Machine.h"

namespace tailor::interp {

static Result<RunResult> runLocated(const Module &module, const EntryPoint &entry, const Dim3 &size,
                                    llvm::ArrayRef<Dim3> groups, Inputs &inputs, Observer &observer,
                                    const Limits &limits, const Locate &locate) {
  constexpr uint64_t maxInvocations = 65536;
  if (size.product() == 0 || size.product() > maxInvocations)
    return failure(Location::inFile(module.source.file),
                   "a workgroup of " + size.str() + " invocations cannot be interpreted");
  Program program(module, inputs);
  program.size = size;
  if (Status decoded = Decoder(program, locate).decode(entry); !decoded)
    return decoded.takeFailure();
  return Machine(program, observer, limits, locate).run(groups);
}

Result<RunResult> run(const CanonicalForm &form, const Dim3 &size, llvm::ArrayRef<Dim3> groups,
                      Inputs &inputs, Observer &observer, const Limits &limits) {
  return runLocated(form.module(), form.entry(), size, groups, inputs, observer, limits,
                    [&](const Instruction &inst) { return form.locationOf(inst); });
}

Result<RunResult> run(const Module &module, const EntryPoint &entry, const Dim3 &size,
                      llvm::ArrayRef<Dim3> groups, Inputs &inputs, Observer &observer,
                      const Limits &limits) {
  return runLocated(module, entry, size, groups, inputs, observer, limits,
                    [&](const Instruction &inst) { return module.locationOf(inst); });
}

std::vector<Dim3> allGroups(const Dim3 &numWorkgroups) {
  std::vector<Dim3> groups;
  for (uint32_t z = 0; z < numWorkgroups.z; ++z)
    for (uint32_t y = 0; y < numWorkgroups.y; ++y)
      for (uint32_t x = 0; x < numWorkgroups.x; ++x)
        groups.push_back({x, y, z});
  return groups;
}

} // namespace tailor::interp
