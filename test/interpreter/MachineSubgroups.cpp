//===- interpreter/MachineSubgroups.cpp - What a subgroup does together -----===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Invocations stop at a subgroup operation. When all of the workgroup have
// stopped somewhere, those of a subgroup that are furthest behind execute the
// operation together: the others are inactive. So invocations that parted meet
// again behind a structured selection or loop.
//
//===----------------------------------------------------------------------===//
#include "interpreter/Machine.h"

#include <algorithm>
#include <limits>

namespace tailor::interp {

using enum spv::Op;

/// A position in the program that is smaller the more is still to be executed: for every cycle
/// around, where its header is and the iteration, then where the instruction is; callers first.
std::vector<uint32_t> Machine::positionOf(const Invocation &invocation) const {
  std::vector<uint32_t> position;
  auto append = [&](uint32_t chain, uint32_t code) {
    for (uint32_t cycle : program.chains[chain]) {
      position.push_back(program.headers[cycle]);
      position.push_back(invocation.iterations[cycle]);
    }
    position.push_back(code);
  };
  for (const Frame &frame : invocation.frames)
    append(frame.chain, frame.returnTo);
  append(invocation.barrier->chain, invocation.pc);
  return position;
}

/// Executes one operation in every subgroup that waits for one; whether there was any.
bool Machine::openSubgroups(std::vector<Invocation> &all, bool &any) {
  const size_t width = std::max<uint32_t>(program.inputs.subgroupSize, 1);
  any = false;
  for (size_t first = 0; first < all.size(); first += width) {
    Lanes lanes(std::min(width, all.size() - first), nullptr);
    std::vector<uint32_t> behind;
    for (size_t lane = 0; lane < lanes.size(); ++lane) {
      Invocation &each = all[first + lane];
      if (each.state != State::AtSubgroup)
        continue;
      std::vector<uint32_t> position = positionOf(each);
      if (behind.empty() || position < behind) {
        behind = position;
        std::fill(lanes.begin(), lanes.end(), nullptr);
      }
      if (position == behind)
        lanes[lane] = &each;
    }
    auto active = std::find_if(lanes.begin(), lanes.end(), [](auto *each) { return each; });
    if (active == lanes.end())
      continue;
    any = true;
    const Code &code = *(*active)->barrier;
    select(**active);
    if (!together(code, lanes))
      return false;
    for (Invocation *each : lanes) {
      if (!each)
        continue;
      each->state = State::Running;
      select(*each);
      if (interest.values && code.words != 0)
        reportValue(code);
    }
  }
  return true;
}

const uint64_t *Machine::inOf(const Invocation &lane, const Code &code, uint32_t index) const {
  const uint32_t ref = operand(code, index).ref;
  return (ref & kConstantBit) != 0 ? program.constants.data() + (ref & ~kConstantBit)
                                   : lane.registers + ref;
}

/// Calls `visit(invocation, lane)` for those that are active.
template <typename Visit> static void forActive(const auto &lanes, Visit visit) {
  for (uint32_t lane = 0; lane < lanes.size(); ++lane)
    if (lanes[lane])
      visit(*lanes[lane], lane);
}

/// Gives each lane the value of the lane that `source(invocation, lane)` names.
template <typename Source>
void Machine::exchange(const Code &code, const Lanes &lanes, Source source) {
  std::vector<uint64_t> values(lanes.size() * code.words);
  forActive(lanes, [&](Invocation &each, uint32_t lane) {
    const uint64_t from = source(each, lane);
    const bool exists = from < lanes.size() && lanes[from];
    for (uint32_t at = 0; at < code.words; ++at)
      values[lane * code.words + at] = exists ? inOf(*lanes[from], code, 1)[at] : undefined();
  });
  forActive(lanes, [&](Invocation &each, uint32_t lane) {
    std::copy_n(values.data() + lane * code.words, code.words, each.registers + code.result);
  });
}

static uint64_t identityOf(spv::Op op, const Shape &shape) {
  const uint64_t top = uint64_t{1} << (shape.width - 1),
                 ones = truncateTo(shape.width, ~uint64_t{0});
  constexpr double infinity = std::numeric_limits<double>::infinity();
  switch (op) {
  case OpGroupNonUniformIMul:
    return 1;
  case OpGroupNonUniformFMul:
    return writeFloat(shape.width, 1);
  case OpGroupNonUniformSMin:
    return top - 1;
  case OpGroupNonUniformSMax:
    return top;
  case OpGroupNonUniformFMin:
    return writeFloat(shape.width, infinity);
  case OpGroupNonUniformFMax:
    return writeFloat(shape.width, -infinity);
  case OpGroupNonUniformUMin:
  case OpGroupNonUniformBitwiseAnd:
  case OpGroupNonUniformLogicalAnd:
    return ones;
  default:
    return 0;
  }
}

/// Reductions and scans; a cluster is the whole subgroup where none is given.
void Machine::reduce(const Code &code, const Lanes &lanes) {
  const auto operation = static_cast<spv::GroupOperation>(code.b);
  const bool clustered = operation == spv::GroupOperation::ClusteredReduce;
  std::vector<uint64_t> values(lanes.size() * code.words);
  forActive(lanes, [&](Invocation &each, uint32_t lane) {
    const uint64_t size = clustered ? std::max<uint64_t>(*inOf(each, code, 2), 1) : lanes.size();
    uint64_t begin = lane / size * size, end = std::min<uint64_t>(begin + size, lanes.size());
    if (operation == spv::GroupOperation::InclusiveScan)
      end = lane + 1;
    if (operation == spv::GroupOperation::ExclusiveScan)
      end = lane;
    for (uint32_t at = 0; at < code.words; ++at) {
      uint64_t sum = identityOf(code.inst->opcode(), *code.shape);
      for (uint64_t other = begin; other < end; ++other)
        if (lanes[other])
          sum = code.scalar(sum, inOf(*lanes[other], code, 1)[at], 0, 0, undefined);
      values[lane * code.words + at] = sum;
    }
  });
  forActive(lanes, [&](Invocation &each, uint32_t lane) {
    std::copy_n(values.data() + lane * code.words, code.words, each.registers + code.result);
  });
}

/// Votes and ballots: one answer for all.
bool Machine::vote(const Code &code, const Lanes &lanes) {
  uint64_t words[4] = {};
  bool all = true, any = false, equal = true;
  const Invocation *first = nullptr;
  forActive(lanes, [&](Invocation &each, uint32_t lane) {
    first = first ? first : &each;
    if (code.count < 2)
      return;
    const uint64_t *value = inOf(each, code, 1);
    all &= *value != 0;
    any |= *value != 0;
    equal &= std::equal(value, value + operand(code, 1).words, inOf(*first, code, 1));
    if (*value != 0 && lane < 128)
      words[lane / 32] |= uint64_t{1} << (lane % 32);
  });
  forActive(lanes, [&](Invocation &each, uint32_t) {
    uint64_t *to = each.registers + code.result;
    switch (code.inst->opcode()) {
    case OpGroupNonUniformElect:
      *to = &each == first;
      break;
    case OpGroupNonUniformAll:
      *to = all;
      break;
    case OpGroupNonUniformAny:
      *to = any;
      break;
    case OpGroupNonUniformAllEqual:
      *to = equal;
      break;
    default:
      std::copy_n(words, std::min<uint32_t>(code.words, 4), to);
      break;
    }
  });
  return true;
}

/// What a lane finds in a ballot that it holds.
void Machine::readBallot(const Code &code, const Lanes &lanes) {
  forActive(lanes, [&](Invocation &each, uint32_t lane) {
    const uint64_t *ballot = inOf(each, code, 1);
    auto bit = [&](uint64_t at) { return at < 128 && (ballot[at / 32] >> (at % 32) & 1) != 0; };
    std::vector<uint32_t> set;
    const auto operation = static_cast<spv::GroupOperation>(code.b);
    const uint64_t end = operation == spv::GroupOperation::InclusiveScan   ? lane + 1
                         : operation == spv::GroupOperation::ExclusiveScan ? lane
                                                                           : lanes.size();
    const bool counts = code.inst->opcode() == OpGroupNonUniformBallotBitCount;
    for (uint32_t at = 0; at < (counts ? end : lanes.size()); ++at)
      if (bit(at))
        set.push_back(at);
    uint64_t *to = each.registers + code.result;
    switch (code.inst->opcode()) {
    case OpGroupNonUniformInverseBallot:
      *to = bit(lane);
      break;
    case OpGroupNonUniformBallotBitExtract:
      *to = bit(*inOf(each, code, 2));
      break;
    case OpGroupNonUniformBallotFindLSB:
      *to = set.empty() ? undefined() : set.front();
      break;
    case OpGroupNonUniformBallotFindMSB:
      *to = set.empty() ? undefined() : set.back();
      break;
    default:
      *to = set.size();
      break;
    }
  });
}

bool Machine::together(const Code &code, const Lanes &lanes) {
  auto given = [&](const Invocation &each) { return *inOf(each, code, 2); };
  switch (code.inst->opcode()) {
  case OpControlBarrier:
    return true;
  case OpGroupNonUniformBroadcast:
  case OpGroupNonUniformShuffle:
    exchange(code, lanes, [&](Invocation &each, uint32_t) { return given(each); });
    return true;
  case OpGroupNonUniformBroadcastFirst: {
    auto first = std::find_if(lanes.begin(), lanes.end(), [](auto *each) { return each; });
    exchange(code, lanes, [&](Invocation &, uint32_t) { return first - lanes.begin(); });
    return true;
  }
  case OpGroupNonUniformShuffleXor:
    exchange(code, lanes, [&](Invocation &each, uint32_t lane) { return lane ^ given(each); });
    return true;
  case OpGroupNonUniformShuffleUp:
    exchange(code, lanes, [&](Invocation &each, uint32_t lane) { return lane - given(each); });
    return true;
  case OpGroupNonUniformShuffleDown:
    exchange(code, lanes, [&](Invocation &each, uint32_t lane) { return lane + given(each); });
    return true;
  case OpGroupNonUniformQuadBroadcast:
    exchange(code, lanes,
             [&](Invocation &each, uint32_t lane) { return lane / 4 * 4 + given(each); });
    return true;
  case OpGroupNonUniformQuadSwap: // across, down, both
    exchange(code, lanes,
             [&](Invocation &each, uint32_t lane) { return lane ^ (given(each) + 1); });
    return true;
  case OpGroupNonUniformElect:
  case OpGroupNonUniformAll:
  case OpGroupNonUniformAny:
  case OpGroupNonUniformAllEqual:
  case OpGroupNonUniformBallot:
    return vote(code, lanes);
  case OpGroupNonUniformInverseBallot:
  case OpGroupNonUniformBallotBitExtract:
  case OpGroupNonUniformBallotBitCount:
  case OpGroupNonUniformBallotFindLSB:
  case OpGroupNonUniformBallotFindMSB:
    readBallot(code, lanes);
    return true;
  default:
    break;
  }
  if (!code.scalar)
    return fail(*code.inst, "unsupported " + tailor::nameOf(code.inst->opcode()));
  reduce(code, lanes);
  return true;
}

} // namespace tailor::interp
