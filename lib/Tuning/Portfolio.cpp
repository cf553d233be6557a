//===- Tuning/Portfolio.cpp - The search for a set -------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Costs are logarithms of losses, so that the mean is a sum. A place where a
// variant does not run costs so much that no sum of losses reaches it. Adding a
// variant to a larger set gains no more than adding it to a smaller one: hence
// the bound, the gains of the best variants that are left, each as if alone.
//
//===----------------------------------------------------------------------===//
#include "Tuning/Portfolio.h"

#include "Tuning/Search.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace tailor {

namespace {

/// The cost of a place without a variant. A loss of e^1000 is no time of this world.
constexpr double kUncovered = 1e3;
/// Sums that differ by less are equal: rounding must not choose.
constexpr double kEqual = 1e-9;

/// The tuner calls two times equal that differ by no more than kLeastGain: no variant is shipped
/// for a difference that the next run may turn around.
double costOfLoss(double loss) { return loss <= 1 + kLeastGain ? 0 : std::log(loss); }

class Search {
public:
  Search(const PortfolioTable &table, uint64_t effort) : effort(effort) {
    places = table.places.size();
    for (size_t v = 0; v < table.variants.size(); ++v) {
      std::vector<double> column(places, kUncovered);
      for (size_t p = 0; p < places; ++p) {
        if (table.ns[p][v] <= 0)
          continue;
        double best = table.ns[p][v];
        for (double ns : table.ns[p])
          best = ns > 0 ? std::min(best, ns) : best;
        column[p] = costOfLoss(table.ns[p][v] / best);
      }
      cost.push_back(std::move(column));
    }
    // A variant that another one is nowhere worse than is never needed.
    for (size_t v = 0; v < cost.size(); ++v) {
      bool needed = true;
      for (size_t w = 0; w < cost.size() && needed; ++w)
        needed = w == v || !covers(w, v) || (covers(v, w) && v < w);
      if (needed)
        useful.push_back(v);
    }
  }

  size_t numUseful() const { return useful.size(); }
  bool exact() const { return steps <= effort; }

  /// The best set of `size` useful variants.
  std::vector<size_t> best(size_t size) {
    steps = 0;
    incumbent = greedy(size);
    incumbentCost = costOf(incumbent);
    std::vector<size_t> order = useful;
    std::vector<double> none(places, kUncovered);
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      return std::pair(total(cost[a]), a) < std::pair(total(cost[b]), b);
    });
    std::vector<size_t> chosen;
    branch(order, 0, size, none, chosen);
    std::sort(incumbent.begin(), incumbent.end());
    return incumbent;
  }

private:
  bool covers(size_t w, size_t v) const {
    for (size_t p = 0; p < places; ++p)
      if (cost[w][p] > cost[v][p])
        return false;
    return true;
  }
  static double total(const std::vector<double> &costs) {
    return std::accumulate(costs.begin(), costs.end(), 0.0);
  }
  double gain(const std::vector<double> &now, size_t v) const {
    double sum = 0;
    for (size_t p = 0; p < places; ++p)
      sum += std::max(0.0, now[p] - cost[v][p]);
    return sum;
  }
  std::vector<double> with(std::vector<double> now, size_t v) const {
    for (size_t p = 0; p < places; ++p)
      now[p] = std::min(now[p], cost[v][p]);
    return now;
  }
  std::vector<double> costsOf(const std::vector<size_t> &set) const {
    std::vector<double> now(places, kUncovered);
    for (size_t v : set)
      now = with(std::move(now), v);
    return now;
  }
  double costOf(const std::vector<size_t> &set) const { return total(costsOf(set)); }

  /// Always the variant that gains most; then each is exchanged for another while that gains.
  std::vector<size_t> greedy(size_t size) const {
    std::vector<size_t> set;
    std::vector<double> now(places, kUncovered);
    auto isIn = [&](size_t v) { return std::find(set.begin(), set.end(), v) != set.end(); };
    while (set.size() < size) {
      size_t pick = SIZE_MAX;
      double most = -1;
      for (size_t v : useful)
        if (double gained = isIn(v) ? -1 : gain(now, v); gained > most + kEqual) {
          most = gained;
          pick = v;
        }
      if (pick == SIZE_MAX)
        break;
      set.push_back(pick);
      now = with(std::move(now), pick);
    }
    bool better = true;
    while (better) {
      better = false;
      double cheapest = costOf(set);
      for (size_t i = 0; i < set.size(); ++i)
        for (size_t v : useful) {
          if (isIn(v))
            continue;
          size_t old = std::exchange(set[i], v);
          double costs = costOf(set);
          if (costs < cheapest - kEqual) {
            cheapest = costs;
            better = true;
          } else {
            set[i] = old;
          }
        }
    }
    return set;
  }

  void branch(const std::vector<size_t> &order, size_t from, size_t left,
              const std::vector<double> &now, std::vector<size_t> &chosen) {
    double reached = total(now);
    if (reached < incumbentCost - kEqual && left == 0) {
      incumbentCost = reached;
      incumbent = chosen;
    }
    if (left == 0 || from == order.size() || ++steps > effort)
      return;
    std::vector<std::pair<double, size_t>> gains; // with the position in `order`
    for (size_t i = from; i < order.size(); ++i)
      gains.emplace_back(gain(now, order[i]), i);
    std::sort(gains.begin(), gains.end(), [](const auto &a, const auto &b) {
      return std::pair(-a.first, a.second) < std::pair(-b.first, b.second);
    });
    // The most promising first; those before it are then out of the question below it.
    std::vector<size_t> rest;
    rest.reserve(gains.size());
    for (const auto &[gained, i] : gains)
      rest.push_back(order[i]);
    for (size_t i = 0; i + left <= rest.size(); ++i) {
      double most = 0;
      for (size_t j = i; j < i + left; ++j)
        most += gains[j].first;
      if (reached - most >= incumbentCost - kEqual)
        return;
      chosen.push_back(rest[i]);
      branch(rest, i + 1, left - 1, with(now, rest[i]), chosen);
      chosen.pop_back();
    }
  }

  size_t places = 0;
  std::vector<std::vector<double>> cost; ///< [variant][place]
  std::vector<size_t> useful;
  uint64_t effort, steps = 0;
  std::vector<size_t> incumbent;
  double incumbentCost = 0;
};

VariantSet judge(const PortfolioTable &table, std::vector<size_t> chosen, bool exact) {
  VariantSet set;
  set.exact = exact;
  double sum = 0;
  for (const std::vector<double> &row : table.ns) {
    double best = 0;
    for (double ns : row)
      if (ns > 0 && (best == 0 || ns < best))
        best = ns;
    size_t use = SIZE_MAX;
    for (size_t v : chosen)
      if (row[v] > 0 && (use == SIZE_MAX || row[v] < row[use]))
        use = v;
    set.use.push_back(use);
    set.loss.push_back(use == SIZE_MAX ? 0 : row[use] / best);
    if (use == SIZE_MAX) {
      ++set.uncovered;
      continue;
    }
    sum += std::log(set.loss.back());
    set.cost += costOfLoss(set.loss.back());
    set.worstLoss = std::max(set.worstLoss, set.loss.back());
  }
  size_t covered = table.places.size() - set.uncovered;
  set.meanLoss = covered ? std::exp(sum / static_cast<double>(covered)) : 0;
  set.chosen = std::move(chosen);
  return set;
}

} // namespace

Portfolio choosePortfolio(const PortfolioTable &table, const PortfolioOptions &options) {
  Search search(table, options.effort);
  Portfolio portfolio;
  size_t most = std::min(std::max<size_t>(options.variants, 1), search.numUseful());
  for (size_t size = 1; size <= most; ++size) {
    std::vector<size_t> chosen = search.best(size);
    VariantSet set = judge(table, std::move(chosen), search.exact());
    if (!portfolio.sizes.empty()) {
      const VariantSet &before = portfolio.sizes.back();
      bool better = set.uncovered < before.uncovered ||
                    (set.uncovered == before.uncovered && set.cost < before.cost - kEqual);
      if (!better)
        break; // one more variant gains nothing
    }
    portfolio.sizes.push_back(std::move(set));
    const VariantSet &now = portfolio.sizes.back();
    if (now.uncovered == 0 && options.worstLoss > 0 && now.worstLoss <= options.worstLoss)
      break;
  }
  if (!portfolio.sizes.empty())
    portfolio.best = portfolio.sizes.back();
  return portfolio;
}

} // namespace tailor
