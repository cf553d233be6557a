//===- Analysis/TripCounts.cpp ---------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/TripCounts.h"

#include "Analysis/AffineArithmetic.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tailor {

// --- sums ---

TripSum TripSum::number(double value) {
  TripSum sum;
  if (value != 0)
    sum.terms[{}] = value;
  return sum;
}

TripSum TripSum::name(std::string name) {
  TripSum sum;
  sum.terms[{std::move(name)}] = 1;
  return sum;
}

TripSum &TripSum::operator+=(const TripSum &other) {
  for (const auto &[monomial, coefficient] : other.terms) {
    double &mine = terms[monomial];
    mine += coefficient;
    if (mine == 0)
      terms.erase(monomial);
  }
  return *this;
}

TripSum TripSum::operator*(const TripSum &other) const {
  TripSum result;
  for (const auto &[a, x] : terms)
    for (const auto &[b, y] : other.terms) {
      TripSum product;
      Monomial both;
      std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
      product.terms[std::move(both)] = x * y;
      result += product;
    }
  return result;
}

std::optional<double> TripSum::constant() const {
  if (terms.empty())
    return 0;
  if (terms.size() == 1 && terms.begin()->first.empty())
    return terms.begin()->second;
  return std::nullopt;
}

double TripSum::evaluate(llvm::function_ref<double(const std::string &)> valueOf) const {
  double sum = 0;
  for (const auto &[monomial, coefficient] : terms) {
    double product = coefficient;
    for (const std::string &name : monomial)
      product *= valueOf(name);
    sum += product;
  }
  return sum;
}

static std::string numberText(double value) {
  char text[32];
  bool whole = value == std::floor(value) && std::abs(value) < 1e15;
  std::snprintf(text, sizeof(text), whole ? "%.0f" : "%.6g", value);
  return text;
}

std::string TripSum::str() const {
  std::string text;
  for (const auto &[monomial, coefficient] : terms) {
    double shown = coefficient;
    if (!text.empty()) {
      text += coefficient < 0 ? " - " : " + ";
      shown = std::abs(coefficient);
    }
    std::string product;
    for (const std::string &name : monomial)
      product += (product.empty() ? "" : "*") + name;
    if (product.empty() || shown != 1)
      text += numberText(shown) + (product.empty() ? "" : "*");
    text += product;
  }
  return text.empty() ? "0" : text;
}

// --- loops ---

/// The count of a block in a cycle of several headers.
static std::string tangleName(const Block &block) {
  return "n(%" + std::to_string(raw(block.id())) + ")";
}

TripCounts::TripCounts(const KernelAnalysis &analysis, HostValues hostValues)
    : kernel(analysis), host(std::move(hostValues)), loopRounds(analysis, host) {
  for (const auto &loop : kernel.affine().loops())
    trips.try_emplace(loop.get(), tripsOf(*loop));
  for (const Block &block : kernel.form().function().blocks())
    if (kernel.flow().inCycle(block) && !kernel.affine().loopOf(block))
      use({tangleName(block), kAssumed,
           "how often a block of the cycle of several headers at " +
               kernel.locationOf(*block.terminator()).str() + " runs",
           false});
  std::sort(used.begin(), used.end(),
            [](const TripName &a, const TripName &b) { return a.name < b.name; });
}

void TripCounts::use(TripName name) {
  if (std::none_of(used.begin(), used.end(),
                   [&](const TripName &each) { return each.name == name.name; }))
    used.push_back(std::move(name));
}

/// What a symbol of a count is taken as: the middle of an id's range, the host's value of what it
/// supplies; nullopt where nothing says it.
std::optional<double> TripCounts::assumedFor(const Symbol &symbol) const {
  switch (symbol.kind) {
  case Symbol::Kind::LocalId:
    return (kernel.size()[symbol.component] - 1) / 2.0;
  case Symbol::Kind::NumWorkgroups:
    if (host.numWorkgroups)
      return (*host.numWorkgroups)[symbol.component];
    return std::nullopt;
  case Symbol::Kind::WorkgroupId:
    if (host.numWorkgroups)
      return ((*host.numWorkgroups)[symbol.component] - 1) / 2.0;
    return std::nullopt;
  case Symbol::Kind::Uniform:
  case Symbol::Kind::Value:
    if (host.leaf && host.numWorkgroups && symbol.def && symbol.def->parent()) {
      LaneModel model(kernel);
      double sum = 0;
      const auto groups = spreadGroups(*host.numWorkgroups);
      for (const std::array<uint32_t, 3> &group : groups) {
        LaneEvaluator lane(model, {group, {}}, host);
        std::optional<uint64_t> value =
            lane.integer(symbol.def->result(), *symbol.def, symbol.component);
        if (!value)
          return std::nullopt;
        sum += double(*value);
      }
      return sum / double(groups.size());
    }
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

TripSum TripCounts::fromPolynomial(const AffineExpr &expr) {
  TripSum sum = TripSum::number(static_cast<double>(expr.constant));
  for (const AffineTerm &term : expr.terms) {
    TripSum product = TripSum::number(static_cast<double>(term.coefficient));
    for (unsigned at = 0; at < term.degree(); ++at) {
      const Symbol &symbol = kernel.affine().symbols()[term.symbols[at]];
      const std::optional<double> assumed = assumedFor(symbol);
      TripName name{kernel.affine().nameOf(term.symbols[at]), assumed.value_or(kAssumed)};
      name.isFound = assumed || symbol.kind == Symbol::Kind::Iteration;
      if (symbol.kind == Symbol::Kind::Iteration)
        name.meaning =
            "the iteration of the loop at " + kernel.locationOf(*symbol.header->terminator()).str();
      product = product * TripSum::name(name.name);
      use(std::move(name));
    }
    sum += product;
  }
  return sum;
}

/// The loop with that iteration symbol.
static const LoopInfo *loopOf(const AffineAnalysis &affine, SymbolIndex iteration) {
  for (const auto &loop : affine.loops())
    if (loop->iteration == iteration)
      return loop.get();
  return nullptr;
}

/// Whether in some rounds of the loops around it the polynomial is a number below 0, where the
/// count is 0. (A difference with a value of the host is taken as not negative.) It is least in the
/// first round or the last.
bool TripCounts::mayFallBelowZero(const AffineExpr &polynomial, unsigned depth) const {
  const AffineAnalysis &affine = kernel.affine();
  std::optional<SymbolIndex> iteration;
  for (const AffineTerm &term : polynomial.terms)
    for (unsigned at = 0; at < term.degree(); ++at)
      if (affine.symbols()[term.symbols[at]].kind == Symbol::Kind::Iteration)
        iteration = term.symbols[at];
  if (!iteration)
    return polynomial.isConstant() && polynomial.constant < 0;
  constexpr unsigned kMaxDepth = 6;
  std::optional<AffineExpr> step = affine.coefficientOf(polynomial, *iteration);
  const LoopInfo *around = loopOf(affine, *iteration);
  if (!step || !around || !around->trips || depth == kMaxDepth)
    return true;
  AffineExpr first = polynomial;
  std::erase_if(first.terms, [&](const AffineTerm &term) { return term.contains(*iteration); });
  AffineExpr lastRound = *around->trips;
  lastRound.constant -= 1;
  std::optional<AffineExpr> moved = affine::multiply(*step, lastRound, 64);
  std::optional<AffineExpr> last = moved ? affine::add(first, *moved, 64) : std::nullopt;
  return !last || mayFallBelowZero(first, depth + 1) || mayFallBelowZero(*last, depth + 1);
}

/// A name for max(0, trips); taken as what it comes to on average over the rounds of the loop
/// around.
TripSum TripCounts::atLeastZero(const LoopInfo &loop) {
  const AffineAnalysis &affine = kernel.affine();
  const TripSum polynomial = fromPolynomial(*loop.trips);
  auto roundsOf = [&](const LoopInfo &around) {
    auto known = trips.find(&around);
    double count = known == trips.end() ? kAssumed : known->second.evaluate([&](const auto &name) {
      return assumedValue(name);
    });
    return std::clamp(std::floor(count), 1.0, 4096.0);
  };
  const double rounds = loop.parent ? roundsOf(*loop.parent) : 1;
  double sum = 0;
  for (double round = 0; round < rounds; ++round)
    sum += std::max(0.0, polynomial.evaluate([&](const std::string &name) {
      for (const LoopInfo *around = loop.parent; around; around = around->parent)
        if (name == affine.nameOf(around->iteration))
          return around == loop.parent ? round : (roundsOf(*around) - 1) / 2;
      return assumedValue(name);
    }));
  TripName name{"max(0, " + polynomial.str() + ")", sum / rounds};
  for (const auto &[monomial, coefficient] : polynomial.all())
    for (const std::string &part : monomial)
      for (const TripName &each : used)
        name.isFound &= each.name != part || each.isFound;
  name.meaning =
      "how often the loop at " + kernel.locationOf(*loop.header->terminator()).str() + " runs";
  TripSum result = TripSum::name(name.name);
  use(std::move(name));
  return result;
}

TripSum TripCounts::tripsOf(const LoopInfo &loop) {
  if (loop.tripCount)
    return TripSum::number(static_cast<double>(*loop.tripCount));
  if (loop.trips)
    return mayFallBelowZero(*loop.trips, 0) ? atLeastZero(loop) : fromPolynomial(*loop.trips);
  std::string where = kernel.locationOf(*loop.header->terminator()).str();
  TripName name{"n(" + kernel.affine().nameOf(loop.iteration) + ")", kAssumed};
  name.meaning = "how often the loop at " + where + " runs, which is not known";
  bool isNumber = loop.tripText.find_first_not_of("0123456789") == std::string::npos;
  if (!isNumber) { // right unless its counter wraps
    name.name =
        loop.tripText.find(' ') == std::string::npos ? loop.tripText : "(" + loop.tripText + ")";
    name.meaning = "how often the loop at " + where + " runs";
  }
  TripSum sum = TripSum::name(name.name);
  if (std::optional<double> found = loopRounds.average(loop)) {
    name.assumed = *found;
    name.meaning = "how often the loop at " + where + " runs, on average";
  } else {
    name.isFound = false;
  }
  use(std::move(name));
  return sum;
}

/// sum over iteration = 0 .. trips-1 of `inner`, a polynomial in the iteration.
static TripSum sumOver(const TripSum &inner, const std::string &iteration, const TripSum &trips) {
  TripSum total;
  for (const auto &[monomial, coefficient] : inner.all()) {
    TripSum rest = TripSum::number(coefficient);
    unsigned degree = 0;
    for (const std::string &name : monomial) {
      if (name == iteration)
        ++degree;
      else
        rest = rest * TripSum::name(name);
    }
    TripSum less = trips + TripSum::number(-1);
    switch (degree) {
    case 0:
      total += rest * trips;
      break;
    case 1:
      total += rest * trips * less * 0.5;
      break;
    case 2:
      total += rest * trips * less * (trips * 2 + TripSum::number(-1)) * (1.0 / 6);
      break;
    default: // not summed: the name stays, and says so
      for (unsigned at = 0; at < degree; ++at)
        rest = rest * TripSum::name(iteration);
      total += rest * trips;
    }
  }
  return total;
}

TripSum TripCounts::of(const Block &block) const {
  TripSum count = TripSum::number(1);
  const LoopInfo *loop = kernel.affine().loopOf(block);
  if (!loop && kernel.flow().inCycle(block))
    return TripSum::name(tangleName(block));
  // The part of a body in front of the test that ends it runs once more.
  bool onceMore = loop && loop->exiting && !loop->testsAtEnd &&
                  (&block == loop->exiting || !kernel.flow().dominates(*loop->exiting, block));
  for (; loop; loop = loop->parent) {
    count = sumOver(count, kernel.affine().nameOf(loop->iteration), trips.find(loop)->second);
    if (onceMore)
      count += TripSum::number(1);
    onceMore = false;
  }
  return count;
}

double TripCounts::assumedValue(const std::string &name) const {
  for (const TripName &each : used)
    if (each.name == name)
      return each.assumed;
  return kAssumed;
}

} // namespace tailor
