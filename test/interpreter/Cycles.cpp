//===- interpreter/Cycles.cpp ---------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/Cycles.h"

#include <algorithm>

namespace tailor::interp {

/// Strongly connected components of the graph between some blocks (Tarjan, 1972), with a stack of
/// its own instead of calls.
class CycleNest::Search {
public:
  Search(size_t numBlocks, const std::vector<const Block *> &blocks)
      : inside(numBlocks), number(numBlocks, kNone), low(numBlocks), onStack(numBlocks) {
    for (const Block *block : blocks)
      inside[block->index()] = true;
    for (const Block *block : blocks)
      if (number[block->index()] == kNone)
        visit(block);
  }
  std::vector<std::vector<const Block *>> components;

private:
  struct Step {
    const Block *block;
    size_t next; ///< successor
  };
  void enter(const Block *block) {
    number[block->index()] = low[block->index()] = count++;
    onStack[block->index()] = true;
    stack.push_back(block);
    steps.push_back({block, 0});
  }
  void visit(const Block *root) {
    enter(root);
    while (!steps.empty()) {
      Step &step = steps.back();
      const unsigned at = step.block->index();
      if (step.next < step.block->successors().size()) {
        const Block *successor = step.block->successors()[step.next++];
        const unsigned to = successor->index();
        if (!inside[to])
          continue;
        if (number[to] == kNone)
          enter(successor);
        else if (onStack[to])
          low[at] = std::min(low[at], number[to]);
        continue;
      }
      const Block *done = step.block;
      steps.pop_back();
      if (!steps.empty()) {
        uint32_t &above = low[steps.back().block->index()];
        above = std::min(above, low[at]);
      }
      if (low[at] == number[at])
        finish(done);
    }
  }
  void finish(const Block *root) {
    std::vector<const Block *> component;
    do {
      component.push_back(stack.back());
      onStack[stack.back()->index()] = false;
      stack.pop_back();
    } while (component.back() != root);
    components.push_back(std::move(component));
  }

  std::vector<bool> inside;
  std::vector<uint32_t> number, low;
  std::vector<bool> onStack;
  std::vector<const Block *> stack;
  std::vector<Step> steps;
  uint32_t count = 0;
};

CycleNest::CycleNest(const Function &function)
    : chains(function.size()), order(function.size(), kNone) {
  std::vector<const Block *> pending = {&function.front()}, reached;
  while (!pending.empty()) {
    const Block *block = pending.back();
    pending.pop_back();
    if (order[block->index()] != kNone)
      continue;
    order[block->index()] = static_cast<uint32_t>(reached.size());
    reached.push_back(block);
    pending.insert(pending.end(), block->successors().rbegin(), block->successors().rend());
  }
  find(reached, kNone);
}

void CycleNest::find(const std::vector<const Block *> &blocks, uint32_t parent) {
  for (auto &component : Search(chains.size(), blocks).components) {
    const Block *first = component.front();
    bool onItself = llvm::is_contained(first->successors(), first);
    if (component.size() == 1 && !onItself)
      continue;
    std::sort(component.begin(), component.end(), [&](const Block *a, const Block *b) {
      return order[a->index()] < order[b->index()];
    });
    const auto cycle = static_cast<uint32_t>(list.size());
    list.push_back({component.front(), parent});
    for (const Block *block : component)
      chains[block->index()].push_back(cycle);
    component.erase(component.begin());
    find(component, cycle);
  }
}

bool CycleNest::contains(uint32_t cycle, const Block &block) const {
  llvm::ArrayRef<uint32_t> chain = around(block);
  return std::find(chain.begin(), chain.end(), cycle) != chain.end();
}

} // namespace tailor::interp
