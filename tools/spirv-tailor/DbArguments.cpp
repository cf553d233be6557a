//===- tools/spirv-tailor/DbArguments.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DbArguments.h"

#include "Tuning/DatabaseText.h"
#include "Tuning/Lookup.h"
#include "Vulkan/Device.h"

#include "llvm/ADT/StringRef.h"

#include "CLI/CLI.hpp"

#include <algorithm>

namespace tailor {

namespace {

bool isIn(const std::vector<std::string> &names, const std::string &name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

bool isPartIn(const std::vector<std::string> &parts, const std::string &name) {
  return parts.empty() || std::any_of(parts.begin(), parts.end(), [&](const std::string &part) {
           return llvm::StringRef(name).contains_insensitive(part);
         });
}

} // namespace

void DbArguments::addDatabase(CLI::App &command) {
  command.add_option("--db", database, "The winners database (SQLite)")
      ->type_name("FILE")
      ->required();
}

void DbArguments::addFilters(CLI::App &command) {
  command.add_option("--kernel", kernels, "Only outcomes of this kernel; once for each")
      ->type_name("NAME")
      ->allow_extra_args(false);
  command
      .add_option("--device", devices,
                  "Only outcomes on devices with this in their name, in any case; once for each")
      ->type_name("NAME")
      ->allow_extra_args(false);
  command.add_option("--size", sizes, "Only outcomes at this problem size; once for each")
      ->type_name("NAME")
      ->allow_extra_args(false);
}

void DbArguments::addGroups(CLI::App &command) {
  command
      .add_option("--groups", groups,
                  "Of each kernel and device only the outcome at the problem size that is nearest "
                  "to a dispatch of so many authored workgroups")
      ->type_name("X[xY[xZ]]");
}

Status DbArguments::pickNearest(std::vector<StoredWinner> &outcomes) const {
  if (groups.empty())
    return success();
  std::optional<Dim3> wanted = parseDim3(groups);
  if (!wanted)
    return failure({},
                   "--groups: '" + groups +
                       "' is no number of workgroups: write 64, 8x8 or "
                       "8x8x4",
                   ErrorKind::Usage);
  keepNearestSizes(outcomes, *wanted);
  return success();
}

void DbArguments::addFormat(CLI::App &command) {
  command.add_option("--format", format, "text or json (stdout; messages are on stderr)")
      ->check(CLI::IsMember({"text", "json"}));
}

bool DbArguments::picks(const StoredWinner &outcome) const {
  return isIn(kernels, outcome.kernel) && isIn(sizes, outcome.sizeName) &&
         isPartIn(devices, outcome.deviceName);
}

bool DbArguments::picks(const KnownBad &known) const {
  return isIn(kernels, known.kernel) && isPartIn(devices, deviceText(known.deviceKey));
}

std::string DbArguments::filterText() const {
  std::string text;
  auto add = [&](const char *what, const std::vector<std::string> &names) {
    for (const std::string &name : names)
      text += (text.empty() ? "" : ", ") + std::string(what) + " '" + name + "'";
  };
  add("kernel", kernels);
  add("device", devices);
  add("size", sizes);
  return text;
}

Result<DbContents> readDatabase(const std::string &path) {
  Result<std::unique_ptr<Database>> database = Database::open(path, Database::Mode::Snapshot);
  if (!database)
    return database.takeFailure();
  Result<std::vector<StoredWinner>> outcomes = (*database)->all();
  if (!outcomes)
    return outcomes.takeFailure();
  Result<std::vector<KnownBad>> bad = (*database)->allKnownBad();
  if (!bad)
    return bad.takeFailure();
  return DbContents{std::move(*outcomes), std::move(*bad)};
}

Result<std::vector<StoredWinner>> pickOutcomes(const DbArguments &arguments,
                                               std::vector<StoredWinner> outcomes) {
  Location where = Location::inFile(arguments.database);
  if (outcomes.empty())
    return failure(where, "the winners database holds no outcome");
  std::vector<StoredWinner> picked;
  for (StoredWinner &outcome : outcomes)
    if (arguments.picks(outcome))
      picked.push_back(std::move(outcome));
  if (picked.empty())
    return failure(where, "the winners database holds no outcome of " + arguments.filterText());
  if (Status nearest = arguments.pickNearest(picked); !nearest)
    return nearest.takeFailure();
  return picked;
}

std::vector<std::string> deviceKeysHere() {
  std::vector<std::string> keys;
  Result<std::shared_ptr<vulkan::Instance>> instance = vulkan::Instance::create();
  if (instance)
    for (const vulkan::DeviceInfo &device : (*instance)->devices())
      keys.push_back(device.key());
  return keys;
}

} // namespace tailor
