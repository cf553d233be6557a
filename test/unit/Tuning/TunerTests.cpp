//===- TunerTests.cpp - Bundles in, winners out ------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs on every device that the loader finds: both software devices when
// VK_DRIVER_FILES names them.
//
#include "Frontend/Frontend.h"
#include "Outcomes.h"
#include "Support/Files.h"
#include "TestSupport.h"
#include "Tuning/Report.h"
#include "Tuning/Tuner.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tailor;
using namespace tailor::test;
using testing::HasSubstr;

namespace {

struct Outcome {
  std::optional<TuneReport> report;
  std::optional<Diagnostic> failure;
  Diagnostics diags;
  std::string progress;
};

TuneOptions quickOptions() {
  TuneOptions options;
  options.date = "2024-02-29T12:00:00Z";
  options.patience = 20; // other tests run beside this one
  options.adjustMeasuring = [](vulkan::MeasureOptions &m) {
    m.minLoadTime = 0.005;
    m.stableTime = 0.005;
    m.warmUpBudget = m.candidateBudget = 0.02;
    m.samples = 5;
    m.rounds = 1;
    m.referenceBetween = false;
  };
  return options;
}

Outcome tuneAll(const std::vector<Bundle> &bundles, const Workload &workload,
                const TuneOptions &options = quickOptions()) {
  Outcome outcome;
  llvm::raw_string_ostream os(outcome.progress);
  Progress progress(os, false);
  Result<TuneReport> report = tune(bundles, workload, options, outcome.diags, progress);
  progress.finish();
  if (report)
    outcome.report = std::move(*report);
  else
    outcome.failure = report.takeFailure().diagnostic;
  return outcome;
}

Outcome tuneOne(const Bundle &bundle, const std::string &workload,
                const TuneOptions &options = quickOptions()) {
  return tuneAll({bundle}, workloadOf(workload), options);
}

const StoredCandidate &candidateOf(const TuneResult &result, const std::string &id) {
  for (const StoredCandidate &candidate : result.outcome.candidates)
    if (candidate.variantId == id)
      return candidate;
  ADD_FAILURE() << "no candidate " << id;
  return result.outcome.candidates.front();
}

/// A kernel over n elements whose body is the caller's; SX is its size.
std::string kernelOf(const std::string &body) {
  return "#version 450\nlayout(local_size_x = SX, local_size_y = SY) in;\n"
         "layout(push_constant) uniform P { uint n; } p;\n"
         "layout(binding = 0, std430) readonly buffer Src { uint src[]; };\n"
         "layout(binding = 1, std430) buffer Dst { uint dst[]; };\n"
         "void main() { uint i = gl_GlobalInvocationID.x; if (i < p.n) {\n" +
         body + "\n} }\n";
}

std::string workloadFor(unsigned groups, unsigned n) {
  std::string bytes = std::to_string(n * 4);
  return "{ \"schema\": 1, \"groups\": [" + std::to_string(groups) +
         "], \"push_constants\": [{ \"offset\": 0, \"type\": \"u32\", \"value\": " +
         std::to_string(n) +
         " }], \"bindings\": [\n{ \"binding\": 0, \"kind\": "
         "\"storage_buffer\", \"bytes\": " +
         bytes +
         ", \"fill\": { \"kind\": \"random\", \"seed\": 1 } },\n"
         "{ \"binding\": 1, \"kind\": \"storage_buffer\", \"bytes\": " +
         bytes + ", \"output\": true }] }";
}

} // namespace

TEST(Tuner, EveryDeviceGetsItsOwnVerifiedWinner) {
  TemporaryFolder folder;
  TuneOptions options = quickOptions();
  options.database = folder.file("winners.db");
  Bundle bundle =
      bundleOf({kernelOf("dst[i] = src[i] * 3u + 1u;"), {{64, 1, 1}, {32, 1, 1}, {16, 1, 1}}});
  Outcome o = tuneOne(bundle, workloadFor(64, 4096), options);
  ASSERT_TRUE(o.report) << textOf(*o.failure);
  EXPECT_EQ(troubleOf(o.diags), "");
  ASSERT_FALSE(o.report->results.empty());
  for (const TuneResult &result : o.report->results) {
    ASSERT_FALSE(result.failure) << result.failure->text;
    EXPECT_TRUE(result.outcome.verified);
    EXPECT_GT(result.outcome.winnerNs, 0);
    EXPECT_GT(result.outcome.authoredNs, 0);
    EXPECT_DOUBLE_EQ(result.outcome.ratio, result.outcome.authoredNs / result.outcome.winnerNs);
    for (const StoredCandidate &candidate : result.outcome.candidates) {
      EXPECT_TRUE(candidate.verified) << candidate.variantId;
      EXPECT_EQ(candidate.state, CandidateState::Measured) << candidate.why;
      EXPECT_GT(candidate.samples, 0U);
    }
    EXPECT_THAT(o.progress, HasSubstr("k (default) on " + result.outcome.deviceName));
  }
  Result<std::unique_ptr<Database>> db = Database::open(options.database, Database::Mode::Existing);
  ASSERT_TRUE(db);
  Result<std::vector<StoredWinner>> stored = (*db)->all();
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored->size(), o.report->results.size());
  for (const TuneResult &result : o.report->results) {
    Result<std::optional<StoredWinner>> found = (*db)->find(result.outcome.key);
    ASSERT_TRUE(found && *found);
    EXPECT_EQ(**found, result.outcome);
  }
}

TEST(Tuner, ARequiredSubgroupSizeIsOneMoreThingToTry) {
  TemporaryFolder folder;
  TuneOptions options = quickOptions();
  options.database = folder.file("winners.db");
  options.requireOnlySubgroupSize = true;
  Bundle bundle = bundleOf({kernelOf("dst[i] = src[i] * 3u + 1u;"), {{64, 1, 1}, {32, 1, 1}}});
  Outcome o = tuneOne(bundle, workloadFor(64, 4096), options);
  ASSERT_TRUE(o.report) << textOf(*o.failure);
  EXPECT_EQ(troubleOf(o.diags), "");
  for (const TuneResult &result : o.report->results) {
    ASSERT_FALSE(result.failure) << result.failure->text;
    if (!result.device.features.subgroupSizeControl)
      continue;
    const uint32_t size = result.device.limits.subgroupSize;
    const std::vector<StoredCandidate> &candidates = result.outcome.candidates;
    ASSERT_EQ(candidates.size(), 4U);
    for (size_t at = 0; at != candidates.size(); ++at) {
      EXPECT_EQ(candidates[at].variantId, at % 2 ? "resize-32x1x1" : "authored");
      EXPECT_EQ(candidates[at].technique, at % 2 ? "resize" : "authored");
      EXPECT_EQ(candidates[at].evidence, "proven");
      EXPECT_EQ(candidates[at].subgroupSize, at < 2 ? 0 : size);
      EXPECT_TRUE(candidates[at].verified) << candidates[at].why;
      EXPECT_EQ(candidates[at].state, CandidateState::Measured) << candidates[at].why;
      EXPECT_FALSE(candidates[at].moduleHash.empty());
    }
    EXPECT_EQ(candidates[0].moduleHash, candidates[2].moduleHash);
    const StoredCandidate *winner =
        result.outcome.candidate(result.outcome.winnerId, result.outcome.winnerSubgroupSize);
    ASSERT_TRUE(winner);
    EXPECT_EQ(winner->medianNs, result.outcome.winnerNs);
    Result<std::unique_ptr<Database>> db =
        Database::open(options.database, Database::Mode::Existing);
    ASSERT_TRUE(db);
    Result<std::optional<StoredWinner>> found = (*db)->find(result.outcome.key);
    ASSERT_TRUE(found && *found);
    EXPECT_EQ(**found, result.outcome);
  }
}

TEST(Tuner, AWrongResultUnderASubgroupSizeCostsThatSizeAlone) {
  TuneOptions options = quickOptions();
  options.requireOnlySubgroupSize = true;
  unsigned seen = 0;
  options.isolate = false; // the count is of this process
  options.tamper = [&](const std::string &variant, vulkan::RunResult &ran) {
    // The variant's first run is with the driver's size, the second with the required one.
    if (variant == "resize-32x1x1" && ++seen % 2 == 0)
      ran.outputs[0].bytes[0] ^= std::byte{1};
  };
  options.search = "exhaustive";
  options.adjustMeasuring = quickOptions().adjustMeasuring;
  options.lastRunsSeconds = 0;
  Bundle bundle = bundleOf({kernelOf("dst[i] = src[i] * 3u + 1u;"), {{64, 1, 1}, {32, 1, 1}}});
  Outcome o = tuneOne(bundle, workloadFor(64, 4096), options);
  ASSERT_TRUE(o.report) << textOf(*o.failure);
  const TuneResult &first = o.report->results.front();
  const uint32_t size = first.device.limits.subgroupSize;
  if (!first.device.features.subgroupSizeControl)
    GTEST_SKIP() << "the device takes no required subgroup size";
  const StoredCandidate *bad = first.outcome.candidate("resize-32x1x1", size);
  ASSERT_TRUE(bad);
  EXPECT_EQ(bad->state, CandidateState::Wrong);
  EXPECT_THAT(textOf(o.diags), HasSubstr("variant 'resize-32x1x1 (subgroups of " +
                                         std::to_string(size) + ")' of kernel 'k'"));
  std::vector<KnownBad> remembered = badOf(first.outcome);
  ASSERT_FALSE(remembered.empty());
  EXPECT_EQ(remembered[0].subgroupSize, size);
}

TEST(Tuner, ABudgetEndsTheMeasuringAndSaysSo) {
  Bundle bundle = bundleOf({kernelOf("dst[i] = src[i];"), {{64, 1, 1}, {32, 1, 1}, {16, 1, 1}}});
  TuneOptions options = quickOptions();
  options.budgetSeconds = 1e-6;
  Outcome o = tuneOne(bundle, workloadFor(64, 4096), options);
  ASSERT_TRUE(o.report) << textOf(*o.failure);
  for (const TuneResult &result : o.report->results) {
    ASSERT_FALSE(result.failure) << result.failure->text;
    EXPECT_GT(result.outcome.authoredNs, 0) << "the authored kernel is always timed";
    auto late = std::count_if(
        result.outcome.candidates.begin(), result.outcome.candidates.end(),
        [](const StoredCandidate &c) { return c.why == "the budget ended before its turn"; });
    EXPECT_GE(late, 1);
    EXPECT_TRUE(result.outcome.verified);
  }
}

TEST(Tuner, AWrongVariantIsNamedAndNeverWins) {
  // Variant 32 does far less work, and leaves one element wrong.
  std::string body = "uint v = src[i]; int turns = SX == 32 ? 1 : 400;\n"
                     "for (int t = 0; t < turns; ++t) v = v * 1664525u + 1013904223u;\n"
                     "if (SX == 32) { v = src[i]; for (int t = 0; t < (i == 77 ? 399 : 400); ++t)\n"
                     "  v = v * 1664525u + 1013904223u; }\n"
                     "dst[i] = v;";
  Bundle bundle = bundleOf({kernelOf(body), {{64, 1, 1}, {32, 1, 1}, {16, 1, 1}}});
  Outcome o = tuneOne(bundle, workloadFor(4, 256));
  ASSERT_TRUE(o.report) << textOf(*o.failure);
  EXPECT_EQ(o.diags.exitCode(), 1) << "a proven variant that is wrong is an error";
  EXPECT_THAT(textOf(o.diags), HasSubstr("WRONG RESULT: variant 'resize-32x1x1' of kernel 'k'"));
  EXPECT_THAT(textOf(o.diags), HasSubstr("1 of 256 elements differ, first at 77"));
  for (const TuneResult &result : o.report->results) {
    ASSERT_FALSE(result.failure);
    EXPECT_EQ(candidateOf(result, "resize-32x1x1").state, CandidateState::Wrong);
    EXPECT_FALSE(candidateOf(result, "resize-32x1x1").verified);
    EXPECT_NE(result.outcome.winnerId, "resize-32x1x1");
    EXPECT_TRUE(candidateOf(result, "resize-16x1x1").verified);
  }

  for (VariantInfo &variant : bundle.kernels[0].variants)
    variant.evidence = Evidence::Declared;
  Outcome declared = tuneOne(bundle, workloadFor(4, 256));
  EXPECT_EQ(declared.diags.exitCode(), 0) << "the author's word alone was wrong";
  EXPECT_THAT(textOf(declared.diags), HasSubstr("warning: WRONG RESULT"));
}

TEST(Tuner, AMissingWriteIsSeen) {
  // What the variant leaves out, the authored run has written just before.
  Bundle bundle =
      bundleOf({kernelOf("if (SX != 32 || i != 5) dst[i] = src[i];"), {{64, 1, 1}, {32, 1, 1}}});
  Outcome o = tuneOne(bundle, workloadFor(4, 256));
  ASSERT_TRUE(o.report) << textOf(*o.failure);
  for (const TuneResult &result : o.report->results)
    EXPECT_THAT(candidateOf(result, "resize-32x1x1").why, HasSubstr("first at 5"));
}

TEST(Tuner, AWritePastTheEndIsSeen) {
  Bundle bundle = bundleOf({kernelOf("dst[i] = src[i]; if (SX == 32 && i == 0) dst[256 + i] = 7u;"),
                            {{64, 1, 1}, {32, 1, 1}}});
  Outcome o = tuneOne(bundle, workloadFor(4, 256));
  ASSERT_TRUE(o.report) << textOf(*o.failure);
  for (const TuneResult &result : o.report->results) {
    EXPECT_EQ(candidateOf(result, "resize-32x1x1").state, CandidateState::Wrong);
    EXPECT_THAT(candidateOf(result, "resize-32x1x1").why, HasSubstr("past its end"));
  }
}

TEST(Tuner, ACoverVariantIsLeftOutWhenTheGridStopsShort) {
  DispatchBound bound;
  bound.bound = {UniformExpr::Op::PushConstant, {0, 0, 0, 0}, {}};
  Bundle bundle = bundleOf(
      {kernelOf("dst[i] = src[i];"), {{64, 1, 1}, {48, 1, 1}}, DispatchRule::Cover, {bound}});
  Outcome whole = tuneOne(bundle, workloadFor(4, 256));
  ASSERT_TRUE(whole.report) << textOf(*whole.failure);
  Outcome partial = tuneOne(bundle, workloadFor(3, 256));
  ASSERT_TRUE(partial.report) << textOf(*partial.failure);
  for (const TuneResult &result : whole.report->results)
    EXPECT_TRUE(candidateOf(result, "resize-48x1x1").verified);
  for (const TuneResult &result : partial.report->results) {
    EXPECT_EQ(candidateOf(result, "resize-48x1x1").state, CandidateState::LeftOut);
    EXPECT_THAT(candidateOf(result, "resize-48x1x1").why, HasSubstr("192"));
    EXPECT_EQ(result.outcome.winnerId, "authored");
  }
}

TEST(Tuner, AnAuthoredKernelThatOverrunsIsRefused) {
  Bundle bundle = bundleOf({kernelOf("dst[i + 1] = src[i];"), {{64, 1, 1}, {32, 1, 1}}});
  Outcome o = tuneOne(bundle, workloadFor(4, 256));
  ASSERT_TRUE(o.failure);
  EXPECT_THAT(o.failure->text, HasSubstr("writes outside its resources"));
  EXPECT_EQ(o.failure->kind, ErrorKind::Refused);
}

TEST(Tuner, AMissingBindingIsNamedBeforeAnythingRuns) {
  Bundle bundle = bundleOf({kernelOf("dst[i] = src[i];"), {{64, 1, 1}}});
  std::string text = workloadFor(4, 256);
  size_t first = text.find("{ \"binding\": 0"), second = text.find("{ \"binding\": 1");
  text.erase(first, second - first);
  Outcome o = tuneOne(bundle, text);
  ASSERT_TRUE(o.failure);
  EXPECT_EQ(textOf(*o.failure), "w.json:1:1: error: the workload lacks set 0 binding 0 ('src'), a "
                                "storage_buffer of kernel 'k'\n");
  EXPECT_EQ(o.progress, "");
}

TEST(Tuner, NamesThatAreNotThere) {
  Bundle bundle = bundleOf({kernelOf("dst[i] = src[i];"), {{64, 1, 1}}});
  std::string text = workloadFor(4, 256);
  TuneOptions options = quickOptions();
  options.sizes = {"huge"};
  Outcome size = tuneOne(bundle, text, options);
  ASSERT_TRUE(size.failure);
  EXPECT_EQ(size.failure->kind, ErrorKind::Usage);
  EXPECT_EQ(size.failure->text, "the workload has no size 'huge'; it has default");

  options = quickOptions();
  options.devices = {"voodoo"};
  Outcome device = tuneOne(bundle, text, options);
  ASSERT_TRUE(device.failure);
  EXPECT_EQ(device.failure->kind, ErrorKind::Environment);

  std::string named = text;
  Outcome kernel = tuneOne(bundle, named.insert(2, "\"kernel\": \"blur\", "));
  ASSERT_TRUE(kernel.failure);
  EXPECT_EQ(textOf(*kernel.failure),
            "w.json: error: the bundles hold no kernel named 'blur' that this workload is for\n"
            "spirv-tailor: note: there is 'k' with the entry point 'main'\n");

  options = quickOptions();
  options.dumps = {{0, 0, "src.bin"}};
  Outcome dump = tuneOne(bundle, text, options);
  ASSERT_TRUE(dump.failure);
  EXPECT_THAT(dump.failure->text, HasSubstr("set 0 binding 0 is no output"));
}

TEST(Tuner, AFailedDatabaseIsKnownBeforeMeasuring) {
  Bundle bundle = bundleOf({kernelOf("dst[i] = src[i];"), {{64, 1, 1}}});
  TuneOptions options = quickOptions();
  options.database = "/no/such/folder/winners.db";
  Outcome o = tuneOne(bundle, workloadFor(4, 256), options);
  ASSERT_TRUE(o.failure);
  EXPECT_EQ(o.failure->kind, ErrorKind::Environment);
  EXPECT_EQ(o.progress, "");
}

TEST(Tuner, DumpsTheWinnersPicture) {
  std::string source = "#version 450\nlayout(local_size_x = SX, local_size_y = SY) in;\n"
                       "layout(binding = 3, rgba8) writeonly uniform image2D dst;\n"
                       "void main() { ivec2 p = ivec2(gl_GlobalInvocationID.xy);\n"
                       "imageStore(dst, p, vec4(p.x, p.y, 255, 255) / 255.0); }";
  Bundle bundle = bundleOf({source, {{4, 4, 1}, {8, 2, 1}}});
  TemporaryFolder folder;
  TuneOptions options = quickOptions();
  options.dumps = {*parseDumpRequest("0.3=" + folder.file("{kernel}-{device}.ppm"))};
  Outcome o = tuneOne(bundle, R"({ "schema": 1, "grid": [8, 4], "bindings": [
    { "binding": 3, "kind": "storage_image", "format": "rgba8", "extent": [8, 4],
      "output": true }] })",
                      options);
  ASSERT_TRUE(o.report) << textOf(*o.failure);
  EXPECT_EQ(troubleOf(o.diags), "");
  std::string expected = "P6\n8 4\n255\n";
  for (char y = 0; y < 4; ++y)
    for (char x = 0; x < 8; ++x)
      expected += {x, y, '\xff'};
  size_t files = 0;
  for (const auto &entry : std::filesystem::directory_iterator(folder.path)) {
    ++files;
    EXPECT_EQ(*readFile(entry.path().string()), expected);
  }
  EXPECT_EQ(files, o.report->results.size());

  options.dumps = {{0, 3, folder.file("one.ppm")}};
  if (o.report->results.size() > 1) {
    Outcome clash = tuneOne(bundle, R"({ "schema": 1, "grid": [8, 4], "bindings": [
      { "binding": 3, "kind": "storage_image", "format": "rgba8", "extent": [8, 4],
        "output": true }] })",
                            options);
    ASSERT_TRUE(clash.failure);
    EXPECT_THAT(clash.failure->text, HasSubstr("put {kernel}, {size} or {device} into its name"));
  }
}

TEST(Tuner, SeveralSizesAndBundles) {
  Bundle bundle = bundleOf({kernelOf("dst[i] = src[i];"), {{64, 1, 1}, {32, 1, 1}}});
  std::string text = workloadFor(4, 256);
  text.insert(2, "\"sizes\": { \"a\": {}, \"b\": { \"groups\": [2] } }, ");
  Outcome o = tuneAll({bundle, bundle}, workloadOf(text));
  ASSERT_TRUE(o.report) << textOf(*o.failure);
  std::set<std::string> devices;
  for (const TuneResult &result : o.report->results)
    devices.insert(result.outcome.deviceName);
  EXPECT_EQ(o.report->results.size(), devices.size() * 4);
}

TEST(Tuner, SeveralWorkloadsForSeveralKernels) {
  Bundle bundle = bundleOf({kernelOf("dst[i] = src[i];"), {{64, 1, 1}, {32, 1, 1}}});
  Bundle other = bundle;
  other.kernels[0].name = "other";
  auto named = [&](const std::string &kernel, unsigned groups) {
    std::string text = workloadFor(groups, groups * 64);
    text.insert(2, "\"kernel\": \"" + kernel + "\", ");
    return workloadOf(text);
  };
  const std::vector<Workload> workloads = {named("other", 4), named(bundle.kernels[0].name, 2)};
  Diagnostics diags;
  std::string text;
  llvm::raw_string_ostream os(text);
  Progress progress(os, false);
  Result<TuneReport> report = tune({bundle, other}, workloads, quickOptions(), diags, progress);
  ASSERT_TRUE(report) << textOf(report.diagnostic());
  std::set<std::string> devices;
  for (const TuneResult &result : report->results) {
    EXPECT_FALSE(result.failure);
    EXPECT_EQ(result.outcome.groups.x, result.outcome.kernel == "other" ? 4U : 2U);
    devices.insert(result.outcome.deviceName);
  }
  EXPECT_EQ(report->results.size(), devices.size() * 2);
  EXPECT_EQ(report->results.front().outcome.kernel, "other"); // workload by workload

  TuneOptions wrong = quickOptions();
  wrong.sizes = {"huge"};
  Result<TuneReport> none = tune({bundle, other}, workloads, wrong, diags, progress);
  ASSERT_FALSE(none);
  EXPECT_THAT(none.diagnostic().text, HasSubstr("no workload has a size 'huge'"));
}

TEST(Tuner, WhatStillStandsIsKept) {
  TemporaryFolder folder;
  Bundle bundle = bundleOf({kernelOf("dst[i] = src[i];"), {{64, 1, 1}, {32, 1, 1}}});
  TuneOptions options = quickOptions();
  options.database = folder.file("winners.db");
  options.keepCurrent = true;
  Outcome first = tuneOne(bundle, workloadFor(4, 256), options);
  ASSERT_TRUE(first.report) << textOf(*first.failure);
  options.date = "2025-01-01T00:00:00Z";
  Outcome again = tuneOne(bundle, workloadFor(4, 256), options);
  ASSERT_TRUE(again.report) << textOf(*again.failure);
  ASSERT_EQ(again.report->results.size(), first.report->results.size());
  for (size_t i = 0; i < again.report->results.size(); ++i) {
    const TuneResult &then = first.report->results[i], &now = again.report->results[i];
    EXPECT_FALSE(then.kept);
    EXPECT_TRUE(now.kept);
    EXPECT_EQ(now.outcome.winnerId, then.outcome.winnerId);
    EXPECT_EQ(now.outcome.winnerNs, then.outcome.winnerNs);
    EXPECT_EQ(now.outcome.date, "2024-02-29T12:00:00Z");
  }
  // Another size, and what another tool measured, are measured.
  Outcome larger = tuneOne(bundle, workloadFor(8, 512), options);
  ASSERT_TRUE(larger.report);
  EXPECT_FALSE(larger.report->results.front().kept);
  std::unique_ptr<Database> database = openOrFail(options.database);
  ASSERT_TRUE(database);
  for (const TuneResult &result : first.report->results) {
    StoredWinner old = result.outcome;
    old.tool = "spirv-tailor 0.0.1";
    ASSERT_TRUE(database->store(old));
  }
  database.reset();
  Outcome anew = tuneOne(bundle, workloadFor(4, 256), options);
  ASSERT_TRUE(anew.report);
  for (const TuneResult &result : anew.report->results)
    EXPECT_FALSE(result.kept);
}

TEST(DumpRequests, AreParsed) {
  std::optional<DumpRequest> request = parseDumpRequest("1.20=out/a=b.ppm");
  ASSERT_TRUE(request);
  EXPECT_EQ(request->set, 1U);
  EXPECT_EQ(request->binding, 20U);
  EXPECT_EQ(request->path, "out/a=b.ppm");
  for (const char *bad : {"", "1=a", "1.=a", ".1=a", "1.2", "1.2=", "a.b=c", "1.2x=c", "-1.2=c"})
    EXPECT_FALSE(parseDumpRequest(bad)) << bad;
}

TEST(MeasureBudget, IsDividedOverTheCandidates) {
  vulkan::DeviceInfo gpu;
  gpu.type = vulkan::DeviceType::DiscreteGpu;
  vulkan::MeasureOptions all = measureOptionsFor(gpu, 0, 10);
  vulkan::MeasureOptions roomy = measureOptionsFor(gpu, 1000, 10);
  EXPECT_EQ(roomy.rounds, all.rounds);
  EXPECT_EQ(roomy.minLoadTime, all.minLoadTime) << "a budget never lengthens the load";
  vulkan::MeasureOptions tight = measureOptionsFor(gpu, 0.3, 10);
  EXPECT_EQ(tight.rounds, 1U);
  EXPECT_LE(tight.minLoadTime + tight.stableTime, 0.1);
  EXPECT_LE(tight.warmUpBudget, 0.1);
  EXPECT_LE((tight.turnLoadTime + tight.turnStableTime) * 10, 0.2);
  EXPECT_LE(tight.candidateBudget * 10, 0.2);
  EXPECT_EQ(measureOptionsFor(gpu, 0.3, 10, 6).rounds, 6U);
}

// Every bench kernel, as its author wrote it, repeats itself at the small size on every device.
TEST(BenchKernelsOnDevices, RunAtTheSmallSize) {
  const std::string folder = TAILOR_SOURCE_DIR "/bench/kernels/";
  for (const auto &entry : std::filesystem::directory_iterator(folder)) {
    std::string extension = entry.path().extension().string();
    if (extension != ".comp" && extension != ".hlsl")
      continue;
    std::string stem = entry.path().stem().string();
    Diagnostics diags;
    Result<FrontendResult> compiled = loadShader(entry.path().string(), FrontendOptions{}, diags);
    ASSERT_TRUE(compiled) << textOf(compiled.diagnostic());
    Result<Reflection> reflection = reflect(compiled->words, "main", stem);
    ASSERT_TRUE(reflection);
    Bundle bundle;
    KernelInfo kernel;
    kernel.name = stem;
    kernel.entryPoint = "main";
    kernel.authoredSize = reflection->localSize;
    VariantInfo authored;
    authored.id = "authored";
    authored.localSize = kernel.authoredSize;
    authored.code["spirv"] = bundle.addBlob(bytesOfWords(compiled->words));
    kernel.variants.push_back(authored);
    bundle.kernels.push_back(kernel);
    std::optional<Workload> workload = readWorkload(folder + stem + ".workload.json", diags);
    ASSERT_TRUE(workload) << textOf(diags);
    TuneOptions options = quickOptions();
    options.sizes = {"small"};
    Outcome o = tuneAll({bundle}, *workload, options);
    ASSERT_TRUE(o.report) << stem << ": " << textOf(*o.failure);
    bool everywhere = true;
    for (const TuneResult &result : o.report->results) {
      if (kernel.authoredSize.product() > result.device.limits.maxInvocations) {
        // Its author's workgroups are too large for that device, which is said.
        everywhere = false;
        ASSERT_TRUE(result.failure) << stem << " on " << result.device.name;
        EXPECT_THAT(textOf(*result.failure), HasSubstr("the device allows"));
        continue;
      }
      EXPECT_TRUE(result.outcome.verified) << stem << " on " << result.outcome.deviceName;
      RecordProperty(stem + "." + std::to_string(result.device.index) + ".us",
                     std::to_string(result.outcome.authoredNs / 1000));
    }
    if (everywhere) {
      EXPECT_EQ(troubleOf(o.diags), "") << stem;
    }
  }
}

namespace {

/// Writes without any check of its own: only the guard keeps it inside the buffer.
std::string unguardedKernel(const std::string &declarations, const std::string &guard) {
  return "#version 450\nlayout(local_size_x = SX, local_size_y = SY) in;\n" + declarations +
         "layout(binding = 0, std430) readonly buffer Src { uint src[]; };\n"
         "layout(binding = 1, std430) buffer Dst { uint dst[]; };\n"
         "void main() { uint i = gl_GlobalInvocationID.x;\n" +
         guard + "  dst[i] = src[i] * 5u + p.n; }\n";
}

constexpr const char *kPlainBlock = "layout(push_constant) uniform P { uint n; } p;\n";

} // namespace

TEST(Tuner, GuardedVariantsStayInsideTheLogicalGrid) {
  Bundle bundle = bundleOf({unguardedKernel(kPlainBlock, ""), {{64, 1, 1}}});
  addGuarded(bundle,
             unguardedKernel("layout(push_constant) uniform P { uint n; "
                             "layout(offset = 16) uvec3 grid; } p;\n",
                             "  if (i >= p.grid.x) return;\n"),
             {96, 1, 1}, {"push_constant", 16, 12});
  addGuarded(bundle,
             unguardedKernel(std::string(kPlainBlock) +
                                 "layout(constant_id = 7) const uint gridX = 1;\n"
                                 "layout(constant_id = 8) const uint gridY = 1;\n"
                                 "layout(constant_id = 9) const uint gridZ = 1;\n",
                             "  if (i >= gridX + 0u * (gridY + gridZ)) return;\n"),
             {48, 1, 1}, {"spec_constant", 0, 0, {7, 8, 9}});
  addGuarded(bundle, unguardedKernel(kPlainBlock, ""), {100, 1, 1}, {"push_constant", 16, 12});
  bundle.kernels[0].variants.back().evidence = Evidence::Declared; // not an error, then
  Outcome o = tuneOne(bundle, workloadFor(10, 640)); // 7 groups of 96, 14 of 48, 7 of 100
  ASSERT_TRUE(o.report) << textOf(*o.failure);
  for (const TuneResult &result : o.report->results) {
    EXPECT_TRUE(candidateOf(result, "resize-96x1x1-guarded").verified)
        << candidateOf(result, "resize-96x1x1-guarded").why;
    EXPECT_TRUE(candidateOf(result, "resize-48x1x1-guarded").verified)
        << candidateOf(result, "resize-48x1x1-guarded").why;
    // Without its guard the same dispatch is seen to leave the buffer.
    EXPECT_EQ(candidateOf(result, "resize-100x1x1-guarded").state, CandidateState::Wrong);
  }
}

TEST(Tuner, ADeclaredWinnerSaysSo) {
  // Much slower at the authored size; what it adds is 0 for an even n.
  Bundle bundle = bundleOf({kernelOf("uint s = 0u, rounds = SX == 64 ? 2000u : 1u;\n"
                                     "for (uint r = 0u; r < rounds; ++r)\n"
                                     "  s = s * 3u + src[(i + r) % p.n];\n"
                                     "dst[i] = src[i] + (s & (p.n & 1u));"),
                            {{64, 1, 1}, {32, 1, 1}}});
  VariantInfo &fast = bundle.kernels[0].variants[1];
  fast.id = "respecialize-32x1x1";
  fast.technique = "respecialize";
  fast.evidence = Evidence::Declared;
  Outcome o = tuneOne(bundle, workloadFor(64, 4096));
  ASSERT_TRUE(o.report) << textOf(*o.failure);
  std::string table;
  llvm::raw_string_ostream os(table);
  printTable(os, *o.report);
  for (const TuneResult &result : o.report->results) {
    EXPECT_EQ(result.outcome.winnerId, "respecialize-32x1x1");
    EXPECT_EQ(candidateOf(result, result.outcome.winnerId).evidence, "declared");
    EXPECT_TRUE(candidateOf(result, "respecialize-32x1x1").verified);
  }
  EXPECT_THAT(os.str(), HasSubstr("respecialize-32x1x1 (declared)"));
  EXPECT_THAT(os.str(), HasSubstr("declared: its author says that the size may vary"));
}
