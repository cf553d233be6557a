//===- interpreter/AccessCheck.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AccessCheck.h"

#include "Analysis/UniformExpression.h"
#include "interpreter/TestSupport.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <memory>
#include <set>

namespace tailor::interp {

void AccessCounts::add(const AccessCounts &other) {
  addresses += other.addresses;
  activities += other.activities;
  exact += other.exact;
  bounded += other.bounded;
  banks += other.banks;
  polynomials += other.polynomials;
  opaque += other.opaque;
  otherRounds += other.otherRounds;
}

std::string AccessCounts::str() const {
  return "addresses " + std::to_string(addresses) + ", activities " + std::to_string(activities) +
         ", exact traffic " + std::to_string(exact) + ", bounds " + std::to_string(bounded) +
         ", bank conflicts " + std::to_string(banks) + ", polynomials " +
         std::to_string(polynomials) + " (" + std::to_string(opaque) +
         " not known), later iterations " + std::to_string(otherRounds);
}

namespace {

constexpr size_t kMostComplaints = 200;

/// An instruction of one invocation in one iteration.
struct Event {
  uint32_t element = 0;
  std::vector<std::pair<uint64_t, uint64_t>> parts; ///< [begin, end)
  uint64_t address() const { return parts.front().first; }
};
using Iterations = std::vector<uint32_t>;

AccessOp opOf(AccessKind kind) {
  if (kind == AccessKind::Atomic || kind == AccessKind::ImageAtomic)
    return AccessOp::Atomic;
  return kind == AccessKind::Store || kind == AccessKind::ImageWrite ? AccessOp::Store
                                                                     : AccessOp::Load;
}

struct Events : Observer {
  using Key = std::tuple<const Instruction *, AccessOp, uint64_t, uint32_t>;
  Interest interest() const override {
    Interest wanted;
    wanted.accesses = true;
    return wanted;
  }
  static uint64_t numberOf(const std::array<uint32_t, 3> &group) {
    return (uint64_t{group[2]} << 42) | (uint64_t{group[1]} << 21) | group[0];
  }
  void onAccess(const Access &access) override {
    if (access.space == MemorySpace::Resource)
      return;
    auto &rounds =
        list[{access.inst, opOf(access.kind), numberOf(access.group.array()), access.invocation}];
    Event &event = rounds[Iterations(access.iterations.begin(), access.iterations.end())];
    event.element = access.element;
    event.parts.emplace_back(access.byteAddress, access.byteAddress + access.bytes);
  }
  std::map<Key, std::map<Iterations, Event>> list;
};

using Blocks = std::set<std::pair<uint32_t, uint64_t>>;

Blocks blocksOf(const std::vector<const Event *> &events, uint64_t bytes) {
  Blocks blocks;
  for (const Event *event : events)
    for (auto [begin, end] : event->parts)
      for (uint64_t at = begin; at < end; ++at)
        blocks.insert({event->element, at / bytes});
  return blocks;
}

/// The degree, counted from nothing but addresses: each lane's bytes in portions, each bank's
/// words.
unsigned degreeOf(const std::vector<const Event *> &lanes, uint64_t bytes) {
  const uint64_t portion = bytes == 8 || bytes == 16 ? bytes : std::min<uint64_t>(bytes, 4);
  const uint64_t together = portion <= 4 ? 32 : 128 / portion;
  unsigned worst = 0;
  for (size_t first = 0; first < lanes.size(); first += together)
    for (uint64_t at = 0; at < bytes; at += portion) {
      std::map<uint64_t, std::set<uint64_t>> wordsOfBank;
      for (size_t lane = first; lane < std::min(first + together, lanes.size()); ++lane)
        if (lanes[lane])
          for (uint64_t byte = at; byte < at + portion; ++byte) {
            uint64_t word = (lanes[lane]->address() + byte) / 4;
            wordsOfBank[word % 32].insert(word);
          }
      for (const auto &[bank, words] : wordsOfBank)
        worst = std::max(worst, static_cast<unsigned>(words.size()));
    }
  return worst;
}

class Checker {
public:
  Checker(const KernelAnalysis &kernel, const AccessPlan &plan, const Inputs &inputs,
          AccessCounts &counts, const HostValues &host)
      : kernel(kernel), plan(plan), inputs(inputs), host(host), counts(counts) {}

  std::vector<std::string> run();

private:
  bool execute();
  const std::map<Iterations, Event> *roundsOf(const MemoryAccess &access, size_t lane) const;
  const Event *eventOf(const MemoryAccess &access, size_t lane, const Iterations &when) const;
  size_t depthOf(const MemoryAccess &access) const;
  void checkSubgroup(const MemoryAccess &access, LaneGroup &group, size_t first);
  void checkLane(const MemoryAccess &access, const LaneGroup::At &at, const Event *event,
                 size_t lane);
  void checkTraffic(const MemoryAccess &access, LaneGroup &group,
                    const std::vector<const Event *> &events);
  void checkOtherRounds(const MemoryAccess &access);
  void checkPolynomial(const MemoryAccess &access, size_t lane);
  std::optional<uint64_t> valueOf(const AffineExpr &expr, const MemoryAccess &access, size_t lane,
                                  const Iterations &when);
  std::optional<uint64_t> valueOf(const Symbol &symbol, const MemoryAccess &access, size_t lane,
                                  const Iterations &when);
  void complain(const MemoryAccess &access, const std::string &text) {
    if (wrong.size() < kMostComplaints)
      wrong.push_back(access.location.str() + ": " + std::string(nameOf(access.op)) + " of '" +
                      access.name + "': " + text);
  }

  const KernelAnalysis &kernel;
  const AccessPlan &plan;
  const Inputs &inputs;
  const HostValues &host;
  AccessCounts &counts;
  std::vector<Lane> lanes; ///< of the whole workgroup
  Events events;
  std::vector<std::string> wrong;
};

bool Checker::execute() {
  Inputs copy = inputs;
  Limits limits;
  std::vector<Dim3> groups;
  if (plan.isResized) {
    groups.push_back({plan.group[0], plan.group[1], plan.group[2]});
  } else {
    for (const Lane &lane : lanes)
      if (Dim3 group{lane.group[0], lane.group[1], lane.group[2]};
          !llvm::is_contained(groups, group))
        groups.push_back(group);
  }
  const Dim3 &size = plan.isResized ? plan.size : kernel.size();
  Result<RunResult> ran = interp::run(kernel.form(), size, groups, copy, events, limits);
  if (!ran)
    wrong.push_back("the run failed: " + textOf(ran.diagnostic()));
  return bool(ran);
}

const std::map<Iterations, Event> *Checker::roundsOf(const MemoryAccess &access,
                                                     size_t lane) const {
  const Dim3 &size = kernel.size();
  std::array<uint32_t, 3> group = plan.isResized ? plan.group : lanes[lane].group;
  const std::array<uint32_t, 3> &local = lanes[lane].localId;
  auto invocation = plan.isResized ? static_cast<uint32_t>(lane)
                                   : (local[2] * size.y + local[1]) * size.x + local[0];
  auto at = events.list.find({access.inst, access.op, Events::numberOf(group), invocation});
  return at == events.list.end() ? nullptr : &at->second;
}

const Event *Checker::eventOf(const MemoryAccess &access, size_t lane,
                              const Iterations &when) const {
  const std::map<Iterations, Event> *rounds = roundsOf(access, lane);
  auto at = rounds ? rounds->find(when) : std::map<Iterations, Event>::const_iterator();
  return rounds && at != rounds->end() ? &at->second : nullptr;
}

size_t Checker::depthOf(const MemoryAccess &access) const {
  return kernel.flow().cycleDepth(*access.inst->parent());
}

void Checker::checkLane(const MemoryAccess &access, const LaneGroup::At &at, const Event *event,
                        size_t lane) {
  const std::string who = "lane " + std::to_string(lane);
  if (at.activity != Activity::Unknown) {
    ++counts.activities;
    if ((at.activity == Activity::Yes) != (event != nullptr))
      complain(access, who + (event ? " runs it, and is said not to" : " is said to run it"));
  }
  if (!event || !at.address)
    return;
  ++counts.addresses;
  if (*at.address != event->address() || at.buffer != event->element)
    complain(access, who + " is at " + std::to_string(event->address()) + ", and said to be at " +
                         std::to_string(*at.address));
}

void Checker::checkTraffic(const MemoryAccess &access, LaneGroup &group,
                           const std::vector<const Event *> &all) {
  std::vector<const Event *> active;
  llvm::copy_if(all, std::back_inserter(active),
                [](const Event *event) { return event != nullptr; });
  uint64_t sectors = blocksOf(active, kSectorBytes).size();
  uint64_t lines = blocksOf(active, kLineBytes).size();
  Traffic traffic = *group.traffic(access);
  if (traffic.assumed)
    complain(access, "a value of the host was assumed");
  (traffic.exact ? counts.exact : counts.bounded) += 1;
  auto check = [&](const char *what, uint64_t measured, const Bounds &bounds) {
    if (measured < bounds.least || measured > bounds.most)
      complain(access, std::string(what) + " are " + std::to_string(measured) +
                           ", and said to be " + bounds.str());
  };
  check("active lanes", active.size(), traffic.active);
  check("sectors", sectors, traffic.sectors);
  check("lines", lines, traffic.lines);
  uint64_t bytes = blocksOf(active, 1).size();
  if (traffic.exact && traffic.usedBytes != bytes)
    complain(access, "bytes are " + std::to_string(bytes) + ", and said to be " +
                         std::to_string(traffic.usedBytes));
  if (std::optional<unsigned> degree = group.bankConflict(access)) {
    ++counts.banks;
    if (unsigned measured = degreeOf(all, access.bytes); measured != *degree)
      complain(access, "banks answer " + std::to_string(measured) + " times, and are said to " +
                           std::to_string(*degree));
  }
}

void Checker::checkSubgroup(const MemoryAccess &access, LaneGroup &group, size_t first) {
  Iterations start(depthOf(access), 0);
  std::vector<const Event *> all;
  for (size_t lane = 0; lane < group.lanes().size(); ++lane) {
    all.push_back(eventOf(access, first + lane, start));
    checkLane(access, group.at(access, lane), all.back(), first + lane);
  }
  checkTraffic(access, group, all);
}

/// The innermost loop at its second and third iteration: whoever is there is where it is said to
/// be.
void Checker::checkOtherRounds(const MemoryAccess &access) {
  const LoopInfo *loop = kernel.affine().loopOf(*access.inst->parent());
  if (!loop || !access.layout)
    return;
  LaneModel model(kernel);
  for (uint32_t round : {1u, 2u}) {
    Iterations when(depthOf(access), 0);
    when.back() = round;
    for (size_t lane = 0; lane < lanes.size(); lane += 1 + lanes.size() / 16) {
      const Event *event = eventOf(access, lane, when);
      if (!event)
        continue;
      LaneEvaluator evaluator(model, lanes[lane], host);
      evaluator.setIteration(*loop->header, round);
      std::optional<uint64_t> address = evaluator.address(*access.layout, *access.inst);
      if (evaluator.activity(*access.inst->parent()) == Activity::No)
        complain(access, "lane " + std::to_string(lane) + " comes round, and is said not to");
      if (!address)
        continue;
      ++counts.otherRounds;
      if (*address != event->address())
        complain(access, "lane " + std::to_string(lane) + " in iteration " + std::to_string(round) +
                             " is at " + std::to_string(event->address()) + ", and said to be at " +
                             std::to_string(*address));
    }
  }
}

// --- polynomials ---

std::optional<uint64_t> Checker::valueOf(const Symbol &symbol, const MemoryAccess &access,
                                         size_t lane, const Iterations &when) {
  switch (symbol.kind) {
  case Symbol::Kind::LocalId:
    return lanes[lane].localId[symbol.component];
  case Symbol::Kind::WorkgroupId:
    return lanes[lane].group[symbol.component];
  case Symbol::Kind::NumWorkgroups:
    return inputs.numWorkgroups[symbol.component];
  case Symbol::Kind::Iteration: {
    const LoopInfo *loop = kernel.affine().loopOf(*access.inst->parent());
    while (loop && loop->header != symbol.header)
      loop = loop->parent;
    return loop && loop->depth <= when.size() ? std::optional<uint64_t>(when[loop->depth - 1])
                                              : std::nullopt;
  }
  case Symbol::Kind::Uniform: {
    std::optional<UniformExpr> expr =
        uniformExpression(kernel.module(), kernel.ids(), symbol.def->result(), symbol.component);
    return expr ? evaluate(*expr, host.leaf) : std::nullopt;
  }
  case Symbol::Kind::Value:
    return std::nullopt;
  }
  return std::nullopt;
}

std::optional<uint64_t> Checker::valueOf(const AffineExpr &expr, const MemoryAccess &access,
                                         size_t lane, const Iterations &when) {
  auto sum = static_cast<uint64_t>(expr.constant);
  for (const AffineTerm &term : expr.terms) {
    auto product = static_cast<uint64_t>(term.coefficient);
    for (unsigned at = 0; at < term.degree(); ++at) {
      std::optional<uint64_t> factor =
          valueOf(kernel.affine().symbols()[term.symbols[at]], access, lane, when);
      if (!factor)
        return std::nullopt;
      product *= *factor;
    }
    sum += product;
  }
  return sum;
}

void Checker::checkPolynomial(const MemoryAccess &access, size_t lane) {
  const std::map<Iterations, Event> *rounds = roundsOf(access, lane);
  if (!rounds || !access.address)
    return;
  for (const auto &[when, event] : *rounds) {
    std::optional<uint64_t> value = valueOf(access.address->bytes, access, lane, when);
    if (!value) {
      ++counts.opaque;
      continue;
    }
    ++counts.polynomials;
    if (static_cast<uint32_t>(*value) != static_cast<uint32_t>(event.address()))
      complain(access, "lane " + std::to_string(lane) + " is at " +
                           std::to_string(event.address()) + ", and " +
                           kernel.affine().str(access.address->bytes) + " is " +
                           std::to_string(static_cast<uint32_t>(*value)));
  }
}

std::vector<std::string> Checker::run() {
  lanes = subgroupLanes(kernel.size(), plan.size, plan.group, 0,
                        static_cast<uint32_t>(plan.size.product()));
  if (!execute())
    return wrong;
  std::vector<MemoryAccess> accesses = findAccesses(kernel);
  LaneModel model(kernel);
  for (size_t first = 0; first < lanes.size(); first += plan.subgroup) {
    size_t count = std::min<size_t>(plan.subgroup, lanes.size() - first);
    LaneGroup group(model, {lanes.begin() + first, lanes.begin() + first + count}, host);
    for (const MemoryAccess &access : accesses)
      if (!access.isImage())
        checkSubgroup(access, group, first);
  }
  for (const MemoryAccess &access : accesses)
    if (!access.isImage()) {
      checkOtherRounds(access);
      for (size_t lane = 0; lane < lanes.size(); ++lane)
        checkPolynomial(access, lane);
    }
  return wrong;
}

} // namespace

std::vector<std::string> checkAccesses(const KernelAnalysis &kernel, const AccessPlan &plan,
                                       const Inputs &inputs, AccessCounts &counts,
                                       const HostValues &host) {
  return Checker(kernel, plan, inputs, counts, host).run();
}

} // namespace tailor::interp
