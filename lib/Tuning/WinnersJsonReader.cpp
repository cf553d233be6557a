//===- Tuning/WinnersJsonReader.cpp - Reading ------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Support/Json.h"
#include "Tuning/WinnersJson.h"

namespace tailor {

namespace {

/// Reads members into what is at hand; what is absent stays as it is.
class Reader {
public:
  Reader(const JsonDocument &document, const JsonValue &value, std::string_view description,
         Diagnostics &diags)
      : object(document, value, description, diags) {}

  Reader &text(std::string_view name, std::string &to) {
    if (std::optional<std::string> value = object.string(name))
      to = std::move(*value);
    return *this;
  }
  Reader &number(std::string_view name, double &to) {
    if (std::optional<double> value = object.number(name)) {
      if (*value < 0)
        object.error("'" + std::string(name) + "' must not be negative");
      to = *value;
    }
    return *this;
  }
  /// As number(), of either sign.
  Reader &figure(std::string_view name, double &to) {
    if (std::optional<double> value = object.number(name))
      to = *value;
    return *this;
  }
  Reader &count(std::string_view name, uint32_t &to) {
    if (std::optional<uint32_t> value = object.integer32(name))
      to = *value;
    return *this;
  }
  Reader &flag(std::string_view name, bool &to) {
    if (std::optional<bool> value = object.boolean(name))
      to = *value;
    return *this;
  }
  Reader &size(std::string_view name, Dim3 &to) {
    const JsonValue *array = required(name) ? object.array(name) : nullptr;
    if (!array)
      return *this;
    bool good = array->elements.size() == 3;
    for (unsigned axis = 0; good && axis < 3; ++axis) {
      const JsonValue &each = array->elements[axis];
      good = each.kind == JsonValue::Kind::Integer && !each.negative && each.magnitude >= 1 &&
             each.magnitude <= UINT32_MAX;
      if (good)
        to[axis] = static_cast<uint32_t>(each.magnitude);
    }
    if (!good)
      object.error(*array, "'" + std::string(name) + "' must be three positive integers");
    return *this;
  }
  /// One of the names that `parse` knows.
  template <typename Parse, typename Value>
  Reader &word(std::string_view name, Parse parse, Value &to) {
    const JsonValue *place = object.get(name);
    std::optional<std::string> value = object.string(name);
    if (!value)
      return *this;
    if (auto known = parse(*value))
      to = *known;
    else
      object.error(*place, "'" + *value + "' is no " + std::string(name));
    return *this;
  }
  template <typename Read> Reader &each(std::string_view name, Read read) {
    if (const JsonValue *array = object.array(name))
      for (const JsonValue &value : array->elements)
        read(value);
    return *this;
  }
  template <typename Read>
  Reader &inside(std::string_view name, std::string_view description, Read read) {
    if (const JsonValue *value = object.object(name)) {
      Reader inner(object.document(), *value, description, object.diagnostics());
      read(inner);
      inner.end();
    }
    return *this;
  }
  bool required(std::string_view name) { return object.require(name) != nullptr; }
  void end() { object.reportUnknown(); }

  JsonObject object;
};

void readTimes(const JsonDocument &document, const JsonValue &value, Diagnostics &diags,
               std::vector<TimeSample> &times) {
  Reader reader(document, value, "the samples of a round", diags);
  uint32_t round = 0;
  reader.required("round");
  reader.required("ns");
  reader.count("round", round);
  reader.each("ns", [&](const JsonValue &ns) {
    if (!ns.isNumber() || ns.number < 0)
      reader.object.error(ns, "a sample must be a number of nanoseconds");
    times.push_back({ns.number, round});
  });
  reader.end();
}

StoredCandidate readCandidate(const JsonDocument &document, const JsonValue &value,
                              Diagnostics &diags) {
  StoredCandidate c;
  Reader reader(document, value, "a candidate", diags);
  reader.required("id");
  reader.required("state");
  reader.text("id", c.variantId)
      .text("technique", c.technique)
      .text("evidence", c.evidence)
      .size("local_size", c.localSize)
      .count("subgroup_size", c.subgroupSize)
      .text("module_hash", c.moduleHash)
      .word("state", parseCandidateState, c.state)
      .text("why", c.why)
      .word("fault", parseCandidateFault, c.fault)
      .flag("verified", c.verified)
      .number("median_ns", c.medianNs)
      .number("spread", c.spread)
      .count("samples", c.samples)
      .number("expected_ns", c.expectedNs)
      .number("bound_ns", c.boundNs)
      .number("compile_s", c.compileSeconds)
      .number("verify_s", c.verifySeconds)
      .number("measure_s", c.measureSeconds)
      .each("times", [&](const JsonValue &times) { readTimes(document, times, diags, c.times); })
      .each("statistics", [&](const JsonValue &each) {
        PipelineStatistic statistic;
        Reader figure(document, each, "a statistic", diags);
        figure.required("name");
        figure.required("value");
        figure.text("name", statistic.name).figure("value", statistic.value).end();
        c.statistics.push_back(std::move(statistic));
      });
  reader.end();
  return c;
}

std::optional<bool> parseClock(std::string_view name) {
  return name == "host" || name == "device" ? std::optional(name == "host") : std::nullopt;
}

StoredWinner readOutcome(const JsonDocument &document, const JsonValue &value, Diagnostics &diags) {
  StoredWinner o;
  Reader reader(document, value, "an outcome", diags);
  for (std::string_view name :
       {"kernel", "device", "module_hash", "variant_set_hash", "size_hash", "authored", "winner"})
    reader.required(name);
  reader.text("kernel", o.kernel)
      .text("entry_point", o.entryPoint)
      .text("size", o.sizeName)
      .inside("device", "a device",
              [&](Reader &device) {
                device.required("key");
                device.text("name", o.deviceName)
                    .text("key", o.key.deviceKey)
                    .text("vendor", o.vendor)
                    .text("architecture", o.architecture)
                    .text("facts", o.deviceFacts);
              })
      .text("module_hash", o.key.moduleHash)
      .text("variant_set_hash", o.key.variantHash)
      .text("size_hash", o.key.sizeHash)
      .size("groups", o.groups)
      .inside("authored", "the authored kernel",
              [&](Reader &authored) {
                authored.size("local_size", o.authoredSize)
                    .number("median_ns", o.authoredNs)
                    .number("spread", o.authoredSpread);
              })
      .inside("winner", "a winner",
              [&](Reader &winner) {
                winner.required("id");
                winner.text("id", o.winnerId)
                    .size("local_size", o.winnerSize)
                    .count("subgroup_size", o.winnerSubgroupSize)
                    .number("median_ns", o.winnerNs)
                    .number("spread", o.winnerSpread)
                    .count("samples", o.samples);
              })
      .number("ratio", o.ratio)
      .number("noise", o.noise)
      .flag("tie", o.tie)
      .flag("verified", o.verified)
      .word("clock", parseClock, o.hostClock)
      .text("tool", o.tool)
      .text("date", o.date)
      .inside("search", "a search",
              [&](Reader &search) {
                search.text("strategy", o.search.strategy)
                    .text("ended", o.search.ended)
                    .number("budget_s", o.search.budgetSeconds)
                    .number("compile_s", o.search.compileSeconds)
                    .number("verify_s", o.search.verifySeconds)
                    .number("measure_s", o.search.measureSeconds);
              })
      .each("candidates", [&](const JsonValue &each) {
        o.candidates.push_back(readCandidate(document, each, diags));
      });
  reader.end();
  return o;
}

KnownBad readBad(const JsonDocument &document, const JsonValue &value, Diagnostics &diags) {
  KnownBad bad;
  Reader reader(document, value, "a bad variant", diags);
  for (std::string_view name : {"module_hash", "device_key", "fault"})
    reader.required(name);
  reader.text("module_hash", bad.moduleHash)
      .text("device_key", bad.deviceKey)
      .count("subgroup_size", bad.subgroupSize)
      .word("fault", parseCandidateFault, bad.fault)
      .text("why", bad.why)
      .text("kernel", bad.kernel)
      .text("variant", bad.variantId)
      .text("tool", bad.tool)
      .text("date", bad.date);
  reader.end();
  return bad;
}

} // namespace

std::optional<WinnersFile> readWinnersJson(std::string_view text, const std::string &file,
                                           Diagnostics &diags) {
  Result<JsonDocument> document = parseJson(text, file);
  if (!document) {
    diags.emit(document.takeFailure().diagnostic);
    return std::nullopt;
  }
  Diagnostics found;
  WinnersFile winners;
  Reader reader(*document, document->root, "a file of exported winners", found);
  uint32_t schema = 0;
  if (reader.required("schema") && reader.required("outcomes"))
    reader.count("schema", schema);
  if (!found.hasErrors() && schema != kWinnersJsonSchema)
    reader.object.error(*reader.object.get("schema"),
                        "the exported winners have schema " + std::to_string(schema) +
                            ", this version reads schema " + std::to_string(kWinnersJsonSchema));
  if (!found.hasErrors()) {
    reader.text("tool", winners.tool)
        .each("outcomes",
              [&](const JsonValue &each) {
                winners.outcomes.push_back(readOutcome(*document, each, found));
              })
        .each("known_bad", [&](const JsonValue &each) {
          winners.knownBad.push_back(readBad(*document, each, found));
        });
    reader.end();
  }
  for (const Diagnostic &diagnostic : found.all())
    diags.emit(diagnostic);
  return found.hasErrors() ? std::nullopt : std::optional(std::move(winners));
}

} // namespace tailor
