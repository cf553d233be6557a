//===- Passes/PackGroupsTest.cpp - pack-groups, and copies of workgroup memory ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/PackGroups.h"

#include "IR/Reader.h"
#include "Support/SpirvTools.h"
#include "passes/WorkgroupCopies.h"

#include "llvm/Support/raw_ostream.h"

#include "spirv-tools/libspirv.hpp"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tailor;
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
  EXPECT_TRUE(bool(module)) << (module ? "" : module.diagnostic().text);
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

/// A kernel of size 4x1x1 with `globals` and `body`, `more` entry points and functions.
std::string kernel(const std::string &globals, const std::string &body,
                   const std::string &functions = "", const std::string &entries = "",
                   const std::string &decorations = "", const std::string &capabilities = "") {
  return "OpCapability Shader\n" + capabilities + R"(
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %index
)" + entries +
         R"(OpExecutionMode %main LocalSize 4 1 1
OpName %main "main"
OpName %tile "tile"
OpName %index "index"
)" + decorations +
         R"(OpDecorate %index BuiltIn LocalInvocationIndex
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%v3 = OpTypeVector %float 3
%pin = OpTypePointer Input %uint
%index = OpVariable %pin Input
%n0 = OpConstant %uint 0
%n3 = OpConstant %uint 3
%n5 = OpConstant %uint 5
%pu = OpTypePointer Workgroup %uint
%four = OpTypeArray %uint %n5
%pfour = OpTypePointer Workgroup %four
)" + globals +
         functions + R"(%main = OpFunction %void None %fn
%label = OpLabel
)" + body +
         R"(OpReturn
OpFunctionEnd
)";
}
const std::string kTile = "%tile = OpVariable %pfour Workgroup\n";
const std::string kStore = "%at = OpAccessChain %pu %tile %n3\nOpStore %at %n0\n";

EntryPoint mainOf(const Module &module) { return *findComputeEntryPoint(module, "main"); }

/// Copies in which invocation i works in copy i mod 3; the message of a failure.
std::string copyError(Module &module, uint32_t copies = 3) {
  std::vector<uint32_t> before = module.words();
  Status copied = copyWorkgroupMemory(module, mainOf(module), copies, [](IdEmitter &emit) {
    return emit.umod(emit.physical(spv::BuiltIn::LocalInvocationIndex, 0), emit.constant(3));
  });
  if (copied) {
    Status valid = validateSpirv(module.words(), "test.spv");
    EXPECT_TRUE(bool(valid)) << valid.diagnostic().text << disassemble(module);
    return "";
  }
  EXPECT_EQ(module.words(), before) << "unchanged after a failure";
  return copied.diagnostic().text;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

TEST(WorkgroupCopies, TheCopyGoesInFrontOfTheIndices) {
  Module module = assemble(kernel(kTile, kStore));
  EXPECT_EQ(copyError(module), "");
  std::string text = disassemble(module);
  EXPECT_THAT(text,
              HasSubstr("%tile = OpVariable %_ptr_Workgroup__arr__arr_uint_uint_5_uint_3_0 "));
  EXPECT_THAT(text, HasSubstr("OpUMod"));
  EXPECT_THAT(text, HasSubstr("OpAccessChain %_ptr_Workgroup_uint %tile %"));
  // T itself is as it was.
  EXPECT_THAT(text, HasSubstr("%_arr_uint_uint_5 = OpTypeArray %uint %uint_5"));
}

TEST(WorkgroupCopies, OneCopyAndNoMemoryChangeNothing) {
  Module one = assemble(kernel(kTile, kStore));
  std::vector<uint32_t> before = one.words();
  EXPECT_EQ(copyError(one, 1), "");
  EXPECT_EQ(one.words(), before);
  Module none = assemble(kernel(kTile, ""));
  before = none.words();
  EXPECT_EQ(copyError(none), ""); // declared, and used by nothing
  EXPECT_EQ(none.words(), before);
}

TEST(WorkgroupCopies, VariablesOfOthersStay) {
  Module module =
      assemble(kernel(kTile + "%other = OpVariable %pfour Workgroup\n", kStore,
                      R"(%b = OpFunction %void None %fn
%bl = OpLabel
%bp = OpAccessChain %pu %other %n0
OpStore %bp %n0
OpReturn
OpFunctionEnd
)",
                      "OpEntryPoint GLCompute %b \"b\"\nOpExecutionMode %b LocalSize 4 1 1\n",
                      "OpName %other \"other\"\n"));
  EXPECT_EQ(copyError(module), "");
  EXPECT_THAT(disassemble(module), HasSubstr("%other = OpVariable %_ptr_Workgroup__arr_uint_uint_5 "
                                             "Workgroup"));
}

TEST(WorkgroupCopies, SharedWithAnotherEntryPoint) {
  const std::string other = "OpEntryPoint GLCompute %b \"b\"\nOpExecutionMode %b LocalSize 4 1 1\n";
  Module variable = assemble(kernel(kTile, kStore, R"(%b = OpFunction %void None %fn
%bl = OpLabel
%bp = OpAccessChain %pu %tile %n0
OpReturn
OpFunctionEnd
)",
                                    other));
  EXPECT_THAT(copyError(variable), HasSubstr("'tile' is also used outside of what entry point "
                                             "'main' reaches"));
  const std::string shared = R"(%f = OpFunction %void None %fn
%fl = OpLabel
%fp = OpAccessChain %pu %tile %n0
OpReturn
OpFunctionEnd
)";
  Module function = assemble(kernel(kTile, "%c = OpFunctionCall %void %f\n", shared + R"(
%b = OpFunction %void None %fn
%bl = OpLabel
%bc = OpFunctionCall %void %f
OpReturn
OpFunctionEnd
)",
                                    other, "OpName %f \"f\"\n"));
  EXPECT_THAT(copyError(function), HasSubstr("is also used outside of"));
  Module dead = assemble(kernel(kTile, kStore, shared)); // called by nobody
  EXPECT_THAT(copyError(dead), HasSubstr("'tile' is also used outside of"));
}

TEST(WorkgroupCopies, ParametersBecomeArrays) {
  const std::string callee = R"(%pfn = OpTypeFunction %void %pfour %uint
%f = OpFunction %void None %pfn
%fa = OpFunctionParameter %pfour
%fb = OpFunctionParameter %uint
%fl = OpLabel
%fp = OpAccessChain %pu %fa %fb
OpStore %fp %fb
OpReturn
OpFunctionEnd
)";
  Module module = assemble(kernel(kTile, "%c = OpFunctionCall %void %f %tile %n3\n", callee));
  EXPECT_EQ(copyError(module), "");
  std::string text = disassemble(module);
  EXPECT_THAT(text,
              HasSubstr("OpFunctionParameter %_ptr_Workgroup__arr__arr_uint_uint_5_uint_3_0"));
  EXPECT_THAT(text, HasSubstr("OpFunctionCall %void"));
  EXPECT_THAT(text, HasSubstr(" %tile %uint_3\n")); // the variable itself is passed on
}

TEST(WorkgroupCopies, ParametersThatMayBeAnyPointerStay) {
  const std::string callee = R"(%pfn = OpTypeFunction %void %pu
%f = OpFunction %void None %pfn
%fa = OpFunctionParameter %pu
%fl = OpLabel
OpStore %fa %n0
OpReturn
OpFunctionEnd
)";
  Module module =
      assemble(kernel(kTile + "%one = OpVariable %pu Workgroup\n",
                      "%at = OpAccessChain %pu %tile %n3\n"
                      "%c = OpFunctionCall %void %f %at\n"
                      "%d = OpFunctionCall %void %f %one\n",
                      callee, "", "OpName %one \"one\"\n", "OpCapability VariablePointers\n"));
  EXPECT_EQ(copyError(module), "");
  std::string text = disassemble(module);
  EXPECT_THAT(text, HasSubstr("OpFunctionParameter %_ptr_Workgroup_uint\n"));
  EXPECT_THAT(text, Not(HasSubstr(" %one\n"))); // but a pointer into its copy
}

TEST(WorkgroupCopies, AddressesInOtherVariables) {
  Module module = assemble(kernel(kTile + "%pp = OpTypePointer Private %pfour\n"
                                          "%held = OpVariable %pp Private %tile\n",
                                  kStore, "", "", "", "OpCapability VariablePointers\n"));
  EXPECT_THAT(copyError(module), HasSubstr("the address of 'tile' is stored in another variable"));
}

TEST(WorkgroupCopies, InitialisersOtherThanNull) {
  Module module = assemble(kernel("%c = OpConstantComposite %four %n0 %n0 %n0 %n0 %n3\n"
                                  "%tile = OpVariable %pfour Workgroup %c\n",
                                  kStore));
  EXPECT_THAT(copyError(module), HasSubstr("the initialiser of 'tile' is not null"));
}

const std::string kBlockCapability = "OpCapability WorkgroupMemoryExplicitLayoutKHR\n"
                                     "OpExtension \"SPV_KHR_workgroup_memory_explicit_layout\"\n";
const std::string kBlockDecorations =
    "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"
    "OpDecorate %row ArrayStride 4\n";

TEST(WorkgroupCopies, BlocksOfASizeThatIsNotKnown) {
  Module module =
      assemble(kernel("%spec = OpSpecConstant %uint 8\n%row = OpTypeArray %uint %spec\n"
                      "%block = OpTypeStruct %row\n"
                      "%pb = OpTypePointer Workgroup %block\n"
                      "%tile = OpVariable %pb Workgroup\n",
                      "%at = OpAccessChain %pu %tile %n0 %n3\nOpStore %at %n0\n", "", "",
                      kBlockDecorations + "OpDecorate %spec SpecId 1\n", kBlockCapability));
  EXPECT_THAT(copyError(module), HasSubstr("is no number of the module"));
}

TEST(WorkgroupCopies, BlocksThatAreCopiedAsWholes) {
  Module module =
      assemble(kernel("%row = OpTypeArray %uint %n5\n%block = OpTypeStruct %row\n"
                      "%pb = OpTypePointer Workgroup %block\n"
                      "%tile = OpVariable %pb Workgroup\n"
                      "%two = OpVariable %pb Workgroup\n",
                      "OpCopyMemory %tile %two\n", "", "", kBlockDecorations, kBlockCapability));
  EXPECT_THAT(copyError(module),
              HasSubstr("'tile' is a block of workgroup memory and used by OpCopyMemory"));
}

TEST(WorkgroupCopies, Bytes) {
  // Declared in this order: a vec3 (12 bytes, 16 apart), five uints, a uint that nobody uses.
  Module module = assemble(kernel("%pv = OpTypePointer Workgroup %v3\n"
                                  "%v = OpVariable %pv Workgroup\n" +
                                      kTile + "%unused = OpVariable %pu Workgroup\n",
                                  kStore + "%l = OpLoad %v3 %v\n"));
  EXPECT_EQ(bytesOfWorkgroupCopies(module, mainOf(module), 1), 12u + 20u);
  EXPECT_EQ(bytesOfWorkgroupCopies(module, mainOf(module), 3), 3u * 16u + 3u * 20u);

  Module spec = assemble(kernel("%n = OpSpecConstant %uint 8\n%row = OpTypeArray %uint %n\n"
                                "%pr = OpTypePointer Workgroup %row\n"
                                "%tile = OpVariable %pr Workgroup\n",
                                kStore, "", "", "OpDecorate %n SpecId 1\n"));
  EXPECT_EQ(bytesOfWorkgroupCopies(spec, mainOf(spec), 2), 64u);
  EXPECT_EQ(bytesOfWorkgroupCopies(spec, mainOf(spec), 2, {{1, 100}}), 800u);

  Module block = assemble(kernel("%row = OpTypeArray %uint %n5\n%block = OpTypeStruct %row\n"
                                 "%pb = OpTypePointer Workgroup %block\n"
                                 "%tile = OpVariable %pb Workgroup\n"
                                 "%two = OpVariable %pb Workgroup\n",
                                 "%at = OpAccessChain %pu %tile %n0 %n3\n"
                                 "%bt = OpAccessChain %pu %two %n0 %n3\n",
                                 "", "", kBlockDecorations, kBlockCapability));
  EXPECT_EQ(bytesOfWorkgroupCopies(block, mainOf(block), 4), 80u); // they share their bytes
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

Result<Change> pack(Module &module, const Dim3 &size, const Certificate *certificate = nullptr) {
  Diagnostics diagnostics;
  PassContext context{diagnostics, llvm::nulls(), {}, ""};
  return PackGroups({size, "", certificate}).run(module, context);
}

TEST(PackGroups, TakesACertificateOfThisKernelAlone) {
  Module module = assemble(kernel(kTile, kStore));
  Result<Certificate> certificate = certify(module, mainOf(module));
  ASSERT_TRUE(bool(certificate));
  certificate->authored.size = {8, 1, 1};
  Result<Change> wrong = pack(module, {8, 1, 1}, &*certificate);
  ASSERT_FALSE(bool(wrong));
  EXPECT_EQ(wrong.diagnostic().kind, ErrorKind::Internal);
  certificate->authored.size = {4, 1, 1};
  Result<Change> right = pack(module, {8, 1, 1}, &*certificate);
  ASSERT_TRUE(bool(right)) << right.diagnostic().text;
  EXPECT_EQ(*right, Change::Changed);
  EXPECT_THAT(disassemble(module), HasSubstr("LocalSize 8 1 1"));
}

TEST(PackGroups, CountsGroups) {
  EXPECT_EQ(packedGroups({8, 4, 1}, {16, 12, 5}), 30u);
  EXPECT_EQ(packedGroups({8, 4, 1}, {8, 4, 1}), 1u);
}

} // namespace
