//===- tools/spirv-tailor/ReplayReport.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReplayReport.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace tailor {

namespace {

std::vector<const ReplaySite *> pointersTo(const std::vector<ReplaySite> &sites) {
  std::vector<const ReplaySite *> list;
  list.reserve(sites.size());
  for (const ReplaySite &site : sites)
    list.push_back(&site);
  return list;
}

/// A search that never measures is the same at every budget.
bool neverMeasures(const std::string &search) { return search == "model" || search == "fixed"; }

/// Variants by their recorded times, what is out at the end.
std::vector<size_t> byTime(const ReplaySite &site) {
  std::vector<size_t> order(site.candidates.size());
  std::iota(order.begin(), order.end(), size_t{0});
  auto timeOf = [&](size_t at) {
    const Observed &each = site.recorded[at];
    return each.state == Observed::State::Timed ? each.ns : std::numeric_limits<double>::max();
  };
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return timeOf(a) != timeOf(b) ? timeOf(a) < timeOf(b) : a < b;
  });
  return order;
}

void explainSite(llvm::raw_ostream &os, const ReplaySite &site) {
  os << "\n"
     << site.kernel << " (" << site.size << ")" << (site.heldOut ? ", held out" : "")
     << llvm::format(": the model took %.0f ms\n", site.modelSeconds * 1e3);
  for (size_t at : byTime(site)) {
    const Observed &truth = site.recorded[at];
    if (truth.state == Observed::State::Timed)
      os << llvm::format("  %10.1f us", truth.ns / 1e3);
    else
      os << "         out   ";
    os << llvm::format("  %10.1f  ", site.candidates[at].expectedNs / 1e3)
       << site.candidates[at].id;
    const Expectation &expectation = site.expectations[at];
    os << "\n"
       << std::string(28, ' ')
       << (expectation.features ? expectation.estimate.str() : expectation.whyNot) << "\n";
  }
}

} // namespace

void printReplay(llvm::raw_ostream &os, const std::vector<ReplaySite> &sites,
                 const ReplayRequest &request) {
  if (request.explain)
    for (const ReplaySite &site : sites)
      explainSite(os, site);
  if (request.explain)
    os << "\n";
  const auto held = std::count_if(sites.begin(), sites.end(),
                                  [](const ReplaySite &site) { return site.heldOut; });
  os << sites.size() << " kernels and sizes, " << held
     << " of them held out; the share of the best variant's speed that is reached\n"
     << "with so many variants measured beside the authored one: mean, and worst kernel\n\n";
  os << "search       variants   worst kernel               mean     worst\n";
  const std::vector<const ReplaySite *> list = pointersTo(sites);
  for (const std::string &search : request.searches)
    for (size_t budget : request.budgets) {
      if (neverMeasures(search) && budget != request.budgets.front())
        continue;
      const size_t given = neverMeasures(search) ? 0 : budget;
      const ReplayFigure figure = replayAll(list, search, given, request.seeds);
      os << llvm::format("%-12s %8zu   %-22s %7.1f%%  %7.1f%%\n", search.c_str(), given,
                         figure.worstKernel.c_str(), 100 * figure.mean, 100 * figure.worst);
    }
}

void writeReplayJson(llvm::raw_ostream &os, const std::vector<ReplaySite> &sites,
                     const ReplayRequest &request) {
  llvm::json::OStream json(os, 2);
  json.object([&] {
    json.attribute("schema", 1);
    json.attributeArray("figures", [&] {
      for (const std::string &search : request.searches)
        for (size_t budget : request.budgets) {
          if (neverMeasures(search) && budget != request.budgets.front())
            continue;
          const size_t given = neverMeasures(search) ? 0 : budget;
          const ReplayFigure figure = replayAll(pointersTo(sites), search, given, request.seeds);
          json.object([&] {
            json.attribute("search", search);
            json.attribute("variants", static_cast<int64_t>(given));
            json.attribute("mean", figure.mean);
            json.attribute("worst", figure.worst);
            json.attribute("worst_kernel", figure.worstKernel);
            json.attribute("measured", figure.measured);
          });
        }
    });
    json.attributeArray("kernels", [&] {
      for (const ReplaySite &site : sites)
        json.object([&] {
          json.attribute("kernel", site.kernel);
          json.attribute("size", site.size);
          json.attribute("held_out", site.heldOut);
          json.attribute("best_ns", site.bestNs());
          if (!request.explain)
            return;
          json.attributeArray("variants", [&] {
            for (size_t at : byTime(site))
              json.object([&] {
                json.attribute("id", site.candidates[at].id);
                json.attribute("ns", site.recorded[at].ns);
                json.attribute("expected_ns", site.candidates[at].expectedNs);
                json.attribute("bound_ns", site.candidates[at].boundNs);
                json.attributeArray("parts", [&] {
                  for (const CostPart &part : site.expectations[at].estimate.parts)
                    json.object([&] {
                      json.attribute("name", part.name);
                      json.attribute("ns", part.ns);
                      json.attribute("why", part.why);
                    });
                });
              });
          });
        });
    });
  });
  os << "\n";
}

} // namespace tailor
