//===- unit/IR/TypeTests.cpp - Sizes and layouts ---------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "IR/Types.h"
#include "IRTestSupport.h"

#include "gtest/gtest.h"

namespace tailor {
namespace {

using namespace test;

/// Types with the numbers 100 and up, and what decorates them.
Module typesModule(const std::string &decorations, const std::string &types) {
  return readText(
      "OpCapability Shader\nOpCapability Int64\nOpCapability Float64\n"
      "OpCapability Int8\nOpCapability Float16\nOpCapability PhysicalStorageBufferAddresses\n"
      "OpCapability Linkage\nOpMemoryModel Logical GLSL450\n" +
      decorations + R"(
    %bool = OpTypeBool
    %uint = OpTypeInt 32 0
    %char = OpTypeInt 8 1
    %ulong = OpTypeInt 64 0
    %half = OpTypeFloat 16
    %float = OpTypeFloat 32
    %double = OpTypeFloat 64
    %v2 = OpTypeVector %float 2
    %v3 = OpTypeVector %float 3
    %v4 = OpTypeVector %float 4
    %c2 = OpConstant %uint 2
    %c3 = OpConstant %uint 3
    %c4 = OpConstant %uint 4
  )" + types);
}

/// "size/alignment" in bytes; "-" when there is none.
std::string layout(const Module &module, uint32_t id, const SpecMap &spec = {}) {
  ConstantEvaluator constants(module, spec);
  std::optional<TypeLayout> found = layoutOf(module, static_cast<Id>(id), constants);
  return found ? std::to_string(found->size.count) + "/" + std::to_string(found->alignment.count)
               : "-";
}

TEST(Types, scalarsVectorsMatricesWithoutDecorations) {
  Module module = typesModule("", R"(
    %100 = OpTypeVector %bool 3
    %101 = OpTypeVector %char 3
    %102 = OpTypeVector %double 3
    %103 = OpTypeMatrix %v3 3
    %104 = OpTypeMatrix %v2 4
    %105 = OpTypeArray %v3 %c4
    %106 = OpTypeArray %105 %c2
    %107 = OpTypeStruct %float %v3
    %108 = OpTypeStruct %v3 %float
    %109 = OpTypeStruct %char %double %char
    %110 = OpTypeArray %109 %c3
    %111 = OpTypeStruct %108 %char
    %112 = OpTypeStruct
    %113 = OpTypeVector %half 3
    %114 = OpTypeArray %bool %c3
    %115 = OpTypePointer PhysicalStorageBuffer %uint
    %116 = OpTypePointer Workgroup %uint
    %117 = OpTypeRuntimeArray %uint
    %118 = OpTypeSampler
    %119 = OpTypeStruct %uint %117
    %120 = OpTypeStruct %ulong %115
  )");
  const std::pair<uint32_t, const char *> expected[] = {
      {100, "12/16"}, {101, "3/4"},    {102, "24/32"}, {103, "48/16"}, {104, "32/8"},
      {105, "64/16"}, {106, "128/16"}, {107, "32/16"}, {108, "16/16"}, {109, "24/8"},
      {110, "72/8"},  {111, "32/16"},  {112, "0/1"},   {113, "6/8"},   {114, "12/4"},
      {115, "8/8"},   {116, "-"},      {117, "-"},     {118, "-"},     {119, "-"},
      {120, "16/8"},  {9999, "-"}};
  for (auto [id, text] : expected)
    EXPECT_EQ(layout(module, id), text) << id;
}

TEST(Types, decorationsHold) {
  Module module = typesModule(R"(
    OpDecorate %std140 ArrayStride 16
    OpMemberDecorate %100 0 Offset 0
    OpMemberDecorate %100 1 Offset 64
    OpDecorate %scalar ArrayStride 12
    OpMemberDecorate %101 0 Offset 4
    OpMemberDecorate %102 0 Offset 0
    OpMemberDecorate %102 0 ColMajor
    OpMemberDecorate %102 0 MatrixStride 16
    OpMemberDecorate %103 0 Offset 0
    OpMemberDecorate %103 0 RowMajor
    OpMemberDecorate %103 0 MatrixStride 8
    OpMemberDecorate %104 0 Offset 0
    OpMemberDecorate %104 0 ColMajor
    OpMemberDecorate %104 0 MatrixStride 12
    OpMemberDecorate %104 1 Offset 36
    OpMemberDecorate %105 0 Offset 32
    OpMemberDecorate %105 1 Offset 0
    OpMemberDecorate %106 0 Offset 0
    OpMemberDecorate %106 1 Offset 0
  )",
                              R"(
    %std140 = OpTypeArray %float %c4
    %100 = OpTypeStruct %std140 %float
    %scalar = OpTypeArray %v3 %c4
    %101 = OpTypeStruct %scalar
    %m23 = OpTypeMatrix %v3 2
    %m33 = OpTypeMatrix %v3 3
    %102 = OpTypeStruct %m23
    %103 = OpTypeStruct %m23
    %104 = OpTypeStruct %m33 %float
    %105 = OpTypeStruct %float %v4
    %106 = OpTypeStruct %v4 %uint
  )");
  EXPECT_EQ(layout(module, 100), "68/4");
  EXPECT_EQ(layout(module, 101), "64/16"); // ends at 52
  EXPECT_EQ(layout(module, 102), "32/16"); // two columns
  EXPECT_EQ(layout(module, 103), "24/8");  // three rows of two
  EXPECT_EQ(layout(module, 104), "48/16"); // ends at 40
  EXPECT_EQ(layout(module, 105), "48/16"); // members in another order
  EXPECT_EQ(layout(module, 106), "16/16"); // members on one another
}

TEST(Types, lengthsFollowSpecialization) {
  Module module = typesModule("OpDecorate %n SpecId 7\nOpDecorate %i SpecId 8\n", R"(
    %n = OpSpecConstant %uint 16
    %int = OpTypeInt 32 1
    %i = OpSpecConstant %int 4
    %m = OpSpecConstantOp %uint IMul %n %c4
    %100 = OpTypeArray %float %n
    %101 = OpTypeArray %100 %m
    %q = OpSpecConstantOp %uint UDiv %c4 %n
    %102 = OpTypeArray %float %q
    %103 = OpTypeArray %float %i
    %d = OpSpecConstantOp %uint UDiv %c4 %c2
    %104 = OpTypeArray %float %d
  )");
  EXPECT_EQ(layout(module, 100), "64/4");
  EXPECT_EQ(layout(module, 101), "4096/4");
  EXPECT_EQ(layout(module, 100, {{7, 3}}), "12/4");
  EXPECT_EQ(layout(module, 101, {{7, 2}}), "64/4");
  EXPECT_EQ(layout(module, 102), "-") << "4/16 is zero";
  EXPECT_EQ(layout(module, 102, {{7, 2}}), "8/4");
  EXPECT_EQ(layout(module, 102, {{7, 0}}), "-") << "division by zero is no number";
  EXPECT_EQ(layout(module, 103), "16/4");
  EXPECT_EQ(layout(module, 103, {{8, 0xffffffff}}), "-") << "minus one";
  EXPECT_EQ(layout(module, 104), "8/4");
  EXPECT_EQ(layout(module, 101, {{7, 0xffffffff}}), "-") << "larger than any memory";
}

TEST(Types, hostileTypesTakeNoTime) {
  std::string types = "%100 = OpTypeStruct %float %float\n";
  for (uint32_t id = 101; id < 160; ++id) {
    std::string inner = std::to_string(id - 1);
    types += "%" + std::to_string(id) + " = OpTypeStruct %" + inner + " %" + inner + "\n";
  }
  Module module =
      typesModule("", types + "%200 = OpTypeStruct %200 %uint\n%201 = OpTypeArray %201 %c2\n");
  EXPECT_EQ(layout(module, 110), "8192/4");
  EXPECT_EQ(layout(module, 159), "-") << "larger than any memory";
  EXPECT_EQ(layout(module, 200), "-");
  EXPECT_EQ(layout(module, 201), "-");
}

TEST(Types, workgroupBlocksMayAlias) {
  // WorkgroupMemoryExplicitLayoutKHR: each block has a layout of its own.
  Module module = typesModule(R"(
    OpDecorate %a Block
    OpMemberDecorate %a 0 Offset 0
    OpDecorate %floats ArrayStride 4
    OpDecorate %b Block
    OpMemberDecorate %b 0 Offset 0
    OpDecorate %vectors ArrayStride 16
    OpDecorate %va Aliased
    OpDecorate %vb Aliased
  )",
                              R"(
    %c64 = OpConstant %uint 64
    %floats = OpTypeArray %float %c64
    %vectors = OpTypeArray %v4 %c4
    %a = OpTypeStruct %floats
    %b = OpTypeStruct %vectors
    %pa = OpTypePointer Workgroup %a
    %pb = OpTypePointer Workgroup %b
    %va = OpVariable %pa Workgroup
    %vb = OpVariable %pb Workgroup
  )");
  std::vector<std::string> layouts;
  for (const Instruction &inst : module.section(Section::Globals)) {
    if (inst.opcode() != spv::Op::OpVariable)
      continue;
    std::optional<PointerType> pointer = pointerTypeOfValue(module, inst.result());
    ASSERT_TRUE(pointer);
    EXPECT_EQ(pointer->storageClass, spv::StorageClass::Workgroup);
    layouts.push_back(layout(module, raw(pointer->pointee)));
    EXPECT_TRUE(module.hasDecoration(inst.result(), spv::Decoration::Aliased));
  }
  EXPECT_EQ(layouts, (std::vector<std::string>{"256/4", "64/16"}));
}

TEST(Types, questionsAboutTypes) {
  Module module = typesModule("", R"(
    %100 = OpTypeMatrix %v3 3
    %101 = OpTypeStruct %float
    %102 = OpTypePointer Function %uint
    %103 = OpTypeInt 16 1
    %104 = OpTypeBool
    %105 = OpTypeVector %103 2
  )");
  auto id = [](uint32_t number) { return static_cast<Id>(number); };
  EXPECT_EQ(scalarTypeOf(module, id(105)), id(103));
  EXPECT_EQ(scalarTypeOf(module, id(103)), id(103));
  EXPECT_EQ(module.def(scalarTypeOf(module, id(100)))->opcode(), spv::Op::OpTypeFloat);
  EXPECT_EQ(scalarTypeOf(module, id(101)), id(101));
  EXPECT_EQ(componentCount(module, id(105)), 2u);
  EXPECT_EQ(componentCount(module, id(103)), 1u);
  EXPECT_EQ(componentCount(module, id(100)), 0u);
  EXPECT_EQ(componentCount(module, id(9999)), 0u);
  EXPECT_TRUE(isIntType(module, id(103)));
  EXPECT_TRUE(isIntType(module, id(103), 16));
  EXPECT_FALSE(isIntType(module, id(103), 32));
  EXPECT_FALSE(isIntType(module, id(105)));
  EXPECT_TRUE(isBoolType(module, id(104)));
  EXPECT_FALSE(isBoolType(module, id(103)));
  EXPECT_TRUE(pointerType(module, id(102)));
  EXPECT_FALSE(pointerType(module, id(101)));
}

} // namespace
} // namespace tailor
