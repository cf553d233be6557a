//===- Tuning/Table.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/Table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <tuple>

namespace tailor {

static constexpr std::string_view kFormatKey = "tuning table";
static constexpr std::string_view kColumns =
    "kernel,size,groups,variant,technique,local_size,state,median_ns,spread,samples";
static constexpr size_t kNumColumns = 10;
static constexpr std::array<std::string_view, 5> kStates = {"measured", "wrong", "failed",
                                                            "dropped", "left_out"};

std::string_view TuningTable::fact(std::string_view key) const {
  for (const auto &[name, value] : head)
    if (name == key)
      return value;
  return "";
}

static auto orderOf(const TableRow &row) {
  return std::tuple(std::string_view(row.kernel), std::string_view(row.size),
                    row.variant != "authored", std::string_view(row.variant));
}

void TuningTable::sort() {
  std::sort(rows.begin(), rows.end(),
            [](const TableRow &a, const TableRow &b) { return orderOf(a) < orderOf(b); });
}

std::vector<TableSite> sitesOf(const TuningTable &table) {
  std::vector<TableSite> sites;
  for (size_t at = 0; at < table.rows.size(); ++at) {
    const TableRow &row = table.rows[at];
    if (sites.empty() || table.rows[sites.back().first].kernel != row.kernel ||
        table.rows[sites.back().first].size != row.size)
      sites.push_back({at, 0});
    ++sites.back().count;
  }
  return sites;
}

// --- writing ---

/// The shortest text that reads back as the same number.
static std::string numberText(double value) {
  std::array<char, 64> text;
  auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

static bool isPlain(std::string_view text, std::string_view forbidden) {
  return !text.empty() && text.find_first_of(forbidden) == std::string_view::npos &&
         text.front() != ' ' && text.back() != ' ';
}

Result<std::string> writeTable(const TuningTable &table) {
  TuningTable sorted = table;
  sorted.sort();
  std::string text = "# " + std::string(kFormatKey) + ": " + std::to_string(kTableFormat) + "\n";
  for (const auto &[key, value] : sorted.head) {
    if (!isPlain(key, ":\r\n") || !isPlain(value, "\r\n") || key == kFormatKey)
      return failure({}, std::string("a table cannot say '")
                             .append(key)
                             .append(": ")
                             .append(value)
                             .append("' in one line"));
    text.append("# ").append(key).append(": ").append(value).append("\n");
  }
  text.append(kColumns).append("\n");
  for (const TableRow &row : sorted.rows) {
    for (const std::string *each : {&row.kernel, &row.size, &row.variant, &row.technique})
      if (!isPlain(*each, ",\r\n") || (each == &row.kernel && each->front() == '#'))
        return failure({}, "a table cannot hold the name '" + *each + "'");
    if (!std::isfinite(row.medianNs) || !std::isfinite(row.spread))
      return failure({}, "the time of '" + row.variant + "' of '" + row.kernel + "' is no number");
    text += row.kernel + "," + row.size + "," + row.groups.str() + "," + row.variant + "," +
            row.technique + "," + row.localSize.str() + "," + row.state + "," +
            numberText(row.medianNs) + "," + numberText(row.spread) + "," +
            std::to_string(row.samples) + "\n";
  }
  return text;
}

// --- reading ---

namespace {

class TableReader {
public:
  explicit TableReader(const std::string &file) : file(file) {}
  Result<TuningTable> read(std::string_view text);

private:
  Failure wrong(size_t column, const std::string &what) const {
    return failure(Location::at(file, number, static_cast<uint32_t>(column + 1)), what);
  }
  Status readHead(std::string_view line);
  Status readRow(std::string_view line);
  Status readFields(std::string_view line, std::array<std::string_view, kNumColumns> &fields) const;
  Status checkRows();

  const std::string &file;
  uint32_t number = 0; ///< of the line
  bool hasFormat = false, hasColumns = false;
  TuningTable table;
  std::vector<uint32_t> lines; ///< of the rows
};

template <typename T> bool readNumber(std::string_view text, T &value) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

Status TableReader::readHead(std::string_view line) {
  const size_t colon = line.find(':');
  if (!line.starts_with("# ") || colon == std::string_view::npos || colon <= 2 ||
      colon + 2 >= line.size() || line[colon + 1] != ' ' || line[2] == ' ' ||
      line[colon - 1] == ' ' || line[colon + 2] == ' ' || line.back() == ' ')
    return wrong(0, "a line of the head is '# key: value'");
  const std::string_view key = line.substr(2, colon - 2), value = line.substr(colon + 2);
  if (!hasFormat) {
    unsigned format = 0;
    if (key != kFormatKey || !readNumber(value, format))
      return wrong(0, "this is no tuning table: it starts with '# tuning table: 1'");
    if (format != kTableFormat)
      return wrong(colon + 2, "the table is of format " + std::string(value) +
                                  ", this version reads " + std::to_string(kTableFormat));
    hasFormat = true;
    return success();
  }
  if (hasColumns)
    return wrong(0, "the head ends before the first variant");
  if (key == kFormatKey)
    return wrong(0, "the format is said twice");
  table.head.emplace_back(key, value);
  return success();
}

Status TableReader::readFields(std::string_view line,
                               std::array<std::string_view, kNumColumns> &fields) const {
  const std::string_view whole = line;
  for (size_t at = 0; at < kNumColumns; ++at) {
    const size_t comma = line.find(',');
    const bool isLast = at + 1 == kNumColumns;
    if (isLast != (comma == std::string_view::npos))
      return wrong(0, "a variant has " + std::to_string(kNumColumns) + " fields, this line has " +
                          std::to_string(1 + std::count(whole.begin(), whole.end(), ',')));
    fields[at] = line.substr(0, comma);
    if (fields[at].empty() || fields[at].front() == ' ' || fields[at].back() == ' ')
      return wrong(size_t(line.data() - whole.data()),
                   "a field is empty, or has a blank at its ends");
    line.remove_prefix(isLast ? 0 : comma + 1);
  }
  return success();
}

Status TableReader::readRow(std::string_view line) {
  std::array<std::string_view, kNumColumns> fields;
  if (Status split = readFields(line, fields); !split)
    return split;
  auto at = [&](size_t field) { return size_t(fields[field].data() - line.data()); };
  TableRow row;
  row.kernel = fields[0];
  row.size = fields[1];
  std::optional<Dim3> groups = parseDim3(fields[2]), size = parseDim3(fields[5]);
  if (!groups)
    return wrong(at(2), "'" + std::string(fields[2]) + "' are no group counts");
  row.groups = *groups;
  row.variant = fields[3];
  row.technique = fields[4];
  if (!size)
    return wrong(at(5), "'" + std::string(fields[5]) + "' is no size");
  row.localSize = *size;
  row.state = fields[6];
  if (std::find(kStates.begin(), kStates.end(), row.state) == kStates.end())
    return wrong(at(6), "there is no state '" + row.state + "'");
  if (!readNumber(fields[7], row.medianNs) || !std::isfinite(row.medianNs) || row.medianNs < 0 ||
      (row.medianNs > 0) != row.isMeasured())
    return wrong(at(7), "'" + std::string(fields[7]) + "' is no time of a variant that is " +
                            row.state + ": it is above 0 where it is measured, 0 elsewhere");
  if (!readNumber(fields[8], row.spread) || !std::isfinite(row.spread) || row.spread < 0)
    return wrong(at(8), "'" + std::string(fields[8]) + "' is no spread");
  if (!readNumber(fields[9], row.samples))
    return wrong(at(9), "'" + std::string(fields[9]) + "' is no number of samples");
  table.rows.push_back(std::move(row));
  lines.push_back(number);
  return success();
}

/// No variant twice, and an authored module everywhere.
Status TableReader::checkRows() {
  std::vector<size_t> order(table.rows.size());
  for (size_t at = 0; at < order.size(); ++at)
    order[at] = at;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const auto left = orderOf(table.rows[a]), right = orderOf(table.rows[b]);
    return left != right ? left < right : a < b;
  });
  for (size_t at = 0; at < order.size(); ++at) {
    const TableRow &row = table.rows[order[at]];
    number = lines[order[at]];
    if (at > 0 && orderOf(table.rows[order[at - 1]]) == orderOf(row))
      return wrong(0, "variant '" + row.variant + "' of '" + row.kernel + "' at size '" + row.size +
                          "' is there twice, in line " + std::to_string(lines[order[at - 1]]) +
                          " too");
    const TableRow *before = at > 0 ? &table.rows[order[at - 1]] : nullptr;
    const bool isFirst = !before || before->kernel != row.kernel || before->size != row.size;
    if (isFirst && (row.variant != "authored" || !row.isMeasured()))
      return wrong(0, "'" + row.kernel + "' at size '" + row.size +
                          "' has no measured authored module");
    if (!isFirst && before->groups != row.groups)
      return wrong(0, "the group counts of '" + row.kernel + "' at size '" + row.size +
                          "' are not the same in all its lines");
  }
  table.sort();
  return success();
}

Result<TuningTable> TableReader::read(std::string_view text) {
  while (!text.empty()) {
    ++number;
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r'))
      line.remove_suffix(1);
    Status done = success();
    if (line.starts_with('#') || !hasFormat) {
      done = readHead(line);
    } else if (!hasColumns) {
      hasColumns = line == kColumns;
      if (!hasColumns)
        done = wrong(0, "the names of the columns are '" + std::string(kColumns) + "'");
    } else {
      done = readRow(line);
    }
    if (!done)
      return done.takeFailure();
  }
  if (!hasColumns)
    return wrong(0, "the table ends before its first variant");
  if (Status checked = checkRows(); !checked)
    return checked.takeFailure();
  return std::move(table);
}

} // namespace

Result<TuningTable> readTable(std::string_view text, const std::string &file) {
  return TableReader(file).read(text);
}

} // namespace tailor
