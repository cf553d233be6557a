//===- Tuning/PortfolioText.cpp --------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/PortfolioText.h"

#include "Tuning/DatabaseText.h"
#include "Tuning/Report.h"
#include "Tuning/WinnersJson.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdio>
#include <set>

namespace tailor {

namespace {

using llvm::json::OStream;

/// What a loss costs: "12.3 %".
std::string lossText(double loss) {
  char text[40];
  std::snprintf(text, sizeof text, "%.1f %%", 100 * (loss - 1));
  return loss > 0 ? text : "-";
}

std::string namesOf(const PortfolioTable &table, const VariantSet &set) {
  std::string names;
  for (size_t v : set.chosen)
    names += (names.empty() ? "" : ", ") + table.variants[v];
  return names;
}

/// The fastest variant at a place.
size_t bestAt(const std::vector<double> &row) {
  size_t best = SIZE_MAX;
  for (size_t v = 0; v < row.size(); ++v)
    if (row[v] > 0 && (best == SIZE_MAX || row[v] < row[best]))
      best = v;
  return best;
}

std::string numbered(size_t count, const char *one) {
  return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

void printOne(llvm::raw_ostream &os, const KernelPortfolio &kernel) {
  const PortfolioTable &table = kernel.table;
  const VariantSet &best = kernel.portfolio.best;
  std::set<std::string> devices;
  for (const PortfolioTable::Place &place : table.places)
    devices.insert(place.deviceKey);
  os << table.kernel << ": " << best.chosen.size() << " of "
     << numbered(table.variants.size(), "variant") << " for " << numbered(devices.size(), "device")
     << " and " << numbered(table.places.size(), "measured place") << ", "
     << (best.exact ? "exact" : "greedy with exchange") << '\n';
  TextTable sizes("rrrll");
  sizes.add({"variants", "mean loss", "worst loss", "found", "set"});
  for (const VariantSet &set : kernel.portfolio.sizes)
    sizes.add(
        {std::to_string(set.chosen.size()), lossText(set.meanLoss),
         set.uncovered ? numbered(set.uncovered, "place") + " without" : lossText(set.worstLoss),
         set.exact ? "exact" : "greedy", namesOf(table, set)});
  sizes.print(os, 2);
  TextTable places("lllrlrr");
  places.add({"device", "size", "use", "time", "best there", "time", "loss"});
  for (size_t p = 0; p < table.places.size(); ++p) {
    const std::vector<double> &row = table.ns[p];
    size_t use = best.use[p], fastest = bestAt(row);
    places.add({table.places[p].deviceName, table.places[p].sizeName,
                use == SIZE_MAX ? "none runs" : table.variants[use],
                use == SIZE_MAX ? "-" : timeText(row[use]), table.variants[fastest],
                timeText(row[fastest]), lossText(best.loss[p])});
  }
  places.print(os, 2);
}

void writeSet(OStream &json, const PortfolioTable &table, const VariantSet &set) {
  json.attributeArray("variants", [&] {
    for (size_t v : set.chosen)
      json.value(table.variants[v]);
  });
  writeNumber(json, "mean_loss", set.meanLoss);
  writeNumber(json, "worst_loss", set.worstLoss);
  json.attribute("uncovered", static_cast<int64_t>(set.uncovered));
  json.attribute("exact", set.exact);
}

void writePlace(OStream &json, const KernelPortfolio &kernel, size_t p) {
  const PortfolioTable &table = kernel.table;
  const std::vector<double> &row = table.ns[p];
  json.attributeObject("device", [&] {
    writeText(json, "name", table.places[p].deviceName);
    writeText(json, "key", table.places[p].deviceKey);
  });
  writeText(json, "size", table.places[p].sizeName);
  if (size_t use = kernel.portfolio.best.use[p]; use != SIZE_MAX) {
    writeText(json, "use", table.variants[use]);
    writeNumber(json, "ns", row[use]);
    writeNumber(json, "loss", kernel.portfolio.best.loss[p]);
  } else {
    json.attribute("use", nullptr);
  }
  writeText(json, "best", table.variants[bestAt(row)]);
  writeNumber(json, "best_ns", row[bestAt(row)]);
}

} // namespace

void printPortfolios(llvm::raw_ostream &os, const std::vector<KernelPortfolio> &kernels) {
  for (const KernelPortfolio &kernel : kernels) {
    if (&kernel != &kernels.front())
      os << '\n';
    printOne(os, kernel);
  }
}

void writePortfolios(llvm::raw_ostream &os, const std::string &tool,
                     const std::vector<KernelPortfolio> &kernels) {
  OStream json(os, 2);
  json.object([&] {
    json.attribute("schema", int64_t{kPortfolioSchema});
    writeText(json, "tool", tool);
    json.attributeArray("kernels", [&] {
      for (const KernelPortfolio &kernel : kernels)
        json.object([&] {
          writeText(json, "kernel", kernel.table.kernel);
          writeText(json, "entry_point", kernel.table.entryPoint);
          writeText(json, "module_hash", kernel.table.moduleHash);
          json.attribute("measured_variants", static_cast<int64_t>(kernel.table.variants.size()));
          writeSet(json, kernel.table, kernel.portfolio.best);
          json.attributeArray("places", [&] {
            for (size_t p = 0; p < kernel.table.places.size(); ++p)
              json.object([&] { writePlace(json, kernel, p); });
          });
          json.attributeArray("sets", [&] {
            for (const VariantSet &set : kernel.portfolio.sizes)
              json.object([&] { writeSet(json, kernel.table, set); });
          });
        });
    });
  });
  os << '\n';
}

} // namespace tailor
