//===- Analysis/AffineLoops.cpp - Loop counters and trip counts ------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/AffineImpl.h"

#include "IR/Types.h"

#include <algorithm>

namespace tailor {

//===----------------------------------------------------------------------===//
// Natural loops
//===----------------------------------------------------------------------===//

bool AffineSolver::contains(const LoopInfo &loop, const Block &block) const {
  for (const LoopInfo *at = innermost[block.index()]; at; at = at->parent)
    if (at == &loop)
      return true;
  return false;
}

void AffineSolver::findLoops() {
  struct Found {
    const Block *header;
    std::vector<const Block *> latches, body;
  };
  std::vector<Found> found;
  for (const Block &header : form.function().blocks()) {
    Found loop{&header, {}, {}};
    for (const Block *from : header.predecessors())
      if (flow.isReachable(*from) && flow.dominates(header, *from))
        loop.latches.push_back(from);
    if (loop.latches.empty() || !flow.isReachable(header))
      continue;
    llvm::DenseSet<const Block *> inside = {&header};
    std::vector<const Block *> work(loop.latches.begin(), loop.latches.end());
    while (!work.empty()) {
      const Block *block = work.back();
      work.pop_back();
      if (!inside.insert(block).second)
        continue;
      for (const Block *from : block->predecessors())
        if (flow.isReachable(*from))
          work.push_back(from);
    }
    loop.body.assign(inside.begin(), inside.end());
    found.push_back(std::move(loop));
  }
  // From the outside in: the last loop that is written to a block is its innermost.
  std::sort(found.begin(), found.end(), [](const Found &a, const Found &b) {
    return a.body.size() != b.body.size() ? a.body.size() > b.body.size()
                                          : a.header->index() < b.header->index();
  });
  for (Found &each : found) {
    auto loop = std::make_unique<LoopInfo>();
    loop->header = each.header;
    loop->parent = innermost[each.header->index()];
    loop->depth = loop->parent ? loop->parent->depth + 1 : 1;
    Symbol iteration;
    iteration.kind = Symbol::Kind::Iteration;
    iteration.header = each.header;
    iteration.width = 64;
    iteration.range = {0, IntRange::kMax};
    loop->iteration = addSymbol(iteration);
    llvm::DenseSet<const Block *> inside(each.body.begin(), each.body.end());
    bool isOnly = true;
    for (const Block *block : each.body) {
      innermost[block->index()] = loop.get();
      for (const Block *next : block->successors()) {
        if (inside.contains(next))
          continue;
        isOnly &= !loop->exiting || loop->exiting == block;
        loop->exiting = block;
      }
    }
    if (!isOnly)
      loop->exiting = nullptr;
    if (loop->exiting)
      loop->testsAtEnd = each.latches.size() == 1 && each.latches.front() == loop->exiting &&
                         loop->exiting != each.header;
    latches.push_back(each.latches);
    loops.push_back(std::move(loop));
  }
  // In the order of their headers.
  std::vector<unsigned> order(loops.size());
  for (unsigned at = 0; at < order.size(); ++at)
    order[at] = at;
  std::sort(order.begin(), order.end(), [&](unsigned a, unsigned b) {
    return loops[a]->header->index() < loops[b]->header->index();
  });
  std::vector<std::unique_ptr<LoopInfo>> sorted;
  std::vector<std::vector<const Block *>> sortedLatches;
  for (unsigned at : order) {
    loopOfHeader[loops[at]->header] = static_cast<unsigned>(sorted.size());
    sorted.push_back(std::move(loops[at]));
    sortedLatches.push_back(std::move(latches[at]));
  }
  loops = std::move(sorted);
  latches = std::move(sortedLatches);
}

//===----------------------------------------------------------------------===//
// Counters
//===----------------------------------------------------------------------===//

/// All symbols keep their values while the loop runs.
bool AffineSolver::isInvariant(const LoopInfo &loop, const AffineExpr &expr) const {
  for (const AffineTerm &term : expr.terms)
    for (unsigned at = 0; at < term.degree(); ++at) {
      const Symbol &symbol = symbols[term.symbols[at]];
      if (symbol.kind == Symbol::Kind::Value &&
          (!symbol.def->parent() || contains(loop, *symbol.def->parent())))
        return false;
      if (symbol.kind == Symbol::Kind::Iteration && contains(loop, *symbol.header))
        return false;
    }
  return true;
}

void AffineSolver::findInductions() {
  for (const auto &loop : loops)
    for (const Instruction &inst : loop->header->instructions()) {
      if (inst.opcode() != spv::Op::OpPhi)
        break;
      if (widthOf(inst.typeId()) == 0 || isRelaxed(inst))
        continue;
      unsigned count = componentCount(module, inst.typeId());
      for (unsigned at = 0; at < count; ++at)
        findInduction(*loop, inst, at);
    }
}

void AffineSolver::findInduction(const LoopInfo &loop, const Instruction &phi, unsigned component) {
  const Instruction *next = nullptr;
  unsigned inside = 0, outside = 0;
  for (unsigned at = 0; at + 1 < phi.numOperands(); at += 2) {
    const Instruction *label = module.def(phi.id(at + 1));
    if (!label || !label->parent())
      return;
    if (!contains(loop, *label->parent())) {
      ++outside;
      continue;
    }
    ++inside;
    next = module.def(phi.id(at));
  }
  if (inside != 1 || outside != 1 || !next)
    return;
  const AffineExpr *self = known(phi.result(), component);
  if (!self || self->terms.size() != 1)
    return;
  const AffineExpr after = exprOf(next->result(), component);
  std::optional<AffineExpr> step = affine::add(after, affine::scale(*self, -1, 64), 64);
  if (!step)
    return;
  // By what the loop itself does not change: a number, or values of the host.
  bool isSteady = std::all_of(step->terms.begin(), step->terms.end(), [&](const AffineTerm &term) {
    for (unsigned at = 0; at < term.degree(); ++at) {
      Symbol::Kind kind = symbols[term.symbols[at]].kind;
      if (kind == Symbol::Kind::Value || kind == Symbol::Kind::Iteration)
        return false;
    }
    return true;
  });
  if (isSteady) {
    inductions[{raw(phi.result()), component}] = {affine::reduce(*step, widthOf(phi.typeId())),
                                                  &loop};
    return;
  }
  if (component == 0 && componentCount(module, phi.typeId()) == 1)
    findGeometric(loop, phi);
}

namespace {

/// One step of `counter = counter op constant`, and the comparison of the counter with a constant.
struct GeometricStep {
  spv::Op op;
  uint64_t by;
  unsigned width;

  std::optional<uint64_t> apply(uint64_t value) const {
    uint64_t mask = width >= 64 ? UINT64_MAX : (uint64_t{1} << width) - 1;
    int64_t asSigned = affine::wrapTo(value, width);
    switch (op) {
    case spv::Op::OpShiftLeftLogical:
      return by < width ? std::optional(value << by & mask) : std::nullopt;
    case spv::Op::OpShiftRightLogical:
      return by < width ? std::optional(value >> by) : std::nullopt;
    case spv::Op::OpShiftRightArithmetic:
      return by < width ? std::optional(static_cast<uint64_t>(asSigned >> by) & mask)
                        : std::nullopt;
    case spv::Op::OpIMul:
      return value * by & mask;
    case spv::Op::OpUDiv:
      return by != 0 ? std::optional(value / by) : std::nullopt;
    case spv::Op::OpSDiv: {
      int64_t divisor = affine::wrapTo(by, width);
      return divisor > 0 ? std::optional(static_cast<uint64_t>(asSigned / divisor) & mask)
                         : std::nullopt;
    }
    default:
      return std::nullopt;
    }
  }
};

std::optional<bool> compare(spv::Op op, uint64_t a, uint64_t b, unsigned width) {
  int64_t x = affine::wrapTo(a, width), y = affine::wrapTo(b, width);
  switch (op) {
  case spv::Op::OpIEqual:
    return a == b;
  case spv::Op::OpINotEqual:
    return a != b;
  case spv::Op::OpULessThan:
    return a < b;
  case spv::Op::OpULessThanEqual:
    return a <= b;
  case spv::Op::OpUGreaterThan:
    return a > b;
  case spv::Op::OpUGreaterThanEqual:
    return a >= b;
  case spv::Op::OpSLessThan:
    return x < y;
  case spv::Op::OpSLessThanEqual:
    return x <= y;
  case spv::Op::OpSGreaterThan:
    return x > y;
  case spv::Op::OpSGreaterThanEqual:
    return x >= y;
  default:
    return std::nullopt;
  }
}

constexpr unsigned kMaxSimulated = 4096;

} // namespace

/// `for (s = 128; s > 0; s >>= 1)`: followed by counting.
bool AffineSolver::findGeometric(const LoopInfo &loop, const Instruction &phi) {
  const unsigned width = widthOf(phi.typeId());
  std::optional<uint64_t> start;
  const Instruction *update = nullptr;
  for (unsigned at = 0; at + 1 < phi.numOperands(); at += 2) {
    bool isInside = contains(loop, *module.def(phi.id(at + 1))->parent());
    if (isInside)
      update = module.def(phi.id(at));
    else
      start = ids.constants().evaluateInt(phi.id(at));
  }
  if (!start || !update || update->numOperands() != 2 || !update->isId(0) || !update->isId(1) ||
      !loop.exiting || innermost[loop.exiting->index()] != &loop ||
      !flow.dominates(*loop.exiting, *latches[loopOfHeader[loop.header]].front()))
    return false;
  bool isRight = update->id(0) == phi.result();
  std::optional<uint64_t> by = ids.constants().evaluateInt(update->id(1));
  const Instruction *branch = loop.exiting->terminator();
  if (!isRight || !by || branch->opcode() != spv::Op::OpBranchConditional)
    return false;
  const Instruction *test = module.def(branch->id(0));
  if (!test || test->numOperands() != 2 || !test->isId(0) || !test->isId(1) || isRelaxed(*test) ||
      isRelaxed(*update))
    return false;
  const GeometricStep step{update->opcode(), *by, width};
  auto operandAt = [&](Id id, uint64_t value) -> std::optional<uint64_t> {
    if (id == phi.result())
      return value;
    if (id == update->result())
      return step.apply(value);
    return ids.constants().evaluateInt(id);
  };
  bool trueStays = false;
  for (const Block *next : loop.exiting->successors())
    if (next->id() == branch->id(1))
      trueStays = contains(loop, *next);
  uint64_t value = *start;
  IntRange range{affine::wrapTo(value, width), affine::wrapTo(value, width)};
  for (unsigned trips = 0; trips <= kMaxSimulated; ++trips) {
    auto a = operandAt(test->id(0), value), b = operandAt(test->id(1), value);
    std::optional<bool> truth = a && b ? compare(test->opcode(), *a, *b, width) : std::nullopt;
    std::optional<uint64_t> after = step.apply(value);
    if (!truth || !after)
      return false;
    if (*truth != trueStays) {
      LoopInfo &info = *loops[loopOfHeader[loop.header]];
      info.tripCount = trips + (loop.testsAtEnd ? 1 : 0);
      info.tripText = std::to_string(*info.tripCount);
      info.trips = affine::constant(static_cast<int64_t>(*info.tripCount));
      symbols[loop.iteration].range = {0, trips};
      bodyRange[loop.iteration] = {0, std::max<int64_t>(int64_t{trips} - 1, 0)};
      asItself(phi, 0, range);
      return true;
    }
    value = *after;
    int64_t seen = affine::wrapTo(value, width);
    range = affine::unite(range, {seen, seen});
  }
  return false;
}

AffineSolver::Maybe AffineSolver::expand(const AffineExpr &expr, unsigned compared,
                                         std::vector<NarrowCounter> &narrow) {
  constexpr unsigned kWidth = 64;
  Maybe result = affine::constant(expr.constant);
  for (const AffineTerm &term : expr.terms) {
    Maybe product = affine::constant(term.coefficient);
    for (unsigned at = 0; at < term.degree() && product; ++at) {
      AffineExpr factor = affine::symbol(term.symbols[at]);
      if (auto counter = counterSymbols.find(term.symbols[at]); counter != counterSymbols.end()) {
        const auto &[inst, component] = counter->second;
        auto induction = inductions.find({raw(inst->result()), component});
        if (induction != inductions.end()) {
          Maybe moved = affine::multiply(induction->second.step,
                                         affine::symbol(induction->second.loop->iteration), kWidth);
          for (unsigned edge = 0; edge + 1 < inst->numOperands(); edge += 2)
            if (!contains(*induction->second.loop, *module.def(inst->id(edge + 1))->parent()))
              moved = moved ? affine::add(*moved, exprOf(inst->id(edge), component), kWidth)
                            : std::nullopt;
          if (!moved)
            return std::nullopt;
          const unsigned width = widthOf(inst->typeId());
          if (width < compared) {
            IntRange type = affine::fullRange(width, isSignedInt(inst->typeId()));
            if (type.lo == 0 && moved->constant < 0) // kept as a signed number
              moved->constant += int64_t{1} << width;
            narrow.push_back({*moved, type});
          }
          factor = std::move(*moved);
        }
      }
      product = affine::multiply(*product, factor, kWidth);
    }
    if (!product)
      return std::nullopt;
    result = affine::add(*result, *product, kWidth);
    if (!result)
      return std::nullopt;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Trip counts
//===----------------------------------------------------------------------===//

namespace {

std::optional<StayTest> stayTest(const Instruction &test, bool truth) {
  using enum spv::Op;
  spv::Op op = test.opcode();
  StayTest stay;
  bool isLess =
      op == OpULessThan || op == OpSLessThan || op == OpULessThanEqual || op == OpSLessThanEqual;
  bool isGreater = op == OpUGreaterThan || op == OpSGreaterThan || op == OpUGreaterThanEqual ||
                   op == OpSGreaterThanEqual;
  bool orEqual = op == OpULessThanEqual || op == OpSLessThanEqual || op == OpUGreaterThanEqual ||
                 op == OpSGreaterThanEqual;
  stay.isSigned = op == OpSLessThan || op == OpSLessThanEqual || op == OpSGreaterThan ||
                  op == OpSGreaterThanEqual;
  if (op == OpINotEqual || op == OpIEqual) {
    if ((op == OpINotEqual) != truth)
      return std::nullopt;
    stay.low = test.id(0);
    stay.high = test.id(1);
    stay.isUnequal = true;
    return stay;
  }
  if (!isLess && !isGreater)
    return std::nullopt;
  stay.low = test.id(isLess ? 0 : 1);
  stay.high = test.id(isLess ? 1 : 0);
  stay.strict = !orEqual;
  if (!truth) { // not (a < b) is b <= a
    std::swap(stay.low, stay.high);
    stay.strict = !stay.strict;
  }
  return stay;
}

} // namespace

/// The loop's only exit, where each time round passes it, as a test that keeps the loop going.
std::optional<StayTest> AffineSolver::exitTest(const LoopInfo &loop) const {
  const Instruction *branch = loop.exiting->terminator();
  const std::vector<const Block *> &back = latches[loopOfHeader.lookup(loop.header)];
  bool everyTime = std::all_of(back.begin(), back.end(), [&](const Block *latch) {
    return flow.dominates(*loop.exiting, *latch);
  });
  // A test inside an inner loop runs more often than the loop comes round.
  if (!everyTime || innermost[loop.exiting->index()] != &loop ||
      branch->opcode() != spv::Op::OpBranchConditional || branch->id(1) == branch->id(2))
    return std::nullopt;
  const Instruction *test = module.def(branch->id(0));
  bool trueStays = false;
  for (const Block *next : loop.exiting->successors())
    if (next->id() == branch->id(1))
      trueStays = contains(loop, *next);
  if (!test || test->numOperands() != 2 || !test->isId(0) || !test->isId(1) || isRelaxed(*test))
    return std::nullopt;
  std::optional<StayTest> stay = stayTest(*test, trueStays);
  const Instruction *compared = stay ? module.def(stay->low) : nullptr;
  if (!compared || componentCount(module, compared->typeId()) != 1)
    return std::nullopt;
  stay->width = widthOf(compared->typeId());
  return stay->width != 0 && stay->width <= 32 ? stay : std::nullopt;
}

/// high - low as first - step·iteration; the loop goes on while that is positive.
std::optional<TripGap> AffineSolver::gapOf(const LoopInfo &loop, const StayTest &stay) {
  std::vector<NarrowCounter> narrow;
  Maybe low = expand(exprOf(stay.low, 0), stay.width, narrow),
        high = expand(exprOf(stay.high, 0), stay.width, narrow);
  // Constants are kept as signed numbers: a large unsigned one is that plus 2^width.
  for (Maybe *side : {&low, &high})
    if (*side && !stay.isSigned && !stay.isUnequal && (*side)->constant < 0 &&
        std::all_of((*side)->terms.begin(), (*side)->terms.end(),
                    [&](const AffineTerm &term) { return term.contains(loop.iteration); }))
      (*side)->constant += int64_t{1} << stay.width;
  Maybe gap = low && high ? affine::add(*high, affine::scale(*low, -1, 64), 64) : std::nullopt;
  if (!gap)
    return std::nullopt;
  TripGap result{*low, *high, {gap->constant, {}}, 0, std::move(narrow)};
  for (const AffineTerm &term : gap->terms) {
    if (!term.contains(loop.iteration)) {
      result.first.terms.push_back(term);
      continue;
    }
    if (term.degree() != 1)
      return std::nullopt; // a step that the host supplies
    result.step -= term.coefficient;
  }
  if (!isInvariant(loop, result.first) || result.step == 0)
    return std::nullopt;
  if (stay.isUnequal && result.step < 0) {
    result.first = affine::scale(result.first, -1, 64);
    result.step = -result.step;
  }
  if (result.step < 0 || result.step > UINT32_MAX)
    return std::nullopt;
  if (!stay.strict)
    result.first.constant += 1;
  return result;
}

/// Both sides are the numbers that they are compared as, at all iterations in the symbol's range.
bool AffineSolver::fits(const TripGap &gap, const StayTest &stay) const {
  auto isNumber = [&](const AffineExpr &expr) {
    IntRange range = rangeOf(expr);
    return stay.isSigned ? range.fitsSigned(stay.width) : range.fitsUnsigned(stay.width);
  };
  return isNumber(gap.low) && isNumber(gap.high) && narrowFit(gap);
}

/// No counter that was widened for the comparison has wrapped before.
bool AffineSolver::narrowFit(const TripGap &gap) const {
  return std::all_of(gap.narrow.begin(), gap.narrow.end(), [&](const NarrowCounter &counter) {
    return rangeOf(counter.value).within(counter.type.lo, counter.type.hi);
  });
}

/// Where the gap begins at a number, or is so narrow that the steps over it are one number: from
/// 512 - lid.x on, in steps of 128 for 128 lanes, there are 4.
bool AffineSolver::countTrips(LoopInfo &loop, const TripGap &gap, const StayTest &stay) {
  constexpr int64_t kMost = int64_t{1} << 40;
  const IntRange starts = rangeOf(gap.first);
  if (!starts.isBounded() || starts.lo <= -kMost || starts.hi >= kMost ||
      (stay.isUnequal && starts.lo != starts.hi))
    return false;
  const int64_t first = starts.lo;
  if (stay.isUnequal && (first < 0 || first % gap.step != 0))
    return true; // it comes round the whole type, or for ever
  auto stepsOver = [&](int64_t gapThere) {
    return std::max<int64_t>(0, (gapThere + gap.step - 1) / gap.step);
  };
  const int64_t trips = stepsOver(first);
  if (stepsOver(starts.hi) != trips)
    return false;
  Symbol &iteration = symbols[loop.iteration];
  const IntRange before = iteration.range;
  iteration.range = {0, trips};
  const bool meets = stay.isUnequal && first < int64_t{1} << (stay.width - 1) && narrowFit(gap);
  if (!meets && !fits(gap, stay)) {
    iteration.range = before;
    return false;
  }
  const int64_t runs = trips + (loop.testsAtEnd ? 1 : 0);
  loop.tripCount = static_cast<uint64_t>(runs);
  loop.trips = affine::constant(runs);
  loop.tripText = std::to_string(runs);
  bodyRange[loop.iteration] = {0, std::max<int64_t>(trips - 1, 0)};
  return true;
}

/// A counter that moves by one meets the bound before it can wrap, where both start in range.
void AffineSolver::proveTrips(LoopInfo &loop, const TripGap &gap, const StayTest &stay) {
  Symbol &iteration = symbols[loop.iteration];
  const IntRange before = iteration.range;
  iteration.range = {0, 0};
  const bool startsInRange = fits(gap, stay);
  iteration.range = before;
  auto moves = [&](const AffineExpr &expr) {
    return std::any_of(expr.terms.begin(), expr.terms.end(),
                       [&](const AffineTerm &term) { return term.contains(loop.iteration); });
  };
  bool oneSideMoves = moves(gap.low) != moves(gap.high);
  if (gap.step != 1 || !stay.strict || stay.isUnequal || !startsInRange || !oneSideMoves)
    return;
  IntRange most = rangeOf(gap.first);
  iteration.range = {0, most.isBounded() ? std::max<int64_t>(most.hi, 0) : IntRange::kMax};
  if (!narrowFit(gap)) {
    iteration.range = before;
    return;
  }
  if (most.isBounded())
    bodyRange[loop.iteration] = {0, std::max<int64_t>(most.hi - 1, 0)};
  loop.trips = affine::add(gap.first, affine::constant(loop.testsAtEnd ? 1 : 0), 64);
}

void AffineSolver::findTrips(LoopInfo &loop, bool isFinal) {
  if (!loop.exiting || loop.tripCount)
    return;
  std::optional<StayTest> stay = exitTest(loop);
  std::optional<TripGap> gap = stay ? gapOf(loop, *stay) : std::nullopt;
  if (!gap || countTrips(loop, *gap, *stay))
    return;
  proveTrips(loop, *gap, *stay);
  if (!isFinal || (!loop.trips && !gap->narrow.empty())) // a narrow counter wraps early
    return;
  AffineExpr shown = gap->first;
  shown.constant += gap->step - 1;
  if (gap->first.isConstant()) { // a number that is right if nothing wraps
    if (gap->first.constant >= 0)
      loop.tripText = std::to_string(shown.constant / gap->step + (loop.testsAtEnd ? 1 : 0));
    return;
  }
  loop.tripText = str(gap->step == 1 ? gap->first : shown);
  bool isSum = !gap->first.terms.empty() && (gap->first.terms.size() > 1 || shown.constant != 0);
  if (gap->step != 1)
    loop.tripText =
        (isSum ? "(" + loop.tripText + ")" : loop.tripText) + " / " + std::to_string(gap->step);
  if (loop.testsAtEnd)
    loop.tripText += " + 1";
}

} // namespace tailor
