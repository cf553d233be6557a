//===- Cost/Rounds.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Cost/Rounds.h"

#include <algorithm>

namespace tailor {

BlockRounds roundsOf(const Block &block,
                     const llvm::DenseMap<const Instruction *, MemorySpace> &loads,
                     llvm::function_ref<double(const Instruction &)> steps) {
  BlockRounds most;
  llvm::DenseMap<uint32_t, BlockRounds> known; // values of the block: links behind them
  for (const Instruction &inst : block.instructions()) {
    BlockRounds here;
    if (inst.opcode() != spv::Op::OpPhi)
      for (unsigned at = 0; at < inst.numOperands(); ++at)
        if (inst.isId(at))
          if (auto from = known.find(raw(inst.id(at))); from != known.end()) {
            here.device = std::max(here.device, from->second.device);
            here.shared = std::max(here.shared, from->second.shared);
            here.chain = std::max(here.chain, from->second.chain);
          }
    if (auto load = loads.find(&inst); load != loads.end()) {
      const bool isShared = load->second == MemorySpace::Workgroup;
      ++(isShared ? here.shared : here.device);
    }
    here.chain += steps(inst);
    most.chain = std::max(most.chain, here.chain);
    most.device = std::max(most.device, here.device);
    most.shared = std::max(most.shared, here.shared);
    if (inst.result() != Id::None && (here.device != 0 || here.shared != 0 || here.chain != 0))
      known[raw(inst.result())] = here;
  }
  return most;
}

} // namespace tailor
