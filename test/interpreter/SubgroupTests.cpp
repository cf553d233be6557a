//===- interpreter/SubgroupTests.cpp - Subgroup operations ------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/TestSupport.h"

#include "Tuning/Fill.h"

#include "gmock/gmock.h"

using namespace tailor;
using namespace tailor::interp;
using testing::ElementsAre;

namespace {

const std::string kExtensions = "#extension GL_KHR_shader_subgroup_basic : require\n"
                                "#extension GL_KHR_shader_subgroup_vote : require\n"
                                "#extension GL_KHR_shader_subgroup_arithmetic : require\n"
                                "#extension GL_KHR_shader_subgroup_ballot : require\n"
                                "#extension GL_KHR_shader_subgroup_shuffle : require\n"
                                "#extension GL_KHR_shader_subgroup_shuffle_relative : require\n"
                                "#extension GL_KHR_shader_subgroup_clustered : require\n"
                                "#extension GL_KHR_shader_subgroup_quad : require\n";

Kernel kernelOf(const std::string &body) {
  return Kernel::glsl(kExtensions +
                      "layout(local_size_x = 8) in;\n"
                      "layout(set = 0, binding = 0) buffer Out { uint v[]; } o;\n"
                      "void main() { uint i = gl_LocalInvocationIndex;\n" +
                      body + "}\n");
}
std::vector<uint32_t> firstWords(const Kernel &kernel, size_t count) {
  std::vector<uint32_t> words = kernel.words(0);
  words.resize(count);
  return words;
}

TEST(Subgroup, LanesExchangeValues) {
  Kernel kernel =
      kernelOf("uint x = i * i;\n"
               "o.v[i] = subgroupAdd(x); o.v[8 + i] = subgroupExclusiveAdd(i);\n"
               "o.v[16 + i] = subgroupShuffleXor(x, 1); o.v[24 + i] = "
               "subgroupInclusiveMax(x ^ 4u);\n"
               "o.v[32 + i] = subgroupBallot(i != 2).x; o.v[40 + i] = "
               "subgroupClusteredAdd(i, 2); o.v[48 + i] = subgroupQuadSwapVertical(i);\n");
  kernel.inputs.subgroupSize = 4;
  kernel.run({8, 1, 1});
  ASSERT_EQ(kernel.failed, "");
  EXPECT_THAT(firstWords(kernel, 56), ElementsAre(14, 14, 14, 14, 126, 126, 126, 126, //
                                                  0, 0, 1, 3, 0, 4, 9, 15,            //
                                                  1, 0, 9, 4, 25, 16, 49, 36,         //
                                                  4, 5, 5, 13, 20, 29, 32, 53,        //
                                                  11, 11, 11, 11, 15, 15, 15, 15,     //
                                                  1, 1, 5, 5, 9, 9, 13, 13,           //
                                                  2, 3, 0, 1, 6, 7, 4, 5));
}

TEST(Subgroup, OnlyTheActiveTakePart) {
  Kernel kernel = kernelOf("if ((i & 1u) != 0u) o.v[i] = subgroupAdd(i); else "
                           "o.v[i] = 100u + subgroupAdd(1u);\n"
                           "for (uint k = 0; k < i; ++k) o.v[8 + i] += subgroupAdd(1u);\n"
                           "o.v[16 + i] = subgroupAdd(1u);\n"
                           "if (subgroupElect()) o.v[24 + i] = 1;\n"
                           "if (i > 4 && subgroupElect()) o.v[24 + i] = 2;\n");
  kernel.inputs.subgroupSize = 8;
  kernel.run({8, 1, 1});
  ASSERT_EQ(kernel.failed, "");
  // In iteration k of the loop, those above k are active.
  EXPECT_THAT(firstWords(kernel, 32), ElementsAre(104, 16, 104, 16, 104, 16, 104, 16, //
                                                  0, 7, 13, 18, 22, 25, 27, 28,       //
                                                  8, 8, 8, 8, 8, 8, 8, 8,             //
                                                  1, 0, 0, 0, 0, 2, 0, 0));
}

TEST(Subgroup, OperationsStandBesideBarriers) {
  Kernel kernel = kernelOf("atomicAdd(o.v[0], subgroupMin(i) + 1u); barrier(); subgroupBarrier();\n"
                           "if (subgroupAll(i < 4)) o.v[1] = o.v[0];\n"
                           "if (subgroupAny(i == 5)) o.v[2] = gl_SubgroupID + gl_NumSubgroups;\n"
                           "o.v[8 + i] = gl_SubgroupInvocationID + gl_SubgroupGtMask.x;\n");
  kernel.inputs.subgroupSize = 4;
  kernel.run({8, 1, 1});
  ASSERT_EQ(kernel.failed, "");
  EXPECT_THAT(firstWords(kernel, 12),
              ElementsAre(24, 24, 3, 0, 0, 0, 0, 0, 0 + 14, 1 + 12, 2 + 8, 3));
  EXPECT_EQ(kernel.result.barriers, 1u);
}

TEST(Subgroup, AgreesWithADevice) {
  std::vector<std::byte> values(size_t{3} * kCount * 4);
  for (size_t at = 0; at < size_t{3} * kCount; ++at) {
    auto word = static_cast<uint32_t>(randomBits(11, at));
    std::memcpy(values.data() + at * 4, &word, 4);
  }
  const std::string last = "(gl_SubgroupSize - 1u)";
  compareExpressions({kExtensions, "uint", "uint", "uint", 4, 4},
                     {"subgroupAdd(a)",
                      "subgroupMul(a)",
                      "subgroupMin(a)",
                      "subgroupMax(a)",
                      "subgroupAnd(a | b)",
                      "subgroupOr(a & b & c)",
                      "subgroupXor(a)",
                      "subgroupInclusiveAdd(a)",
                      "subgroupExclusiveAdd(a)",
                      "subgroupExclusiveMin(a)",
                      "uint(subgroupMin(int(a)))",
                      "uint(subgroupExclusiveMax(int(a)))",
                      "subgroupBallot((a & 1u) != 0u).x",
                      "subgroupBroadcastFirst(a)",
                      "subgroupBroadcast(a, 3)",
                      "subgroupShuffle(a, b & " + last + ")",
                      "subgroupShuffleXor(a, 1)",
                      "uint(subgroupAll(a > b))",
                      "uint(subgroupAny(a > b))",
                      "subgroupBallotBitCount(uvec4(b & 0xffu, 0, 0, 0))",
                      "subgroupBallotExclusiveBitCount(uvec4(b & 0xffu, 0, 0, 0))",
                      "subgroupBallotFindMSB(uvec4(b & 0xffu | 1u, 0, 0, 0))",
                      "uint(subgroupInverseBallot(uvec4(85u, 0, 0, 0)))",
                      "gl_SubgroupInvocationID",
                      "gl_SubgroupSize",
                      "gl_SubgroupID",
                      "gl_SubgroupLeMask.x",
                      "uint(subgroupElect())"},
                     values, vulkan::CompareRule::exact(vulkan::ElementType::U32));
}

} // namespace
