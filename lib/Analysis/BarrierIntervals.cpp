//===- Analysis/BarrierIntervals.cpp ---------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/BarrierIntervals.h"

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
  const Function &function = form.function();
  firstOfBlock.assign(function.size(), kNone);
  std::vector<unsigned> lastOfBlock(function.size(), kNone), starts;
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
        place[&inst] = segment;
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
  if (!next.empty())
    intervals.push_back(reachableFrom({firstOfBlock[function.front().index()]}));
  for (unsigned start : starts)
    intervals.push_back(reachableFrom({start}));
}

llvm::BitVector BarrierIntervals::reachableFrom(llvm::ArrayRef<unsigned> first) const {
  llvm::BitVector seen(static_cast<unsigned>(next.size()));
  std::vector<unsigned> work(first.begin(), first.end());
  while (!work.empty()) {
    unsigned segment = work.back();
    work.pop_back();
    if (segment == kNone || seen.test(segment))
      continue;
    seen.set(segment);
    work.insert(work.end(), next[segment].begin(), next[segment].end());
  }
  return seen;
}

unsigned BarrierIntervals::segmentOf(const Instruction &inst) const {
  if (auto known = place.find(&inst); known != place.end())
    return known->second;
  return inst.parent() ? firstOfBlock[inst.parent()->index()] : kNone;
}

bool BarrierIntervals::repeatsWithoutBarrier(const Instruction &inst) const {
  unsigned segment = segmentOf(inst);
  return segment != kNone && reachableFrom(next[segment]).test(segment);
}

bool BarrierIntervals::canMeet(const Instruction &a, const Instruction &b) const {
  unsigned first = segmentOf(a), second = segmentOf(b);
  if (first == kNone || second == kNone)
    return false;
  for (const llvm::BitVector &interval : intervals)
    if (interval.test(first) && interval.test(second))
      return true;
  return false;
}

} // namespace tailor
