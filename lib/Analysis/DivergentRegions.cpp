//===- Analysis/DivergentRegions.cpp ---------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/DivergentRegions.h"

#include "Analysis/ConstructNest.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <optional>

namespace tailor {

namespace {

/// A block; or, with `before`, the place in front of the header of a loop where a preheader stands
/// or could stand.
struct Place {
  Block *block = nullptr;
  bool before = false;
};

class Finder {
public:
  Finder(Function &function, const ControlFlow &flow)
      : function(function), flow(flow), nest(function, flow) {}

  bool returnsFromInside() const;
  Result<std::vector<DivergentRegion>> find(llvm::function_ref<bool(const Block &)> isUniform);
  const Block *stuck = nullptr;

private:
  using BlockSet = llvm::SmallPtrSet<const Block *, 16>;

  bool isBehind(const Place &place, const Block &block) const {
    return (place.before || place.block != &block) && flow.dominates(*place.block, block);
  }
  static Place startOf(const Construct &construct) {
    return {construct.header, construct.kind == Construct::Kind::Loop};
  }
  Block *headOf(const Place &place) const;
  std::optional<DivergentRegion> regionOf(Block &block) const;
  std::optional<DivergentRegion> whole(const Construct &construct) const;
  std::optional<DivergentRegion> tail(const Place &start, const Construct *of) const;
  std::optional<DivergentRegion> closed(const Place &start, DivergentRegion region,
                                        const Construct *of) const;
  bool leavesSwitches(const DivergentRegion &region) const;
  void addUnreachable(DivergentRegion &region) const;
  Result<std::vector<DivergentRegion>> outermost(std::vector<DivergentRegion> found);

  Function &function;
  const ControlFlow &flow;
  ConstructNest nest;
};

/// The preheader, where there is one.
Block *Finder::headOf(const Place &place) const {
  if (!place.before)
    return place.block;
  Block *head = nullptr;
  for (Block *block : place.block->predecessors())
    if (flow.isReachable(*block) && !flow.dominates(*place.block, *block)) {
      if (head || block->successors().size() != 1)
        return nullptr;
      head = block;
    }
  return head;
}

/// Merge blocks and continue targets that are never reached belong to their construct.
void Finder::addUnreachable(DivergentRegion &region) const {
  BlockSet inside(region.blocks.begin(), region.blocks.end()), more;
  for (Block *block : llvm::concat<Block *const>(region.blocks, llvm::ArrayRef(region.head)))
    if (const Construct *construct = block ? nest.headedBy(*block) : nullptr)
      for (const Block *named : {construct->mergeBlock, construct->continueTarget})
        if (named && !flow.isReachable(*named))
          more.insert(named);
  if (more.empty())
    return;
  std::vector<Block *> all;
  for (Block &block : function.blocks())
    if (more.contains(&block) || inside.contains(&block))
      all.push_back(&block);
  region.blocks = std::move(all);
}

/// Whether an edge to the exit starts inside of a switch that stands in the region.
bool Finder::leavesSwitches(const DivergentRegion &region) const {
  BlockSet inside(region.blocks.begin(), region.blocks.end());
  inside.insert(region.head);
  return llvm::any_of(inside, [&](const Block *block) {
    if (!llvm::is_contained(block->successors(), region.exit))
      return false;
    for (const Construct *construct = nest.innermost(*block);
         construct && inside.contains(construct->header); construct = nest.around(*construct))
      if (ConstructNest::isSwitch(*construct))
        return true;
    return false;
  });
}

/// The region from `start` to region.exit, if that is the one way out of it, is there, and there is
/// no other way in. `of`: what it may not leave.
std::optional<DivergentRegion> Finder::closed(const Place &start, DivergentRegion region,
                                              const Construct *of) const {
  if (region.exit && !flow.isReachable(*region.exit))
    return std::nullopt;
  BlockSet inside;
  bool leaves = false;
  auto enter = [&](Block &block) {
    if (inside.insert(&block).second)
      region.blocks.push_back(&block);
  };
  auto goesOn = [&](const Block &block) {
    if (block.successors().empty()) {
      const bool isReturn = block.terminator()->opcode() == spv::Op::OpReturn;
      leaves |= isReturn && !region.exit;
      return isReturn ? !region.exit : block.terminator()->opcode() == spv::Op::OpUnreachable;
    }
    for (Block *next : block.successors())
      if (next == region.exit)
        leaves = true;
      else if (isBehind(start, *next) && (!of || nest.contains(*of, *next)))
        enter(*next);
      else
        return false;
    return true;
  };
  if (start.before)
    enter(*start.block);
  else if (!goesOn(*start.block))
    return std::nullopt;
  for (size_t at = 0; at < region.blocks.size();) // grows meanwhile
    if (!goesOn(*region.blocks[at++]))
      return std::nullopt;
  auto comesFromStart = [&](const Block &before, const Block &block) {
    return start.before ? &block == start.block && !flow.dominates(block, before)
                        : &before == start.block;
  };
  for (const Block *block : region.blocks)
    for (const Block *before : block->predecessors())
      if (flow.isReachable(*before) && !inside.contains(before) && !comesFromStart(*before, *block))
        return std::nullopt;
  if (!leaves)
    return std::nullopt;
  llvm::sort(region.blocks, [](const Block *a, const Block *b) { return a->index() < b->index(); });
  region.head = headOf(start);
  return region;
}

std::optional<DivergentRegion> Finder::whole(const Construct &construct) const {
  DivergentRegion region;
  region.exit = construct.mergeBlock;
  return closed(startOf(construct), std::move(region), &construct);
}

/// The rest of a switch, of a loop's body, or of the function.
std::optional<DivergentRegion> Finder::tail(const Place &start, const Construct *of) const {
  DivergentRegion region;
  region.isTail = true;
  const bool isLoop = of && of->kind == Construct::Kind::Loop;
  if (of)
    region.exit = isLoop ? of->continueTarget : of->mergeBlock;
  if (isLoop ? flow.dominates(*region.exit, *start.block) : of && start.block == of->header)
    return std::nullopt;
  std::optional<DivergentRegion> found = closed(start, std::move(region), of);
  // Where one arm leaves for good, the merge block belongs to the other one by dominance alone.
  for (const Construct *construct = nest.innermost(*start.block);
       found && construct && construct != of; construct = nest.around(*construct))
    if (construct->header != start.block && llvm::any_of(found->blocks, [&](const Block *block) {
          return block == construct->mergeBlock || block == construct->continueTarget;
        }))
      found.reset();
  if (found && isLoop)
    found->needsLoop = start.block == of->header || leavesSwitches(*found);
  return found;
}

std::optional<DivergentRegion> Finder::regionOf(Block &block) const {
  // Where the rest of a construct may begin, inner first: at the branch, or in front of what is
  // nested in the construct.
  llvm::SmallVector<Place, 8> starts = {{&block}};
  auto anyTail = [&](const Construct *of) -> std::optional<DivergentRegion> {
    for (const Place &start : starts)
      if (std::optional<DivergentRegion> region = tail(start, of))
        return region;
    return std::nullopt;
  };
  for (const Construct *construct = nest.innermost(block); construct;
       construct = nest.around(*construct)) {
    const bool isLoop = construct->kind == Construct::Kind::Loop;
    if (isLoop || ConstructNest::isSwitch(*construct))
      if (std::optional<DivergentRegion> region = anyTail(construct))
        return region;
    if (std::optional<DivergentRegion> region = whole(*construct))
      return region;
    if (isLoop) // what follows it is left from its inside by no branch
      starts.clear();
    starts.push_back(startOf(*construct));
  }
  return anyTail(nullptr);
}

/// Those that are in no other.
Result<std::vector<DivergentRegion>> Finder::outermost(std::vector<DivergentRegion> found) {
  std::vector<size_t> bySize(found.size());
  for (size_t at = 0; at < found.size(); ++at)
    bySize[at] = at;
  std::sort(bySize.begin(), bySize.end(), [&](size_t a, size_t b) {
    const size_t sizeOfA = found[a].blocks.size(), sizeOfB = found[b].blocks.size();
    return sizeOfA != sizeOfB ? sizeOfA > sizeOfB : a < b;
  });
  constexpr size_t kNone = SIZE_MAX;
  std::vector<size_t> owner(function.size(), kNone); // by block: the region that it is in
  llvm::BitVector isInner(static_cast<unsigned>(found.size()));
  for (size_t at : bySize) {
    const DivergentRegion &region = found[at];
    const Block *first = region.blocks.empty() ? region.head : region.blocks.front();
    const size_t other = owner[first->index()];
    for (const Block *block : region.blocks)
      if (owner[block->index()] != other) {
        stuck = region.parting;
        return failure({}, "two stretches in which invocations part overlap");
      }
    if (other != kNone)
      isInner.set(static_cast<unsigned>(at));
    else
      for (const Block *block : region.blocks)
        owner[block->index()] = at;
  }
  std::vector<DivergentRegion> left;
  for (size_t at = 0; at < found.size(); ++at)
    if (!isInner.test(static_cast<unsigned>(at)))
      left.push_back(std::move(found[at]));
  return left;
}

Result<std::vector<DivergentRegion>>
Finder::find(llvm::function_ref<bool(const Block &)> isUniform) {
  std::vector<DivergentRegion> found;
  llvm::BitVector seen(static_cast<unsigned>(function.size()));
  for (Block &block : function.blocks()) {
    // What is inside of a region stays inside of it.
    if (!flow.isReachable(block) || block.successors().size() < 2 || seen.test(block.index()) ||
        isUniform(block))
      continue;
    std::optional<DivergentRegion> region = regionOf(block);
    if (!region) {
      stuck = &block;
      return failure({}, "invocations part, and there is no place where all of them meet again");
    }
    region->parting = &block;
    if (region->head)
      seen.set(region->head->index());
    for (const Block *inside : region->blocks)
      seen.set(inside->index());
    found.push_back(std::move(*region));
  }
  Result<std::vector<DivergentRegion>> regions = outermost(std::move(found));
  if (regions)
    for (DivergentRegion &region : *regions)
      addUnreachable(region);
  return regions;
}

bool Finder::returnsFromInside() const {
  for (const Block &block : function.blocks()) {
    if (!flow.isReachable(block) || block.terminator()->opcode() != spv::Op::OpReturn)
      continue;
    for (const Construct *construct = nest.innermost(block); construct;
         construct = nest.around(*construct))
      if (construct->kind == Construct::Kind::Loop || ConstructNest::isSwitch(*construct))
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
                     llvm::function_ref<bool(const Block &)> isUniform, const Block **stuck) {
  Finder finder(function, flow);
  Result<std::vector<DivergentRegion>> regions = finder.find(isUniform);
  if (stuck)
    *stuck = finder.stuck;
  return regions;
}

} // namespace tailor
