//===- differential/GeneratedTechniqueTests.cpp - Techniques by the seed ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every variant of every generated kernel gives the authored outputs, on every
// device. scripts/soak does the same for as long as it is told.
//   TAILOR_DIFFERENTIAL_COUNT    how many kernels (80)
//   TAILOR_DIFFERENTIAL_FIRST    the first seed (1)
//   TAILOR_DIFFERENTIAL_INTERPRET  in the interpreter, in two orders of the invocations, and on no
//                                device: faster, and counted apart
//   TAILOR_DIFFERENTIAL_DEVICE   on the one device of that name
//   TAILOR_DIFFERENTIAL_PRINT    also prints the kernels, for a look
//
//===----------------------------------------------------------------------===//
#include "BenchKernels.h"
#include "TechniqueCampaign.h"

#include "gtest/gtest.h"

#include <chrono>
#include <iostream>

using namespace tailor;
using namespace tailor::differential;

namespace {

CampaignOptions campaignOptions() {
  CampaignOptions options;
  options.interprets = std::getenv("TAILOR_DIFFERENTIAL_INTERPRET") != nullptr;
  options.runs = !options.interprets;
  return options;
}

/// The fault with the smallest kernel that has it.
void report(uint64_t seed, const TechniqueKernel &kernel, const CampaignReport &found) {
  const std::string title = "// seed " + std::to_string(seed) + ", groups " + kernel.groups.str() +
                            "\n/*\n" + found.text() + "*/\n";
  const bool isBroken = found.wrong.empty();
  TechniqueKernel small = reduceKernel(seed, Hazard::None, [&](const TechniqueKernel &smaller) {
    CampaignReport now = checkTechniques(smaller, seed, campaignOptions());
    return isBroken ? !now.broken.empty() : !now.wrong.empty() && now.broken.empty();
  });
  CampaignReport last = checkTechniques(small, seed, campaignOptions());
  std::string what = last.text() + last.uninterpreted + "\n";
  for (const std::string &line : last.interpretedWrong)
    what += "interpreter: " + line + "\n";
  ADD_FAILURE() << title << "reduced: " << what << small.glsl;
}

struct Totals {
  size_t kernels = 0, variants = 0, comparisons = 0, mismatches = 0, deviceFaults = 0,
         interpreted = 0;
  std::array<size_t, kNumTechniques> legal{};
  std::map<std::string, size_t> made, rejected;

  void add(const CampaignReport &report) {
    ++kernels;
    variants += report.variants;
    comparisons += report.comparisons();
    mismatches += report.wrong.size();
    deviceFaults += report.deviceFaults.size();
    interpreted += report.interpreted.size();
    for (unsigned at = 0; at < kNumTechniques; ++at)
      legal[at] += report.legal[at];
    for (const auto &[technique, count] : report.made)
      made[technique] += count;
    for (const auto &[reason, count] : report.rejected)
      rejected[reason] += count;
  }
};

} // namespace

TEST(GeneratedTechniques, DoNotRace) {
  const uint64_t count = numberFrom("TAILOR_DIFFERENTIAL_COUNT", 300);
  const uint64_t first = numberFrom("TAILOR_DIFFERENTIAL_FIRST", 1);
  for (uint64_t seed = first; seed < first + std::min<uint64_t>(count, 1000); ++seed) {
    const TechniqueKernel kernel = generateTechniqueKernel(seed);
    const std::string race = raceOf(kernel);
    if (race.empty())
      continue;
    TechniqueKernel small = reduceKernel(seed, Hazard::None, [&](const TechniqueKernel &smaller) {
      return raceOf(smaller) == race;
    });
    ADD_FAILURE() << "seed " << seed << ": " << race << "\n" << small.glsl;
  }
}

TEST(GeneratedTechniques, KeepTheResults) {
  if (campaignOptions().runs && noDevices())
    GTEST_SKIP() << "no Vulkan device";
  using Clock = std::chrono::steady_clock;
  const uint64_t count = numberFrom("TAILOR_DIFFERENTIAL_COUNT", 80);
  const uint64_t first = numberFrom("TAILOR_DIFFERENTIAL_FIRST", 1);
  const bool print = std::getenv("TAILOR_DIFFERENTIAL_PRINT") != nullptr;
  const auto start = Clock::now();
  Totals totals;
  uint64_t seed = first;
  for (; seed < first + count; ++seed) {
    const TechniqueKernel kernel = generateTechniqueKernel(seed);
    if (print)
      std::cout << "// seed " << seed << ", groups " << kernel.groups.str() << "\n" << kernel.glsl;
    const CampaignReport found = checkTechniques(kernel, seed, campaignOptions());
    totals.add(found);
    for (const std::string &line : found.deviceFaults)
      std::cout << "seed " << seed << ", the device's fault: " << line << "\n";
    if (!found.wrong.empty() || !found.broken.empty())
      report(seed, kernel, found);
    if (totals.kernels % 100 == 0)
      std::cout << "progress: " << totals.kernels << " kernels " << totals.comparisons
                << " comparisons " << totals.mismatches << " mismatches, seed " << seed
                << std::endl;
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  std::cout << "total: " << totals.kernels << " kernels " << totals.comparisons << " comparisons "
            << totals.mismatches << " mismatches, seeds " << first << " to " << seed - 1 << ", "
            << totals.variants << " variants, " << totals.deviceFaults << " faults of devices, "
            << totals.interpreted << " interpreted, " << seconds << " s\n";
  const CampaignTimes &times = campaignTimes();
  std::cout << "seconds: compiling " << times.compile << ", proving " << times.certify
            << ", making " << times.make << ", validating " << times.validate << ", running "
            << times.run << "\n";
  for (Technique technique : kTechniques)
    std::cout << "  " << nameOf(technique) << " is legal for "
              << totals.legal[static_cast<size_t>(technique)] << "\n";
  for (const auto &[technique, made] : totals.made)
    std::cout << "  " << made << " variants by " << technique << "\n";
  for (const auto &[reason, often] : totals.rejected)
    std::cout << "  not made " << often << " times: " << reason << "\n";
  if (totals.kernels < 60 || !campaignOptions().runs)
    return;
  // A generator whose kernels are all refused, or all alike, tests nothing.
  EXPECT_GE(totals.comparisons, totals.kernels * devices().size() * 4);
  for (Technique technique : {Technique::Resize, Technique::Remap, Technique::Pack,
                              Technique::Coarsen, Technique::Swizzle}) {
    EXPECT_GE(totals.legal[static_cast<size_t>(technique)], totals.kernels / 12)
        << nameOf(technique);
    EXPECT_GE(totals.made[std::string(nameOf(technique))], totals.kernels / 6) << nameOf(technique);
  }
}
