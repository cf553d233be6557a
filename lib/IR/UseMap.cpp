//===- IR/UseMap.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "IR/Module.h"

namespace tailor {

UseMap::UseMap(Module &module) {
  starts.assign(module.idBound() + 1, 0);
  auto forEachUse = [&](llvm::function_ref<void(Id, Use)> visit) {
    module.forEachInstruction([&](Instruction &inst) {
      if (isValid(inst.typeId()) && raw(inst.typeId()) < module.idBound())
        visit(inst.typeId(), {&inst, kTypeOperand});
      for (unsigned index = 0; index < inst.numOperands(); ++index)
        if (inst.isId(index) && raw(inst.id(index)) < module.idBound())
          visit(inst.id(index), {&inst, index});
    });
  };
  forEachUse([&](Id id, Use) { ++starts[raw(id) + 1]; });
  for (size_t at = 1; at < starts.size(); ++at)
    starts[at] += starts[at - 1];
  flat.resize(starts.back());
  std::vector<uint32_t> next(starts.begin(), starts.end());
  forEachUse([&](Id id, Use use) { flat[next[raw(id)]++] = use; });
}

} // namespace tailor
