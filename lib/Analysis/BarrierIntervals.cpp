//===- Analysis/BarrierIntervals.cpp ---------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/BarrierIntervals.h"

#include <algorithm>

namespace tailor {

bool isWorkgroupBarrier(const Instruction &inst, ConstantEvaluator &constants) {
  if (inst.opcode() != spv::Op::OpControlBarrier)
    return false;
  std::optional<uint64_t> scope = constants.evaluateInt(inst.id(0));
  return scope == static_cast<uint64_t>(spv::Scope::Workgroup) ||
         scope == static_cast<uint64_t>(spv::Scope::Device) ||
         scope == static_cast<uint64_t>(spv::Scope::QueueFamily) ||
         scope == static_cast<uint64_t>(spv::Scope::CrossDevice);
}

BarrierIntervals::BarrierIntervals(const CanonicalForm &form, const ControlFlow &flow,
                                   ConstantEvaluator &constants) {
  cut(form, flow, constants);
  places.resize(next.size());
  mark.assign(next.size(), 0);
  for (unsigned place = 0; place < starts.size(); ++place)
    spreadFrom(place, starts[place]);
  findCycles();
}

void BarrierIntervals::cut(const CanonicalForm &form, const ControlFlow &flow,
                           ConstantEvaluator &constants) {
  const Function &function = form.function();
  firstOfBlock.assign(function.size(), kNone);
  std::vector<unsigned> lastOfBlock(function.size(), kNone);
  starts.push_back(0); // the entry block comes first
  for (const Block &block : function.blocks()) {
    if (!flow.isReachable(block))
      continue;
    unsigned segment = static_cast<unsigned>(next.size());
    firstOfBlock[block.index()] = segment;
    next.emplace_back();
    bool hasBarrier = false;
    for (const Instruction &inst : block.instructions())
      hasBarrier |= isWorkgroupBarrier(inst, constants);
    if (hasBarrier)
      for (const Instruction &inst : block.instructions()) {
        segmentsOfCut[&inst] = segment;
        if (!isWorkgroupBarrier(inst, constants))
          continue;
        ++barriers;
        segment = static_cast<unsigned>(next.size());
        starts.push_back(segment);
        next.emplace_back();
      }
    lastOfBlock[block.index()] = segment;
  }
  for (const Block &block : function.blocks())
    if (lastOfBlock[block.index()] != kNone)
      for (const Block *successor : block.successors())
        next[lastOfBlock[block.index()]].push_back(firstOfBlock[successor->index()]);
}

void BarrierIntervals::spreadFrom(unsigned place, unsigned segment) {
  std::vector<unsigned> work = {segment};
  while (!work.empty()) {
    unsigned at = work.back();
    work.pop_back();
    if (at >= next.size() || mark[at] == place + 1)
      continue;
    mark[at] = place + 1;
    places[at].push_back(place);
    work.insert(work.end(), next[at].begin(), next[at].end());
  }
}

/// Strongly connected components (Tarjan, 1972), with a stack of our own.
void BarrierIntervals::findCycles() {
  repeats.assign(next.size(), false);
  std::vector<unsigned> number(next.size(), 0), low(next.size(), 0), component;
  std::vector<bool> isOpen(next.size(), false);
  std::vector<size_t> child(next.size(), 0);
  unsigned count = 0;
  for (unsigned root = 0; root < next.size(); ++root) {
    if (number[root] != 0)
      continue;
    std::vector<unsigned> path = {root};
    while (!path.empty()) {
      unsigned at = path.back();
      if (number[at] == 0) {
        number[at] = low[at] = ++count;
        component.push_back(at);
        isOpen[at] = true;
      }
      if (child[at] < next[at].size()) {
        unsigned to = next[at][child[at]++];
        if (number[to] == 0)
          path.push_back(to);
        else if (isOpen[to])
          low[at] = std::min(low[at], number[to]);
        repeats[at] = repeats[at] || to == at;
        continue;
      }
      path.pop_back();
      if (!path.empty())
        low[path.back()] = std::min(low[path.back()], low[at]);
      if (low[at] != number[at])
        continue;
      bool isAlone = component.back() == at;
      for (unsigned last = kNone; last != at;) {
        last = component.back();
        component.pop_back();
        isOpen[last] = false;
        repeats[last] = repeats[last] || !isAlone;
      }
    }
  }
}

unsigned BarrierIntervals::segmentOf(const Instruction &inst) const {
  if (auto known = segmentsOfCut.find(&inst); known != segmentsOfCut.end())
    return known->second;
  return inst.parent() ? firstOfBlock[inst.parent()->index()] : kNone;
}

bool BarrierIntervals::repeatsWithoutBarrier(const Instruction &inst) const {
  unsigned segment = segmentOf(inst);
  return segment != kNone && repeats[segment];
}

llvm::ArrayRef<unsigned> BarrierIntervals::placesBefore(const Instruction &inst) const {
  unsigned segment = segmentOf(inst);
  return segment == kNone ? llvm::ArrayRef<unsigned>() : llvm::ArrayRef<unsigned>(places[segment]);
}

bool BarrierIntervals::canMeet(const Instruction &a, const Instruction &b) const {
  llvm::ArrayRef<unsigned> left = placesBefore(a), right = placesBefore(b);
  for (size_t i = 0, j = 0; i < left.size() && j < right.size();) {
    if (left[i] == right[j])
      return true;
    ++(left[i] < right[j] ? i : j);
  }
  return false;
}

} // namespace tailor
