//===- Tuning/TableReport.cpp - A table from what `tune` printed ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Support/Json.h"
#include "Tuning/Table.h"

#include <set>
#include <tuple>

namespace tailor {

namespace {

class ReportReader {
public:
  ReportReader(TuningTable &table, const JsonDocument &document, Diagnostics &diags)
      : table(table), document(document), diags(diags) {
    for (const TableRow &row : table.rows)
      known.insert({row.kernel, row.size, row.variant});
  }
  void readResult(const JsonValue &result);

private:
  void readDevice(const JsonValue &device);
  std::optional<Dim3> extents(JsonObject &object, std::string_view name);
  void readCandidate(const JsonValue &value, const TableRow &site);

  TuningTable &table;
  const JsonDocument &document;
  Diagnostics &diags;
  std::set<std::tuple<std::string, std::string, std::string>> known;
};

void ReportReader::readDevice(const JsonValue &value) {
  JsonObject device(document, value, "a device", diags);
  const JsonValue *key = device.require("key");
  std::string name = device.string("name").value_or(""), text = device.string("key").value_or("");
  std::string driver = device.string("driver").value_or("");
  if (!key || name.empty() || text.empty()) {
    device.error("the device has no name or key");
    return;
  }
  if (table.fact("key").empty()) {
    table.head.emplace_back("device", name);
    if (!driver.empty())
      table.head.emplace_back("driver", driver);
    table.head.emplace_back("key", text);
  } else if (table.fact("key") != text) {
    device.error(*key,
                 "this was measured on another device or driver than what is in the table, '" +
                     std::string(table.fact("device")) + "'");
  }
}

std::optional<Dim3> ReportReader::extents(JsonObject &object, std::string_view name) {
  const JsonValue *list = object.array(name);
  Dim3 result;
  bool isGood = list && list->elements.size() == 3;
  for (unsigned axis = 0; axis < 3 && isGood; ++axis) {
    const JsonValue &each = list->elements[axis];
    isGood = each.kind == JsonValue::Kind::Integer && !each.negative && each.magnitude >= 1 &&
             each.magnitude <= UINT32_MAX;
    result[axis] = static_cast<uint32_t>(each.magnitude);
  }
  if (isGood)
    return result;
  object.error("'" + std::string(name) + "' is three numbers above 0");
  return std::nullopt;
}

void ReportReader::readCandidate(const JsonValue &value, const TableRow &site) {
  JsonObject candidate(document, value, "a candidate", diags);
  if (candidate.has("subgroup_size")) // a table is of variants alone
    return;
  TableRow row = site;
  row.variant = candidate.string("id").value_or("");
  row.technique = candidate.string("technique").value_or("");
  row.state = candidate.string("state").value_or("");
  row.localSize = extents(candidate, "local_size").value_or(Dim3{});
  if (row.variant.empty() || row.technique.empty() || row.state.empty()) {
    candidate.error("a candidate has an id, a technique and a state");
    return;
  }
  if (row.isMeasured()) {
    row.medianNs = candidate.number("median_ns").value_or(0);
    row.spread = candidate.number("spread").value_or(0);
    row.samples = candidate.integer32("samples").value_or(0);
    if (!(row.medianNs > 0))
      candidate.error("a candidate that is measured has a time above 0");
  }
  if (!known.insert({row.kernel, row.size, row.variant}).second)
    candidate.error("the table has variant '" + row.variant + "' of '" + row.kernel +
                    "' at size '" + row.size + "' already");
  table.rows.push_back(std::move(row));
}

void ReportReader::readResult(const JsonValue &value) {
  JsonObject result(document, value, "a result", diags);
  const JsonValue *device = result.require("device");
  TableRow site;
  site.kernel = result.string("kernel").value_or("");
  site.size = result.string("size").value_or("");
  if (!device || site.kernel.empty() || site.size.empty()) {
    result.error("a result has a device, a kernel and a size");
    return;
  }
  if (!result.has("candidates") || !result.has("authored") || result.has("failure"))
    return; // the authored kernel cannot run
  readDevice(*device);
  std::optional<Dim3> groups = extents(result, "groups");
  const JsonValue *candidates = result.array("candidates");
  if (!groups || !candidates)
    return;
  site.groups = *groups;
  for (const JsonValue &candidate : candidates->elements)
    readCandidate(candidate, site);
}

} // namespace

Status addTuneReport(TuningTable &table, std::string_view json, const std::string &file) {
  Result<JsonDocument> document = parseJson(json, file);
  if (!document)
    return document.takeFailure();
  Diagnostics diags;
  JsonObject report(*document, document->root, "the report of a tuning", diags);
  std::optional<uint32_t> schema = report.integer32("schema");
  const JsonValue *results = report.array("results");
  if (!diags.hasErrors() && (!schema || !results))
    report.error("this is no report of 'tune --format json'");
  TuningTable grown = table;
  if (results && !diags.hasErrors()) {
    if (grown.fact("tool").empty())
      if (std::optional<std::string> tool = report.string("tool"))
        grown.head.emplace_back("tool", *tool);
    ReportReader reader(grown, *document, diags);
    for (const JsonValue &result : results->elements)
      reader.readResult(result);
  }
  for (const Diagnostic &diagnostic : diags.all())
    if (diagnostic.severity == Severity::Error)
      return failure(diagnostic);
  grown.sort();
  table = std::move(grown);
  return success();
}

} // namespace tailor
