//===- languages/gl/GlContextTests.cpp - The runner finds faults -----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GlRunner.h"

#include "gmock/gmock.h"

using testing::HasSubstr;

namespace tailor::languages {
namespace {

class GlRunnerTest : public testing::TestWithParam<GlApi> {
protected:
  void SetUp() override {
    const bool isEs = GetParam() == GlApi::Es;
    Result<std::unique_ptr<EglContext>> made =
        isEs ? EglContext::create(GlApi::Es, 3, 1) : EglContext::create(GlApi::Desktop, 4, 3);
    if (!made)
      missing("a context of EGL's surfaceless platform");
    else
      context = std::move(*made);
    head = isEs ? "#version 310 es\n" : "#version 430\n";
  }

  /// doubled[i] = source[i] * 2 + k, in 2 groups of 4.
  LanguageCase doubling() const {
    auto problem = std::make_shared<KernelProblem>();
    problem->kernel = "doubling";
    for (uint32_t binding : {0u, 1u}) {
      vulkan::ResourceDesc desc;
      desc.binding = binding;
      desc.bytes = 32;
      desc.fill = binding == 0 ? vulkan::InitialFill::Bytes : vulkan::InitialFill::Poison;
      desc.output = binding == 1;
      for (uint32_t value = 0; binding == 0 && value < 32; ++value)
        desc.initial.push_back(static_cast<std::byte>(value % 4 == 0 ? value / 4 : 0));
      problem->instance.resources.push_back(desc);
    }
    vulkan::OutputData expected{1, std::vector<std::byte>(32)};
    for (size_t value = 0; value < 8; ++value)
      expected.bytes[value * 4] = static_cast<std::byte>(value * 2 + 5);
    problem->expected.outputs.push_back(expected);
    problem->rules.push_back(vulkan::CompareRule::exact());
    LanguageCase made;
    made.problem = problem;
    made.target = "glsl";
    made.variant.id = "authored";
    made.variant.localSize = {4, 1, 1};
    made.groups = {2, 1, 1};
    made.pushConstants = {std::byte{5}, std::byte{0}, std::byte{0}, std::byte{0}};
    made.text = head + "layout(local_size_x = 4) in;\n"
                       "layout(binding = 2, std430) readonly buffer Source { uint source[]; };\n"
                       "layout(binding = 3, std430) buffer Doubled { uint doubled[]; };\n"
                       "layout(binding = 1, std140) uniform PushConstants { uint k; };\n"
                       "void main() {\n"
                       "  uint i = gl_GlobalInvocationID.x;\n"
                       "  doubled[i] = source[i] * 2u + k;\n"
                       "}\n";
    made.interface = {"main",
                      "430",
                      {{"storage_buffer", "Source", 0, 0, 1, false, {{"binding", 2}}},
                       {"storage_buffer", "Doubled", 0, 1, 1, true, {{"binding", 3}}}},
                      {{"push_constants", "uniform_buffer", "PushConstants", 16, {{"binding", 1}}}},
                      {}};
    return made;
  }

  std::string faultOf(const LanguageCase &made) {
    Result<std::vector<std::vector<std::byte>>> outputs = runCase(*context, made);
    return outputs ? differences(made, *outputs) : outputs.diagnostic().text;
  }

  std::unique_ptr<EglContext> context;
  std::string head;
};

void replace(std::string &text, const std::string &from, const std::string &to) {
  const size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, from.size(), to);
}

TEST_P(GlRunnerTest, RunsWhatIsRight) {
  if (!context)
    return;
  EXPECT_EQ(faultOf(doubling()), "");
}

TEST_P(GlRunnerTest, FindsEveryFault) {
  if (!context)
    return;
  LanguageCase wrongText = doubling();
  replace(wrongText.text, "* 2u", "* 3u");
  EXPECT_THAT(faultOf(wrongText), HasSubstr("7 of 32 elements differ"));

  LanguageCase noText = doubling();
  replace(noText.text, "* 2u", "* two");
  EXPECT_THAT(faultOf(noText), HasSubstr("the text does not compile"));

  LanguageCase size = doubling();
  size.variant.localSize = {8, 1, 1};
  EXPECT_THAT(faultOf(size), HasSubstr("the program has the workgroup size 4x1x1"));

  LanguageCase place = doubling();
  place.interface.resources[0].place = {{"binding", 0}};
  EXPECT_EQ(faultOf(place), "the block Source is at 2, the interface says 0");

  LanguageCase bytes = doubling();
  bytes.interface.values[0].bytes = 2;
  EXPECT_THAT(faultOf(bytes), HasSubstr("bytes, the interface says 2"));

  LanguageCase few = doubling();
  few.interface.values.clear();
  EXPECT_EQ(faultOf(few), "the program and the interface have not as many blocks");

  LanguageCase groups = doubling();
  groups.groups = {100000, 1, 1};
  EXPECT_THAT(faultOf(groups), HasSubstr("the implementation reports"));
}

INSTANTIATE_TEST_SUITE_P(Apis, GlRunnerTest, testing::Values(GlApi::Desktop, GlApi::Es),
                         [](const auto &each) {
                           return each.param == GlApi::Es ? "Es" : "Desktop";
                         });

} // namespace
} // namespace tailor::languages
