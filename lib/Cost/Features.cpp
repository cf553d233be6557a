//===- Cost/Features.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Cost/Features.h"

#include "Analysis/InstructionWork.h"
#include "Analysis/SharedMemory.h"
#include "Cost/Footprint.h"
#include "Cost/Neighbours.h"
#include "Cost/Rounds.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <tuple>

namespace tailor {

namespace {

/// Loads that follow one another in a loop without a barrier are in flight together, as compilers
/// unroll by about so much.
constexpr double kUnrolled = 4;

/// What a loop goes round of which nothing is known, in a kernel of which nothing is known of any.
constexpr double kUnknownRounds = 16;

/// A loop that nothing is known of is taken to be like the longest of the kernel's others: most
/// often it is a copy of it that a technique has changed.
double usualRounds(const TripCounts &trips) {
  double most = 0;
  for (const TripName &name : trips.names())
    if (name.isFound && name.meaning.starts_with("how often the loop"))
      most = std::max(most, name.assumed);
  return most >= 1 ? most : kUnknownRounds;
}

HostValues hostOf(const DispatchShape &shape) {
  HostValues host;
  host.numWorkgroups = shape.groups.array();
  host.leaf = [&shape](const UniformExpr &leaf) -> std::optional<uint32_t> {
    if (leaf.op == UniformExpr::Op::PushConstant &&
        uint64_t{leaf.params[0]} + 4 <= shape.pushConstants.size()) {
      uint32_t value = 0;
      std::memcpy(&value, shape.pushConstants.data() + leaf.params[0], 4);
      return value;
    }
    return shape.other ? shape.other(leaf) : std::nullopt;
  };
  return host;
}

class Gatherer {
public:
  Gatherer(const KernelAnalysis &kernel, const DispatchShape &shape, uint32_t width)
      : kernel(kernel), width(width), host(hostOf(shape)), model(kernel), trips(kernel, host),
        costs(kernel), lanes(model, host, shape.groups, width),
        footprint(model, host, shape.groups), unknownRounds(usualRounds(trips)) {
    f.localSize = kernel.size();
    f.groups = shape.groups;
    f.subgroupWidth = width;
    const double invocations = f.invocations();
    f.subgroups = std::ceil(invocations / width);
    f.fill = invocations / (f.subgroups * width);
  }

  VariantFeatures gather(const std::vector<MemoryAccess> &accesses);

private:
  struct Weight {
    double runs = 0;  ///< of an invocation that takes every branch
    double share = 0; ///< of the subgroups that come there
    double total() const { return runs * share; }
  };
  Weight weightOf(const Block &block);
  void addBlock(const Block &block);
  bool addressKnown(const MemoryAccess &access);
  double blocksOf(const MemoryAccess &access, double lanes, double blockBytes) const;
  void addAccess(const MemoryAccess &access);
  void addBuffer(const MemoryAccess &access, const Weight &weight,
                 const std::vector<SubgroupRun> &runs);
  double roundsEachTime(const LoopInfo *loop, double runs);
  Neighbours &neighboursOf(const MemoryAccess &access, double runs);

  const KernelAnalysis &kernel;
  uint32_t width;
  HostValues host;
  LaneModel model;
  TripCounts trips;
  InstructionWork costs;
  SampledLanes lanes;
  Footprint footprint;
  double unknownRounds;
  VariantFeatures f;
  llvm::DenseMap<const Block *, Weight> weights;
  llvm::DenseMap<const Instruction *, MemorySpace> loads;
  std::vector<Neighbours> neighbours;
  struct Usual {
    double lanes = 0, sectors = 0, lines = 0;
  };
  llvm::DenseMap<const Instruction *, Usual> usualOf; ///< by variable, of known addresses
  std::set<std::tuple<const Block *, const Instruction *, uint64_t>> loaded;
};

Gatherer::Weight Gatherer::weightOf(const Block &block) {
  auto [found, isNew] = weights.try_emplace(&block);
  if (isNew) {
    Weight weight;
    weight.runs = trips.of(block).evaluate([&](const std::string &name) {
      for (const TripName &each : trips.names())
        if (each.name == name)
          return each.isFound ? each.assumed : unknownRounds;
      return unknownRounds;
    });
    weight.runs = std::isfinite(weight.runs) ? std::max(0.0, weight.runs) : 0;
    for (size_t at = 0; at < lanes.subgroups(); ++at)
      weight.share += lanes.active(block, at) != 0 ? 1.0 / double(lanes.subgroups()) : 0;
    weights[&block] = weight;
    return weight;
  }
  return found->second;
}

void Gatherer::addBlock(const Block &block) {
  const double weight = weightOf(block).total();
  if (weight == 0)
    return;
  bool hasBarrier = false;
  for (const Instruction &inst : block.instructions()) {
    const WorkCounts<double> work = costs.of(inst);
    f.floats += weight * work[WorkKind::Float];
    f.integers += weight * work[WorkKind::Integer];
    f.specials += weight * work[WorkKind::Special];
    f.conversions += weight * work[WorkKind::Conversion];
    f.barriers += weight * work[WorkKind::ControlBarrier];
    f.subgroupOps += weight * work[WorkKind::Subgroup];
    hasBarrier |= work[WorkKind::ControlBarrier] != 0;
  }
  f.branches += block.successors().size() > 1 ? weight : 0;
  const BlockRounds rounds = roundsOf(block, loads, [&](const Instruction &inst) {
    constexpr double kSpecialSteps = 5;
    const WorkCounts<double> work = costs.of(inst);
    const double plain =
        work[WorkKind::Float] + work[WorkKind::Integer] + work[WorkKind::Conversion];
    // Components side by side are one step; a dot product is a chain of its own.
    return (plain > 0 ? 1.0 : 0.0) + (work[WorkKind::Special] > 0 ? kSpecialSteps : 0.0);
  });
  const bool isLoop = kernel.affine().loopOf(block) != nullptr;
  const double times = isLoop && !hasBarrier ? std::max(1.0, weight / kUnrolled) : weight;
  f.rounds += std::min(weight, times) * rounds.device;
  f.sharedRounds += std::min(weight, times) * rounds.shared;
  f.chain += weight * rounds.chain;
}

/// How often the innermost loop of a block goes round each time that it is come to.
double Gatherer::roundsEachTime(const LoopInfo *loop, double runs) {
  if (!loop)
    return 1;
  for (const Block *before : loop->header->predecessors())
    if (!kernel.affine().contains(*loop, *before)) {
      const double entered = weightOf(*before).runs;
      return entered > 0 ? std::max(1.0, runs / entered) : 1;
    }
  return 1;
}

Neighbours &Gatherer::neighboursOf(const MemoryAccess &access, double runs) {
  const LoopInfo *loop = kernel.affine().loopOf(*access.inst->parent());
  for (Neighbours &each : neighbours)
    if (each.variable == access.variable && each.loop == loop)
      return each;
  Neighbours added;
  added.variable = access.variable;
  added.loop = loop;
  added.bySubgroup.resize(lanes.subgroups());
  added.rounds = roundsEachTime(loop, runs);
  neighbours.push_back(std::move(added));
  return neighbours.back();
}

bool Gatherer::addressKnown(const MemoryAccess &access) {
  if (access.isImage() || weightOf(*access.inst->parent()).total() == 0)
    return true;
  const SubgroupRun run = lanes.run(access, 0);
  return run.unknown == 0;
}

/// Sectors, or lines, of lanes whose addresses are not known: as many as other accesses of the
/// variable have for each lane, or by the rule that neighbours follow.
double Gatherer::blocksOf(const MemoryAccess &access, double count, double blockBytes) const {
  if (count == 0)
    return 0;
  const double bytes = double(std::max<uint64_t>(access.bytes, 1));
  if (access.pattern == AccessPattern::Uniform)
    return std::ceil(bytes / blockBytes);
  if (access.pattern == AccessPattern::Unit)
    return std::ceil(count * bytes / blockBytes);
  auto usual = usualOf.find(access.variable);
  if (usual == usualOf.end())
    return count * std::ceil(bytes / blockBytes);
  const auto &[known, sectors, lineCount] = usual->second;
  return count * (blockBytes == double(kSectorBytes) ? sectors : lineCount) / known;
}

void Gatherer::addBuffer(const MemoryAccess &access, const Weight &weight,
                         const std::vector<SubgroupRun> &runs) {
  AccessFeatures &out = f.accesses.back();
  double active = 0, unknown = 0, partial = 0, subgroupsThere = 0;
  for (const SubgroupRun &run : runs) {
    if (run.active == 0)
      continue;
    ++subgroupsThere;
    active += run.active;
    unknown += run.unknown;
    out.sectors += double(run.sectors.size()) + blocksOf(access, run.unknown, double(kSectorBytes));
    out.lines += run.lines - run.unknown + blocksOf(access, run.unknown, double(kLineBytes));
    out.minSectors +=
        std::ceil(double(run.usedBytes + run.unknown * access.bytes) / double(kSectorBytes));
    out.exact &= run.exact;
    partial += run.partial;
  }
  if (unknown == 0) {
    Usual &usual = usualOf[access.variable];
    usual.lanes += active;
    usual.sectors += out.sectors;
    usual.lines += out.lines;
  }
  out.sectors /= subgroupsThere;
  out.lines /= subgroupsThere;
  out.minSectors /= subgroupsThere;
  f.exact &= out.exact;
  f.deviceAccesses += out.runs;
  f.lines += out.runs * out.lines;
  f.sectorsAsked += out.runs * out.sectors;
  f.minSectors += out.runs * out.minSectors;
  const LoopInfo *loop = kernel.affine().loopOf(*access.inst->parent());
  double perRound = 0;
  std::optional<SubgroupRun> second;
  if (loop) {
    second = lanes.runInSecondRound(access, *loop->header);
    if (second && second->firstAddress && runs[0].firstAddress)
      perRound = double(static_cast<int64_t>(*second->firstAddress - *runs[0].firstAddress));
  }
  const double share = weight.share * active / (subgroupsThere * width * f.fill);
  footprint.add(access, weight.runs, perRound, std::min(1.0, share));
  // Stores and atomics go through; what comes from data is nobody's neighbour.
  const double strangers = blocksOf(access, unknown / subgroupsThere, double(kSectorBytes));
  if (access.op != AccessOp::Load) {
    f.sectorsMissed += out.runs * out.sectors;
    f.partialStores += out.runs * partial / subgroupsThere;
    return;
  }
  f.sectorsMissed += out.runs * strangers;
  Neighbours &near = neighboursOf(access, weight.runs);
  near.runs = std::max(near.runs, out.runs);
  for (size_t at = 0; at < runs.size(); ++at)
    addAll(near.bySubgroup[at], runs[at].sectors);
  if (second) {
    near.hasSecond = true;
    near.perRound = std::max(near.perRound, std::abs(perRound));
    addAll(near.inSecondRound, second->sectors);
  }
}

void Gatherer::addAccess(const MemoryAccess &access) {
  const Weight weight = weightOf(*access.inst->parent());
  if (weight.total() == 0)
    return;
  AccessFeatures out;
  out.name = access.name;
  out.space = access.space;
  out.op = access.op;
  out.bytes = access.bytes;
  out.exact = true;
  out.runs = weight.total();
  if (access.space == MemorySpace::UniformBuffer || access.space == MemorySpace::PushConstant) {
    f.uniformLoads += out.runs;
    return;
  }
  std::vector<SubgroupRun> runs;
  double active = 0, there = 0, conflict = 0, rows = 0, batches = 0, blocks = 0;
  uint64_t identity = 0;
  bool isKnown = true;
  for (size_t at = 0; at < lanes.subgroups(); ++at) {
    runs.push_back(lanes.run(access, at));
    const SubgroupRun &run = runs.back();
    there += run.active != 0;
    active += run.active;
    conflict += run.active != 0 ? run.conflict : 0;
    blocks += run.texelBlocks;
    identity = identity * 31 + run.identity;
    isKnown &= run.active == 0 || run.identity != 0;
    rows += run.rows;
    batches += run.batches;
  }
  if (there == 0)
    return;
  // The same addresses in the same block, as copies of an invocation have them: compilers load
  // once.
  if (access.op == AccessOp::Load && isKnown && !access.isImage() &&
      !loaded.insert({access.inst->parent(), access.variable, identity}).second)
    return;
  out.lanes = active / there;
  out.conflict = conflict / there;
  out.rowShare = batches > 0 ? rows / batches : 0;
  out.texelBlocks = blocks / there;
  f.accesses.push_back(std::move(out));
  AccessFeatures &added = f.accesses.back();
  const bool isShared = access.space == MemorySpace::Workgroup;
  if (access.op == AccessOp::Atomic)
    (isShared ? f.sharedAtomics : f.atomics) += added.runs * added.lanes;
  if (isShared) {
    f.sharedAccesses += added.runs;
    f.sharedAnswers += added.runs * added.conflict;
  } else if (access.isImage()) {
    f.imageAccesses += added.runs;
    footprint.add(access, weight.runs, 0, std::min(1.0, added.lanes * weight.share / width));
  } else {
    addBuffer(access, weight, runs);
  }
}

VariantFeatures Gatherer::gather(const std::vector<MemoryAccess> &accesses) {
  for (const MemoryAccess &access : accesses)
    if (access.op != AccessOp::Store && access.space != MemorySpace::UniformBuffer &&
        access.space != MemorySpace::PushConstant)
      loads[access.inst] = access.space;
  for (const Block &block : kernel.form().function().blocks())
    if (kernel.flow().isReachable(block))
      addBlock(block);
  // Those whose addresses are known first: they tell what to think of the others.
  for (bool isKnown : {true, false})
    for (const MemoryAccess &access : accesses)
      if (kernel.flow().isReachable(*access.inst->parent()) && addressKnown(access) == isKnown)
        addAccess(access);
  const CacheMisses misses = missesOf(neighbours, f.subgroups);
  f.sectorsMissed += misses.first;
  f.sectorsAgain = misses.again;
  for (AccessFeatures &each : f.accesses) {
    if (each.space != MemorySpace::Resource)
      continue;
    if (each.op == AccessOp::Load) {
      f.texelLoads += each.runs * each.lanes;
      f.texelLoadsInRows += each.runs * each.lanes * each.rowShare;
    } else {
      f.texelBlocksStored += each.runs * (each.texelBlocks > 0 ? each.texelBlocks : each.lanes / 4);
    }
  }
  f.certainBytes = footprint.certainBytes();
  f.expectedBytes = footprint.expectedBytes();
  f.privateBytes = costs.privateBytes();
  if (std::optional<LivePressure> pressure = measurePressure(kernel))
    f.liveComponents = pressure->components;
  return std::move(f);
}

} // namespace

Result<VariantFeatures> featuresOf(const Module &module, const EntryPoint &entry,
                                   const DispatchShape &shape, uint32_t subgroupWidth) {
  if (subgroupWidth == 0 || subgroupWidth > 256)
    return failure({}, "a subgroup has 1 to 256 invocations");
  SpecMap spec(shape.specConstants.begin(), shape.specConstants.end());
  Result<KernelAnalysis> kernel = KernelAnalysis::create(module, entry, spec);
  if (!kernel)
    return kernel.takeFailure();
  std::vector<MemoryAccess> accesses = findAccesses(*kernel);
  if (accesses.size() > kMaxAccesses)
    return failure({}, "the kernel has " + std::to_string(accesses.size()) +
                           " accesses, more than are looked at");
  VariantFeatures features = Gatherer(*kernel, shape, subgroupWidth).gather(accesses);
  features.sharedBytes = knownSharedBytes(*kernel);
  return features;
}

} // namespace tailor
