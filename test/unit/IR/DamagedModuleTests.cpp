//===- unit/IR/DamagedModuleTests.cpp - A located refusal, never a crash ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "IR/Cfg.h"
#include "IR/Types.h"
#include "IR/WorkgroupSize.h"
#include "IRTestSupport.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <random>

namespace tailor {
namespace {

using namespace test;
using ::testing::HasSubstr;

/// Reads words that must be refused, and gives the diagnostic.
Diagnostic refusalOf(const Words &words) {
  Result<Module> module = readModule(words, "bad.spv");
  if (!module)
    return module.diagnostic();
  ADD_FAILURE() << "a damaged module was accepted";
  return {};
}

/// Everything that a tool asks of a module right after reading it.
void exercise(Module &module) {
  Module copy = module.clone();
  EXPECT_EQ(copy.words(), module.words());
  UseMap uses(module);
  ConstantEvaluator constants(module);
  for (uint32_t id = 0; id < module.idBound() && id < 10'000; ++id) {
    (void)uses.uses(static_cast<Id>(id));
    constants.evaluate(static_cast<Id>(id));
    layoutOf(module, static_cast<Id>(id), constants);
    dependsOnSpecConstant(module, static_cast<Id>(id));
  }
  for (const EntryPoint &entry : module.entryPoints())
    (void)readWorkgroupSize(module, entry);
  for (auto &function : module.functions()) {
    ControlFlow flow(*function);
    structuredConstructs(*function);
    for (Block &block : function->blocks())
      flow.controllers(block);
  }
  module.forEachInstruction([&](Instruction &inst) { module.locationOf(inst); });
}

Words sample() {
  return compileKernel(std::string(TAILOR_SOURCE_DIR) + "/bench/kernels/matmul_tiled.comp",
                       "-gVS --target-env vulkan1.1");
}

TEST(DamagedModule, emptyAndForeign) {
  EXPECT_THAT(refusalOf({}).text, HasSubstr("empty"));
  EXPECT_THAT(refusalOf({0x464c457f, 1, 2, 3, 4, 5}).text, HasSubstr("magic number"));
  Words words = assemble(shaderText("", "", emptyMain()));
  for (size_t count = 1; count < 5; ++count) {
    Diagnostic refusal = refusalOf(Words(words.begin(), words.begin() + static_cast<int>(count)));
    EXPECT_THAT(refusal.text, HasSubstr("header"));
    EXPECT_EQ(refusal.location.str(), "bad.spv");
    EXPECT_EQ(refusal.kind, ErrorKind::Refused);
  }
}

TEST(DamagedModule, unknownVersion) {
  Words words = assemble(shaderText("", "", emptyMain()));
  for (auto [word, text] : {std::pair(0x00090900U, "SPIR-V version 9.9 is not known"),
                            std::pair(0x00010700U, "SPIR-V version 1.7 is not known"),
                            std::pair(0x00000900U, "SPIR-V version 0.9 is not known"),
                            std::pair(0x12010301U, "SPIR-V version 1.3 (word 0x12010301)")}) {
    words[1] = word;
    for (bool swapped : {false, true}) {
      Words other = words;
      if (swapped)
        for (uint32_t &each : other)
          each = __builtin_bswap32(each);
      Diagnostic refusal = refusalOf(other);
      EXPECT_THAT(refusal.text, HasSubstr(text));
      EXPECT_EQ(refusal.location.str(), "bad.spv:word 1");
      EXPECT_EQ(refusal.kind, ErrorKind::Refused);
    }
  }
  for (uint32_t minor = 0; minor <= 6; ++minor) {
    words[1] = 0x00010000U | minor << 8;
    EXPECT_TRUE(readModule(words, "good.spv")) << minor;
  }
}

TEST(DamagedModule, truncatedAtEveryWord) {
  Words words = sample();
  std::vector<size_t> starts = instructionStarts(words);
  for (size_t count = 1; count < words.size(); ++count) {
    Words cut(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(count));
    Result<Module> module = readModule(cut, "cut.spv");
    bool atBoundary = std::find(starts.begin(), starts.end(), count) != starts.end();
    if (module) {
      EXPECT_TRUE(atBoundary) << count;
      EXPECT_EQ(module->words(), cut);
    } else if (count > 5 && !atBoundary) {
      // Located at the instruction that is cut.
      size_t start = *std::prev(std::upper_bound(starts.begin(), starts.end(), count));
      EXPECT_EQ(module.diagnostic().location.word, start) << module.diagnostic().text;
    }
  }
}

TEST(DamagedModule, unknownOpcodeIsRefusedByNumberAndPlace) {
  Words words = assemble(shaderText("", "", emptyMain()));
  for (size_t at : instructionStarts(words)) {
    Words with = withInserted(words, at, {1u << 16 | 9999});
    Diagnostic refusal = refusalOf(with);
    EXPECT_THAT(refusal.text, HasSubstr("9999"));
    EXPECT_EQ(refusal.location.str(), "bad.spv:word " + std::to_string(at));
  }
}

TEST(DamagedModule, unknownOpcodeInATextModuleHasItsLine) {
  Words words = assemble(shaderText("", "", emptyMain()));
  ModuleSource source{"a.spvasm", {}};
  std::vector<size_t> starts = instructionStarts(words);
  for (size_t index = 0; index < starts.size(); ++index)
    source.textLines.emplace_back(starts[index], 10 + 2 * index);
  Words with = words;
  with[starts[3]] = (with[starts[3]] & 0xffff0000) | 9998;
  Result<Module> module = readModule(with, source);
  ASSERT_FALSE(module);
  EXPECT_EQ(module.diagnostic().location.str(), "a.spvasm:16");
}

TEST(DamagedModule, wordCountOfZero) {
  Words words = assemble(shaderText("", "", emptyMain()));
  std::vector<size_t> starts = instructionStarts(words);
  starts.pop_back();
  for (size_t at : starts) {
    Words with = words;
    with[at] &= 0xffff;
    EXPECT_EQ(refusalOf(with).location.word, at);
  }
}

TEST(DamagedModule, idsAtAndOverTheBound) {
  Words words = assemble(shaderText("", "", emptyMain()));
  uint32_t bound = words[3];
  for (uint32_t id : {bound, bound + 1, 0x3fffffu, 0x7fffffffu, UINT32_MAX - 1, UINT32_MAX}) {
    // As a result, as a type, as an operand.
    Words end = words;
    size_t at = words.size() - 1;
    Words result = withInserted(words, at, instruction(spv::Op::OpLabel, {id}));
    result = withInserted(result, at + 2, instruction(spv::Op::OpReturn, {}));
    EXPECT_THAT(refusalOf(result).text, HasSubstr("id bound")) << id;
    Words operand = withInserted(words, at, instruction(spv::Op::OpLabel, {bound - 1}));
    operand[3] = bound + 1;
    (void)operand;
    Words name =
        withInserted(words, instructionStarts(words)[4], instruction(spv::Op::OpName, {id, 0x61}));
    Diagnostic refusal = refusalOf(name);
    EXPECT_THAT(refusal.text, HasSubstr("%" + std::to_string(id)));
    EXPECT_EQ(refusal.location.word, instructionStarts(words)[4]);
  }
  words[3] = 0x3fffff;
  EXPECT_TRUE(readModule(words, "a.spv"));
  for (uint32_t tooLarge : {0x400000u, 0x80000000u, UINT32_MAX}) {
    words[3] = tooLarge;
    Diagnostic refusal = refusalOf(words);
    EXPECT_THAT(refusal.text, HasSubstr(std::to_string(tooLarge)));
    EXPECT_EQ(refusal.location.word, 3u);
  }
}

TEST(DamagedModule, instructionsOutOfOrder) {
  Words words = assemble(shaderText("OpName %main \"main\"\nOpDecorate %v RelaxedPrecision\n",
                                    "%p = OpTypePointer Private %uint\n"
                                    "%v = OpVariable %p Private\n",
                                    emptyMain()));
  std::vector<size_t> starts = instructionStarts(words);
  auto orderOf = [&](size_t index) { // the sections of section 2.4
    switch (static_cast<spv::Op>(words[starts[index]] & 0xffff)) {
    case spv::Op::OpCapability:
      return 0;
    case spv::Op::OpMemoryModel:
      return 1;
    case spv::Op::OpEntryPoint:
      return 2;
    case spv::Op::OpExecutionMode:
      return 3;
    case spv::Op::OpName:
      return 4;
    case spv::Op::OpDecorate:
      return 5;
    case spv::Op::OpFunction:
    case spv::Op::OpLabel:
    case spv::Op::OpReturn:
    case spv::Op::OpFunctionEnd:
      return 7;
    default:
      return 6;
    }
  };
  // Swap every two neighbours that belong to different sections.
  unsigned tried = 0;
  for (size_t index = 0; index + 2 < starts.size(); ++index) {
    if (orderOf(index) == orderOf(index + 1))
      continue;
    Words swapped(words.begin(), words.begin() + static_cast<int>(starts[index]));
    auto add = [&](size_t from, size_t to) {
      swapped.insert(swapped.end(), words.begin() + static_cast<int>(from),
                     words.begin() + static_cast<int>(to));
    };
    add(starts[index + 1], starts[index + 2]);
    add(starts[index], starts[index + 1]);
    add(starts[index + 2], words.size());
    Diagnostic refusal = refusalOf(swapped);
    EXPECT_NE(refusal.location.word, Location::kUnknownWord) << index << " " << refusal.text;
    ++tried;
  }
  EXPECT_EQ(tried, 7u);
}

TEST(DamagedModule, functionsThatAreNotWellFormed) {
  struct Case {
    const char *function, *message;
  };
  const Case cases[] = {
      {"%main = OpFunction %void None %fn\n%e = OpLabel\nOpReturn\n", "ends inside a function"},
      {"%main = OpFunction %void None %fn\n%e = OpLabel\nOpFunctionEnd\n", "ends inside a block"},
      {"%main = OpFunction %void None %fn\n%e = OpLabel\n%f = OpLabel\nOpReturn\nOpFunctionEnd\n",
       "before the one before it has ended"},
      {"%main = OpFunction %void None %fn\nOpReturn\nOpFunctionEnd\n", "outside every block"},
      {"%main = OpFunction %void None %fn\n%e = OpLabel\nOpReturn\nOpNop\nOpFunctionEnd\n",
       "outside every block"},
      {"%main = OpFunction %void None %fn\n%two = OpFunction %void None %fn\n%e = OpLabel\n"
       "OpReturn\nOpFunctionEnd\n",
       "a function begins before"},
      {"%main = OpFunction %void None %fn\n%e = OpLabel\n%float = OpTypeFloat 32\nOpReturn\n"
       "OpFunctionEnd\n",
       "inside a block"},
      {"%main = OpFunction %void None %fn\n%e = OpLabel\nOpCapability Int64\nOpReturn\n"
       "OpFunctionEnd\n",
       "inside a block"},
      {"%main = OpFunction %void None %fn\n%e = OpLabel\nOpReturn\nOpFunctionEnd\n"
       "%float = OpTypeFloat 32\n",
       "outside every function"},
      {"OpFunctionEnd\n", "outside every function"},
      {"%e = OpLabel\n", "outside every function"},
      {"OpReturn\n", "outside every function"},
  };
  for (const Case &each : cases)
    EXPECT_THAT(refusalOf(assemble(shaderText("", "%main2 = OpUndef %uint", each.function))).text,
                HasSubstr(each.message))
        << each.function;
}

TEST(DamagedModule, constantsAndTypesThatHoldThemselves) {
  Module module = readText(shaderText("", R"(
    %a = OpSpecConstantOp %uint IAdd %b %b
    %b = OpSpecConstantOp %uint IAdd %a %a
    %s = OpTypeStruct %s %uint
    %n = OpConstantNull %s
    %length = OpSpecConstantOp %uint IAdd %length %length
    %array = OpTypeArray %array %length
  )",
                                      emptyMain()));
  exercise(module);
}

TEST(DamagedModule, twentyThousandBitFlips) {
  const std::vector<Words> originals = {
      sample(),
      compileKernel(std::string(TAILOR_SOURCE_DIR) + "/bench/kernels/reduction.comp", "-g"),
      assemble(shaderText("OpDecorate %c SpecId 3\n",
                          "%c = OpSpecConstant %uint 3\n"
                          "%d = OpSpecConstantOp %uint UDiv %c %c\n"
                          "%a = OpTypeArray %uint %d\n"
                          "%n = OpConstantNull %a\n",
                          emptyMain()))};
  std::mt19937 random(20'240'601); // a fixed seed: the same flips in every run
  unsigned accepted = 0;
  for (unsigned round = 0; round < 20'000; ++round) {
    Words words = originals[round % originals.size()];
    for (unsigned flips = 1 + random() % 3; flips > 0; --flips)
      words[random() % words.size()] ^= 1u << random() % 32;
    Result<Module> module = readModule(words, "flipped.spv");
    if (!module) {
      EXPECT_FALSE(module.diagnostic().text.empty());
      continue;
    }
    ++accepted;
    ASSERT_EQ(module->words(), words) << round;
    if (round % 8 == 0)
      exercise(*module);
  }
  EXPECT_GT(accepted, 100u); // the flips reach past the parser
}

} // namespace
} // namespace tailor
