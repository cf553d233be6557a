//===- unit/IR/VerifierTests.cpp - Faults that are seen, and none invented -===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "IR/Verifier.h"
#include "IRTestSupport.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tailor {
namespace {

using namespace test;
using testing::HasSubstr;

std::string faultOf(const std::string &body) {
  Module module =
      readText(shaderText("", "%true = OpConstantTrue %bool\n%one = OpConstant %uint 1\n",
                          "%main = OpFunction %void None %fn\n" + body + "OpFunctionEnd\n"));
  return structuralFault(module).value_or("none");
}

TEST(Verifier, SeesFaults) {
  EXPECT_THAT(faultOf("%a = OpLabel\n%x = OpIAdd %uint %y %one\n%y = OpIAdd %uint %one %one\n"
                      "OpReturn\n"),
              HasSubstr("does not dominate its use"));
  EXPECT_THAT(faultOf("%a = OpLabel\nOpSelectionMerge %c None\nOpBranchConditional %true %b %c\n"
                      "%b = OpLabel\n%x = OpIAdd %uint %one %one\nOpBranch %c\n"
                      "%c = OpLabel\n%y = OpIAdd %uint %x %one\nOpReturn\n"),
              HasSubstr("does not dominate its use"));
  const std::string diamond = "%a = OpLabel\nOpSelectionMerge %c None\n"
                              "OpBranchConditional %true %b %c\n%b = OpLabel\n"
                              "%x = OpIAdd %uint %one %one\nOpBranch %c\n%c = OpLabel\n";
  EXPECT_THAT(faultOf(diamond + "%p = OpPhi %uint %one %a\nOpReturn\n"),
              HasSubstr("one value for each predecessor"));
  EXPECT_THAT(faultOf(diamond + "%p = OpPhi %uint %one %a %one %a\nOpReturn\n"),
              HasSubstr("one value for each predecessor"));
  EXPECT_THAT(faultOf(diamond + "%p = OpPhi %uint %x %a %one %b\nOpReturn\n"),
              HasSubstr("does not dominate its use"));
  EXPECT_THAT(faultOf(diamond + "%y = OpIAdd %uint %one %one\n%p = OpPhi %uint %one %a %x %b\n"
                                "OpReturn\n"),
              HasSubstr("behind other instructions"));
}

TEST(Verifier, SeesWhatNoTextCanSay) {
  // A block of another function, an id that nothing defines, a terminator in the middle.
  auto spoilt = [](void (*spoil)(Module &)) {
    Module module = readText(
        shaderText("", "%true = OpConstantTrue %bool\n%one = OpConstant %uint 1\n",
                   "%main = OpFunction %void None %fn\n%a = OpLabel\n%x = OpIAdd %uint %one %one\n"
                   "OpBranch %b\n%b = OpLabel\nOpReturn\nOpFunctionEnd\n"
                   "%other = OpFunction %void None %fn\n%c = OpLabel\nOpReturn\nOpFunctionEnd\n"));
    EXPECT_EQ(structuralFault(module), std::nullopt);
    spoil(module);
    return structuralFault(module).value_or("none");
  };
  EXPECT_THAT(spoilt([](Module &module) {
                Block &block = module.functions()[0]->front();
                block.terminator()->setId(0, module.functions()[1]->front().id());
              }),
              HasSubstr("leads out of its function"));
  EXPECT_THAT(spoilt([](Module &module) {
                Block &block = module.functions()[0]->front();
                block.instructions().front().setId(0, module.freshId());
              }),
              HasSubstr("used and not defined"));
  EXPECT_THAT(spoilt([](Module &module) {
                Block &block = module.functions()[0]->front();
                module.insert(block, block.instructions().begin(), Instruction(spv::Op::OpReturn));
              }),
              HasSubstr("terminator in its middle"));
  EXPECT_THAT(spoilt([](Module &module) {
                Block &block = module.functions()[0]->front();
                module.erase(block, *block.terminator());
              }),
              HasSubstr("does not end in a terminator"));
}

TEST(Verifier, InventsNone) {
  for (const char *ending : {".comp", ".hlsl"})
    for (const std::string &kernel : benchKernels(ending)) {
      std::string options =
          std::string(ending) == ".hlsl" ? "-D -S comp -e main -V" : "-V --target-env vulkan1.1";
      Module module = read(compileKernel(kernel, options));
      EXPECT_EQ(structuralFault(module), std::nullopt) << kernel;
    }
  EXPECT_EQ(faultOf("%a = OpLabel\n%x = OpIAdd %uint %one %one\nOpBranch %h\n"
                    "%h = OpLabel\n%p = OpPhi %uint %x %a %q %t\nOpLoopMerge %e %t None\n"
                    "OpBranchConditional %true %t %e\n"
                    "%t = OpLabel\n%q = OpIAdd %uint %p %one\nOpBranch %h\n"
                    "%e = OpLabel\n%r = OpIAdd %uint %p %x\nOpReturn\n"),
            "none");
}

} // namespace
} // namespace tailor
