//===- differential/SoakSummary.cpp - What the logs of a soak say ----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Soak.h"

#include "Support/Files.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <set>

namespace tailor::differential {

namespace json = llvm::json;
namespace fs = std::filesystem;

namespace {

using Counts = std::map<std::string, uint64_t>;

json::Object jsonOf(const Counts &counts) {
  json::Object object;
  for (const auto &[name, count] : counts)
    object[name] = count;
  return object;
}

void add(Counts &to, const json::Object *from) {
  if (from)
    for (const auto &[name, count] : *from)
      to[name.str()] += static_cast<uint64_t>(count.getAsInteger().value_or(0));
}

/// Whole lines of a log, read as JSON.
void forEachLine(const std::string &path, const std::function<void(const json::Object &)> &take) {
  Result<std::string> text = readFile(path);
  if (!text)
    return;
  llvm::StringRef rest = *text;
  while (rest.contains('\n')) {
    auto [line, after] = rest.split('\n');
    rest = after;
    llvm::Expected<json::Value> value = json::parse(line);
    if (!value)
      llvm::consumeError(value.takeError());
    else if (const json::Object *object = value->getAsObject())
      take(*object);
  }
}

uint64_t numberOf(const json::Object &object, llvm::StringRef name) {
  return static_cast<uint64_t>(object.getInteger(name).value_or(0));
}

/// Of a device or of a worker.
struct Tally {
  uint64_t kernels = 0, variants = 0, comparisons = 0, leftOut = 0, uninterpreted = 0;
  uint64_t lacking = 0, milliseconds = 0;
  std::map<std::string, uint64_t> failures; ///< `wrong`, `broken`, `device_faults`
  Counts techniques;

  void add(const json::Object &line, bool isInterpreter) {
    ++kernels;
    variants += numberOf(line, "variants");
    leftOut += numberOf(line, "left_out");
    lacking += numberOf(line, "lacking");
    milliseconds += numberOf(line, "ms");
    uninterpreted += line.getString("uninterpreted") && isInterpreter;
    Counts ran;
    differential::add(ran, line.getObject(isInterpreter ? "interpreted" : "ran"));
    for (const auto &[technique, count] : ran) {
      techniques[technique] += count;
      comparisons += count;
    }
    for (const char *kind : {"wrong", "broken", "device_faults"})
      if (const json::Array *lines = line.getArray(kind))
        failures[kind] += lines->size();
  }
  json::Object object() const {
    json::Object all{{"kernels", kernels},
                     {"variants", variants},
                     {"comparisons", comparisons},
                     {"comparisons_by_technique", jsonOf(techniques)},
                     {"left_out", leftOut},
                     {"kernels_that_it_cannot_run", lacking},
                     {"seconds_at_work", static_cast<double>(milliseconds) / 1000}};
    for (const char *kind : {"wrong", "broken", "device_faults"})
      all[kind] = failures.contains(kind) ? failures.at(kind) : 0;
    if (uninterpreted != 0)
      all["uninterpreted_kernels"] = uninterpreted;
    return all;
  }
};

class Summing {
public:
  void add(const fs::path &log) {
    device = "unknown";
    Tally worker;
    uint64_t first = 0, last = 0;
    std::optional<uint64_t> open;
    unsigned starts = 0;
    bool missing = false;
    json::Array lostSeeds;
    forEachLine(log.string(), [&](const json::Object &line) {
      if (line.getString("worker")) {
        missing |= line.getBoolean("missing").value_or(false);
        if (++starts == 1)
          first = numberOf(line, "first");
        device = line.getString("device").value_or("unknown").str();
        if (std::optional<llvm::StringRef> driver = line.getString("driver"))
          drivers[device] = driver->str();
      }
      if (line.getObject("spent"))
        addSpent(*line.getObject("spent"));
      if (line.getInteger("begin")) {
        if (open)
          lostSeeds.push_back(*open);
        open = numberOf(line, "begin");
      }
      if (!line.getInteger("seed"))
        return;
      open.reset();
      last = numberOf(line, "seed");
      addKernel(line);
      worker.add(line, device == kInterpreter);
    });
    lost += lostSeeds.size();
    unfinished += open.has_value();
    json::Object entry = worker.object();
    entry["worker"] = log.stem().string();
    entry["device"] = device;
    entry["seeds"] = json::Array{first, last};
    entry["starts"] = starts;
    entry["lost_seeds"] = std::move(lostSeeds);
    if (open)
      entry["unfinished_seed"] = *open;
    if (missing)
      entry["missing"] = true;
    workers.push_back(std::move(entry));
  }

  SoakSummary take() {
    SoakSummary summary;
    json::Array list;
    Tally all;
    for (const auto &[name, tally] : devices) {
      json::Object entry = tally.object();
      entry["device"] = name;
      entry["driver"] = drivers[name];
      list.push_back(std::move(entry));
      summary.kernels += tally.kernels;
      (name == kInterpreter ? summary.interpreted : summary.comparisons) += tally.comparisons;
      summary.mismatches += tally.failures.contains("wrong") ? tally.failures.at("wrong") : 0;
    }
    summary.lost = lost;
    summary.unfinished = unfinished;
    summary.json = json::Object{{"kernels", summary.kernels},
                                {"comparisons_on_devices", summary.comparisons},
                                {"comparisons_in_the_interpreter", summary.interpreted},
                                {"comparisons", summary.comparisons + summary.interpreted},
                                {"mismatches", summary.mismatches},
                                {"lost_seeds", lost},
                                {"unfinished_seeds", unfinished},
                                {"comparisons_by_technique", jsonOf(techniques)},
                                {"seconds_spent", jsonOfSpent()},
                                {"devices", std::move(list)},
                                {"failures", std::move(failures)},
                                {"not_made", jsonOf(rejected)},
                                {"workers", std::move(workers)}};
    return summary;
  }

private:
  void addKernel(const json::Object &line) {
    const bool isInterpreter = device == kInterpreter;
    devices[device].add(line, isInterpreter);
    differential::add(techniques, line.getObject(isInterpreter ? "interpreted" : "ran"));
    differential::add(rejected, line.getObject("rejected"));
    for (const char *kind : {"wrong", "broken", "device_faults"})
      if (const json::Array *lines = line.getArray(kind)) {
        json::Object failure{{"seed", numberOf(line, "seed")},
                             {"device", device},
                             {"kind", kind},
                             {"what", json::Array(*lines)}};
        if (const json::Array *ids = line.getArray("interpreter_agrees"))
          failure["interpreter_agrees"] = json::Array(*ids);
        failures.push_back(std::move(failure));
      }
  }
  void addSpent(const json::Object &spent) {
    for (const auto &[what, seconds] : spent)
      seconds_[what.str()] += seconds.getAsNumber().value_or(0);
  }
  json::Object jsonOfSpent() const {
    json::Object object;
    for (const auto &[what, seconds] : seconds_)
      object[what] = seconds;
    return object;
  }

  std::string device;
  std::map<std::string, Tally> devices;
  std::map<std::string, std::string> drivers;
  std::map<std::string, double> seconds_;
  Counts techniques, rejected;
  json::Array workers, failures;
  uint64_t lost = 0, unfinished = 0;
};

} // namespace

SoakSummary summarize(const std::vector<std::string> &folders) {
  Summing sum;
  for (const std::string &folder : folders) {
    std::vector<fs::path> logs;
    std::error_code error;
    for (const auto &entry : fs::directory_iterator(folder, error))
      if (entry.path().extension() == ".log")
        logs.push_back(entry.path());
    std::sort(logs.begin(), logs.end());
    for (const fs::path &log : logs)
      sum.add(log);
  }
  return sum.take();
}

SoakPlace placeOf(const std::string &log) {
  SoakPlace place;
  forEachLine(log, [&](const json::Object &line) {
    if (line.getInteger("begin"))
      place = {true, false, numberOf(line, "begin")};
    if (line.getInteger("seed"))
      place = {true, true, numberOf(line, "seed")};
  });
  return place;
}

Status SoakSummary::write(const std::string &folder, double seconds) const {
  llvm::json::Object all = json;
  all["seconds"] = seconds;
  std::string text;
  llvm::raw_string_ostream(text) << llvm::formatv("{0:2}\n", llvm::json::Value(std::move(all)));
  return writeFileAtomically(folder + "/summary.json", text);
}

std::string SoakSummary::line() const {
  return std::to_string(kernels) + " kernels, " + std::to_string(comparisons) +
         " comparisons on devices, " + std::to_string(interpreted) + " in the interpreter, " +
         std::to_string(mismatches) + " mismatches, " + std::to_string(lost) + " kernels lost, " +
         std::to_string(unfinished) + " under way";
}

} // namespace tailor::differential
