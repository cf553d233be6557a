//===- interpreter/UniformityCheck.cpp ---------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "UniformityCheck.h"

#include "IR/Types.h"

namespace tailor::interp {

namespace {

constexpr const char *kSetNames[kNumClaimedSets] = {"subgroup", "workgroup", "dispatch",
                                                    "pack x",   "pack y",    "pack z"};
constexpr size_t kMostComplaints = 20;

uint8_t bit(ClaimedSet set) { return static_cast<uint8_t>(1u << static_cast<unsigned>(set)); }

/// The strongest claims: the dispatch's has the others in it.
uint8_t setsOf(UniformityScope scope, std::array<bool, 3> packs) {
  uint8_t sets = 0;
  if (scope == UniformityScope::Dispatch)
    return bit(ClaimedSet::Dispatch);
  if (scope == UniformityScope::Subgroup)
    sets |= bit(ClaimedSet::Subgroup);
  if (scope == UniformityScope::Workgroup)
    sets |= bit(ClaimedSet::Workgroup);
  for (unsigned axis = 0; axis < 3; ++axis)
    if (packs[axis])
      sets |= static_cast<uint8_t>(bit(ClaimedSet::PackX) << axis);
  return sets;
}

/// Mixes numbers well enough that no two instances of one test meet.
class Hash {
public:
  Hash &add(uint64_t value) {
    state = (state ^ value) * 0x9e3779b97f4a7c15u;
    state ^= state >> 29;
    state *= 0xbf58476d1ce4e5b9u;
    state ^= state >> 32;
    return *this;
  }
  uint64_t value() const { return state; }

private:
  uint64_t state = 0x243f6a8885a308d3u;
};

} // namespace

UniformityChecker::UniformityChecker(const KernelAnalysis &analyzed, std::vector<Dim3> run,
                                     uint32_t subgroups)
    : kernel(analyzed), groups(std::move(run)), subgroupSize(subgroups) {
  const Uniformity &uniformity = kernel.uniformity();
  for (const Block &block : kernel.form().function().blocks()) {
    if (!kernel.flow().isReachable(block))
      continue;
    std::array<bool, 3> packs{};
    for (unsigned axis = 0; axis < 3; ++axis)
      packs[axis] = uniformity.isPackUniformControl(block, axis);
    blocks[&block] = setsOf(uniformity.control(block), packs);
    for (const Instruction &inst : block.instructions()) {
      if (!isValid(inst.result()))
        continue;
      ValueClaims &claims = values[&inst];
      unsigned count = std::max(1u, componentCount(kernel.module(), inst.typeId()));
      for (unsigned at = 0; at < count; ++at) {
        for (unsigned axis = 0; axis < 3; ++axis)
          packs[axis] = uniformity.isPackUniform(inst.result(), axis, at);
        claims.sets.push_back(setsOf(uniformity.of(inst.result(), at), packs));
        claims.all |= claims.sets.back();
      }
    }
  }
}

void UniformityChecker::claim(const Instruction &inst, unsigned component, ClaimedSet set) {
  ValueClaims &claims = values[&inst];
  claims.sets.resize(std::max<size_t>(claims.sets.size(), component + 1));
  claims.sets[component] |= bit(set);
  claims.all |= bit(set);
}
void UniformityChecker::claim(const Block &block, ClaimedSet set) { blocks[&block] |= bit(set); }

Interest UniformityChecker::interest() const {
  Interest wanted;
  wanted.values = wanted.branches = true;
  return wanted;
}

/// A number of the set that the invocation belongs to.
uint64_t UniformityChecker::keyOf(ClaimedSet set, const Dim3 &group, uint32_t invocation) const {
  Hash hash;
  hash.add(static_cast<uint64_t>(set));
  if (set == ClaimedSet::Subgroup)
    hash.add(invocation / subgroupSize);
  for (unsigned axis = 0; axis < 3; ++axis) {
    bool isInside = set == ClaimedSet::Dispatch ||
                    static_cast<unsigned>(set) == static_cast<unsigned>(ClaimedSet::PackX) + axis;
    hash.add(isInside ? 0 : group[axis]);
  }
  return hash.value();
}

uint64_t UniformityChecker::membersOf(ClaimedSet set, const Dim3 &group,
                                      uint32_t invocation) const {
  const uint64_t size = kernel.size().product();
  if (set == ClaimedSet::Subgroup)
    return std::min<uint64_t>(subgroupSize, size - invocation / subgroupSize * subgroupSize);
  uint64_t count = 0;
  for (const Dim3 &other : groups)
    count += keyOf(set, other, 0) == keyOf(set, group, 0);
  return count * size;
}

void UniformityChecker::complain(std::string text) {
  if (wrong.size() < kMostComplaints)
    wrong.push_back(std::move(text));
}

void UniformityChecker::onValue(const Where &where, llvm::ArrayRef<uint64_t> components) {
  auto claims = values.find(where.inst);
  if (claims == values.end() || claims->second.all == 0)
    return;
  // A pointer is an object, which for memory of an invocation's own is its own, and an offset.
  if (pointerTypeOfValue(kernel.module(), where.inst->result()))
    components = components.take_back();
  for (unsigned index = 0; index < kNumClaimedSets; ++index) {
    const auto set = static_cast<ClaimedSet>(index);
    if ((claims->second.all & bit(set)) == 0)
      continue;
    Hash hash;
    hash.add(reinterpret_cast<uintptr_t>(where.inst)); // the same object throughout a run
    hash.add(keyOf(set, where.group, where.invocation));
    for (uint32_t iteration : where.iterations)
      hash.add(iteration);
    const auto &sets = claims->second.sets;
    for (unsigned at = 0; at < components.size(); ++at) {
      // Other composites have one claim for all of their parts.
      if ((sets[std::min<size_t>(at, sets.size() - 1)] & bit(set)) == 0)
        continue;
      auto [first, isNew] = seen.try_emplace(Hash(hash).add(at).value(), components[at]);
      comparisons[index] += !isNew;
      if (isNew || first->second == components[at] || !blamed.insert({where.inst, index}).second)
        continue;
      complain(kernel.locationOf(*where.inst).str() + ": component " + std::to_string(at) +
               " of %" + std::to_string(raw(where.inst->result())) + " " +
               nameOf(where.inst->opcode()) + " is said to be the same over a " + kSetNames[index] +
               ", and is " + std::to_string(first->second) + " and " +
               std::to_string(components[at]) + " for invocation " +
               std::to_string(where.invocation) + " of group " + where.group.str());
    }
  }
}

void UniformityChecker::arrive(const Block &block, const Where &where,
                               llvm::ArrayRef<uint32_t> iterations) {
  auto claims = blocks.find(&block);
  if (claims == blocks.end())
    return;
  for (unsigned index = 0; index < kNumClaimedSets; ++index) {
    const auto set = static_cast<ClaimedSet>(index);
    if ((claims->second & bit(set)) == 0)
      continue;
    Hash hash;
    hash.add(reinterpret_cast<uintptr_t>(&block));
    hash.add(keyOf(set, where.group, where.invocation));
    for (uint32_t iteration : iterations)
      hash.add(iteration);
    auto [at, isNew] = arrived.try_emplace(hash.value());
    if (isNew)
      at->second = {&block, set, membersOf(set, where.group, where.invocation)};
    ++at->second.count;
  }
}

void UniformityChecker::onBranch(const Where &where, const Block &to) {
  arrive(*where.inst->parent(), where, where.iterations);
  if (to.successors().empty()) // no branch of its own, so in no loop either
    arrive(to, where, {});
}

std::vector<std::string> UniformityChecker::finish() {
  for (const auto &[key, each] : arrived) {
    ++arrivals;
    const auto index = static_cast<unsigned>(each.set);
    if (each.count == each.expected || !blamed.insert({each.block, index}).second)
      continue;
    complain(kernel.locationOf(*each.block->terminator()).str() + ": block %" +
             std::to_string(raw(each.block->id())) + " is said to be reached alike by a " +
             kSetNames[index] + ", and " + std::to_string(each.count) + " of " +
             std::to_string(each.expected) + " come");
  }
  return wrong;
}

} // namespace tailor::interp
