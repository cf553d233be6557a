//===- unit/Tuning/TableTests.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/Table.h"

#include "Support/Files.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <limits>

namespace tailor {

using testing::HasSubstr;

namespace {

TableRow row(const std::string &kernel, const std::string &variant, double ns) {
  TableRow row;
  row.kernel = kernel;
  row.size = "large";
  row.groups = {512, 4, 1};
  row.variant = variant;
  row.technique = variant.substr(0, variant.find('-'));
  row.localSize = {8, 8, 1};
  row.state = ns > 0 ? "measured" : "wrong";
  row.medianNs = ns;
  row.spread = ns > 0 ? 0.1 : 0;
  row.samples = ns > 0 ? 11 : 0;
  return row;
}

TuningTable someTable() {
  TuningTable table;
  table.head = {{"device", "A GPU: fast"}, {"key", "vendor=1"}, {"made by", "a"}, {"made by", "b"}};
  table.rows = {row("blur", "resize-64x1x1", 1.0 / 3), row("blur", "authored", 123456.789),
                row("add", "pack-2x2x1", 0), row("add", "authored", 7)};
  return table;
}

constexpr const char *kHead =
    "# tuning table: 1\n# device: X\n"
    "kernel,size,groups,variant,technique,local_size,state,median_ns,spread,samples\n";
constexpr const char *kAuthored = "a,s,1x1x1,authored,authored,8x8x1,measured,5,0,3\n";

std::string errorOf(const std::string &text) {
  Result<TuningTable> table = readTable(text, "t.table");
  if (table)
    return "";
  return table.diagnostic().location.str() + ": " + table.diagnostic().text;
}

} // namespace

TEST(Table, ReadsBackWhatItWrites) {
  TuningTable table = someTable();
  Result<std::string> text = writeTable(table);
  ASSERT_TRUE(text);
  Result<TuningTable> read = readTable(*text, "t.table");
  ASSERT_TRUE(read) << read.diagnostic().text;
  table.sort();
  EXPECT_EQ(*read, table);
  EXPECT_EQ(*writeTable(*read), *text);
  EXPECT_EQ(read->fact("device"), "A GPU: fast");
  EXPECT_EQ(read->fact("made by"), "a");
  EXPECT_EQ(read->fact("driver"), "");
  EXPECT_EQ(read->rows[0].variant, "authored");
  EXPECT_EQ(read->rows[0].kernel, "add");
  std::vector<TableSite> sites = sitesOf(*read);
  ASSERT_EQ(sites.size(), 2U);
  EXPECT_EQ(sites[1].first, 2U);
  EXPECT_EQ(sites[1].count, 2U);
}

TEST(Table, SaysWhereItIsWrong) {
  EXPECT_EQ(errorOf(std::string(kHead) + kAuthored), "");
  EXPECT_THAT(errorOf(""), HasSubstr("ends before its first variant"));
  EXPECT_THAT(errorOf("hello\n"), HasSubstr("t.table:1:1: a line of the head"));
  EXPECT_THAT(errorOf("# device: X\n"), HasSubstr("this is no tuning table"));
  EXPECT_THAT(errorOf("# tuning table: 2\n"), HasSubstr("t.table:1:17: the table is of format 2"));
  EXPECT_THAT(errorOf(std::string(kHead) + kAuthored + "a,s,1x1x1,b,b,8x8x1,measured,5\n"),
              HasSubstr("t.table:5:1: a variant has 10 fields, this line has 8"));
  EXPECT_THAT(errorOf(std::string(kHead) + kAuthored + "a,s,1x1x1,b,b,8x8x1,measured,0,0,3\n"),
              HasSubstr("t.table:5:30: '0' is no time"));
  EXPECT_THAT(errorOf(std::string(kHead) + kAuthored + "a,s,1x1x1,b,b,8x8x1,wrong,4,0,3\n"),
              HasSubstr("is no time"));
  EXPECT_THAT(errorOf(std::string(kHead) + kAuthored + "a,s,1x1x1,b,b,0x8,measured,5,0,3\n"),
              HasSubstr("t.table:5:15: '0x8' is no size"));
  EXPECT_THAT(errorOf(std::string(kHead) + kAuthored + "a,s,1x1x1,b,b,8x8,odd,5,0,3\n"),
              HasSubstr("there is no state 'odd'"));
  EXPECT_THAT(errorOf(std::string(kHead) + kAuthored + "a,s,1x1x1,b,b,8x8,measured,inf,0,3\n"),
              HasSubstr("'inf' is no time"));
  EXPECT_THAT(errorOf(std::string(kHead) + kAuthored + kAuthored),
              HasSubstr("t.table:5:1: variant 'authored' of 'a' at size 's' is there twice"));
  EXPECT_THAT(errorOf(std::string(kHead) + "a,s,1x1x1,b,b,8x8,measured,5,0,3\n"),
              HasSubstr("has no measured authored module"));
  EXPECT_THAT(errorOf(std::string(kHead) + kAuthored + "a,s,2x1x1,b,b,8x8,measured,5,0,3\n"),
              HasSubstr("group counts"));
}

TEST(Table, RefusesToWriteWhatCannotBeRead) {
  TuningTable table = someTable();
  table.rows[0].variant = "a,b";
  EXPECT_FALSE(writeTable(table));
  table = someTable();
  table.rows[0].medianNs = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(writeTable(table));
  table = someTable();
  table.head.push_back({"two", "a\nb"});
  EXPECT_FALSE(writeTable(table));
}

// Whatever bytes are changed or cut off, it is a table or a message.
TEST(Table, HoldsAgainstDamage) {
  const std::string text = *writeTable(someTable());
  for (size_t at = 0; at < text.size(); ++at) {
    for (char byte : {',', '\n', '#', 'x', '-', '\0'}) {
      std::string damaged = text;
      damaged[at] = byte;
      Result<TuningTable> table = readTable(damaged, "t");
      EXPECT_TRUE(!table || writeTable(*table)) << damaged;
    }
    (void)readTable(text.substr(0, at), "t");
  }
}

TEST(Table, TakesReportsOfOneDevice) {
  const std::string report = R"({"schema": 1, "tool": "spirv-tailor 0.1.0", "results": [
    {"device": {"name": "D", "driver": "V 1", "key": "vendor=1"}, "kernel": "k", "size": "large",
     "groups": [4, 1, 1], "authored": {}, "candidates": [
      {"id": "authored", "technique": "authored", "local_size": [64, 1, 1], "state": "measured",
       "median_ns": 10, "spread": 0.5, "samples": 3},
      {"id": "resize-8x1x1", "technique": "resize", "local_size": [8, 1, 1], "state": "dropped"}]}]})";
  TuningTable table;
  ASSERT_TRUE(addTuneReport(table, report, "r.json"));
  EXPECT_EQ(table.fact("device"), "D");
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0].medianNs, 10);
  EXPECT_EQ(table.rows[1].state, "dropped");
  EXPECT_TRUE(readTable(*writeTable(table), "t"));

  Status again = addTuneReport(table, report, "r.json");
  ASSERT_FALSE(again);
  EXPECT_THAT(again.diagnostic().text, HasSubstr("has variant 'authored' of 'k'"));
  EXPECT_EQ(again.diagnostic().location.line, 4U);
  EXPECT_EQ(table.rows.size(), 2U);

  std::string other = report;
  other.replace(other.find("vendor=1"), 8, "vendor=2");
  Status foreign = addTuneReport(table, other, "r.json");
  ASSERT_FALSE(foreign);
  EXPECT_THAT(foreign.diagnostic().text, HasSubstr("another device or driver"));
  EXPECT_FALSE(addTuneReport(table, "[]", "r.json"));
  EXPECT_FALSE(addTuneReport(table, "{\"schema\": 1}", "r.json"));
}

// The recorded tables in the repository.
TEST(Table, RecordedTablesAreInOrder) {
  Result<std::string> text =
      readFile(std::string(TAILOR_SOURCE_DIR) + "/bench/data/nvidia-h200.table");
  ASSERT_TRUE(text);
  Result<TuningTable> table = readTable(*text, "nvidia-h200.table");
  ASSERT_TRUE(table) << table.diagnostic().text;
  EXPECT_EQ(*writeTable(*table), *text);
  EXPECT_GE(sitesOf(*table).size(), 36U);
}

} // namespace tailor
