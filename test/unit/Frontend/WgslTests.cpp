//===- unit/Frontend/WgslTests.cpp - WGSL in -------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Frontend/Frontend.h"
#include "Frontend/WgslLines.h"

#include "IR/Reader.h"
#include "Naga/Naga.h"
#include "Support/Dim3.h"
#include "Support/SpirvTools.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tailor {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class WgslInput : public testing::Test {
protected:
  void SetUp() override {
    if (!naga::isAvailable())
      GTEST_SKIP() << naga::whyUnavailable();
  }

  static Result<FrontendResult> load(const std::string &text, const FrontendOptions &options = {}) {
    Diagnostics diagnostics;
    return loadShaderFromMemory(text, "k.wgsl", options, diagnostics);
  }

  static Module moduleOf(const std::string &text, const FrontendOptions &options = {}) {
    Result<FrontendResult> loaded = load(text, options);
    if (!loaded) {
      ADD_FAILURE() << loaded.diagnostic().location.str() << ": " << loaded.diagnostic().text;
      return {};
    }
    EXPECT_EQ(loaded->kind, InputKind::Wgsl);
    Status valid = validateSpirv(loaded->words, "k.wgsl");
    EXPECT_TRUE(valid) << valid.diagnostic().text;
    Result<Module> module = readModule(loaded->words, ModuleSource{"k.wgsl", {}, true});
    if (!module) {
      ADD_FAILURE() << module.diagnostic().text;
      return {};
    }
    return std::move(*module);
  }

  static std::vector<std::string> placesOf(const Module &module, spv::Op op) {
    std::vector<std::string> places;
    module.forEachInstruction([&](const Instruction &inst) {
      if (inst.opcode() == op)
        places.push_back(module.locationOf(inst).str());
    });
    return places;
  }

  static size_t count(const Module &module, spv::Op op) { return placesOf(module, op).size(); }
};

constexpr const char *kLoop = R"(// a comment; with } and {
@group(0) @binding(0) var<storage, read_write> a: array<u32>;
/* another /* nested */ { */
struct Unused { x: u32, y: u32, }
fn helper(x: u32) -> u32 {
  return x * 5u;
}
@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  var sum = 0u;
  for (var i = 0u; i < 8u; i++) {
    if (i == 3u) { continue; }
    else if (i == 4u) {
      sum ^= 9u;
    } else { sum += helper(i); }
  }
  switch sum {
    case 1u, 2u: { sum = sum | 16u; }
    default: {}
  }
  loop {
    sum = sum - 3u;
    continuing {
      break if sum < 100u;
    }
  }
  a[id.x] = sum;
}
)";

TEST_F(WgslInput, KeepsLines) {
  Module module = moduleOf(kLoop);
  EXPECT_THAT(placesOf(module, spv::Op::OpIMul), ElementsAre("k.wgsl:6:3"));
  EXPECT_THAT(placesOf(module, spv::Op::OpBitwiseXor), ElementsAre("k.wgsl:14:7"));
  EXPECT_THAT(placesOf(module, spv::Op::OpFunctionCall), ElementsAre("k.wgsl:15:14"));
  EXPECT_THAT(placesOf(module, spv::Op::OpBitwiseOr), ElementsAre("k.wgsl:18:20"));
  EXPECT_THAT(placesOf(module, spv::Op::OpISub), ElementsAre("k.wgsl:22:5"));
  EXPECT_THAT(placesOf(module, spv::Op::OpSwitch), ElementsAre("k.wgsl:17:3"));
}

TEST_F(WgslInput, HasNoLoopCounters) {
  Module module = moduleOf(kLoop);
  EXPECT_EQ(count(module, spv::Op::OpAll), 0u);
  for (const Instruction &inst : module.section(Section::Debug))
    if (inst.opcode() == spv::Op::OpName) {
      EXPECT_EQ(inst.string(1).find("loop_bound"), std::string::npos) << inst.string(1);
    }
}

TEST_F(WgslInput, WithoutDebugInformationHasNoLines) {
  FrontendOptions options;
  options.debugInfo = false;
  Module module = moduleOf(kLoop, options);
  EXPECT_THAT(placesOf(module, spv::Op::OpISub), ElementsAre("k.wgsl"));
}

TEST_F(WgslInput, LinesChangeNothingElse) {
  FrontendOptions without;
  without.debugInfo = false;
  Module module = moduleOf(kLoop), plain = moduleOf(kLoop, without);
  module.clearLineMarks();
  InstructionList &debug = module.section(Section::Debug);
  for (auto at = debug.begin(); at != debug.end();) {
    Instruction &inst = *at++;
    if (inst.opcode() == spv::Op::OpString)
      module.erase(inst);
  }
  std::vector<uint32_t> words = module.words(), expected = plain.words();
  ASSERT_GT(words.size(), 4u);
  words[3] = expected[3]; // the id of the file name
  EXPECT_EQ(words, expected);
}

TEST_F(WgslInput, OverridesTakeDefaultsAndValues) {
  const std::string text =
      "@group(0) @binding(0) var<storage, read_write> a: array<u32>;\n"
      "@id(7) override size: u32 = 64u; // override\n"
      "override factor = 3u;\n"
      "@compute @workgroup_size(size, 2) fn main() { a[0] = a[1] * factor; }\n";
  auto sizeOf = [](const Module &module) {
    for (const Instruction &inst : module.section(Section::ExecutionModes))
      if (inst.opcode() == spv::Op::OpExecutionMode)
        return Dim3{inst.literal(2), inst.literal(3), inst.literal(4)}.str();
    return std::string();
  };
  EXPECT_EQ(sizeOf(moduleOf(text)), "64x2x1");
  FrontendOptions options;
  options.defines = {{"size", "16"}};
  EXPECT_EQ(sizeOf(moduleOf(text, options)), "16x2x1");
}

TEST_F(WgslInput, RefusesOverridesWithoutValue) {
  Result<FrontendResult> loaded =
      load("\noverride size: u32;\n@compute @workgroup_size(size) fn main() {}\n");
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.diagnostic().location.str(), "k.wgsl:2:1");
  EXPECT_THAT(loaded.diagnostic().text, HasSubstr("-D size=VALUE"));
  FrontendOptions options;
  options.defines = {{"size", "8"}};
  EXPECT_TRUE(load("override size: u32;\n@compute @workgroup_size(size) fn main() {}\n", options));
}

TEST_F(WgslInput, ReadsSubgroupOperations) {
  for (const char *head : {"enable subgroups;\n", "enable f16, subgroups;\n",
                           "enable subgroups, f16;\n", "enable subgroups; enable f16;\n"}) {
    const std::string text =
        std::string(head) +
        "@group(0) @binding(0) var<storage, read_write> a: array<u32>;\n"
        "@compute @workgroup_size(32)\n"
        "fn main(@builtin(local_invocation_index) l: u32) { a[l] = subgroupAdd(a[l]); }\n";
    FrontendOptions options;
    Diagnostics diagnostics;
    Result<FrontendResult> loaded = loadShaderFromMemory(text, "k.wgsl", options, diagnostics);
    ASSERT_TRUE(loaded) << head << loaded.diagnostic().text;
    // SPIR-V of Vulkan 1.0 has none of them.
    if (std::string_view(head).find("f16") == std::string_view::npos) {
      EXPECT_EQ(moduleOf(text).version(), 0x10300U);
    }
  }
  EXPECT_EQ(moduleOf("@group(0) @binding(0) var<storage, read_write> a: array<u32>;\n"
                     "@compute @workgroup_size(32) fn main() { a[0] = 1u; }\n")
                .version(),
            0x10000U);
}

TEST_F(WgslInput, HalfFloatsWantNoMoreOfADeviceThanTheyNeed) {
  using enum spv::Capability;
  // The module is valid without what was dropped, says moduleOf.
  auto capabilitiesOf = [](const std::string &text) {
    Module module = moduleOf("enable f16;\n" + text);
    std::vector<spv::Capability> found;
    for (const Instruction &inst : module.section(Section::Capabilities))
      found.push_back(static_cast<spv::Capability>(inst.literal(0)));
    return found;
  };
  const std::string body = "@compute @workgroup_size(8)\n"
                           "fn main(@builtin(local_invocation_index) l: u32) { ";
  const std::string words = "@group(0) @binding(0) var<storage, read_write> a: array<u32>;\n";
  EXPECT_THAT(capabilitiesOf(words + "var<workgroup> w: array<f16, 8>;\n" + body +
                             "w[l] = f16(l); a[l] = u32(w[l] * 2h); }\n"),
              ElementsAre(Shader, Float16));
  EXPECT_THAT(capabilitiesOf("struct S { n: u32, h: vec4<f16> }\n"
                             "@group(0) @binding(0) var<storage, read_write> a: array<S>;\n" +
                             body + "a[l].h.x += 1h; }\n"),
              ElementsAre(Shader, Float16, StorageBuffer16BitAccess));
  EXPECT_THAT(
      capabilitiesOf(words + "@group(0) @binding(1) var<uniform> u: vec2<f16>;\n" + body +
                     "a[l] = u32(u.y); }\n"),
      ElementsAre(Shader, Float16, StorageBuffer16BitAccess, UniformAndStorageBuffer16BitAccess));
}

TEST_F(WgslInput, RefusesMacros) {
  FrontendOptions options;
  options.defines = {{"TILE", "8"}};
  Result<FrontendResult> loaded = load("@compute @workgroup_size(1) fn main() {}\n", options);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.diagnostic().kind, ErrorKind::Usage);
  EXPECT_THAT(loaded.diagnostic().text, HasSubstr("'TILE'"));
}

TEST_F(WgslInput, SaysWhatIsWrongAndWhere) {
  Result<FrontendResult> loaded =
      load("override n: u32 = 4u;\n@compute @workgroup_size(n)\nfn main() {\n  let x = y;\n}\n");
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.diagnostic().location.str(), "k.wgsl:4:11");
}

TEST_F(WgslInput, AllInvocationsClearWorkgroupMemory) {
  // 100 elements of 32 invocations: three rounds, and four elements left.
  Module module = moduleOf("@group(0) @binding(0) var<storage, read_write> a: array<u32>;\n"
                           "var<workgroup> s: array<array<u32, 10>, 10>;\n"
                           "var<workgroup> n: u32;\n"
                           "@compute @workgroup_size(8, 4)\n"
                           "fn main(@builtin(local_invocation_index) l: u32) {\n"
                           "  s[l / 10u][l % 10u] = l; n = 1u; workgroupBarrier();\n"
                           "  a[l] = s[9][9] + n;\n}\n");
  size_t whole = 0, elements = 0;
  module.forEachInstruction([&](const Instruction &inst) {
    if (inst.opcode() != spv::Op::OpStore)
      return;
    const Instruction *value = module.def(inst.id(1));
    if (value && value->opcode() == spv::Op::OpConstantNull)
      (module.def(inst.id(0))->opcode() == spv::Op::OpVariable ? whole : elements) += 1;
  });
  EXPECT_EQ(whole, 1u); // n
  EXPECT_EQ(elements, 4u);
}

TEST_F(WgslInput, ReadsAnyText) {
  for (const char *text :
       {"fn", "fn main() {", "}", "{{{{", "/*", "/* /* */", "override", "override x",
        "@id(1) override x;", "fn f() { if ; else }", "fn f(a: array<u32, (4>) {}",
        "fn f() { switch 1 { case 1 { } default { } } }", "\xff\xfe\xfd"}) {
    FrontendOptions options;
    options.kind = InputKind::Wgsl;
    Result<FrontendResult> loaded = load(text, options);
    if (!loaded) {
      EXPECT_FALSE(loaded.diagnostic().text.empty()) << text;
    }
    static_cast<void>(markStatements(text));
  }
}

} // namespace
} // namespace tailor
