//===- unit/Devices/RecognizeTests.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Devices/Recognize.h"
#include "Devices/Words.h"

#include "gmock/gmock.h"

#include <set>

using namespace tailor;
using testing::ElementsAre;

/// What a driver says of a device, and what is to be made of it.
struct Known {
  uint32_t vendorId, deviceId, driverId;
  std::string_view name;
  std::string_view profile;      ///< empty: none
  std::string_view architecture; ///< empty: none
  std::string_view vendor;
  RecognizedBy by;
};

using By = RecognizedBy;

static const Known kKnown[] = {
    // NVIDIA's own driver, NVK, and Direct3D 12 under Vulkan
    {0x10de, 0x1f82, 4, "NVIDIA GeForce GTX 1650", "nvidia-gtx1650", "turing", "NVIDIA",
     By::DeviceId},
    {0x10de, 0x2184, 4, "NVIDIA GeForce GTX 1660", "nvidia-gtx1660", "turing", "NVIDIA",
     By::DeviceId},
    {0x10de, 0x2182, 4, "NVIDIA GeForce GTX 1660 Ti", "", "turing", "NVIDIA", By::ArchitectureId},
    {0x10de, 0x1f08, 4, "NVIDIA GeForce RTX 2060", "nvidia-rtx2060", "turing", "NVIDIA",
     By::DeviceId},
    {0x10de, 0x1f03, 4, "NVIDIA GeForce RTX 2060", "", "turing", "NVIDIA", By::ArchitectureId},
    {0x10de, 0x1e84, 4, "NVIDIA GeForce RTX 2070 SUPER", "", "turing", "NVIDIA",
     By::ArchitectureId},
    {0x10de, 0x1e07, 4, "NVIDIA GeForce RTX 2080 Ti", "nvidia-rtx2080ti", "turing", "NVIDIA",
     By::DeviceId},
    {0x10de, 0x1eb8, 4, "Tesla T4", "nvidia-t4", "turing", "NVIDIA", By::DeviceId},
    {0x10de, 0x2504, 4, "NVIDIA GeForce RTX 3060", "nvidia-rtx3060", "ampere86", "NVIDIA",
     By::DeviceId},
    {0x10de, 0x2520, 4, "NVIDIA GeForce RTX 3060 Laptop GPU", "", "ampere86", "NVIDIA",
     By::ArchitectureId},
    {0x10de, 0x2206, 4, "NVIDIA GeForce RTX 3080", "nvidia-rtx3080", "ampere86", "NVIDIA",
     By::DeviceId},
    {0x10de, 0x220a, 4, "NVIDIA GeForce RTX 3080", "", "ampere86", "NVIDIA", By::ArchitectureId},
    {0x10de, 0x2208, 4, "NVIDIA GeForce RTX 3080 Ti", "", "ampere86", "NVIDIA", By::ArchitectureId},
    {0x10de, 0x2204, 24, "NVIDIA GeForce RTX 3090 (NVK GA102)", "nvidia-rtx3090", "ampere86",
     "NVIDIA", By::DeviceId},
    {0, 0, 0, "NVIDIA GeForce RTX 3090 (NVK GA102)", "nvidia-rtx3090", "ampere86", "NVIDIA",
     By::Name},
    {0, 0, 0, "NVIDIA RTX A2000 (NVK GA106)", "", "ampere86", "NVIDIA", By::ArchitectureName},
    {0x10de, 0x20b0, 4, "NVIDIA A100-SXM4-40GB", "nvidia-a100", "ampere80", "NVIDIA", By::DeviceId},
    {0, 0, 4, "NVIDIA A100-SXM4-80GB", "nvidia-a100-80gb", "ampere80", "NVIDIA", By::Name},
    {0, 0, 4, "NVIDIA A100 80GB PCIe", "nvidia-a100-80gb-pcie", "ampere80", "NVIDIA", By::Name},
    {0x10de, 0x2236, 4, "NVIDIA A10", "nvidia-a10", "ampere86", "NVIDIA", By::DeviceId},
    {0x10de, 0x2237, 4, "NVIDIA A10G", "", "ampere86", "NVIDIA", By::ArchitectureId},
    {0x10de, 0x2882, 4, "NVIDIA GeForce RTX 4060", "nvidia-rtx4060", "ada", "NVIDIA", By::DeviceId},
    {0x10de, 0x2786, 4, "NVIDIA GeForce RTX 4070", "nvidia-rtx4070", "ada", "NVIDIA", By::DeviceId},
    {0x10de, 0x2684, 4, "NVIDIA GeForce RTX 4090", "nvidia-rtx4090", "ada", "NVIDIA", By::DeviceId},
    {0x10de, 0x2684, 23, "Microsoft Direct3D12 (NVIDIA GeForce RTX 4090)", "nvidia-rtx4090", "ada",
     "NVIDIA", By::DeviceId},
    {0x10de, 0x2717, 4, "NVIDIA GeForce RTX 4090 Laptop GPU", "", "ada", "NVIDIA",
     By::ArchitectureId},
    {0x10de, 0x27b8, 4, "NVIDIA L4", "nvidia-l4", "ada", "NVIDIA", By::DeviceId},
    {0x10de, 0x26b9, 4, "NVIDIA L40S", "nvidia-l40s", "ada", "NVIDIA", By::DeviceId},
    {0x10de, 0x2330, 4, "NVIDIA H100 80GB HBM3", "nvidia-h100-sxm", "hopper", "NVIDIA",
     By::DeviceId},
    {0, 0, 4, "NVIDIA H100 PCIe", "nvidia-h100-pcie", "hopper", "NVIDIA", By::Name},
    {0x10de, 0x2335, 4, "NVIDIA H200", "nvidia-h200", "hopper", "NVIDIA", By::DeviceId},
    {0x10de, 0x2901, 4, "NVIDIA B200", "nvidia-b200", "blackwell100", "NVIDIA", By::DeviceId},
    {0x10de, 0x2b85, 4, "NVIDIA GeForce RTX 5090", "nvidia-rtx5090", "blackwell120", "NVIDIA",
     By::DeviceId},
    {0x10de, 0x2d04, 4, "NVIDIA GeForce RTX 5060 Ti", "", "blackwell120", "NVIDIA",
     By::ArchitectureId},
    {0x10de, 0x1b80, 4, "NVIDIA GeForce GTX 1080", "", "", "NVIDIA", By::Vendor},
    // AMD's drivers and radv
    {0x1002, 0x67df, 3, "AMD Radeon RX 580 Series (RADV POLARIS10)", "amd-rx580", "gcn4", "AMD",
     By::Name},
    {0x1002, 0x67df, 3, "AMD Radeon RX 570 Series (RADV POLARIS10)", "", "gcn4", "AMD",
     By::ArchitectureId},
    {0x1002, 0x687f, 3, "AMD Radeon RX Vega (RADV VEGA10)", "", "gcn5", "AMD", By::ArchitectureId},
    {0x1002, 0x66af, 3, "AMD Radeon VII (RADV VEGA20)", "amd-radeon-vii", "gcn5", "AMD",
     By::DeviceId},
    {0x1002, 0x15d8, 3, "AMD Radeon Vega 8 Graphics (RADV RAVEN)", "", "gcn5", "AMD",
     By::ArchitectureId},
    {0x1002, 0x731f, 3, "AMD Radeon RX 5700 XT (RADV NAVI10)", "amd-rx5700xt", "rdna1", "AMD",
     By::Name},
    {0x1002, 0x731f, 1, "AMD Radeon RX 5700", "", "rdna1", "AMD", By::ArchitectureId},
    {0x1002, 0x73bf, 3, "AMD Radeon RX 6800 XT (RADV NAVI21)", "amd-rx6800xt", "rdna2", "AMD",
     By::Name},
    {0x1002, 0x73bf, 3, "AMD Radeon RX 6800 (RADV NAVI21)", "", "rdna2", "AMD", By::ArchitectureId},
    {0x1002, 0x73df, 1, "AMD Radeon RX 6700 XT", "amd-rx6700xt", "rdna2", "AMD", By::Name},
    {0x1002, 0x163f, 3, "AMD Custom GPU 0405 (RADV VANGOGH)", "amd-vangogh", "rdna2", "AMD",
     By::DeviceId},
    {0, 0, 3, "AMD RADV NAVI22 (ACO)", "", "rdna2", "AMD", By::ArchitectureName},
    {0x1002, 0x744c, 3, "AMD Radeon RX 7900 XTX (RADV NAVI31)", "amd-rx7900xtx", "rdna3", "AMD",
     By::Name},
    {0x1002, 0x744c, 3, "AMD Radeon RX 7900 XT (RADV NAVI31)", "", "rdna3", "AMD",
     By::ArchitectureId},
    {0x1002, 0x7480, 3, "AMD Radeon RX 7600 (RADV NAVI33)", "amd-rx7600", "rdna3", "AMD", By::Name},
    {0x1002, 0x15bf, 1, "AMD Radeon 780M Graphics", "amd-780m", "rdna3", "AMD", By::Name},
    {0x1002, 0x15bf, 3, "AMD Radeon Graphics (RADV PHOENIX)", "", "rdna3", "AMD",
     By::ArchitectureId},
    {0x1002, 0x150e, 3, "AMD Radeon 890M Graphics (RADV GFX1150)", "amd-890m", "rdna3", "AMD",
     By::Name},
    {0x1002, 0x1586, 1, "AMD Radeon(TM) 8060S Graphics", "amd-8060s", "rdna3", "AMD", By::Name},
    {0x1002, 0x7590, 3, "AMD Radeon RX 9060 XT (RADV GFX1200)", "amd-rx9060xt", "rdna4", "AMD",
     By::Name},
    {0x1002, 0x7550, 3, "AMD Radeon RX 9070 XT (RADV GFX1201)", "amd-rx9070xt", "rdna4", "AMD",
     By::Name},
    {0x1002, 0x738c, 3, "AMD Instinct MI100 (RADV MI100)", "amd-mi100", "cdna1", "AMD",
     By::DeviceId},
    {0x1002, 0x740f, 3, "AMD Instinct MI210 (RADV MI200)", "amd-mi210", "cdna2", "AMD",
     By::DeviceId},
    {0x1002, 0x740c, 3, "AMD Instinct MI250 (RADV MI200)", "", "cdna2", "AMD", By::ArchitectureId},
    {0x1002, 0x74a1, 2, "AMD Instinct MI300X", "amd-mi300x", "cdna3", "AMD", By::DeviceId},
    {0x1002, 0x73bf, 22, "Virtio-GPU Venus (AMD Radeon RX 6800 XT (RADV NAVI21))", "amd-rx6800xt",
     "rdna2", "AMD", By::Name},
    // Intel's driver for Windows and anv
    {0x8086, 0x1912, 6, "Intel(R) HD Graphics 530 (SKL GT2)", "intel-hd530", "gen9", "Intel",
     By::DeviceId},
    {0x8086, 0x5917, 5, "Intel(R) UHD Graphics 620", "intel-uhd620", "gen9", "Intel", By::DeviceId},
    {0x8086, 0x3e92, 6, "Intel(R) UHD Graphics 630 (CFL GT2)", "intel-uhd630", "gen9", "Intel",
     By::DeviceId},
    {0x8086, 0x9a49, 6, "Intel(R) Xe Graphics (TGL GT2)", "", "xe-lp", "Intel", By::ArchitectureId},
    {0, 0, 5, "Intel(R) Iris(R) Xe Graphics", "", "xe-lp", "Intel", By::ArchitectureName},
    {0x8086, 0x4680, 6, "Intel(R) UHD Graphics 770 (ADL-S GT1)", "intel-uhd770", "xe-lp", "Intel",
     By::DeviceId},
    {0x8086, 0x56a0, 6, "Intel(R) Arc(tm) A770 Graphics (DG2)", "intel-arc-a770", "xe-hpg", "Intel",
     By::DeviceId},
    {0, 0, 5, "Intel(R) Arc(TM) A770 Graphics", "intel-arc-a770", "xe-hpg", "Intel", By::Name},
    {0, 0, 5, "Intel(R) Arc(TM) A770M Graphics", "", "xe-hpg", "Intel", By::ArchitectureName},
    {0x8086, 0x7d55, 6, "Intel(R) Arc(tm) Graphics (MTL)", "", "xe-lpg", "Intel",
     By::ArchitectureId},
    {0x8086, 0x64a0, 5, "Intel(R) Arc(TM) 140V GPU (16GB)", "intel-arc-140v", "xe2", "Intel",
     By::Name},
    {0x8086, 0x64a0, 6, "Intel(R) Arc(tm) Graphics (LNL)", "", "xe2", "Intel", By::ArchitectureId},
    {0x8086, 0xe20b, 6, "Intel(R) Arc(tm) B580 Graphics (BMG G21)", "intel-arc-b580", "xe2",
     "Intel", By::DeviceId},
    // Apple's devices through MoltenVK and Honeykrisp
    {0x106b, 0, 14, "Apple M1", "apple-m1", "apple7", "Apple", By::Name},
    {0x106b, 0, 14, "Apple M1 Max", "apple-m1-max", "apple7", "Apple", By::Name},
    {0x106b, 0, 14, "Apple M1 Pro", "", "apple7", "Apple", By::ArchitectureName},
    {0x10005, 0, 26, "Apple M1 (G13G B1)", "apple-m1", "apple7", "Apple", By::Name},
    {0x106b, 0, 14, "Apple M2 Ultra", "", "apple8", "Apple", By::ArchitectureName},
    {0x106b, 0, 14, "Apple M3", "apple-m3", "apple9", "Apple", By::Name},
    {0x106b, 0, 14, "Apple M4", "apple-m4", "apple9", "Apple", By::Name},
    {0x106b, 0, 14, "Apple A14 GPU", "", "apple7", "Apple", By::ArchitectureName},
    // Arm's driver and PanVK
    {0x13b5, 0x74021000, 9, "Mali-G52 r1", "mali-g52", "bifrost", "Arm", By::Name},
    {0x13b5, 0x62210001, 9, "Mali-G72", "mali-g72", "bifrost", "Arm", By::Name},
    {0x13b5, 0x72110000, 9, "Mali-G76", "mali-g76", "bifrost", "Arm", By::Name},
    {0x13b5, 0x92020010, 9, "Mali-G78", "mali-g78", "valhall", "Arm", By::Name},
    {0x13b5, 0xa8670000, 20, "Mali-G610 MC4 (Panfrost)", "", "valhall", "Arm", By::ArchitectureId},
    {0x13b5, 0xa8620000, 9, "Mali-G710 MC10", "mali-g710", "valhall", "Arm", By::Name},
    {0x13b5, 0xb8a20000, 9, "Mali-G715-Immortalis MC11", "mali-g715", "valhall", "Arm", By::Name},
    {0x13b5, 0xc8700000, 9, "Mali-G720-Immortalis MC12", "immortalis-g720", "mali5", "Arm",
     By::Name},
    {0x13b5, 0x8800020, 9, "Mali-T880", "", "", "Arm", By::Vendor},
    // Qualcomm's driver and Turnip
    {0x5143, 0x6010801, 8, "Adreno (TM) 618", "adreno-618", "adreno6", "Qualcomm", By::Name},
    {0x5143, 0x6040001, 8, "Adreno (TM) 640", "adreno-640", "adreno6", "Qualcomm", By::DeviceId},
    {0x5143, 0x6050002, 18, "Turnip Adreno (TM) 650", "adreno-650", "adreno6", "Qualcomm",
     By::DeviceId},
    {0x5143, 0x6030001, 8, "Adreno (TM) 630", "", "adreno6", "Qualcomm", By::ArchitectureId},
    {0x5143, 0x43050a01, 8, "Adreno (TM) 740", "adreno-740", "adreno7", "Qualcomm", By::DeviceId},
    {0, 0, 18, "Adreno (TM) 750", "adreno-750", "adreno7", "Qualcomm", By::Name},
    {0, 0, 18, "Adreno X1-85", "", "adreno7", "Qualcomm", By::ArchitectureName},
    {0x5143, 0x44050001, 8, "Adreno (TM) 830", "adreno-830", "adreno8", "Qualcomm", By::Name},
    {0x5143, 0x44050a31, 8, "Adreno (TM) 840", "", "adreno8", "Qualcomm", By::ArchitectureId},
    // software
    {0x10005, 0, 13, "llvmpipe (LLVM 15.0.6, 256 bits)", "llvmpipe", "llvmpipe", "Mesa", By::Name},
    {0x10005, 0, 13, "llvmpipe (LLVM 17.0.6, 128 bits)", "", "llvmpipe", "Mesa",
     By::ArchitectureName},
    {0x1ae0, 0xc0de, 10, "SwiftShader Device (Subzero)", "swiftshader", "swiftshader", "Google",
     By::DeviceId},
    {0, 0, 0, "SwiftShader Device (LLVM 10.0.0)", "swiftshader", "swiftshader", "Google", By::Name},
    // makers of which there is nothing
    {0x1010, 0x1234, 7, "PowerVR D-Series DXT-48-1536 MC1", "", "", "Imagination", By::Vendor},
    {0x144d, 0x2600020, 21, "Samsung Xclipse 940", "", "", "Samsung", By::Vendor},
    {0x14e4, 0x42, 19, "V3D 7.1.7.0", "", "", "Broadcom", By::Vendor},
    {0xdead, 0xbeef, 0, "Mystery Accelerator 9000", "", "", "", By::Nothing},
    {0, 0, 0, "", "", "", "", By::Nothing},
};

TEST(Recognize, DevicesByWhatTheirDriversSay) {
  EXPECT_GE(std::size(kKnown), 60U);
  for (const Known &known : kKnown) {
    Recognition found = recognize({.vendorId = known.vendorId,
                                   .deviceId = known.deviceId,
                                   .driverId = known.driverId,
                                   .name = known.name});
    EXPECT_EQ(found.profile ? found.profile->key : "", known.profile) << known.name;
    EXPECT_EQ(found.architecture ? found.architecture->key : "", known.architecture) << known.name;
    EXPECT_EQ(found.vendor, known.vendor) << known.name;
    EXPECT_EQ(nameOf(found.by), nameOf(known.by)) << known.name;
  }
}

namespace {
struct IdRow {
  uint32_t vendorId, deviceId;
  std::string_view profile;
};
struct RangeRow {
  uint32_t vendorId, mask, id;
  std::string_view architecture;
};
struct SeriesRow {
  std::string_view words, vendor, architecture;
};
} // namespace

static constexpr IdRow kIds[] = {
#define TAILOR_DEVICE_ID(VENDOR_ID, DEVICE_ID, PROFILE) {VENDOR_ID, DEVICE_ID, PROFILE},
#include "Devices/Recognition.def"
};
static constexpr std::string_view kNamed[] = {
#define TAILOR_DEVICE_NAME(WORDS, PROFILE) PROFILE,
#include "Devices/Recognition.def"
};
static constexpr RangeRow kRanges[] = {
#define TAILOR_ARCHITECTURE_ID(VENDOR_ID, MASK, ID, ARCHITECTURE)                                  \
  {VENDOR_ID, MASK, ID, ARCHITECTURE},
#include "Devices/Recognition.def"
};
static constexpr SeriesRow kSeries[] = {
#define TAILOR_ARCHITECTURE_NAME(WORDS, VENDOR, ARCHITECTURE) {WORDS, VENDOR, ARCHITECTURE},
#include "Devices/Recognition.def"
};

TEST(Recognize, EveryProfileOfADeviceCanBeFound) {
  std::set<std::string_view> named(std::begin(kNamed), std::end(kNamed));
  for (const IdRow &row : kIds)
    named.insert(row.profile);
  for (const DeviceProfile &profile : deviceProfiles()) {
    // Iris Xe of 80 and of 96 EUs have one id and one name.
    if (profile.isMinimum || profile.key == "intel-iris-xe-96eu")
      continue;
    EXPECT_EQ(named.erase(profile.key), 1U) << profile.key << " has no id and no name";
  }
  named.erase("");
  EXPECT_THAT(named, testing::IsEmpty()) << "no profile goes by these";
}

TEST(Recognize, TablesNameWhatThereIs) {
  for (const RangeRow &row : kRanges) {
    EXPECT_TRUE(findArchitecture(row.architecture)) << row.architecture;
    EXPECT_EQ(row.id & ~row.mask, 0U) << "never matches: " << std::hex << row.id;
  }
  for (const SeriesRow &row : kSeries) {
    const DeviceProfile *architecture = findArchitecture(row.architecture);
    ASSERT_TRUE(architecture) << row.architecture;
    EXPECT_EQ(architecture->vendor, row.vendor) << row.words;
  }
  std::set<std::pair<uint32_t, uint32_t>> ids;
  for (const IdRow &row : kIds)
    EXPECT_TRUE(ids.emplace(row.vendorId, row.deviceId).second) << std::hex << row.deviceId;
}

TEST(Recognize, AnIdAndItsRangeAgree) {
  for (const IdRow &row : kIds) {
    if (row.profile == "swiftshader")
      continue;
    std::vector<std::string_view> found;
    for (const RangeRow &range : kRanges)
      if (range.vendorId == row.vendorId && (row.deviceId & range.mask) == range.id)
        found.push_back(range.architecture);
    ASSERT_EQ(found.size(), 1U) << std::hex << row.deviceId;
    if (!row.profile.empty()) {
      EXPECT_EQ((*findProfile(row.profile))->architectureKey, found[0]) << row.profile;
    }
  }
}

TEST(Recognize, LimitsThatContradictAProfileDropIt) {
  DeviceIdentity m1{.vendorId = 0x106b, .driverId = kDriverMoltenVk, .name = "Apple M1"};
  EXPECT_EQ(recognize(m1, {.subgroupSize = 32}).by, RecognizedBy::Name);
  Recognition found = recognize(m1, {.subgroupSize = 4});
  EXPECT_FALSE(found.profile);
  EXPECT_FALSE(found.architecture);
  EXPECT_EQ(found.vendor, "Apple");
  EXPECT_EQ(found.by, RecognizedBy::Vendor);
}

TEST(Recognize, ReportedLimitsComeBeforeTheTable) {
  DeviceIdentity navi{.vendorId = 0x1002, .deviceId = 0x73bf, .name = "AMD Radeon RX 6800 XT"};
  ReportedLimits limits{.subgroupSize = 64,
                        .subgroupMin = 32,
                        .subgroupMax = 64,
                        .maxInvocations = 1024,
                        .maxSharedBytes = 65536};
  DeviceProfile profile = profileFromLimits(recognize(navi), limits);
  EXPECT_EQ(profile.key, "amd-rx6800xt");
  EXPECT_EQ(profile.maxSharedBytes, 65536U) << "what radv allows, where the table has less";
  EXPECT_EQ(profile.subgroupMin, 32U);
  EXPECT_EQ(profile.unit.units, 72U);
}

TEST(Recognize, AnArchitectureFillsWhatLimitsDoNotTell) {
  DeviceIdentity a10g{.vendorId = 0x10de, .deviceId = 0x2237, .name = "NVIDIA A10G"};
  DeviceProfile profile = profileFromLimits(recognize(a10g), {.maxSharedBytes = 49152});
  EXPECT_EQ(profile.key, "generic");
  EXPECT_EQ(profile.architectureKey, "ampere86");
  EXPECT_EQ(profile.unit.invocations, 1536U);
  EXPECT_FALSE(profile.unit.units) << "how many it has is not the architecture's";
  EXPECT_FALSE(profile.source.empty());
}

TEST(Recognize, ADeviceNobodyHasHeardOfHasItsLimits) {
  ReportedLimits limits{.subgroupSize = 16,
                        .maxInvocations = 512,
                        .maxSize = {{512, 512, 64}},
                        .maxSharedBytes = 16384,
                        .maxGroups = 65535};
  DeviceProfile profile = profileFromLimits(recognize({.name = "Mystery 1"}), limits);
  EXPECT_EQ(profile.key, "generic");
  EXPECT_TRUE(profile.vendor.empty());
  EXPECT_EQ(profile.subgroupWidth(), 16U);
  EXPECT_EQ(profile.maxInvocations, 512U);
  EXPECT_EQ((*profile.maxSize)[2], 64U);
  EXPECT_EQ(profile.maxSharedBytes, 16384U);
  EXPECT_FALSE(profile.unit.invocations);
  EXPECT_FALSE(profile.source.empty());
}

TEST(Words, AreSmallAndWithoutSigns) {
  EXPECT_THAT(wordsOf("Intel(R) Arc(TM) A770 Graphics (DG2)"),
              ElementsAre("intel", "arc", "a770", "graphics", "dg2"));
  EXPECT_THAT(wordsOf("  Mali-G52 r1"), ElementsAre("mali", "g52", "r1"));
  EXPECT_THAT(wordsOf(""), ElementsAre());
}

TEST(Words, AreFoundInARow) {
  std::vector<std::string> words = wordsOf("NVIDIA GeForce RTX 3080 Ti");
  EXPECT_EQ(findWords(words, "rtx 3080"), 4U);
  EXPECT_EQ(findWords(words, "rtx 30?0"), 4U);
  EXPECT_EQ(findWords(words, "rtx 30?"), std::nullopt) << "words are whole";
  EXPECT_EQ(findWords(words, "geforce 3080"), std::nullopt);
  EXPECT_EQ(findWords(words, "ti super"), std::nullopt);
  EXPECT_EQ(findWords(words, ""), std::nullopt);
}
