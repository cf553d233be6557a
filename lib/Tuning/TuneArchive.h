//===- Tuning/TuneArchive.h - Tuning results as bytes (internal) ---------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What goes from the process that works with devices to the one that started it
// (Support/Archive.h). Each function takes its struct apart by a structured
// binding, so that a member which is new does not compile until it is here.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_TUNEARCHIVE_H
#define TAILOR_TUNING_TUNEARCHIVE_H

#include "Support/Archive.h"
#include "Tuning/TuneSink.h"

namespace tailor {

template <typename A> void archive(A &a, Location &value) {
  auto &[file, line, column, word] = value;
  a(file, line, column, word);
}
template <typename A> void archive(A &a, Note &value) {
  auto &[location, text] = value;
  a(location, text);
}
template <typename A> void archive(A &a, Diagnostic &value) {
  auto &[severity, kind, location, text, notes] = value;
  a(severity, kind, location, text, notes);
}
template <typename A> void archive(A &a, WinnerKey &value) {
  auto &[module, variants, size, device] = value;
  a(module, variants, size, device);
}
template <typename A> void archive(A &a, PipelineStatistic &value) {
  auto &[name, number] = value;
  a(name, number);
}
template <typename A> void archive(A &a, StoredCandidate &value) {
  auto &[id, size, state, why, median, spread, samples, verified, technique, evidence, module,
         fault, expected, bound, subgroup, compile, verify, measure, times, statistics] = value;
  a(id, size, state, why, median, spread, samples, verified, technique, evidence, module, fault,
    expected, bound, subgroup, compile, verify, measure, times, statistics);
}
template <typename A> void archive(A &a, SearchRecord &value) {
  auto &[strategy, ended, budget, compile, verify, measure] = value;
  a(strategy, ended, budget, compile, verify, measure);
}
template <typename A> void archive(A &a, StoredWinner &value) {
  auto &[key, kernel, entry, size, device, groups, authoredSize, winner, winnerSize, winnerNs,
         winnerSpread, authoredNs, authoredSpread, samples, ratio, verified, tool, date, candidates,
         search, subgroup, noise, tie, host, vendor, architecture, facts] = value;
  a(key, kernel, entry, size, device, groups, authoredSize, winner, winnerSize, winnerNs,
    winnerSpread, authoredNs, authoredSpread, samples, ratio, verified, tool, date, candidates,
    search, subgroup, noise, tie, host, vendor, architecture, facts);
}
template <typename A> void archive(A &a, OutputHash &value) {
  auto &[resource, hash] = value;
  a(resource, hash);
}
template <typename A> void archive(A &a, TuneResult &value) {
  auto &[device, outcome, failure, kept, outputs] = value;
  a(device, outcome, failure, kept, outputs);
}
namespace vulkan {
template <typename A> void archive(A &a, DeviceInfo &value) {
  auto &[name, deviceName, vendor, id, driver, version, driverName, driverInfo, api, type, limits,
         features, index] = value;
  a(name, deviceName, vendor, id, driver, version, driverName, driverInfo, api, type, limits,
    features, index);
}
} // namespace vulkan

} // namespace tailor

#endif
