//===- unit/IR/BuilderTests.cpp - No duplicates, no edits ------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "IR/Builder.h"
#include "IR/Constants.h"
#include "IRTestSupport.h"
#include "Support/SpirvTools.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <set>

namespace tailor {
namespace {

using namespace test;

Id named(const Module &module, const std::string &name) {
  for (const Instruction &inst : module.section(Section::Debug))
    if (inst.opcode() == spv::Op::OpName && inst.string(1) == name)
      return inst.id(0);
  ADD_FAILURE() << "nothing is called " << name;
  return Id::None;
}

TEST(Builder, reusesWhatIsThereAndMakesTheRestOnce) {
  Module module =
      readText(shaderText("OpName %uint \"uint\"\nOpName %v3uint \"v3\"\nOpName %seven \"seven\"\n",
                          "%seven = OpConstant %uint 7\n", emptyMain()));
  Builder builder(module);
  EXPECT_EQ(builder.intType(32, false), named(module, "uint"));
  EXPECT_EQ(builder.vectorType(builder.intType(32, false), 3), named(module, "v3"));
  EXPECT_EQ(builder.uintConstant(7), named(module, "seven"));
  Id nine = builder.uintConstant(9);
  EXPECT_NE(nine, named(module, "seven"));
  EXPECT_EQ(builder.uintConstant(9), nine);
  EXPECT_EQ(Builder(module).uintConstant(9), nine) << "another builder sees it too";
  Id pair = builder.vectorType(builder.intType(32, false), 2);
  EXPECT_EQ(builder.compositeConstant(pair, {nine, nine}),
            builder.compositeConstant(pair, {nine, nine}));
  EXPECT_NE(builder.nullConstant(pair), builder.compositeConstant(pair, {nine, nine}));
  EXPECT_EQ(builder.boolConstant(true), builder.boolConstant(true));
  EXPECT_NE(builder.boolConstant(true), builder.boolConstant(false));
  EXPECT_EQ(builder.functionType(builder.voidType(), {pair}),
            builder.functionType(builder.voidType(), {pair}));
  EXPECT_EQ(builder.pointerType(spv::StorageClass::Workgroup, pair),
            builder.pointerType(spv::StorageClass::Workgroup, pair));
  EXPECT_NE(builder.pointerType(spv::StorageClass::Workgroup, pair),
            builder.pointerType(spv::StorageClass::Private, pair));
  Status valid = validateSpirv(module.words(), "built.spv");
  EXPECT_TRUE(valid) << (valid ? "" : valid.diagnostic().text);
}

TEST(Builder, leavesDecoratedAndSpecializableDefinitionsAlone) {
  Module module = readText(
      shaderText("OpName %size \"size\"\nOpName %spec \"spec\"\nOpName %strided "
                 "\"strided\"\nOpName %one \"one\"\n"
                 "OpDecorate %size BuiltIn WorkgroupSize\nOpDecorate %spec SpecId 0\n"
                 "OpDecorate %strided ArrayStride 16\n",
                 "%one = OpConstant %uint 1\n%size = OpConstantComposite %v3uint %one %one %one\n"
                 "%spec = OpSpecConstant %uint 5\n%strided = OpTypePointer Workgroup %uint\n",
                 emptyMain()));
  Words before = module.words();
  Builder builder(module);
  Id uint = builder.intType(32, false), v3 = builder.vectorType(uint, 3);
  Id one = builder.uintConstant(1);
  EXPECT_EQ(one, named(module, "one"));
  EXPECT_NE(builder.compositeConstant(v3, {one, one, one}), named(module, "size"));
  EXPECT_NE(builder.uintConstant(5), named(module, "spec"));
  EXPECT_NE(builder.pointerType(spv::StorageClass::Workgroup, uint), named(module, "strided"));
  // What stood there is as it was: the new definitions come after it.
  Words after = module.words();
  ASSERT_GT(after.size(), before.size());
  std::vector<size_t> starts = instructionStarts(before);
  size_t functionStart = *std::find_if(starts.begin(), starts.end(), [&](size_t at) {
    return (before[at] & 0xffff) == static_cast<uint32_t>(spv::Op::OpFunction);
  });
  EXPECT_TRUE(std::equal(before.begin() + 5, before.begin() + static_cast<int>(functionStart),
                         after.begin() + 5));
}

TEST(Builder, narrowAndWideIntegers) {
  Module module =
      readText("OpCapability Shader\nOpCapability Int8\nOpCapability Int16\n"
               "OpCapability Int64\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n"
               "OpName %c \"c\"\n%char = OpTypeInt 8 1\n%c = OpConstant %char -3\n");
  Builder builder(module);
  // Literals of less than a word are extended by their sign: an equal constant is found.
  EXPECT_EQ(builder.intConstant(builder.intType(8, true), 0xfd), named(module, "c"));
  EXPECT_EQ(builder.intConstant(builder.intType(8, true), static_cast<uint64_t>(-3)),
            named(module, "c"));
  for (auto [width, isSigned] :
       {std::pair(8u, false), {16u, true}, {16u, false}, {32u, true}, {64u, true}})
    for (uint64_t bits : {uint64_t{0}, uint64_t{1}, uint64_t{0x80}, uint64_t{0x8000},
                          uint64_t{1} << 63, UINT64_MAX}) {
      Id constant = builder.intConstant(builder.intType(width, isSigned), bits);
      uint64_t mask = width == 64 ? UINT64_MAX : (uint64_t{1} << width) - 1;
      EXPECT_EQ(ConstantEvaluator(module).evaluateInt(constant), bits & mask) << width;
    }
  Status valid = validateSpirv(module.words(), "built.spv", "spv1.6");
  EXPECT_TRUE(valid) << (valid ? "" : valid.diagnostic().text);
}

TEST(Builder, anErasedConstantIsMadeAgain) {
  Module module = readText(shaderText("", "", emptyMain()));
  Builder builder(module);
  Id nine = builder.uintConstant(9);
  module.erase(Section::Globals, *module.def(nine));
  Id again = builder.uintConstant(9);
  ASSERT_NE(module.def(again), nullptr);
  EXPECT_EQ(builder.uintConstant(9), again);
}

TEST(Builder, insertsInstructionsInPlace) {
  Module module = readText(shaderText("", "", emptyMain()));
  Builder builder(module);
  Block &block = module.functions()[0]->front();
  Id nine = builder.uintConstant(9), uint = builder.intType(32, false);
  Id sum = builder.insertBefore(*block.terminator(), spv::Op::OpIAdd, uint, {nine, nine});
  Id vector = builder.insertBefore(*block.terminator(), spv::Op::OpCompositeConstruct,
                                   builder.vectorType(uint, 2), {sum, nine});
  builder.insertBefore(*block.terminator(), spv::Op::OpCompositeExtract, uint, {vector}, {1});
  ASSERT_EQ(block.instructions().size(), 4u);
  EXPECT_EQ(block.instructions().front().result(), sum);
  Status valid = validateSpirv(module.words(), "built.spv");
  EXPECT_TRUE(valid) << (valid ? "" : valid.diagnostic().text);
}

TEST(Builder, addsNoDuplicateTypeToAnyKernel) {
  for (const std::string &kernel : benchKernels(".comp")) {
    Module module = read(compileKernel(kernel, ""));
    Builder builder(module);
    for (uint32_t value : {0u, 1u, 16u, 77u})
      builder.uintConstant(value);
    builder.boolConstant(false);
    builder.vectorType(builder.intType(32, false), 3);
    builder.functionType(builder.voidType(), {});
    builder.pointerType(spv::StorageClass::Input, builder.intType(32, false));
    Status valid = validateSpirv(module.words(), "built.spv");
    EXPECT_TRUE(valid) << kernel << (valid ? "" : valid.diagnostic().text);
  }
}

} // namespace
} // namespace tailor
