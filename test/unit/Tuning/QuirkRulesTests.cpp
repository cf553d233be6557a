//===- QuirkRulesTests.cpp - What faults of drivers forbid -------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/QuirkRules.h"

#include "TestSupport.h"
#include "Tuning/KnownDevice.h"
#include "Tuning/Search.h"
#include "Tuning/TuneSink.h"

#include "llvm/Support/raw_ostream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tailor;
using namespace tailor::test;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

/// A device with that driver; no driver of the kind is needed.
vulkan::DeviceInfo deviceOf(uint32_t vendorId, uint32_t driverId, const std::string &name,
                            uint32_t apiVersion = 0) {
  vulkan::DeviceInfo device;
  device.name = device.deviceName = name;
  device.vendorId = vendorId;
  device.driverId = driverId;
  device.apiVersion = apiVersion;
  device.limits.maxLocalSize = {1024, 1024, 64};
  device.limits.maxInvocations = 1024;
  device.limits.maxGroups = {65535, 65535, 65535};
  device.limits.maxSharedBytes = 32768;
  device.limits.maxPushConstantBytes = 128;
  return device;
}

vulkan::DeviceInfo mali(uint32_t version = apiVersion(1, 3, 0)) {
  return deviceOf(0x13b5, kDriverArm, "Mali-G710", version);
}

constexpr const char *kHead = "#version 450\n"
                              "#extension GL_EXT_shader_16bit_storage : enable\n"
                              "layout(local_size_x = SX, local_size_y = SY) in;\n"
                              "layout(binding = 0, std430) buffer Dst { uint dst[]; };\n";

std::string kernel(const std::string &body, const std::string &globals = "") {
  return kHead + globals + "void main() { uint i = gl_GlobalInvocationID.x; " + body + " }\n";
}

struct Selected {
  std::vector<std::string> in;
  std::string why; ///< of the variant that is out
};

/// Of a kernel of 64 invocations with a variant of 512, on a device. `edit`: of the facts.
Selected select(const std::string &source, const vulkan::DeviceInfo &device,
                const std::function<void(KernelInfo &)> &edit = {}) {
  Bundle bundle = bundleOf({source, {{64, 1, 1}, {512, 1, 1}}});
  KernelInfo &info = bundle.kernels[0];
  if (edit)
    edit(info);
  const Workload workload =
      workloadOf("{ \"schema\": 1, \"groups\": [64], \"bindings\": [{ \"binding\": 0, \"kind\": "
                 "\"storage_buffer\", \"bytes\": 65536, \"output\": true }] }");
  Result<std::vector<uint32_t>> words = wordsOf(bundle, info, info.variants[0]);
  EXPECT_TRUE(words);
  Result<Reflection> reflection = reflect(*words, "main", "k");
  Result<vulkan::KernelInstance> instance = instantiate(workload, workload.sizes[0]);
  EXPECT_TRUE(reflection && instance);
  const std::vector<const Quirk *> quirks = quirksOf(device);
  Result<Selection> selection = selectVariants(
      {bundle, info, *reflection, workload.sizes[0], *instance, device.limits, quirks});
  Selected result;
  EXPECT_TRUE(selection) << selection.diagnostic().text;
  if (!selection)
    return result;
  for (const SelectedVariant &each : selection->selected)
    result.in.push_back(info.variants[each.variant].id);
  for (const LeftOutVariant &each : selection->leftOut)
    result.why = each.why;
  return result;
}

const std::string kPlain = kernel("dst[i] = i;");

} // namespace

TEST(QuirkRules, WhatNoFaultHitsIsTried) {
  EXPECT_THAT(select(kPlain, mali()).in, ElementsAre("authored", "resize-512x1x1"));
  EXPECT_THAT(select(kPlain, deviceOf(0x10de, kDriverNvidia, "NVIDIA H200")).in,
              ElementsAre("authored", "resize-512x1x1"));
}

TEST(QuirkRules, WorkgroupsOverACapAreLeftOut) {
  vulkan::DeviceInfo old = deviceOf(0x8086, kDriverMoltenVk, "Intel UHD Graphics 630");
  old.driverVersion = 10015; // 1.0.15
  const Selected selected = select(kPlain, old);
  EXPECT_THAT(selected.in, ElementsAre("authored"));
  EXPECT_THAT(selected.why,
              AllOf(HasSubstr("a workgroup of 512 invocations is over 256"),
                    HasSubstr("moltenvk-intel-invocations: 1024 invocations are reported where "
                              "Metal allows 256"),
                    HasSubstr("https://github.com/KhronosGroup/MoltenVK/issues/198")));
  old.driverVersion = 10016; // mended
  EXPECT_THAT(select(kPlain, old).in, ElementsAre("authored", "resize-512x1x1"));
}

TEST(QuirkRules, KernelsThatUseWhatIsWrongStayAsAuthored) {
  auto atomics = [](KernelInfo &info) {
    AccessFact fact;
    fact.op = "atomic";
    fact.space = "workgroup";
    info.facts.accesses.push_back(fact);
  };
  EXPECT_THAT(select(kPlain, mali(), atomics).in, ElementsAre("authored"));
  EXPECT_THAT(select(kPlain, mali(), atomics).why,
              AllOf(HasSubstr("atomics on workgroup memory"), HasSubstr("mali-workgroup-atomics")));
  EXPECT_EQ(select(kPlain, deviceOf(0x10de, kDriverNvidia, "NVIDIA H200"), atomics).why, "");

  auto subgroups = [](KernelInfo &info) { info.facts.subgroupOps = {"OpGroupNonUniformIAdd"}; };
  const vulkan::DeviceInfo amd = deviceOf(0x1002, kDriverAmdProprietary, "AMD Radeon RX 6800 XT");
  EXPECT_THAT(select(kPlain, amd, subgroups).why,
              AllOf(HasSubstr("subgroup operations"), HasSubstr("crbug.com/508265321")));
  EXPECT_EQ(select(kPlain, amd).why, "");
}

TEST(QuirkRules, ModulesAreLookedAt) {
  const std::string zero =
      kernel("t[i % 64] = i; dst[i] = t[i % 64];", "#extension GL_EXT_null_initializer : enable\n"
                                                   "shared uint t[64] = {};\n");
  EXPECT_THAT(select(zero, mali()).why, HasSubstr("mali-zero-init"));
  const std::string shared = kernel("t[i % 64] = i; dst[i] = t[i % 64];", "shared uint t[64];\n");
  EXPECT_EQ(select(shared, mali()).why, "");

  // The length of an array is the host's; old drivers ignore what it says.
  const std::string length =
      kernel("t[i % N] = i; dst[i] = t[i % N];",
             "layout(constant_id = 3) const uint N = 64;\nshared uint t[N];\n");
  EXPECT_EQ(select(length, mali()).why, "");
  EXPECT_THAT(select(length, mali(apiVersion(1, 0, 60))).why, HasSubstr("mali-specialized-size"));
  EXPECT_EQ(select(kPlain, mali(apiVersion(1, 0, 60))).why, "");

  const std::string half =
      kernel("half16[i] = float16_t(1.0);",
             "layout(binding = 0, std430) buffer H { float16_t half16[]; };\n");
  EXPECT_THAT(select(half, mali(apiVersion(1, 0, 60))).why, HasSubstr("mali-storage16"));
  EXPECT_EQ(select(half, mali()).why, "");
}

TEST(QuirkRules, LengthsOfLargeBuffersAreNotTrusted) {
  const Quirk *large = nullptr;
  for (const Quirk &quirk : quirks())
    if (quirk.key == "nvidia-array-length")
      large = &quirk;
  ASSERT_TRUE(large);
  const Bundle bundle = bundleOf({kernel("if (i < dst.length()) dst[i] = i;"), {{64, 1, 1}}});
  const KernelInfo &info = bundle.kernels[0];
  vulkan::Candidate candidate;
  candidate.localSize = {64, 1, 1};
  candidate.words = *wordsOf(bundle, info, info.variants[0]);
  vulkan::KernelInstance instance;
  instance.resources.resize(1);
  instance.resources[0].kind = vulkan::ResourceKind::StorageBuffer;
  instance.resources[0].bytes = uint64_t{1} << 31;
  const std::vector<const Quirk *> list = {large};
  EXPECT_THAT(forbiddenBy(list, info, candidate, instance).value_or(""),
              HasSubstr("more than 2147483644 bytes"));
  instance.resources[0].bytes = 1 << 20;
  EXPECT_EQ(forbiddenBy(list, info, candidate, instance), std::nullopt);
  EXPECT_EQ(forbiddenBy({}, info, candidate, instance), std::nullopt);
}

TEST(QuirkRules, FaultsThatForbidNothingAreNotedOnce) {
  Diagnostics diags;
  std::string text;
  llvm::raw_string_ostream os(text);
  Progress progress(os, false);
  DirectSink sink(diags, progress, [](const TuneResult &) {});
  const std::vector<vulkan::DeviceInfo> devices = {
      deviceOf(0x5143, kDriverTurnip, "Turnip Adreno (TM) 702"), mali(),
      deviceOf(0x10de, kDriverNvidia, "NVIDIA H200")};
  sink.devices(devices);
  sink.devices(devices); // as when the driver's process was started again
  ASSERT_EQ(diags.all().size(), 1U) << textOf(diags);
  EXPECT_EQ(diags.all()[0].severity, Severity::Note);
  EXPECT_EQ(diags.all()[0].text,
            "Turnip Adreno (TM) 702 has the fault turnip-702: matrix products with few columns are "
            "wrong (verify_repeatedly; https://github.com/ggml-org/llama.cpp/issues/25906)");
  EXPECT_EQ(diags.exitCode(), 0);
}
