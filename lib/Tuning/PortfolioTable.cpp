//===- Tuning/PortfolioTable.cpp - Times out of outcomes -------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/Portfolio.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace tailor {

namespace {

/// Where an outcome was measured, without what may change: the driver's version.
std::string placeOf(const StoredWinner &outcome) {
  std::string device = outcome.key.deviceKey;
  if (std::optional<DeviceParts> parts = parseDeviceKey(device))
    device = std::to_string(parts->vendorId) + "/" + std::to_string(parts->deviceId) + "/" +
             std::to_string(parts->driverId);
  return device + "/" + outcome.key.sizeHash;
}

PortfolioTable tableOf(const std::vector<const StoredWinner *> &outcomes) {
  PortfolioTable table;
  const StoredWinner &first = *outcomes.front();
  table.kernel = first.kernel;
  table.entryPoint = first.entryPoint;
  table.moduleHash = first.key.moduleHash;
  table.variants = {"authored"};
  std::map<std::string, size_t> index = {{"authored", 0}};
  for (const StoredWinner *outcome : outcomes)
    for (const StoredCandidate &candidate : outcome->candidates)
      if (candidate.isTimed() && index.emplace(candidate.variantId, table.variants.size()).second)
        table.variants.push_back(candidate.variantId);
  for (const StoredWinner *outcome : outcomes) {
    std::vector<double> row(table.variants.size(), 0);
    bool timed = false;
    for (const StoredCandidate &candidate : outcome->candidates) {
      if (!candidate.isTimed())
        continue;
      // Pipelines of several subgroup sizes are of one module, which ships once.
      double &ns = row[index[candidate.variantId]];
      ns = ns > 0 ? std::min(ns, candidate.medianNs) : candidate.medianNs;
      timed = true;
    }
    if (!timed)
      continue;
    table.places.push_back({outcome->deviceName, outcome->key.deviceKey, outcome->sizeName});
    table.ns.push_back(std::move(row));
  }
  return table;
}

} // namespace

std::vector<PortfolioTable> portfolioTables(std::span<const StoredWinner> outcomes) {
  using Kernel = std::tuple<std::string, std::string, std::string>;
  std::map<Kernel, std::map<std::string, const StoredWinner *>> kernels;
  for (const StoredWinner &outcome : outcomes) {
    Kernel kernel(outcome.kernel, outcome.key.moduleHash, outcome.entryPoint);
    const StoredWinner *&latest = kernels[kernel][placeOf(outcome)];
    if (!latest || outcome.date > latest->date)
      latest = &outcome;
  }
  std::vector<PortfolioTable> tables;
  for (const auto &[kernel, places] : kernels) {
    std::vector<const StoredWinner *> ordered;
    ordered.reserve(places.size());
    for (const auto &[place, outcome] : places)
      ordered.push_back(outcome);
    std::sort(ordered.begin(), ordered.end(), [](const StoredWinner *a, const StoredWinner *b) {
      return std::tie(a->deviceName, a->sizeName, a->key) <
             std::tie(b->deviceName, b->sizeName, b->key);
    });
    PortfolioTable table = tableOf(ordered);
    if (!table.places.empty())
      tables.push_back(std::move(table));
  }
  return tables;
}

} // namespace tailor
