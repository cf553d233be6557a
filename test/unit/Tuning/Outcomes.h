//===- Outcomes.h - Outcomes to store in tests -------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TEST_UNIT_TUNING_OUTCOMES_H
#define TAILOR_TEST_UNIT_TUNING_OUTCOMES_H

#include "Support/Diagnostics.h"
#include "Tuning/Database.h"

#include <memory>
#include <string>

namespace tailor::test {

/// A device key as vulkan::DeviceInfo::key() writes it.
struct KeyParts {
  uint32_t vendor = 0x10de, device = 0x2335, driver = 4, driverVersion = 7;
  std::string driverInfo = "550.54", name = "NVIDIA H200";
  uint32_t maxInvocations = 1024;
};
std::string deviceKeyOf(const KeyParts &parts);

/// An outcome as schema 1 could hold it.
StoredWinner winnerOf(const std::string &size);
/// An outcome with every member of schema 2: samples that no decimal fraction shows, statistics,
/// faults, figures of the model, a device.
StoredWinner fullWinnerOf(const std::string &size, const std::string &deviceKey);

/// The database, or nullptr and a failed test.
std::unique_ptr<Database> openOrFail(const std::string &path,
                                     Database::Mode mode = Database::Mode::Create);
/// What open() says, of the expected kind.
std::string openError(const std::string &path, ErrorKind kind,
                      Database::Mode mode = Database::Mode::Create);
void runSql(const std::string &path, const std::string &sql);
/// The first column of the first row, as text.
std::string askSql(const std::string &path, const std::string &sql);

/// Makes a file as version 0.1.0 with schema 1 made it, with these outcomes.
void makeSchema1(const std::string &path, const std::vector<StoredWinner> &winners);

} // namespace tailor::test

#endif
