//===- tools/spirv-tailor/DbArguments.h - Which outcomes of a database ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TOOLS_SPIRV_TAILOR_DBARGUMENTS_H
#define TAILOR_TOOLS_SPIRV_TAILOR_DBARGUMENTS_H

#include "Tuning/Database.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI { // NOLINT(readability-identifier-naming): the name is the parser library's
class App;
}

namespace tailor {

/// The options of the commands that work on a winners database.
struct DbArguments {
  std::string database, format = "text", output = "-", olderThan, groups;
  std::vector<std::string> kernels, devices, sizes, files;
  bool stale = false, bad = false, replace = false, dryRun = false;

  void addDatabase(CLI::App &command);
  /// --kernel, --device, --size
  void addFilters(CLI::App &command);
  /// --groups
  void addGroups(CLI::App &command);
  /// text or json
  void addFormat(CLI::App &command);

  bool hasFilter() const { return !kernels.empty() || !devices.empty() || !sizes.empty(); }
  /// By --kernel, --device and --size. A device is chosen by a part of its name, in any case.
  bool picks(const StoredWinner &outcome) const;
  /// Leaves of `outcomes` what --groups picks; fails with Usage for what is no size.
  Status pickNearest(std::vector<StoredWinner> &outcomes) const;
  /// By --kernel and --device; there is no size.
  bool picks(const KnownBad &bad) const;
  /// "kernel 'blur', device 'H200'": for messages.
  std::string filterText() const;
};

/// A database as it is now, read once. Fails as Database::open() does.
struct DbContents {
  std::vector<StoredWinner> outcomes;
  std::vector<KnownBad> bad;
};
Result<DbContents> readDatabase(const std::string &path);
/// Those that the arguments pick. Fails with Refused where that leaves none.
Result<std::vector<StoredWinner>> pickOutcomes(const DbArguments &arguments,
                                               std::vector<StoredWinner> outcomes);

/// The keys of the Vulkan devices at hand; none where there is no Vulkan.
std::vector<std::string> deviceKeysHere();

} // namespace tailor

#endif
