//===- unit/Vulkan/LimitsTest.cpp - Tests of the checks before the driver ===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestDevices.h"

#include "shaders/copy_r32f_Words.h"
#include "shaders/nothingWords.h"
#include "shaders/saxpyWords.h"
#include "shaders/unguardedWords.h"

using namespace tailor;
using namespace tailor::vulkan;
using namespace tailor::vulkan::test;

namespace {

DeviceLimits smallLimits() {
  DeviceLimits limits;
  limits.maxLocalSize = {256, 256, 64};
  limits.maxInvocations = 256;
  limits.maxGroups = {65535, 65535, 65535};
  limits.maxSharedBytes = 32768;
  limits.maxPushConstantBytes = 128;
  limits.subgroupSize = limits.minSubgroupSize = limits.maxSubgroupSize = 4;
  return limits;
}

std::vector<std::string> faultsOf(const Candidate &candidate, size_t pushConstantBytes = 0) {
  Diagnostics diags;
  checkLimits(candidate, pushConstantBytes, smallLimits(), diags);
  std::vector<std::string> texts;
  for (const Diagnostic &d : diags.all())
    texts.push_back(d.text);
  return texts;
}

Candidate sized(Dim3 localSize, Dim3 groups = {}) {
  return candidateOf("x", {}, groups, localSize);
}

TEST(Limits, InvocationsAndAxes) {
  EXPECT_THAT(faultsOf(sized({256, 1, 1})), ::testing::IsEmpty());
  EXPECT_THAT(faultsOf(sized({8, 8, 8})),
              ::testing::ElementsAre("workgroup has 512 invocations, the device allows 256"));
  EXPECT_THAT(
      faultsOf(sized({1, 1, 128})),
      ::testing::ElementsAre("workgroup has 128 invocations along z, the device allows 64"));
  EXPECT_THAT(faultsOf(sized({0, 1, 1})),
              ::testing::ElementsAre("workgroup has no invocations along x"));
}

TEST(Limits, GroupCountsAreNotInvocations) {
  // 65,535 groups of 256 are fine: the count is of groups.
  EXPECT_THAT(faultsOf(sized({256, 1, 1}, {65535, 1, 1})), ::testing::IsEmpty());
  EXPECT_THAT(
      faultsOf(sized({1, 1, 1}, {1, 65536, 1})),
      ::testing::ElementsAre("dispatch has 65536 workgroups along y, the device allows 65535"));
  EXPECT_THAT(faultsOf(sized({1, 1, 1}, {1, 1, 0})),
              ::testing::ElementsAre("dispatch has no workgroups along z"));
}

TEST(Limits, SharedMemoryPushConstantsAndSubgroups) {
  Candidate candidate = sized({1, 1, 1});
  candidate.sharedBytes = 40000;
  candidate.requiredPushConstantBytes = 16;
  candidate.requiredSubgroupSize = 32;
  EXPECT_THAT(
      faultsOf(candidate, 12),
      ::testing::ElementsAre("workgroup memory takes 40000 bytes, the device allows 32768",
                             "the module reads 16 bytes of push constants, but 12 are given",
                             "the candidate needs subgroups of 32 invocations, the device has 4 to "
                             "4"));
  EXPECT_THAT(faultsOf(sized({1, 1, 1}), 132),
              ::testing::ElementsAre("push constants take 132 bytes, the device allows 128"));
}

TEST(Limits, SubgroupsOfAWorkgroup) {
  Candidate candidate = sized({128, 1, 1});
  candidate.requiredSubgroupSize = 4;
  DeviceLimits limits = smallLimits();
  for (uint32_t most : {0U, 32U, 31U}) {
    limits.maxWorkgroupSubgroups = most;
    Diagnostics diags;
    checkLimits(candidate, 0, limits, diags);
    EXPECT_EQ(diags.hasErrors(), most == 31) << most;
  }
}

class Preparing : public OnDevice {
protected:
  Diagnostic refusalOf(Runner &runner, const Candidate &candidate) {
    auto prepared = runner.prepare(candidate);
    EXPECT_FALSE(bool(prepared));
    return prepared ? Diagnostic{} : prepared.diagnostic();
  }
  std::string prefix(const std::string &name) const {
    return "candidate '" + name + "' cannot run on '" + info().name + "': ";
  }
};
TAILOR_ON_EVERY_DEVICE(Preparing);

TEST_P(Preparing, OverTheLimitNeverReachesTheDriver) {
  auto runner = runnerOf({});
  uint32_t over = info().limits.maxInvocations * 2;
  Candidate candidate = candidateOf("big", nothingWords, {1, 1, 1}, {8, over / 8, 1});
  Diagnostic d = refusalOf(*runner, candidate);
  EXPECT_EQ(d.kind, ErrorKind::Refused);
  EXPECT_THAT(d.text, ::testing::StartsWith(prefix("big") + "workgroup has "));
  // TearDown sees that the validation layer was not asked either.
}

TEST_P(Preparing, RefusesWhatIsNoModule) {
  auto runner = runnerOf({});
  std::vector<uint32_t> words(std::begin(nothingWords), std::end(nothingWords));
  Candidate candidate = candidateOf("bad", words, {1, 1, 1}, {8, 8, 1});
  candidate.words[0] ^= 1;
  EXPECT_EQ(refusalOf(*runner, candidate).text,
            prefix("bad") + "the module does not start with a SPIR-V header");
  candidate.words = words;
  candidate.words.resize(words.size() - 1); // cut inside the last but one instruction or behind it
  candidate.words.push_back(0x00050000);
  EXPECT_EQ(refusalOf(*runner, candidate).text,
            prefix("bad") + "an instruction of the module has an impossible length");
  candidate.words = words;
  candidate.entryPoint = "other";
  EXPECT_EQ(refusalOf(*runner, candidate).text,
            prefix("bad") + "the module has no compute entry point named 'other'");
  candidate.entryPoint = "main";
  candidate.words[1] = 0x00010900;
  EXPECT_THAT(refusalOf(*runner, candidate).text, ::testing::HasSubstr("the module is SPIR-V 1.9"));
  candidate.words = words;
  candidate.words[6] = 6999; // the operand of the first OpCapability
  EXPECT_EQ(refusalOf(*runner, candidate).text,
            prefix("bad") +
                "the module declares capability 6999, which the runner does not enable");
}

TEST_P(Preparing, RefusesABindingThatIsMissingOrOfAnotherKind) {
  auto empty = runnerOf({});
  Candidate candidate = candidateOf("b", unguardedWords, {1, 1, 1}, {16, 1, 1});
  EXPECT_EQ(refusalOf(*empty, candidate).text,
            prefix("b") + "the module uses set 0 binding 0, which the workload does not bind");
  ResourceDesc uniform = bufferAt(0, 64);
  uniform.kind = ResourceKind::UniformBuffer;
  auto other = runnerOf({{uniform}, {}});
  EXPECT_EQ(refusalOf(*other, candidate).text,
            prefix("b") + "set 0 binding 0 is a uniform_buffer, the module wants a storage_buffer");
}

TEST_P(Preparing, RefusesAnImageOfAnotherFormatOrDimension) {
  auto imageAt = [](uint32_t binding, std::string format, ImageDim dim) {
    ResourceDesc desc;
    desc.binding = binding;
    desc.kind = ResourceKind::StorageImage;
    desc.format = std::move(format);
    desc.dim = dim;
    desc.extent = {4, 4, 1};
    return desc;
  };
  auto runner =
      runnerOf({{imageAt(0, "r32ui", ImageDim::D2), imageAt(1, "r32f", ImageDim::D2Array)}, {}});
  Diagnostic d = refusalOf(*runner, candidateOf("i", copy_r32f_Words, {1, 1, 1}, {4, 4, 1}));
  EXPECT_EQ(d.text, prefix("i") + "set 0 binding 0 has the format r32ui, the module wants r32f");
  ASSERT_EQ(d.notes.size(), 1U);
  EXPECT_EQ(d.notes[0].text,
            "set 0 binding 1 is a 2d_array image, the module wants another dimension");
}

TEST_P(Preparing, RefusesAWorkloadWithFaultsAtItsPlace) {
  auto made = Runner::create(device, {{bufferAt(0, 0)}, {}}, Location::at("w.json", 7, 3));
  ASSERT_FALSE(bool(made));
  EXPECT_EQ(made.diagnostic().location.str(), "w.json:7:3");
  EXPECT_EQ(made.diagnostic().kind, ErrorKind::Refused);
}

TEST_P(Preparing, RefusesABufferOverTheDevicesRange) {
  if (info().limits.maxUniformBufferBytes >= UINT32_MAX)
    GTEST_SKIP() << "uniform buffers of any size are allowed here";
  ResourceDesc uniform = bufferAt(0, info().limits.maxUniformBufferBytes + 1);
  uniform.kind = ResourceKind::UniformBuffer;
  auto made = Runner::create(device, {{uniform}, {}});
  ASSERT_FALSE(bool(made));
  EXPECT_EQ(made.diagnostic().kind, ErrorKind::Environment);
  EXPECT_THAT(made.diagnostic().text,
              ::testing::HasSubstr(" bytes, device '" + info().name + "' allows "));
}

} // namespace
