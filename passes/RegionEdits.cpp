//===- passes/RegionEdits.cpp ----------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/RegionEdits.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace tailor {

//===----------------------------------------------------------------------===//
// Unreachable blocks
//===----------------------------------------------------------------------===//

static void dropPhiEntries(Module &module, Block &block, llvm::function_ref<bool(Id pred)> isGone) {
  std::vector<Instruction *> empty;
  for (Instruction &phi : block.instructions()) {
    if (phi.opcode() != spv::Op::OpPhi)
      break;
    for (unsigned at = phi.numOperands(); at >= 2; at -= 2)
      if (isGone(phi.id(at - 1)))
        phi.removeOperands(at - 2, 2);
    if (phi.numOperands() == 0)
      empty.push_back(&phi);
  }
  for (Instruction *phi : empty)
    module.erase(block, *phi);
}

void tidyUnreachable(Module &module, Function &function) {
  ControlFlow flow(function);
  llvm::DenseMap<uint32_t, Block *> header; // of a loop, by its continue target
  llvm::DenseSet<uint32_t> merges;
  for (const Construct &construct : structuredConstructs(function)) {
    if (!flow.isReachable(*construct.header))
      continue;
    if (construct.mergeBlock)
      merges.insert(raw(construct.mergeBlock->id()));
    if (construct.continueTarget)
      header[raw(construct.continueTarget->id())] = construct.header;
  }
  llvm::DenseSet<uint32_t> gone; // no longer predecessors of anything
  std::vector<Block *> erased;
  for (Block &block : function.blocks()) {
    if (flow.isReachable(block))
      continue;
    Block *loop = header.lookup(raw(block.id()));
    if (!loop)
      gone.insert(raw(block.id()));
    if (!loop && !merges.contains(raw(block.id()))) {
      erased.push_back(&block);
      continue;
    }
    while (!block.instructions().empty())
      module.erase(block, block.instructions().back());
    Instruction end(loop ? spv::Op::OpBranch : spv::Op::OpUnreachable);
    if (loop)
      end.addId(loop->id());
    module.insert(block, block.instructions().end(), end);
  }
  for (Block *block : erased)
    module.eraseBlock(*block);
  for (Block &block : function.blocks())
    dropPhiEntries(module, block, [&](Id pred) { return gone.contains(raw(pred)); });
  // What a loop would get from a back edge that is never taken.
  for (Block &block : function.blocks())
    for (Instruction &phi : block.instructions()) {
      if (phi.opcode() != spv::Op::OpPhi)
        break;
      for (unsigned at = 0; at + 1 < phi.numOperands(); at += 2)
        if (const Block *pred = function.block(phi.id(at + 1)); pred && !flow.isReachable(*pred)) {
          Instruction undef(spv::Op::OpUndef, phi.typeId(), module.freshId());
          phi.setId(at, module.append(Section::Globals, undef).result());
        }
    }
  function.rebuildCfg();
}

//===----------------------------------------------------------------------===//
// Preheaders
//===----------------------------------------------------------------------===//

static void redirect(Instruction &inst, Id from, Id to) {
  for (unsigned at = 0; at < inst.numOperands(); ++at)
    if (inst.isId(at) && inst.id(at) == from)
      inst.setId(at, to);
}

/// The value with which each phi of the header starts, as one value of the preheader.
static void movePhisUp(Module &module, Block &header, Block &preheader,
                       llvm::ArrayRef<Block *> outside) {
  auto comesFromOutside = [&](Id label) {
    return llvm::any_of(outside, [&](Block *block) { return block->id() == label; });
  };
  for (Instruction &phi : header.instructions()) {
    if (phi.opcode() != spv::Op::OpPhi)
      break;
    Instruction start(spv::Op::OpPhi, phi.typeId(), Id::None), loop = start;
    for (unsigned at = 0; at + 1 < phi.numOperands(); at += 2) {
      Instruction &part = comesFromOutside(phi.id(at + 1)) ? start : loop;
      part.addId(phi.id(at)).addId(phi.id(at + 1));
    }
    Id value = start.numOperands() > 0 ? start.id(0) : Id::None;
    if (start.numOperands() > 2) {
      Instruction chosen(spv::Op::OpPhi, phi.typeId(), value = module.freshId());
      for (unsigned at = 0; at < start.numOperands(); ++at)
        chosen.addId(start.id(at));
      module.insert(preheader, preheader.instructions().end(), chosen);
    }
    phi.truncate(0);
    phi.addId(value).addId(preheader.id());
    for (unsigned at = 0; at < loop.numOperands(); ++at)
      phi.addId(loop.id(at));
  }
}

void insertPreheaders(Module &module, Function &function) {
  ControlFlow flow(function);
  std::vector<Block *> headers;
  for (Block &block : function.blocks())
    if (const Instruction *merge = block.merge();
        merge && merge->opcode() == spv::Op::OpLoopMerge && flow.isReachable(block))
      headers.push_back(&block);
  std::vector<std::vector<Block *>> entries;
  for (Block *header : headers) {
    std::vector<Block *> &outside = entries.emplace_back();
    for (Block *block : header->predecessors())
      if (flow.isReachable(*block) && !flow.dominates(*header, *block))
        outside.push_back(block);
  }
  // From here on dominance is of the function as it was; what is inside a loop stays there.
  for (size_t at = 0; at < headers.size(); ++at) {
    Block &header = *headers[at];
    Block &preheader = module.appendBlock(function, module.freshId());
    function.blocks().splice(header.getIterator(), function.blocks(), preheader.getIterator());
    // An entry that is the end of an earlier loop's header may have moved: the blocks are the same.
    movePhisUp(module, header, preheader, entries[at]);
    for (Block &block : function.blocks()) {
      // Preheaders (not in `flow`) branch to their own headers alone; a continue target that is
      // never reached to its loop's.
      if (!flow.isReachable(block) || flow.dominates(header, block))
        continue;
      for (Instruction &inst : block.instructions())
        if (isMerge(inst.opcode()) || isTerminator(inst.opcode()))
          redirect(inst, header.id(), preheader.id());
    }
    Instruction branch(spv::Op::OpBranch);
    branch.addId(header.id());
    module.insert(preheader, preheader.instructions().end(), branch);
  }
  function.rebuildCfg();
}

} // namespace tailor
