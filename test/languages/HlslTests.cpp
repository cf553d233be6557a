//===- languages/HlslTests.cpp - HLSL by glslang, FXC and DXC --------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every text of the suite:
//   glslang  compiles it to SPIR-V, which is validated and run on Vulkan
//   FXC      compiles it where its shader model is 5.0 or 5.1; vkd3d-compiler takes
//            the code back to SPIR-V, which is run on Vulkan
//   DXC      compiles and validates it, at the text's model, 6.0 at least
//
// No text is executed by Direct3D itself.
//
//===----------------------------------------------------------------------===//
#include "LanguageCases.h"
#include "hlsl/HlslConsumers.h"

#include "Backends/Emitters.h"

#include "gmock/gmock.h"

#include <cctype>
#include <map>

namespace tailor::languages {
namespace {

/// A case that vkd3d-compiler 1.2 cannot take back; FXC compiles it all the same.
struct Vkd3dFault {
  std::string_view kernel;
  std::string_view reason;
};
constexpr Vkd3dFault kVkd3dFaults[] = {
    {"particles", "shader model 5.1 numbers resources by range, which vkd3d's names do not show"},
};

std::string_view faultOf(const LanguageCase &made) {
  for (const Vkd3dFault &fault : kVkd3dFaults)
    if (fault.kernel == made.problem->kernel)
      return fault.reason;
  return "";
}

class HlslSuite : public testing::TestWithParam<std::string> {
protected:
  void SetUp() override {
    // Both tests of a kernel take the same cases, which take long to make.
    static std::map<std::string, std::vector<LanguageCase>> known;
    auto [at, isNew] = known.try_emplace(GetParam());
    if (isNew) {
      Result<std::vector<LanguageCase>> made = casesOf(GetParam(), "hlsl");
      ASSERT_TRUE(bool(made)) << textOf(made.diagnostic());
      at->second = std::move(*made);
    }
    cases = at->second;
    ASSERT_FALSE(cases.empty());
    for (const LanguageCase &each : cases)
      EXPECT_EQ(each.refusal, "") << each.name();
  }

  std::vector<LanguageCase> cases;
};

TEST_P(HlslSuite, RunsThroughGlslang) {
  for (const LanguageCase &made : cases) {
    EXPECT_EQ(sizeInHlsl(made.text), made.variant.localSize) << made.name();
    EXPECT_EQ(runByGlslang(made), "") << made.name() << "\n" << made.text;
  }
}

TEST_P(HlslSuite, CompilesWithFxcAndDxcAndRuns) {
  if (const std::string what = missingCompilers(); !what.empty()) {
    missing(what);
    return;
  }
  std::vector<HlslJob> jobs;
  std::vector<const LanguageCase *> of;
  for (const LanguageCase &made : cases) {
    jobs.push_back(jobForDxc(made));
    of.push_back(&made);
    if (!isForFxc(made.interface))
      continue;
    jobs.push_back(jobForFxc(made));
    of.push_back(&made);
  }
  Result<std::vector<HlslOutcome>> outcomes = compileAll(jobs);
  ASSERT_TRUE(bool(outcomes)) << textOf(outcomes.diagnostic());
  for (size_t at = 0; at < jobs.size(); ++at) {
    const LanguageCase &made = *of[at];
    const HlslOutcome &outcome = (*outcomes)[at];
    SCOPED_TRACE(jobs[at].compiler + " " + made.name());
    EXPECT_TRUE(outcome.compiled) << outcome.messages << "\n" << made.text;
    if (outcome.compiled && jobs[at].compiler == "fxc" && faultOf(made).empty()) {
      EXPECT_EQ(runDxbc(made, outcome.code), "") << made.text;
    }
  }
}

std::string nameOfTest(const testing::TestParamInfo<std::string> &info) {
  std::string name = info.param.substr(0, info.param.find('.'));
  for (char &each : name)
    each = std::isalnum(static_cast<unsigned char>(each)) ? each : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, HlslSuite, testing::ValuesIn(suiteKernels()), nameOfTest);

//===----------------------------------------------------------------------===//
// Whether the checks would see a fault
//===----------------------------------------------------------------------===//

/// `from` once, as `to`.
LanguageCase changed(LanguageCase made, const std::string &from, const std::string &to) {
  const size_t at = made.text.find(from);
  EXPECT_NE(at, std::string::npos) << from << " in\n" << made.text;
  if (at != std::string::npos)
    made.text.replace(at, from.size(), to);
  return made;
}

LanguageCase saxpy() {
  Result<std::vector<LanguageCase>> cases = casesOf("saxpy.comp", "hlsl");
  EXPECT_TRUE(bool(cases));
  return cases ? cases->front() : LanguageCase();
}

TEST(HlslChecks, ABrokenTextIsRefusedByEach) {
  const LanguageCase made = changed(saxpy(), "void comp_main()", "void comp_main(");
  EXPECT_NE(runByGlslang(made), "");
  if (const std::string what = missingCompilers(); !what.empty()) {
    missing(what);
    return;
  }
  const LanguageCase right = saxpy();
  Result<std::vector<HlslOutcome>> outcomes =
      compileAll({jobForFxc(made), jobForDxc(made), jobForFxc(right), jobForDxc(right)});
  ASSERT_TRUE(bool(outcomes)) << textOf(outcomes.diagnostic());
  EXPECT_FALSE((*outcomes)[0].compiled);
  EXPECT_THAT((*outcomes)[0].messages, testing::HasSubstr("error X3000"));
  EXPECT_FALSE((*outcomes)[1].compiled);
  EXPECT_THAT((*outcomes)[1].messages, testing::HasSubstr("error:"));
  EXPECT_TRUE((*outcomes)[2].compiled);
  EXPECT_TRUE((*outcomes)[3].compiled);
  std::string torn = (*outcomes)[2].code;
  torn.resize(torn.size() / 2);
  EXPECT_NE(runDxbc(right, torn), "");
}

TEST(HlslChecks, AWrongTextOrInterfaceIsSeen) {
  const LanguageCase right = saxpy();
  ASSERT_EQ(runByGlslang(right), "");
  const LanguageCase wrong = changed(right, "* 4 + 0))", "* 4 + 4))");
  LanguageCase misplaced = right;
  ASSERT_FALSE(misplaced.interface.values.empty());
  misplaced.interface.values.clear();
  EXPECT_THAT(runByGlslang(wrong), testing::HasSubstr("elements differ"));
  EXPECT_THAT(runByGlslang(misplaced), testing::HasSubstr("the interface names nothing at b"));
  if (const std::string what = missingCompilers(); !what.empty()) {
    missing(what);
    return;
  }
  Result<std::vector<HlslOutcome>> outcomes = compileAll({jobForFxc(wrong), jobForFxc(right)});
  ASSERT_TRUE(bool(outcomes)) << textOf(outcomes.diagnostic());
  EXPECT_THAT(runDxbc(wrong, (*outcomes)[0].code), testing::HasSubstr("elements differ"));
  EXPECT_THAT(runDxbc(misplaced, (*outcomes)[1].code),
              testing::HasSubstr("the interface names nothing at b"));
}

} // namespace
} // namespace tailor::languages
