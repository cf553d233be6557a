//===- passes/DivergentRegions.cpp -----------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/DivergentRegions.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <algorithm>

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

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

namespace {

class Finder {
public:
  Finder(Function &function, const ControlFlow &flow)
      : function(function), flow(flow), constructs(structuredConstructs(function)) {}

  bool returnsFromInside() const;
  Result<std::vector<DivergentRegion>> find(llvm::function_ref<bool(const Block &)> isUniform);

private:
  bool isBehind(const Construct &construct, const Block &block) const {
    return construct.mergeBlock && flow.isReachable(*construct.mergeBlock) &&
           flow.dominates(*construct.mergeBlock, block);
  }
  /// Between the header and the merge block; where that is never reached, up to the end of what the
  /// construct stands in.
  bool contains(const Construct &construct, const Block &block) const {
    return flow.dominates(*construct.header, block) &&
           llvm::none_of(constructs, [&](const Construct &other) {
             return isBehind(other, block) && !isBehind(other, *construct.header) &&
                    flow.dominates(*other.header, *construct.header);
           });
  }
  static bool isSwitch(const Construct &construct) {
    return construct.kind == Construct::Kind::Selection &&
           construct.header->terminator()->opcode() == spv::Op::OpSwitch;
  }
  std::vector<const Construct *> around(const Block &block) const;
  Block *preheaderOf(Block &header) const;
  std::optional<DivergentRegion> regionOf(Block &block) const;
  void addUnreachable(DivergentRegion &region) const;
  DivergentRegion whole(const Construct &construct) const;
  DivergentRegion tail(Block &head, const Construct *of) const;
  bool isClosed(const DivergentRegion &region) const;

  Function &function;
  const ControlFlow &flow;
  std::vector<Construct> constructs;
};

/// The constructs that hold the block, innermost first; one that it heads is the first.
std::vector<const Construct *> Finder::around(const Block &block) const {
  std::vector<const Construct *> list;
  for (const Construct &construct : constructs)
    if (construct.mergeBlock && flow.isReachable(*construct.header) && contains(construct, block))
      list.push_back(&construct);
  std::sort(list.begin(), list.end(), [&](const Construct *a, const Construct *b) {
    return a->header != b->header && flow.dominates(*b->header, *a->header);
  });
  return list;
}

Block *Finder::preheaderOf(Block &header) const {
  for (Block *block : header.predecessors())
    if (flow.isReachable(*block) && !flow.dominates(header, *block))
      return block;
  return nullptr;
}

/// Merge blocks and continue targets that are never reached belong to their construct.
void Finder::addUnreachable(DivergentRegion &region) const {
  llvm::SmallPtrSet<const Block *, 16> inside(region.blocks.begin(), region.blocks.end());
  inside.insert(region.head);
  llvm::SmallPtrSet<const Block *, 4> more;
  for (const Construct &construct : constructs)
    if (inside.contains(construct.header))
      for (Block *block : {construct.mergeBlock, construct.continueTarget})
        if (block && !flow.isReachable(*block))
          more.insert(block);
  if (more.empty())
    return;
  std::vector<Block *> all;
  for (Block &block : function.blocks())
    if (more.contains(&block) || (&block != region.head && inside.contains(&block)))
      all.push_back(&block);
  region.blocks = std::move(all);
}

DivergentRegion Finder::whole(const Construct &construct) const {
  DivergentRegion region;
  bool isLoop = construct.kind == Construct::Kind::Loop;
  region.head = isLoop ? preheaderOf(*construct.header) : construct.header;
  region.exit = construct.mergeBlock;
  for (Block &block : function.blocks())
    if (flow.isReachable(block) && contains(construct, block) && &block != region.head)
      region.blocks.push_back(&block);
  addUnreachable(region);
  return region;
}

DivergentRegion Finder::tail(Block &head, const Construct *of) const {
  DivergentRegion region;
  region.head = &head;
  region.isTail = true;
  region.exit = of ? of->mergeBlock : nullptr;
  for (Block &block : function.blocks())
    if (flow.isReachable(block) && &block != &head && flow.dominates(head, block) &&
        (!of || contains(*of, block)))
      region.blocks.push_back(&block);
  addUnreachable(region);
  return region;
}

/// One way in, one way out, and the way out is there.
bool Finder::isClosed(const DivergentRegion &region) const {
  if (!region.head || (region.exit && !flow.isReachable(*region.exit)))
    return false;
  llvm::SmallPtrSet<const Block *, 16> inside(region.blocks.begin(), region.blocks.end());
  bool returns = false;
  auto leavesWell = [&](const Block &block) {
    if (block.successors().empty()) {
      bool isReturn = block.terminator()->opcode() == spv::Op::OpReturn;
      returns |= isReturn;
      return isReturn ? region.exit == nullptr
                      : block.terminator()->opcode() == spv::Op::OpUnreachable;
    }
    return llvm::all_of(block.successors(), [&](const Block *next) {
      return inside.contains(next) || next == region.exit;
    });
  };
  for (const Block *block : region.blocks) {
    if (!leavesWell(*block))
      return false;
    for (const Block *before : block->predecessors())
      if (flow.isReachable(*before) && before != region.head && !inside.contains(before))
        return false;
  }
  return leavesWell(*region.head) && (region.exit || returns);
}

std::optional<DivergentRegion> Finder::regionOf(Block &block) const {
  std::vector<const Construct *> chain = around(block);
  // Where the rest of a construct begins: in front of what is nested in it.
  Block *start = &block;
  for (const Construct *construct : chain) {
    if (isSwitch(*construct) && start != construct->header)
      if (DivergentRegion region = tail(*start, construct); isClosed(region))
        return region;
    if (DivergentRegion region = whole(*construct); isClosed(region))
      return region;
    start = construct->kind == Construct::Kind::Loop ? preheaderOf(*construct->header)
                                                     : construct->header;
    if (!start)
      return std::nullopt;
  }
  if (DivergentRegion region = tail(*start, nullptr); isClosed(region))
    return region;
  return std::nullopt;
}

Result<std::vector<DivergentRegion>>
Finder::find(llvm::function_ref<bool(const Block &)> isUniform) {
  std::vector<DivergentRegion> found;
  for (Block &block : function.blocks()) {
    if (!flow.isReachable(block) || block.successors().size() < 2 || isUniform(block))
      continue;
    // What is inside of a region stays inside of it.
    if (llvm::any_of(found, [&](const DivergentRegion &region) {
          return region.head == &block || llvm::is_contained(region.blocks, &block);
        }))
      continue;
    std::optional<DivergentRegion> region = regionOf(block);
    if (!region)
      return failure({}, "invocations part at block %" + std::to_string(raw(block.id())) +
                             " and there is no place where all of them meet again");
    found.push_back(std::move(*region));
  }
  // Only the outermost.
  std::vector<DivergentRegion> outermost;
  for (size_t at = 0; at < found.size(); ++at) {
    bool isInner = false;
    for (size_t other = 0; other < found.size() && !isInner; ++other) {
      bool smaller = found[at].blocks.size() < found[other].blocks.size() ||
                     (found[at].blocks.size() == found[other].blocks.size() && other < at);
      if (other == at || !smaller)
        continue;
      size_t shared = llvm::count_if(found[at].blocks, [&](Block *block) {
        return llvm::is_contained(found[other].blocks, block);
      });
      isInner = shared == found[at].blocks.size() &&
                (shared != 0 || llvm::is_contained(found[other].blocks, found[at].head));
      if (!isInner && shared != 0)
        return failure({}, "two stretches in which invocations part overlap");
    }
    if (!isInner)
      outermost.push_back(std::move(found[at]));
  }
  return outermost;
}

bool Finder::returnsFromInside() const {
  for (Block &block : function.blocks()) {
    if (!flow.isReachable(block) || block.terminator()->opcode() != spv::Op::OpReturn)
      continue;
    for (const Construct *construct : around(block))
      if (construct->kind == Construct::Kind::Loop || isSwitch(*construct))
        return true;
  }
  return false;
}

} // namespace

bool returnsFromInside(Function &function, const ControlFlow &flow) {
  return Finder(function, flow).returnsFromInside();
}

Result<std::vector<DivergentRegion>>
findDivergentRegions(Function &function, const ControlFlow &flow,
                     llvm::function_ref<bool(const Block &)> isUniform) {
  return Finder(function, flow).find(isUniform);
}

} // namespace tailor
