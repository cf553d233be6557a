//===- Passes/PassesTest.cpp - The manager, the registry, and id rewrites -===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "IR/Reader.h"
#include "Support/SpirvTools.h"
#include "passes/PassManager.h"
#include "passes/Pipelines.h"
#include "passes/Resize.h"

#include "llvm/Support/raw_ostream.h"

#include "spirv-tools/libspirv.hpp"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tailor;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

namespace {

Module assemble(const std::string &text) {
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_3);
  std::string messages;
  tools.SetMessageConsumer(
      [&](spv_message_level_t, const char *, const spv_position_t &position, const char *message) {
        messages += std::to_string(position.line) + ": " + message + "\n";
      });
  std::vector<uint32_t> words;
  EXPECT_TRUE(tools.Assemble(text, &words)) << messages;
  Result<Module> module = readModule(words, "test.spv");
  EXPECT_TRUE(bool(module));
  return module ? std::move(*module) : Module();
}

std::string disassemble(const Module &module) {
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_3);
  std::string text;
  EXPECT_TRUE(tools.Disassemble(module.words(), &text,
                                SPV_BINARY_TO_TEXT_OPTION_NO_HEADER |
                                    SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES));
  return text;
}

/// A kernel over WorkgroupId, LocalInvocationId and LocalInvocationIndex of the integer type
/// `sign` (0 unsigned, 1 signed), with `body` in its only block.
std::string kernel(const std::string &body, const std::string &size = "4 1 1", int sign = 0) {
  return R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %group %local %index
OpExecutionMode %main LocalSize )" +
         size + R"(
OpName %main "main"
OpName %group "group"
OpName %local "local"
OpName %index "index"
OpName %r "r"
)" + (body.find("%use") == std::string::npos ? "" : "OpName %use \"use\"\n") +
         R"(OpDecorate %group BuiltIn WorkgroupId
OpDecorate %local BuiltIn LocalInvocationId
OpDecorate %index BuiltIn LocalInvocationIndex
%void = OpTypeVoid
%fn = OpTypeFunction %void
%int = OpTypeInt 32 )" +
         std::to_string(sign) + R"(
%v3 = OpTypeVector %int 3
%pv3 = OpTypePointer Input %v3
%pint = OpTypePointer Input %int
%zero = OpConstant %int 0
%one = OpConstant %int 1
%group = OpVariable %pv3 Input
%local = OpVariable %pv3 Input
%index = OpVariable %pint Input
%main = OpFunction %void None %fn
%label = OpLabel
)" + body +
         R"(
OpReturn
OpFunctionEnd
)";
}

/// Something that needs all of %r.
std::string useOf(const std::string &type) { return "\n%use = OpCopyObject " + type + " %r"; }

/// Resizes with a certificate that says that ids have to be rewritten.
std::string resized(const std::string &text, const Dim3 &size) {
  Module module = assemble(text);
  Result<EntryPoint> entry = findComputeEntryPoint(module, "");
  EXPECT_TRUE(bool(entry));
  Result<WorkgroupSize> authored = readWorkgroupSize(module, *entry);
  EXPECT_TRUE(bool(authored));
  Certificate certificate;
  certificate.entryPoint = "main";
  certificate.authored = *authored;
  certificate.rewrite.needed = true;
  Resize::Options options;
  options.size = size;
  options.certificate = &certificate;
  PassManager manager(
      {.verifyInput = true, .verifyEach = true, .targetEnv = "vulkan1.1", .dumpPrefix = ""});
  manager.add(std::make_unique<Resize>(options));
  Diagnostics diagnostics;
  PassContext context{diagnostics, llvm::nulls(), {}, ""};
  Result<Change> change = manager.run(module, context);
  if (!change)
    return "refused: " + change.diagnostic().location.str() + ": " + change.diagnostic().text;
  return disassemble(module);
}

/// A pass that does what a test wants.
class Scripted final : public Pass {
public:
  using Action = Result<Change> (*)(Module &);
  Scripted(Action action, PassKind kind, PropertySet established = {}, PropertySet preserved = {})
      : action(action), data{"scripted", "", kind, {}, established, preserved, {}, nullptr, ""} {}
  const PassInfo &info() const override { return data; }
  Result<Change> run(Module &module, PassContext &) override { return action(module); }

private:
  Action action;
  PassInfo data;
};

Result<Change> runScripted(Scripted::Action action, PassKind kind = PassKind::Transform,
                           PropertySet established = {}, PropertySet preserved = {}) {
  Module module = assemble(kernel("%r = OpLoad %v3 %group"));
  PassManager manager({.verifyInput = true, .verifyEach = true, .targetEnv = "", .dumpPrefix = ""});
  manager.add(std::make_unique<Scripted>(action, kind, established, preserved));
  Diagnostics diagnostics;
  PassContext context{diagnostics, llvm::nulls(), {}, ""};
  return manager.run(module, context);
}

std::string blameOf(const Result<Change> &result) {
  if (result)
    return "no failure";
  EXPECT_EQ(result.diagnostic().kind, ErrorKind::Internal);
  return result.diagnostic().text;
}

} // namespace

TEST(PassManager, FindsAPassThatLiesAboutItsChange) {
  EXPECT_EQ(blameOf(runScripted([](Module &) -> Result<Change> { return Change::Changed; })),
            "the pass 'scripted' says 'changed' and left every byte as it was");
  EXPECT_EQ(blameOf(runScripted([](Module &module) -> Result<Change> {
              module.erase(Section::Debug, module.section(Section::Debug).front());
              return Change::Unchanged;
            })),
            "the pass 'scripted' says 'unchanged' and changed the module");
  EXPECT_THAT(blameOf(runScripted([](Module &) -> Result<Change> { return Change::Changed; },
                                  PassKind::Print)),
              HasSubstr("which no print pass may"));
}

TEST(PassManager, NamesThePassThatLeftAnInvalidModule) {
  EXPECT_THAT(blameOf(runScripted([](Module &module) -> Result<Change> {
                InstructionList &modes = module.section(Section::ExecutionModes);
                module.append(Section::ExecutionModes, Instruction(modes.front()));
                module.erase(Section::EntryPoints, module.section(Section::EntryPoints).front());
                return Change::Changed;
              })),
              HasSubstr("the pass 'scripted' left an invalid module: "));
}

TEST(PassManager, ChecksPropertiesThatAPassPromises) {
  auto unname = [](Module &module) -> Result<Change> {
    module.erase(Section::Debug, module.section(Section::Debug).front());
    return Change::Changed;
  };
  EXPECT_TRUE(bool(runScripted(unname, PassKind::Transform, Property::CanonicalSize)));
  auto unsize = [](Module &module) -> Result<Change> {
    InstructionList &modes = module.section(Section::ExecutionModes);
    module.append(Section::ExecutionModes, Instruction(modes.front()));
    return Change::Changed;
  };
  EXPECT_THAT(blameOf(runScripted(unsize, PassKind::Transform, {}, Property::CanonicalSize)),
              testing::AnyOf(HasSubstr("'canonical-size', which it preserves"),
                             HasSubstr("left an invalid module")));
}

TEST(PassRegistry, RefusesNamesThatAreTakenOrOdd) {
  PassRegistry registry;
  PassInfo info = Resize::passInfo();
  EXPECT_FALSE(bool(registry.add(info)));
  info.flag = "release";
  EXPECT_FALSE(bool(registry.add(info)));
  info.flag = "Odd";
  EXPECT_FALSE(bool(registry.add(info)));
  info.flag = "another-resize";
  EXPECT_TRUE(bool(registry.add(info)));
  ASSERT_NE(registry.find("another-resize"), nullptr);
}

TEST(PassRegistry, IsAlphabeticalAndDocumented) {
  PassRegistry registry;
  std::string page = passDocumentation(registry), last;
  for (const PassInfo &info : registry.all()) {
    EXPECT_LT(last, info.flag);
    last = info.flag;
    EXPECT_THAT(page, HasSubstr("\n## `" + last + "`\n"));
    EXPECT_THAT(std::string(info.documentation), HasSubstr("ot handled")) << last;
  }
}

TEST(Pipelines, EveryNamedPipelineParses) {
  PassRegistry registry;
  for (const NamedPipeline &pipeline : namedPipelines()) {
    PassManager manager;
    EXPECT_TRUE(bool(parsePipeline(pipeline.name, "--passes", registry, manager))) << pipeline.name;
    EXPECT_FALSE(manager.list().empty());
  }
}

TEST(AuthoredIds, WholeVectors) {
  // The local id is (global id.x, 0, 0), the group (0, global id.y, global id.z).
  std::string text = resized(kernel("%r = OpLoad %v3 %local" + useOf("%v3")), {2, 1, 1});
  EXPECT_THAT(text, HasSubstr("LocalSize 2 1 1"));
  EXPECT_THAT(text, HasSubstr("BuiltIn GlobalInvocationId"));
  EXPECT_THAT(text, ContainsRegex("(%[0-9]+) = OpLoad %v3uint %gl_GlobalInvocationID\n"
                                  " *(%[0-9]+) = OpCompositeExtract %uint %[0-9]+ 0\n"
                                  " *(%[0-9]+) = OpCompositeConstruct %v3uint %[0-9]+ %uint_0 "
                                  "%uint_0\n *%use = OpCopyObject %v3uint %[0-9]+\n"));
  text = resized(kernel("%r = OpLoad %v3 %group" + useOf("%v3")), {2, 1, 1});
  EXPECT_THAT(text, ContainsRegex("OpCompositeExtract %uint %[0-9]+ 1\n"
                                  ".*OpCompositeExtract %uint %[0-9]+ 2\n"
                                  ".*OpCompositeConstruct %v3uint %uint_0 %[0-9]+ %[0-9]+\n"));
}

TEST(AuthoredIds, AVectorThatIsKnownIsAConstant) {
  std::string text = resized(kernel("%r = OpLoad %v3 %local" + useOf("%v3"), "1 1 1"), {2, 1, 1});
  EXPECT_THAT(text, ContainsRegex("OpConstantComposite %v3uint %uint_0 %uint_0 %uint_0\n"));
  EXPECT_THAT(text, Not(HasSubstr("OpLoad")));
  EXPECT_THAT(text, Not(HasSubstr("GlobalInvocationID")));
}

TEST(AuthoredIds, ComponentsThatNothingSeesAreNotComputed) {
  std::string body = "%r = OpLoad %v3 %group\n%use = OpCompositeExtract %int %r 2";
  std::string text = resized(kernel(body), {2, 1, 1});
  EXPECT_THAT(text, ContainsRegex("OpCompositeConstruct %v3uint %uint_0 %uint_0 %[0-9]+\n"));
  // Of two vectors: components 1 of the first and 2 of the second.
  body = "%r = OpLoad %v3 %group\n%s = OpLoad %v3 %local\n"
         "%use = OpVectorShuffle %v3 %r %s 1 4294967295 5";
  text = resized(kernel(body, "4 4 4"), {2, 1, 1});
  EXPECT_THAT(text, ContainsRegex("OpConstantComposite %v3uint %uint_0 %uint_0 %uint_0\n"));
  EXPECT_THAT(text, ContainsRegex("OpCompositeConstruct %v3uint %uint_0 %uint_0 %[0-9]+\n"));
  text = resized(kernel("%r = OpLoad %v3 %group"), {2, 1, 1});
  EXPECT_THAT(text, Not(HasSubstr("OpLoad")));
}

TEST(AuthoredIds, SignedVectors) {
  std::string text =
      resized(kernel("%r = OpLoad %v3 %local" + useOf("%v3"), "4 4 4", 1), {2, 1, 1});
  EXPECT_THAT(text, HasSubstr("OpLoad %v3uint %gl_GlobalInvocationID"));
  EXPECT_THAT(text, ContainsRegex("OpBitcast %int %[0-9]+\n"));
  EXPECT_THAT(text, ContainsRegex("OpCompositeConstruct %v3int %[0-9]+ %[0-9]+ %[0-9]+\n"));
  text = resized(kernel("%r = OpLoad %v3 %local" + useOf("%v3"), "1 1 1", 1), {2, 1, 1});
  EXPECT_THAT(text, HasSubstr("OpConstantComposite %v3int %int_0 %int_0 %int_0\n"));
}

TEST(AuthoredIds, ComponentsByLiteralIndex) {
  std::string chain = "%p = OpAccessChain %pint %local %zero\n%r = OpLoad %int %p";
  std::string text = resized(kernel(chain + useOf("%int")), {2, 1, 1});
  EXPECT_THAT(text, ContainsRegex("OpCompositeExtract %uint %[0-9]+ 0\n *%use = OpCopyObject"));
  EXPECT_THAT(text, Not(HasSubstr("OpAccessChain")));
  chain = "%p = OpInBoundsAccessChain %pint %local %one\n%r = OpLoad %int %p";
  text = resized(kernel(chain + useOf("%int")), {2, 1, 1});
  EXPECT_THAT(text, HasSubstr("%use = OpCopyObject %uint %uint_0"));
  text = resized(kernel(chain + useOf("%int"), "4 2 1", 1), {2, 1, 1});
  EXPECT_THAT(text, ContainsRegex("OpBitcast %int %[0-9]+\n *%use = OpCopyObject"));
}

TEST(AuthoredIds, ComponentsByAnIndexThatIsNotKnown) {
  std::string chain = "%at = OpIAdd %int %zero %one\n%p = OpAccessChain %pint %local %at\n"
                      "%r = OpLoad %int %p";
  std::string text = resized(kernel(chain + useOf("%int")), {2, 1, 1});
  // The choice stays where the index is there.
  EXPECT_THAT(text, ContainsRegex("OpIAdd %uint %[a-z0-9_]+ %[a-z0-9_]+\n"
                                  " *%[0-9]+ = OpVectorExtractDynamic %uint"));
  // A specialization constant is chosen by the host.
  text = kernel("%p = OpAccessChain %pint %local %spec\n%r = OpLoad %int %p" + useOf("%int"));
  text.insert(text.find("%zero ="), "%spec = OpSpecConstant %int 0\n");
  text.insert(text.find("%void ="), "OpDecorate %spec SpecId 3\n");
  EXPECT_THAT(resized(text, {2, 1, 1}), HasSubstr("OpVectorExtractDynamic %uint"));
}

TEST(AuthoredIds, TheIndexIsComputedFromTheAuthoredSize) {
  std::string text = resized(kernel("%r = OpLoad %int %index" + useOf("%int"), "5 2 3"), {2, 1, 1});
  EXPECT_THAT(text, ContainsRegex("OpIMul %uint %[0-9]+ %uint_5\n"));
  EXPECT_THAT(text, ContainsRegex("OpIMul %uint %[0-9]+ %uint_10\n"));
  text = resized(kernel("%r = OpLoad %int %index" + useOf("%int"), "4 2 3"), {2, 1, 1});
  EXPECT_THAT(text, ContainsRegex("OpShiftLeftLogical %uint %[0-9]+ %uint_2\n"));
  EXPECT_THAT(text, ContainsRegex("OpShiftLeftLogical %uint %[0-9]+ %uint_3\n"));
  text = resized(kernel("%r = OpLoad %int %index" + useOf("%int"), "1 1 1"), {2, 1, 1});
  EXPECT_THAT(text, HasSubstr("%use = OpCopyObject %uint %uint_0"));
}

TEST(AuthoredIds, TheInterfaceFollows) {
  std::string text = resized(kernel("%r = OpLoad %v3 %local" + useOf("%v3")), {2, 1, 1});
  // All three ids are no longer read; the global id is.
  EXPECT_THAT(text, HasSubstr("\"main\" %gl_GlobalInvocationID\n"));
  text = resized(kernel("%r = OpLoad %v3 %local"), {2, 1, 1});
  EXPECT_THAT(text, HasSubstr("\"main\"\n"));
}

TEST(AuthoredIds, EveryUseFollows) {
  // Across blocks, in a phi and through a call: the values stand at the head of the function.
  std::string body = R"(%r = OpLoad %v3 %local
OpBranch %next
%next = OpLabel
%x = OpCompositeExtract %int %r 0
%less = OpSLessThan %bool %x %one
OpSelectionMerge %join None
OpBranchConditional %less %then %join
%then = OpLabel
%p = OpAccessChain %pint %local %zero
%y = OpLoad %int %p
OpBranch %join
%join = OpLabel
%use = OpPhi %int %x %next %y %then)";
  std::string text = kernel(body);
  text.insert(text.find("%zero ="), "%bool = OpTypeBool\n");
  text = resized(text, {2, 1, 1});
  EXPECT_THAT(text, ContainsRegex("%use = OpPhi %uint %[0-9a-z]+ %[0-9]+ %[0-9]+ %[0-9]+\n"));
  EXPECT_THAT(text, Not(HasSubstr("LocalInvocationID")));
}

TEST(AuthoredIds, ValuesStandBehindTheVariablesOfAFunction) {
  std::string text = kernel("%va = OpVariable %pf Function\n%vb = OpVariable %pf Function\n"
                            "%r = OpLoad %int %index\nOpStore %vb %r");
  text.insert(text.find("%zero ="), "%pf = OpTypePointer Function %int\n");
  EXPECT_THAT(resized(text, {2, 1, 1}),
              ContainsRegex("OpVariable[^\n]*\n[^\n]*OpVariable[^\n]*\n *%[0-9]+ = OpLoad"));
}

TEST(AuthoredIds, ADescriptorIndexStaysNonUniform) {
  std::string text = kernel("%r = OpLoad %int %index" + useOf("%int"));
  text.insert(0, "OpCapability ShaderNonUniform\n");
  text.insert(text.find("OpMemoryModel"), "OpExtension \"SPV_EXT_descriptor_indexing\"\n");
  text.insert(text.find("%void ="), "OpDecorate %r NonUniform\nOpDecorate %r RelaxedPrecision\n");
  std::string made = resized(text, {2, 1, 1});
  EXPECT_THAT(made, ContainsRegex("OpDecorate %[0-9]+ NonUniform\n"));
  EXPECT_THAT(made, Not(HasSubstr("RelaxedPrecision")));
  // Not on a constant.
  text.replace(text.find("LocalSize 4 1 1"), 15, "LocalSize 1 1 1");
  EXPECT_THAT(resized(text, {2, 1, 1}), Not(HasSubstr("OpDecorate %uint_0 NonUniform")));
}

TEST(AuthoredIds, OtherUsesAreRefusedWhereTheyStand) {
  std::string copy = "%pf = OpTypePointer Function %v3\n";
  std::string text = kernel("%var = OpVariable %pf Function\nOpCopyMemory %var %local\n"
                            "%r = OpLoad %v3 %var");
  text.insert(text.find("%zero ="), copy);
  EXPECT_THAT(resized(text, {2, 1, 1}),
              testing::AllOf(HasSubstr("refused: test.spv:word "),
                             HasSubstr("'local' is used by OpCopyMemory, so its reads cannot be")));
}

TEST(Resize, RefusesWithTheCertificatesDiagnostic) {
  Module module = assemble(kernel("%r = OpLoad %v3 %local"));
  Certificate certificate;
  certificate.entryPoint = "main";
  certificate.authored = {{4, 1, 1}, SizeSpelling::LocalSize, false};
  certificate.verdict(Technique::Resize).refusal =
      Diagnostic::error(Location::at("k.comp", 3), "because");
  Diagnostics diagnostics;
  PassContext context{diagnostics, llvm::nulls(), {}, ""};
  std::vector<uint32_t> before = module.words();
  Result<Change> change = Resize({{8, 1, 1}, "", &certificate}).run(module, context);
  ASSERT_FALSE(bool(change));
  EXPECT_EQ(change.diagnostic().text, "because");
  EXPECT_EQ(module.words(), before);
  // A certificate of another size is no proof.
  certificate.verdict(Technique::Resize).refusal.reset();
  certificate.authored.size = {16, 1, 1};
  change = Resize({{8, 1, 1}, "", &certificate}).run(module, context);
  ASSERT_FALSE(bool(change));
  EXPECT_EQ(change.diagnostic().kind, ErrorKind::Internal);
}
