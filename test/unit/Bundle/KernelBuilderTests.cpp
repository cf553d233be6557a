//===- unit/Bundle/KernelBuilderTests.cpp - Variants and candidate sizes ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../../differential/BenchKernels.h"
#include "Bundle/KernelBuilder.h"

#include "Backends/Backend.h"
#include "Backends/ModuleFacts.h"
#include "Frontend/Frontend.h"
#include "IR/Reader.h"
#include "Naga/Naga.h"
#include "Support/SpirvTools.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>

using namespace tailor;

namespace {

Module load(const std::string &path) {
  Diagnostics diagnostics;
  Result<FrontendResult> shader = loadShader(path, {}, diagnostics);
  EXPECT_TRUE(shader) << path;
  Result<Module> module = readModule(shader->words, path);
  EXPECT_TRUE(module) << path;
  return std::move(*module);
}

std::vector<uint32_t> wordsOf(const std::string &bytes) {
  std::vector<uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(),
              words.size() * 4); // the tests run on little-endian machines
  return words;
}

std::string pathOf(const std::string &kernel) {
  return TAILOR_SOURCE_DIR "/bench/kernels/" + kernel;
}

/// Texts are made once and get their size put in: each must be what the whole route gives.
TEST(KernelBuilder, TextsWithTheSizePutInEqualTheWholeRoute) {
  size_t compared = 0, shared = 0;
  const std::vector<std::string> kernels = benchKernels();
  for (const std::string &file : kernels) {
    Module module = load(pathOf(file));
    Result<EntryPoint> entry = findComputeEntryPoint(module, "");
    ASSERT_TRUE(entry);
    KernelBuildOptions options;
    options.targets = {"spirv", "glsl", "essl", "hlsl", "msl"};
    if (naga::isAvailable())
      options.targets.emplace_back("wgsl");
    options.plan.sizes.policy = SizeRequest::Policy::List;
    options.plan.sizes.list = {{4, 2, 1}, {128, 1, 1}, {1, 64, 1}, {8, 8, 2}};
    Bundle bundle;
    Diagnostics diagnostics;
    Result<KernelInfo> kernel = buildKernel(module, *entry, "k", options, bundle, diagnostics);
    ASSERT_TRUE(kernel) << file << ": " << kernel.diagnostic().text;
    for (const VariantInfo &variant : kernel->variants) {
      if (variant.id == "authored")
        continue;
      std::vector<uint32_t> words = wordsOf(bundle.bytesOf(variant.code.at("spirv")));
      EXPECT_TRUE(validateSpirv(words, file)) << file << " " << variant.id;
      for (const std::string &target : options.targets) {
        Result<Emitted> whole =
            emit(target, {words, kernel->entryPoint, variant.localSize, file, {}});
        ASSERT_EQ(static_cast<bool>(whole), variant.code.contains(target))
            << file << " " << variant.id << " " << target;
        if (!whole)
          continue;
        EXPECT_EQ(bundle.bytesOf(variant.code.at(target)), whole->code)
            << file << " " << variant.id << " " << target;
        if (std::optional<uint32_t> interface = variant.code.at(target).interface) {
          EXPECT_EQ(bundle.interfaces[*interface], whole->interface);
        }
        shared += variant.code.at(target).isPatched() ? 1 : 0;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 10 * kernels.size());
  EXPECT_GT(shared, 5 * kernels.size());
}

TEST(KernelBuilder, TheAuthoredModuleIsTheFirstVariantAndUnchanged) {
  Module module = load(TAILOR_SOURCE_DIR "/bench/kernels/saxpy.comp");
  Result<EntryPoint> entry = findComputeEntryPoint(module, "");
  Bundle bundle;
  Diagnostics diagnostics;
  Result<KernelInfo> kernel = buildKernel(module, *entry, "saxpy", {}, bundle, diagnostics);
  ASSERT_TRUE(kernel);
  EXPECT_EQ(kernel->variants.front().id, "authored");
  EXPECT_EQ(wordsOf(bundle.bytesOf(kernel->variants.front().code.at("spirv"))), module.words());
  for (const std::string &blob : bundle.blobs) {
    bool used = false;
    for (const VariantInfo &variant : kernel->variants)
      for (const auto &[target, code] : variant.code)
        used |= &bundle.blobs[code.blob] == &blob;
    EXPECT_TRUE(used) << "a blob that no variant names";
  }
}

Result<KernelInfo> build(const std::string &path, const KernelBuildOptions &options, Bundle &bundle,
                         Diagnostics &diagnostics) {
  Module module = load(path);
  Result<EntryPoint> entry = findComputeEntryPoint(module, "");
  if (!entry)
    return entry.takeFailure();
  return buildKernel(module, *entry, "k", options, bundle, diagnostics);
}

std::set<std::string> techniquesOf(const KernelInfo &kernel) {
  std::set<std::string> techniques;
  for (const VariantInfo &variant : kernel.variants)
    techniques.insert(variant.technique);
  return techniques;
}

TEST(KernelBuilder, EveryTechniqueIsMadeOfTheSuite) {
  std::set<std::string> made;
  for (const std::string &file : allBenchKernels()) {
    KernelBuildOptions options;
    options.plan.maxVariants = 9;
    Bundle bundle;
    Diagnostics diagnostics;
    Result<KernelInfo> kernel = build(pathOf(file), options, bundle, diagnostics);
    ASSERT_TRUE(kernel) << file << ": " << kernel.diagnostic().text;
    EXPECT_GT(kernel->variants.size(), 1u) << file;
    std::set<std::string> ids;
    for (const VariantInfo &variant : kernel->variants) {
      EXPECT_TRUE(ids.insert(variant.id).second) << file << " " << variant.id;
      // What the manifest says of its memory is at least what the module has.
      std::vector<uint32_t> words = wordsOf(bundle.bytesOf(variant.code.at("spirv")));
      Result<ModuleFacts> facts = ModuleFacts::read(words, kernel->entryPoint, file);
      ASSERT_TRUE(facts);
      EXPECT_GE(variant.sharedBytes, facts->sharedBytes(SharedLayout::Scalar).value_or(0))
          << file << " " << variant.id;
      if (variant.id != "authored") {
        EXPECT_EQ(facts->literalSize(), variant.localSize) << file << " " << variant.id;
      }
    }
    made.merge(techniquesOf(*kernel));
  }
  EXPECT_THAT(made, testing::IsSupersetOf({"resize", "pack", "coarsen", "swizzle", "resize+coarsen",
                                           "pack+coarsen", "pack+swizzle"}));
}

TEST(KernelBuilder, WhatEqualsTheAuthoredModuleIsNotMade) {
  // Reads no id, so that another order of lanes is no other module.
  const std::string path = testing::TempDir() + "tailor-no-ids.comp";
  std::ofstream(path) << "#version 450\nlayout(local_size_x = 16, local_size_y = 16) in;\n"
                         "layout(binding = 0) buffer B { uint count; };\n"
                         "void main() { atomicAdd(count, 1u); }\n";
  KernelBuildOptions options;
  options.plan.named = true;
  options.plan.techniques = {Technique::Swizzle};
  Bundle bundle;
  Diagnostics diagnostics;
  Result<KernelInfo> kernel = build(path, options, bundle, diagnostics);
  ASSERT_TRUE(kernel) << kernel.diagnostic().text;
  EXPECT_EQ(techniquesOf(*kernel), (std::set<std::string>{"authored"}));
  // Nothing went wrong either: the techniques that are refused are others.
  for (const Refusal &refusal : kernel->refused)
    EXPECT_NE(refusal.technique, "swizzle");
  std::filesystem::remove(path);
}

TEST(KernelBuilder, ProgressCountsEveryVariant) {
  KernelBuildOptions options;
  std::vector<size_t> done;
  size_t all = 0;
  options.progress = [&](size_t count, size_t of) {
    done.push_back(count);
    all = of;
  };
  Bundle bundle;
  Diagnostics diagnostics;
  ASSERT_TRUE(
      build(TAILOR_SOURCE_DIR "/bench/kernels/reduction.comp", options, bundle, diagnostics));
  ASSERT_GT(all, 6u);
  ASSERT_EQ(done.size(), all);
  for (size_t at = 0; at < all; ++at)
    EXPECT_EQ(done[at], at + 1);
}

TEST(KernelBuilder, DropSourceLinesKeepsNamesAndTheBody) {
  Module module = load(TAILOR_SOURCE_DIR "/bench/kernels/saxpy.comp");
  Module stripped = module.clone();
  dropSourceLines(stripped);
  EXPECT_TRUE(validateSpirv(stripped.words(), "stripped"));
  for (const Instruction &inst : stripped.section(Section::Debug))
    EXPECT_THAT(inst.opcode(), testing::AnyOf(spv::Op::OpName, spv::Op::OpMemberName));
  EXPECT_LT(stripped.words().size(), module.words().size());
  stripped.forEachInstruction(
      [](const Instruction &inst) { EXPECT_TRUE(inst.lineMarks().empty()); });
}

Certificate certificateWith(Dim3 size, std::array<bool, 3> uses) {
  Certificate certificate;
  certificate.authored.size = size;
  certificate.usesAxis = uses;
  return certificate;
}

TEST(CandidateSizes, AutoTakesPowersOfTwoOnTheAxesInUse) {
  CandidateSizes found = candidateSizes(certificateWith({64, 1, 1}, {true, false, false}), {}, 0);
  EXPECT_EQ(found.sizes.size(), 6u); // 16 to 1024 without 64
  for (const Dim3 &size : found.sizes) {
    EXPECT_EQ(size.y, 1u);
    EXPECT_NE(size.x, 64u);
    EXPECT_EQ(size.x & (size.x - 1), 0u);
  }
  EXPECT_EQ(found.sizes.front(), (Dim3{128, 1, 1}));
}

TEST(CandidateSizes, AllTakesMultiplesOfTheAuthoredSizeToo) {
  SizeRequest all{SizeRequest::Policy::All, {}};
  CandidateSizes found = candidateSizes(certificateWith({48, 1, 1}, {true, false, false}), all, 0);
  EXPECT_THAT(found.sizes, testing::Contains(Dim3{96, 1, 1}));
  EXPECT_THAT(found.sizes, testing::Contains(Dim3{1008, 1, 1}));
  EXPECT_THAT(found.sizes, testing::Contains(Dim3{1, 1, 1}));
  EXPECT_THAT(found.sizes, testing::Not(testing::Contains(Dim3{48, 1, 1})));
}

TEST(CandidateSizes, WhatIsLeftOutIsCounted) {
  CandidateSizes found = candidateSizes(certificateWith({16, 16, 1}, {true, true, false}), {}, 10);
  EXPECT_EQ(found.sizes.size(), 10u);
  EXPECT_EQ(found.dropped, 45u); // 56 sizes of 16 to 1024 without 16x16
}

TEST(CandidateSizes, RequestsAreRead) {
  ASSERT_TRUE(parseSizeRequest("auto"));
  Result<SizeRequest> list = parseSizeRequest("64x1x1,8x8");
  ASSERT_TRUE(list);
  EXPECT_EQ(list->list, (std::vector<Dim3>{{64, 1, 1}, {8, 8, 1}}));
  for (const char *bad : {"", "8x", "8x8,", ",8", "0x1", "8x8x8x8", "all,8", "-1", "8 x8"}) {
    Result<SizeRequest> refused = parseSizeRequest(bad);
    ASSERT_FALSE(refused) << bad;
    EXPECT_EQ(refused.diagnostic().kind, ErrorKind::Usage);
  }
}

} // namespace
