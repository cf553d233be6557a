//===- unit/Devices/DocumentationTests.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/devices.md holds tables made of the .def files: they are made here and
// looked for there. A table that is missing is printed.
//
//===----------------------------------------------------------------------===//
#include "Devices/Quirks.h"
#include "Support/Files.h"

#include "gtest/gtest.h"

#include <cstdio>

using namespace tailor;

template <typename Number> static std::string textOf(const std::optional<Number> &number) {
  return number ? std::to_string(*number) : "";
}

/// With at most one digit behind the point.
static std::string shortOf(std::optional<double> number) {
  if (!number)
    return "";
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", *number);
  std::string result = text;
  return result.ends_with(".0") ? result.substr(0, result.size() - 2) : result;
}

static std::string widthsOf(const DeviceProfile &profile) {
  if (!profile.subgroupMin)
    return "";
  if (profile.subgroupMin == profile.subgroupMax)
    return textOf(profile.subgroupMin);
  return textOf(profile.subgroupMin) + " to " + textOf(profile.subgroupMax);
}

static std::string sizeOf(const DeviceProfile &profile) {
  if (!profile.maxSize)
    return "";
  return std::to_string((*profile.maxSize)[0]) + ", " + std::to_string((*profile.maxSize)[1]) +
         ", " + std::to_string((*profile.maxSize)[2]);
}

static std::string row(const std::vector<std::string> &cells) {
  std::string line = "|";
  for (const std::string &cell : cells)
    line += cell.empty() ? " |" : " " + cell + " |";
  return line + "\n";
}

static std::string head(const std::vector<std::string> &cells) {
  std::string line = row(cells) + "|";
  for (size_t at = 0; at < cells.size(); ++at)
    line += "---|";
  return line + "\n";
}

static std::string quoted(std::string_view text) { return "`" + std::string(text) + "`"; }

static std::string specificationTable() {
  std::string table =
      head({"profile", "invocations", "size", "workgroup memory, bytes", "groups", "source"});
  for (const DeviceProfile &profile : deviceProfiles())
    if (profile.isMinimum)
      table += row({quoted(profile.key), textOf(profile.maxInvocations), sizeOf(profile),
                    textOf(profile.maxSharedBytes), textOf(profile.maxGroups),
                    std::string(profile.source)});
  return table;
}

static std::string architectureTable() {
  std::string table =
      head({"architecture", "subgroup", "invocations", "size", "workgroup memory, bytes",
            "unit: invocations", "groups", "memory, bytes", "registers", "FMA a clock", "source"});
  for (const DeviceProfile &one : architectures())
    table += row({quoted(one.key), widthsOf(one), textOf(one.maxInvocations), sizeOf(one),
                  textOf(one.maxSharedBytes), textOf(one.unit.invocations), textOf(one.unit.groups),
                  textOf(one.unit.sharedBytes), textOf(one.unit.registers),
                  textOf(one.unit.fp32Lanes), std::string(one.source)});
  return table;
}

static std::string deviceTable() {
  std::string table = head({"profile", "device", "architecture", "units", "clock, MHz",
                            "memory, GB/s", "L2, KiB", "source"});
  for (const DeviceProfile &profile : deviceProfiles())
    if (!profile.isMinimum)
      table +=
          row({quoted(profile.key), std::string(profile.name), quoted(profile.architectureKey),
               textOf(profile.unit.units), textOf(profile.clockMhz), shortOf(profile.memoryGBs),
               profile.l2Bytes ? std::to_string(*profile.l2Bytes / 1024) : "",
               std::string(profile.source)});
  return table;
}

static std::string textOf(const DriverVersion &version) {
  size_t parts = version.size();
  while (parts > 2 && version[parts - 1] == 0)
    --parts;
  std::string text;
  for (size_t at = 0; at < parts; ++at)
    text += (at ? "." : "") + std::to_string(version[at]);
  return text;
}

static std::string hexOf(uint32_t number) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%x", number);
  return text;
}

/// vendor 0x8086, driver 6, `xe-lp`
static std::string placeOf(const Quirk &quirk) {
  std::string place;
  auto add = [&](const std::string &part) { place += (place.empty() ? "" : ", ") + part; };
  if (quirk.vendorId)
    add("vendor " + hexOf(quirk.vendorId));
  if (quirk.driverId)
    add("driver " + std::to_string(quirk.driverId));
  if (!quirk.architecture.empty())
    add(quoted(quirk.architecture));
  if (!quirk.words.empty())
    add("\"" + std::string(quirk.words) + "\"");
  return place;
}

static std::string versionsOf(const Quirk &quirk) {
  if (quirk.apiBefore)
    return "Vulkan before " + std::to_string(*quirk.apiBefore >> 22) + "." +
           std::to_string(*quirk.apiBefore >> 12 & 0x3ff) + "." +
           std::to_string(*quirk.apiBefore & 0xfff);
  std::string text = quirk.since ? "from " + textOf(*quirk.since) : "";
  if (quirk.before)
    text += (text.empty() ? "before " : " to before ") + textOf(*quirk.before);
  return text.empty() ? "all" : text;
}

static std::string quirkTable() {
  std::string table = head({"quirk", "of", "versions", "effect", "what is wrong", "reported"});
  for (const Quirk &quirk : quirks()) {
    std::string effects;
    for (std::string_view name : namesOf(quirk.effects))
      effects += (effects.empty() ? "" : ", ") + quoted(name);
    if (quirk.value)
      effects += " of " + std::to_string(quirk.value);
    table +=
        row({quoted(quirk.key), placeOf(quirk), versionsOf(quirk), effects, std::string(quirk.what),
             quirk.link.starts_with("https") ? "<" + std::string(quirk.link) + ">"
                                             : "seen by this project"});
  }
  return table;
}

class Documentation : public testing::Test {
protected:
  void SetUp() override {
    docs = readFile(TAILOR_SOURCE_DIR "/docs/devices.md");
    ASSERT_TRUE(docs) << docs.diagnostic().text;
  }
  void has(const std::string &table) const {
    EXPECT_NE(docs->find(table), std::string::npos)
        << "docs/devices.md lacks this table, made of lib/Devices/*.def:\n"
        << table;
  }
  Result<std::string> docs = std::string();
};

TEST_F(Documentation, HasTheSpecifications) { has(specificationTable()); }
TEST_F(Documentation, HasTheArchitectures) { has(architectureTable()); }
TEST_F(Documentation, HasTheDevices) { has(deviceTable()); }
TEST_F(Documentation, HasTheQuirks) { has(quirkTable()); }

TEST_F(Documentation, ExplainsEachEffect) {
  for (std::string_view name : namesOf(UINT32_MAX))
    EXPECT_NE(docs->find("\n| `" + std::string(name) + "` | "), std::string::npos) << name;
}

TEST_F(Documentation, ExplainsEachWayOfRecognition) {
  for (uint8_t by = 0; by <= uint8_t(RecognizedBy::Nothing); ++by) {
    const std::string name(nameOf(RecognizedBy(by)));
    EXPECT_NE(docs->find("\n- `" + name + "`: "), std::string::npos) << name;
  }
}
