//===- Analysis/LoopRounds.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/LoopRounds.h"

#include "Analysis/LaneArithmetic.h"

#include <algorithm>

namespace tailor {

namespace {

/// The counters of a nest of loops, for one invocation.
class Stepper {
public:
  Stepper(const LaneModel &model, const Lane &lane, const HostValues &host,
          const std::vector<const LoopInfo *> &nest, unsigned budget, unsigned before = 0)
      : model(model), kernel(model.analysis()), module(kernel.module()), where(lane), host(host),
        lane(model, lane, host), nest(nest), left(budget), before(before) {}

  /// Runs the nest. False: something is not known, or takes too long.
  bool run() { return runLoop(0); }
  uint64_t entered = 0, rounds = 0; ///< of the innermost loop
  unsigned budget() const { return left; }

private:
  using Value = std::optional<ConstantValue>;

  bool runLoop(size_t level);
  std::optional<bool> stays(const LoopInfo &loop);
  bool step(const LoopInfo &loop, bool isEntry);
  Value typeValue(Id type) const;
  Value evaluate(Id id, const Instruction &at, unsigned depth = 0);
  Value valueBehind(const Instruction &phi);

  const LaneModel &model;
  const KernelAnalysis &kernel;
  const Module &module;
  Lane where;
  const HostValues &host;
  LaneEvaluator lane;
  const std::vector<const LoopInfo *> &nest; ///< the outermost first
  unsigned left;
  unsigned before;                                  ///< loops behind this one that ask for its end
  llvm::DenseMap<uint32_t, ConstantValue> counters; ///< phis of the headers
  llvm::DenseMap<const Block *, llvm::DenseMap<uint32_t, ConstantValue>> ends; ///< of other loops
};

/// A counter as another loop left it: what a loop begins with that does the rest.
Stepper::Value Stepper::valueBehind(const Instruction &phi) {
  constexpr unsigned kMostBefore = 3;
  const Block *header = phi.parent();
  const LoopInfo *loop = header ? kernel.affine().loopOf(*header) : nullptr;
  if (!loop || loop->header != header || loop->parent || before == kMostBefore ||
      kernel.affine().contains(*loop, *nest.front()->header))
    return std::nullopt;
  auto [found, isNew] = ends.try_emplace(header);
  if (isNew) {
    const std::vector<const LoopInfo *> alone = {loop};
    Stepper other(model, where, host, alone, left, before + 1);
    if (other.run())
      found->second = std::move(other.counters);
    left = std::max(1U, other.left);
  }
  auto value = found->second.find(raw(phi.result()));
  return value == found->second.end() ? std::nullopt : Value(value->second);
}

/// A value of the scalar type; nullopt for other types.
Stepper::Value Stepper::typeValue(Id type) const {
  const Instruction *inst = module.def(type);
  if (inst && inst->opcode() == spv::Op::OpTypeBool)
    return ConstantValue{ConstantValue::Kind::Bool, 1, false, 0, {}};
  if (!inst || inst->opcode() != spv::Op::OpTypeInt || inst->literal(0) > 64)
    return std::nullopt;
  return ConstantValue{ConstantValue::Kind::Int,
                       static_cast<uint8_t>(inst->literal(0)),
                       inst->literal(1) != 0,
                       0,
                       {}};
}

Stepper::Value Stepper::evaluate(Id id, const Instruction &at, unsigned depth) {
  constexpr unsigned kMaxDepth = 32;
  if (auto counter = counters.find(raw(id)); counter != counters.end())
    return counter->second;
  const Instruction *def = module.def(id);
  const Block *block = def ? def->parent() : nullptr;
  const bool moves = block && kernel.affine().contains(*nest.front(), *block);
  // A component of what does not move.
  auto isStill = [&](Id value) {
    const Instruction *inst = module.def(value);
    return !inst || !inst->parent() || !kernel.affine().contains(*nest.front(), *inst->parent());
  };
  if (!moves || def->opcode() == spv::Op::OpLoad ||
      (def->opcode() == spv::Op::OpCompositeExtract && isStill(def->id(0)))) {
    if (def && def->opcode() == spv::Op::OpPhi)
      if (Value behind = valueBehind(*def))
        return behind;
    ConstantValue value = lane.value(id, at);
    return LaneEvaluator::isKnown(value) && !value.isComposite() ? Value(value) : std::nullopt;
  }
  Value type = typeValue(def->typeId());
  if (!type || depth == kMaxDepth || def->opcode() == spv::Op::OpPhi)
    return std::nullopt;
  const bool isExtended = def->opcode() == spv::Op::OpExtInst;
  std::vector<ConstantValue> operands;
  for (unsigned index = isExtended ? 2 : 0; index < def->numOperands(); ++index) {
    Value operand = def->isId(index) ? evaluate(def->id(index), *def, depth + 1) : std::nullopt;
    if (!operand)
      return std::nullopt;
    operands.push_back(std::move(*operand));
  }
  if (def->opcode() == spv::Op::OpCopyObject && operands.size() == 1)
    return operands.front();
  if (def->opcode() == spv::Op::OpSelect && operands.size() == 3)
    return operands[operands[0].bits != 0 ? 1 : 2];
  if (!isExtended)
    return foldLane(def->opcode(), operands, *type);
  return module.extInstSet(def->id(0)) == "GLSL.std.450"
             ? foldLaneExtended(def->literal(1), operands, *type)
             : std::nullopt;
}

/// The counters of the header on the way in, or after a round.
bool Stepper::step(const LoopInfo &loop, bool isEntry) {
  std::vector<std::pair<uint32_t, Value>> next;
  for (const Instruction &phi : loop.header->instructions()) {
    if (phi.opcode() != spv::Op::OpPhi)
      break;
    if (!typeValue(phi.typeId()))
      continue;
    Value value;
    for (unsigned at = 0; at + 1 < phi.numOperands(); at += 2) {
      const Instruction *label = module.def(phi.id(at + 1));
      const Block *from = label ? label->parent() : nullptr;
      if (!from || kernel.affine().contains(loop, *from) == isEntry)
        continue;
      Value there = evaluate(phi.id(at), *from->terminator());
      if (!there || (value && *value != *there)) {
        value = std::nullopt; // another one on another way
        break;
      }
      value = std::move(there);
    }
    next.emplace_back(raw(phi.result()), std::move(value));
  }
  for (auto &[id, value] : next) {
    counters.erase(id);
    if (value)
      counters.try_emplace(id, std::move(*value));
  }
  if (left != 0)
    --left;
  return left != 0;
}

std::optional<bool> Stepper::stays(const LoopInfo &loop) {
  if (!loop.exiting)
    return std::nullopt;
  const Instruction &branch = *loop.exiting->terminator();
  if (branch.opcode() != spv::Op::OpBranchConditional)
    return std::nullopt;
  Value condition = evaluate(branch.id(0), branch);
  const Instruction *label = module.def(branch.id(1));
  if (!condition || !label || !label->parent())
    return std::nullopt;
  return (condition->bits != 0) == kernel.affine().contains(loop, *label->parent());
}

bool Stepper::runLoop(size_t level) {
  const LoopInfo &loop = *nest[level];
  const bool isInnermost = level + 1 == nest.size();
  entered += isInnermost;
  if (!step(loop, /*isEntry=*/true))
    return false;
  while (true) {
    if (!loop.testsAtEnd) {
      std::optional<bool> stay = stays(loop);
      if (!stay || !*stay)
        return stay.has_value();
    }
    rounds += isInnermost;
    if (!isInnermost && !runLoop(level + 1))
      return false;
    if (loop.testsAtEnd) {
      std::optional<bool> stay = stays(loop);
      if (!stay || !*stay)
        return stay.has_value();
    }
    if (!step(loop, /*isEntry=*/false))
      return false;
  }
}

} // namespace

LoopRounds::LoopRounds(const KernelAnalysis &kernel, HostValues hostValues)
    : kernel(kernel), host(std::move(hostValues)) {}
LoopRounds::~LoopRounds() = default;

std::optional<double> LoopRounds::averageAt(const std::vector<const LoopInfo *> &nest,
                                            const std::array<uint32_t, 3> &group) {
  constexpr uint64_t kSamples = 8;
  const Dim3 &size = kernel.size();
  const uint64_t lanes = size.product(), samples = std::min(lanes, kSamples);
  uint64_t entered = 0, rounds = 0;
  unsigned budget = kMost;
  for (uint64_t sample = 0; sample < samples; ++sample) {
    const uint64_t index = (2 * sample + 1) * lanes / (2 * samples); // in the middle of each part
    Lane lane{group,
              {static_cast<uint32_t>(index % size.x),
               static_cast<uint32_t>(index / size.x % size.y),
               static_cast<uint32_t>(index / size.x / size.y)}};
    Stepper stepper(*model, lane, host, nest, budget);
    if (!stepper.run())
      return std::nullopt;
    budget = stepper.budget();
    entered += stepper.entered;
    rounds += stepper.rounds;
  }
  if (entered == 0 && host.numWorkgroups)
    return 0; // not come to there
  if (entered == 0)
    return std::nullopt;
  return double(rounds) / double(entered);
}

std::vector<std::array<uint32_t, 3>> spreadGroups(const std::array<uint32_t, 3> &counts) {
  constexpr unsigned kCount = 8;
  // Steps that share no period with each other, so that no axis goes with another.
  constexpr std::array<double, 3> kStep = {0.6180339887, 0.5698402910, 0.3247179572};
  std::vector<std::array<uint32_t, 3>> groups(kCount);
  for (unsigned at = 0; at < kCount; ++at)
    for (unsigned axis = 0; axis < 3; ++axis) {
      double place = 0.5 + at * kStep[axis];
      place -= static_cast<double>(static_cast<uint64_t>(place));
      groups[at][axis] = static_cast<uint32_t>(place * counts[axis]);
    }
  return groups;
}

std::optional<double> LoopRounds::average(const LoopInfo &loop) {
  if (!model)
    model = std::make_unique<LaneModel>(kernel);
  std::vector<const LoopInfo *> nest;
  for (const LoopInfo *around = &loop; around; around = around->parent)
    nest.insert(nest.begin(), around);
  if (host.numWorkgroups) {
    double sum = 0;
    const auto groups = spreadGroups(*host.numWorkgroups);
    for (const std::array<uint32_t, 3> &group : groups) {
      std::optional<double> there = averageAt(nest, group);
      if (!there)
        return std::nullopt;
      sum += *there;
    }
    return sum / double(groups.size());
  }
  std::optional<double> most;
  for (uint32_t place : {1U, HostValues::kAssumedGroups / 2}) {
    std::array<uint32_t, 3> group{};
    for (unsigned axis = 0; axis < 3; ++axis)
      if (kernel.affine().workgroupId(axis))
        group[axis] = place;
    std::optional<double> there = averageAt(nest, group);
    if (there && (!most || *there > *most))
      most = there;
  }
  return most;
}

} // namespace tailor
