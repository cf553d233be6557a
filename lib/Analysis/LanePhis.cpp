//===- Analysis/LanePhis.cpp - Branches that an invocation takes ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/LaneEvaluator.h"

namespace tailor {

/// The label that a terminator goes to when its condition or selector is `bits`; None for one that
/// does not choose.
Id LaneModel::targetOf(const Instruction &terminator, uint64_t bits) const {
  if (terminator.opcode() == spv::Op::OpBranchConditional)
    return terminator.id(bits != 0 ? 1 : 2);
  if (terminator.opcode() != spv::Op::OpSwitch)
    return Id::None;
  auto [cases, isNew] = switchCases.try_emplace(&terminator);
  if (isNew)
    for (unsigned at = 2; at + 1 < terminator.numOperands(); at += 2)
      cases->second.try_emplace(terminator.literal64(at), terminator.id(at + 1));
  auto found = cases->second.find(bits);
  return found != cases->second.end() ? found->second : terminator.id(1);
}

LaneEvaluator::Truth LaneEvaluator::judge(Request &request, const Condition &condition) {
  const Instruction &terminator = *condition.terminator;
  // Inside a loop that `where` is not in: at which iteration is not known.
  if (model.loopsAround(*terminator.parent()) & ~model.loopsAround(*request.where))
    return Truth::Unknown;
  std::optional<uint64_t> bits = readInteger(request, terminator.id(0));
  if (!bits)
    return Truth::Unknown;
  return model.targetOf(terminator, *bits) == condition.target->id() ? Truth::True : Truth::False;
}

/// Whether the edge from -> to is taken, given that the immediate dominator of `to` runs: False
/// when some branch that every way over this edge takes goes elsewhere.
LaneEvaluator::Truth LaneEvaluator::judgeEdge(Request &request, const Block &from,
                                              const Block &to) {
  const ControlFlow &flow = model.analysis().flow();
  bool isOpen = false;
  auto isRefuted = [&](const Block &branch, const Block &target) {
    Truth truth = judge(request, {branch.terminator(), &target});
    isOpen |= truth == Truth::Unknown;
    return truth == Truth::False;
  };
  if (from.successors().size() > 1 && isRefuted(from, to))
    return Truth::False;
  const Block *top = flow.immediateDominator(to);
  for (const Block *at = &from; at != top;) {
    const Block *branch = flow.immediateDominator(*at);
    if (!branch)
      break;
    if (branch->successors().size() > 1)
      for (const Block *target : branch->successors())
        if (flow.edgeDominates(*branch, *target, from) && isRefuted(*branch, *target))
          return Truth::False;
    at = branch;
  }
  return isOpen ? Truth::Unknown : Truth::True;
}

ConstantValue LaneEvaluator::computePhi(Request &request) {
  const Instruction &phi = request.inst;
  const Block &block = *request.where;
  uint64_t ownLoop = model.loopOfHeader(block);
  if (model.loopsAround(block) & LaneModel::kOtherLoops)
    return unknown();
  if (ownLoop && iterations.lookup(&block) != 0)
    return computeCounter(request);
  struct Incoming {
    Id value;
    const Block *from;
  };
  llvm::SmallVector<Incoming, 4> ways;
  for (unsigned at = 0; at + 1 < phi.numOperands(); at += 2) {
    const Instruction *label = module.def(phi.id(at + 1));
    const Block *from = nullptr;
    for (const Block *predecessor : block.predecessors())
      if (label && predecessor->id() == label->result())
        from = predecessor;
    bool comesAround = from && (model.loopsAround(*from) & ownLoop);
    if (from && model.analysis().flow().isReachable(*from) && !comesAround)
      ways.push_back({phi.id(at), from});
  }
  request.loops |= ownLoop;
  if (ways.size() > 1) {
    llvm::SmallVector<Incoming, 4> open;
    for (const Incoming &way : ways)
      if (judgeEdge(request, *way.from, block) != Truth::False)
        open.push_back(way);
    ways = std::move(open);
  }
  if (ways.empty() || !request.isComplete())
    return unknown();
  ConstantValue result = read(request, ways.front().value);
  for (const Incoming &way : ways)
    if (read(request, way.value) != result)
      return unknown();
  return result;
}

ConstantValue LaneEvaluator::computeCounter(Request &request) {
  const Instruction &phi = request.inst;
  const AffineExpr *expr = model.analysis().affine().expr(phi.result());
  const Instruction *type = module.def(phi.typeId());
  request.loops |= model.loopOfHeader(*request.where);
  if (!expr || !type || type->opcode() != spv::Op::OpTypeInt)
    return unknown();
  std::optional<uint64_t> bits = evaluateAffine(request, *expr);
  uint32_t width = type->literal(0);
  if (!bits || width > 64)
    return unknown();
  if (width < 64)
    *bits &= (uint64_t{1} << width) - 1;
  return {ConstantValue::Kind::Int, static_cast<uint8_t>(width), type->literal(1) != 0, *bits, {}};
}

std::optional<uint64_t> LaneEvaluator::evaluateAffine(Request &request, const AffineExpr &expr) {
  auto sum = static_cast<uint64_t>(expr.constant);
  for (const AffineTerm &term : expr.terms) {
    auto product = static_cast<uint64_t>(term.coefficient);
    for (SymbolIndex index : term.symbols) {
      if (index == AffineTerm::kNone)
        break;
      const Symbol &symbol = model.analysis().affine().symbols()[index];
      std::optional<uint64_t> factor;
      switch (symbol.kind) {
      case Symbol::Kind::LocalId:
        factor = lane.localId[symbol.component];
        break;
      case Symbol::Kind::WorkgroupId:
        factor = lane.group[symbol.component];
        break;
      case Symbol::Kind::NumWorkgroups:
        request.assumed |= !host.numWorkgroups;
        factor = host.numWorkgroups ? (*host.numWorkgroups)[symbol.component]
                                    : HostValues::kAssumedGroups;
        break;
      case Symbol::Kind::Iteration:
        factor = iterations.lookup(symbol.header);
        request.loops |= model.loopOfHeader(*symbol.header);
        break;
      case Symbol::Kind::Uniform:
      case Symbol::Kind::Value: {
        if (!symbol.def || symbol.def == &request.inst)
          return std::nullopt;
        ConstantValue value = read(request, symbol.def->result());
        if (value.isComposite() && symbol.component < value.elements.size()) {
          ConstantValue part = value.elements[symbol.component];
          value = std::move(part);
        }
        if (isKnown(value) && value.kind == ConstantValue::Kind::Int)
          factor = symbol.range.lo < 0 ? static_cast<uint64_t>(value.asSigned()) : value.bits;
        break;
      }
      }
      if (!factor)
        return std::nullopt;
      product *= *factor;
    }
    sum += product;
  }
  return sum;
}

// --- which blocks run ---

/// Control dependences through the back edge of a loop are about its next iteration, and are left
/// out. Blocks whose own state is not known yet go to `pending`.
Activity LaneEvaluator::judgeBlock(Request &request, llvm::SmallVectorImpl<const Block *> &pending,
                                   const Block &block) {
  const ControlFlow &flow = model.analysis().flow();
  if (!flow.isReachable(block))
    return Activity::No;
  bool isOpen = false, isControlled = false, runs = false;
  for (const Block *controller : flow.controllers(block)) {
    if (model.order(*controller) >= model.order(block))
      continue;
    isControlled = true;
    auto found = activities.find(controller);
    if (found == activities.end()) {
      pending.push_back(controller);
      continue;
    }
    request.assumed |= found->second.assumed;
    if (found->second.activity == Activity::No)
      continue;
    bool mayLead = false, mustLead = true;
    for (const Block *target : controller->successors()) {
      Truth truth = judge(request, {controller->terminator(), target});
      bool leads = target == &block || flow.postDominates(block, *target);
      mayLead |= leads && truth != Truth::False;
      mustLead &= leads || truth == Truth::False;
    }
    runs |= mayLead && mustLead && found->second.activity == Activity::Yes;
    isOpen |= mayLead;
  }
  if (!isControlled || runs)
    return Activity::Yes;
  return isOpen ? Activity::Unknown : Activity::No;
}

Activity LaneEvaluator::activity(const Block &block) {
  llvm::SmallVector<const Block *, 8> path = {&block};
  while (!path.empty()) {
    const Block *at = path.back();
    if (activities.contains(at)) {
      path.pop_back();
      continue;
    }
    llvm::SmallVector<const Block *, 4> pending;
    Request request{at->label(), at};
    Activity result = judgeBlock(request, pending, *at);
    for (Id missing : request.missing)
      require(missing);
    if (pending.empty() && request.isComplete()) {
      activities[at] = {result, request.assumed};
      path.pop_back();
    }
    path.append(pending.begin(), pending.end());
  }
  const KnownActivity &result = activities[&block];
  assumed |= result.assumed;
  return result.activity;
}

} // namespace tailor
