//===- unit/Analysis/LaneEvaluatorTests.cpp - Values of one invocation ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/LaneEvaluator.h"

#include "Analysis/LaneArithmetic.h"
#include "IR/Folding.h"
#include "KernelSupport.h"

#include "spirv/unified1/GLSL.std.450.h"
#include "gmock/gmock.h"

using namespace tailor;

namespace {

const std::string kHead = R"(
layout(local_size_x = 8, local_size_y = 4) in;
layout(push_constant) uniform P { uint n; int w; float f; uint pad; uvec4 v; } p;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
layout(std140, set = 0, binding = 2) uniform U { uint u[8]; };
layout(set = 0, binding = 3, rgba8) uniform image2D img;
uvec3 g = gl_GlobalInvocationID;
)";

/// Stores to `a` in the order of the module: what each would store, and whether it is run.
struct Stores {
  AnalysedKernel kernel;
  std::vector<const Instruction *> list;

  explicit Stores(const std::string &body, const std::string &head = kHead)
      : kernel(analyse(head + "void main() {\n" + body + "\n}\n")) {
    if (!kernel)
      return;
    for (const Block &block : kernel->form().function().blocks())
      for (const Instruction &inst : block.instructions())
        if (inst.opcode() == spv::Op::OpStore)
          if (auto path = tracePointer(kernel->module(), inst.id(0));
              path && path->space == MemorySpace::StorageBuffer)
            list.push_back(&inst);
  }
};

Lane lane(uint32_t x, uint32_t y = 0, uint32_t groupX = 0, uint32_t groupY = 0) {
  return {{groupX, groupY, 0}, {x, y, 0}};
}

/// The value that the first store writes.
std::optional<uint64_t> stored(const std::string &expression, const Lane &at,
                               const HostValues &host = {}) {
  Stores stores("a[0] = " + expression + ";");
  if (stores.list.empty())
    return std::nullopt;
  LaneModel model(*stores.kernel);
  LaneEvaluator evaluator(model, at, host);
  return evaluator.integer(stores.list[0]->id(1), *stores.list[0]);
}

Activity activityOf(const Stores &stores, size_t store, const Lane &at,
                    const HostValues &host = {}) {
  LaneModel model(*stores.kernel);
  return LaneEvaluator(model, at, host).activity(*stores.list[store]->parent());
}

HostValues hostOf(uint32_t n) {
  HostValues host;
  host.leaf = [n](const UniformExpr &leaf) -> std::optional<uint32_t> {
    if (leaf.op == UniformExpr::Op::PushConstant && leaf.params[0] == 0)
      return n;
    return std::nullopt;
  };
  return host;
}

} // namespace

TEST(LaneEvaluator, ReadsIds) {
  Lane at = lane(3, 2, 5, 7);
  EXPECT_EQ(stored("g.x", at), 43u);
  EXPECT_EQ(stored("g.y", at), 30u);
  EXPECT_EQ(stored("gl_LocalInvocationIndex", at), 19u);
  EXPECT_EQ(stored("gl_WorkGroupID.x * 100 + gl_LocalInvocationID.y", at), 502u);
  EXPECT_EQ(stored("gl_WorkGroupSize.x", at), 8u);
  EXPECT_EQ(stored("gl_LocalInvocationID[g.x & 1u]", at), 2u) << "a component by a dynamic index";
}

TEST(LaneEvaluator, TakesTheGroupCountFromTheHostOrAssumesIt) {
  HostValues host;
  host.numWorkgroups = {4, 5, 6};
  EXPECT_EQ(stored("gl_NumWorkGroups.y", lane(0), host), 5u);
  EXPECT_EQ(stored("gl_NumWorkGroups.y", lane(0)), uint64_t{HostValues::kAssumedGroups});
}

TEST(LaneEvaluator, Computes) {
  Lane at = lane(5, 3);
  EXPECT_EQ(stored("(g.x << 4) ^ (g.y | 8u)", at), 91u);
  EXPECT_EQ(stored("uint(int(g.x) - 9) % 7u", at), 0xFFFFFFFCu % 7u);
  EXPECT_EQ(stored("uint((int(g.x) - 9) / 3)", at), 0xFFFFFFFFu);
  EXPECT_EQ(stored("uint((int(g.x) - 9) >> 1)", at), 0xFFFFFFFEu);
  EXPECT_EQ(stored("min(g.x, g.y) + max(g.x, 7u) + clamp(g.y, 4u, 6u)", at), 14u);
  EXPECT_EQ(stored("uint(abs(int(g.x) - 9) + clamp(int(g.x) - 9, -2, 2) + 2)", at), 4u);
  EXPECT_EQ(stored("bitfieldExtract(0xABCDu, 4, 8)", at), 0xBCu);
  EXPECT_EQ(stored("bitfieldInsert(0u, g.x, 8, 4)", at), 0x500u);
  EXPECT_EQ(stored("uint(bitCount(g.x)) + uint(findMSB(g.x)) + uint(findLSB(g.y << 2))", at), 6u);
  EXPECT_EQ(stored("bitfieldReverse(g.x)", at), 0xA0000000u);
  EXPECT_EQ(stored("g.x > 4u ? g.y : 99u", at), 3u);
  EXPECT_EQ(stored("uint(all(lessThan(g.xy, uvec2(6, 4))))", at), 1u);
  EXPECT_EQ(stored("uint(any(greaterThan(g.xy, uvec2(6, 4))))", at), 0u);
}

TEST(LaneEvaluator, ComputesThroughFloats) {
  Lane at = lane(5, 3);
  EXPECT_EQ(stored("uint(float(g.x) * 1.5 + 0.25)", at), 7u);
  EXPECT_EQ(stored("uint(floor(vec2(g.xy) / 2.0).x) + uint(ceil(float(g.y) / 2.0))", at), 4u);
  EXPECT_EQ(stored("uint(int(-float(g.x) * 0.5))", at), 0xFFFFFFFEu) << "towards zero";
  EXPECT_EQ(stored("floatBitsToUint(float(g.x))", at), 0x40A00000u);
  EXPECT_EQ(stored("uint(-1.0 - float(g.x))", at), std::nullopt) << "undefined";
  EXPECT_EQ(stored("uint(clamp(float(g.x), 0.0, 4.0) > 3.5)", at), 1u);
}

TEST(LaneEvaluator, FollowsVectors) {
  Lane at = lane(5, 3);
  EXPECT_EQ(stored("(g.yx * uvec2(10, 1)).x", at), 30u);
  EXPECT_EQ(stored("uvec4(g.xy, g.yx).zw.y", at), 5u);
  EXPECT_EQ(stored("uvec3(g.x, a[1], 7u).z", at), 7u) << "the unknown component is another";
  EXPECT_EQ(stored("uvec3(g.x, a[1], 7u).y", at), std::nullopt);
}

TEST(LaneEvaluator, AsksTheHost) {
  std::vector<std::string> asked;
  HostValues host;
  host.leaf = [&](const UniformExpr &leaf) -> std::optional<uint32_t> {
    asked.push_back(leaf.str());
    return 7;
  };
  EXPECT_EQ(stored("p.n + p.v.z", lane(1), host), 14u);
  EXPECT_EQ(stored("u[3]", lane(1), host), 7u);
  EXPECT_EQ(stored("u[g.x + 1]", lane(1), host), 7u);
  EXPECT_EQ(stored("b[5]", lane(1), host), 7u);
  EXPECT_EQ(stored("uint(b.length())", lane(1), host), 7u);
  EXPECT_EQ(stored("uint(imageSize(img).y)", lane(1), host), 7u);
  EXPECT_THAT(asked, testing::UnorderedElementsAre("push_constant[0]", "push_constant[24]",
                                                   "buffer(0,2)[48]", "buffer(0,2)[32]",
                                                   "buffer(0,1)[20]", "array_length(0,1)[0]",
                                                   "image_size(0,3).x", "image_size(0,3).y"));
}

TEST(LaneEvaluator, AssumesWhatTheHostDoesNotSayWhereAllReadTheSame) {
  EXPECT_EQ(stored("p.n", lane(1)), uint64_t{HostValues::kAssumedInteger});
  EXPECT_EQ(stored("uint(p.f * 3.0)", lane(1)), 3u);
  EXPECT_EQ(stored("b[5]", lane(1)), uint64_t{HostValues::kAssumedInteger});
  EXPECT_EQ(stored("u[g.x]", lane(1)), std::nullopt) << "each lane another value";
  EXPECT_EQ(stored("b[g.x]", lane(1)), std::nullopt);
  Stores stores("a[0] = g.x; a[1] = p.n;");
  LaneModel model(*stores.kernel);
  HostValues host;
  LaneEvaluator evaluator(model, lane(0), host);
  evaluator.integer(stores.list[0]->id(1), *stores.list[0]);
  EXPECT_FALSE(evaluator.takeAssumption());
  evaluator.integer(stores.list[1]->id(1), *stores.list[1]);
  EXPECT_TRUE(evaluator.takeAssumption());
  evaluator.integer(stores.list[0]->id(1), *stores.list[0]);
  EXPECT_FALSE(evaluator.takeAssumption());
  evaluator.integer(stores.list[1]->id(1), *stores.list[1]);
  EXPECT_TRUE(evaluator.takeAssumption()) << "also of what is known already";
}

TEST(LaneEvaluator, KnowsNothingOfMemoryThatIsWritten) {
  EXPECT_EQ(stored("a[5]", lane(1)), std::nullopt);
  EXPECT_EQ(stored("a[5] * 0u + g.x", lane(1)), std::nullopt);
  EXPECT_EQ(stored("g.x == 9u ? a[5] : g.x", lane(1)), 1u) << "the other side is not taken";
  EXPECT_EQ(stored("g.x == 1u ? a[5] : g.x", lane(1)), std::nullopt);
}

TEST(LaneEvaluator, ReadsConstantTables) {
  EXPECT_EQ(stored("uint[](7u, 5u, 3u, 1u)[g.x & 3u]", lane(2)), 3u);
  EXPECT_EQ(stored("uint[](7u, 5u, 3u, 1u)[a[0] & 3u]", lane(2)), std::nullopt);
  // A table that is written again is none.
  Stores stores("uint t[4] = uint[](7u, 5u, 3u, 1u); if (g.x > 9u) t[g.y] = 8u; a[0] = t[g.x];");
  LaneModel model(*stores.kernel);
  HostValues host;
  EXPECT_EQ(LaneEvaluator(model, lane(2), host).integer(stores.list[0]->id(1), *stores.list[0]),
            std::nullopt);
}

TEST(LaneEvaluator, DecidesBranches) {
  Stores stores(R"(
    uint r = 1u;
    if (g.x < 3u) r = 2u; else if (g.x == 4u) r = g.y; else r = 9u;
    switch (g.y) { case 0u: r += 10u; break; case 1u: r += 20u; break; default: r += 30u; }
    if (g.x > 1u && g.y > 0u) r += 100u;
    a[0] = r;)");
  LaneModel model(*stores.kernel);
  HostValues host;
  auto at = [&](uint32_t x, uint32_t y) {
    return LaneEvaluator(model, lane(x, y), host).integer(stores.list[0]->id(1), *stores.list[0]);
  };
  EXPECT_EQ(at(0, 0), 12u);
  EXPECT_EQ(at(2, 1), 122u);
  EXPECT_EQ(at(4, 3), 133u);
  EXPECT_EQ(at(5, 0), 19u);
}

TEST(LaneEvaluator, DecidesNothingByData) {
  Stores stores("uint r = 1u; if (a[g.x] > 3u) r = 2u; a[0] = r; a[1] = g.x;");
  LaneModel model(*stores.kernel);
  HostValues host;
  LaneEvaluator evaluator(model, lane(2), host);
  EXPECT_EQ(evaluator.integer(stores.list[0]->id(1), *stores.list[0]), std::nullopt);
  EXPECT_EQ(evaluator.activity(*stores.list[1]->parent()), Activity::Yes) << "both sides meet";
  Stores same("uint r = g.x; if (a[g.x] > 3u) { a[5] = 1u; r = gl_GlobalInvocationID.x; }"
              "a[0] = r;");
  LaneModel sameModel(*same.kernel);
  EXPECT_EQ(LaneEvaluator(sameModel, lane(2), host).integer(same.list[1]->id(1), *same.list[1]), 2u)
      << "the same from either side";
}

TEST(LaneEvaluator, SeesLoopsAtTheirFirstIteration) {
  Stores stores("for (uint i = g.x; i < 20u; i += 3u) a[i] = i * 2u; a[0] = 4u;");
  LaneModel model(*stores.kernel);
  HostValues host;
  LaneEvaluator evaluator(model, lane(2), host);
  EXPECT_EQ(evaluator.integer(stores.list[0]->id(1), *stores.list[0]), 4u);
  EXPECT_EQ(evaluator.activity(*stores.list[1]->parent()), Activity::Yes);
}

TEST(LaneEvaluator, SeesLoopsAtOtherIterations) {
  Stores stores("for (uint i = g.x; i < 20u; i += 3u) a[i] = i * 2u;");
  LaneModel model(*stores.kernel);
  HostValues host;
  LaneEvaluator evaluator(model, lane(2), host);
  ASSERT_EQ(stores.kernel->affine().loops().size(), 1u);
  evaluator.setIteration(*stores.kernel->affine().loops()[0]->header, 5);
  EXPECT_EQ(evaluator.integer(stores.list[0]->id(1), *stores.list[0]), 34u);
  EXPECT_EQ(evaluator.activity(*stores.list[0]->parent()), Activity::Yes);
  evaluator.setIteration(*stores.kernel->affine().loops()[0]->header, 6);
  EXPECT_EQ(evaluator.activity(*stores.list[0]->parent()), Activity::No) << "20 is the end";
}

TEST(LaneEvaluator, ForgetsLoopsOutsideOfThem) {
  // The value after the loop is that of its last iteration, which is not looked at.
  Stores stores("uint i = g.x; while (i < 20u) { i += 3u; a[1] = i; } a[0] = i; a[2] = g.x;"
                "if (i > 5u) a[3] = 1u;");
  LaneModel model(*stores.kernel);
  HostValues host;
  LaneEvaluator evaluator(model, lane(2), host);
  EXPECT_EQ(evaluator.integer(stores.list[0]->id(1), *stores.list[0]), 5u);
  EXPECT_EQ(evaluator.integer(stores.list[1]->id(1), *stores.list[1]), std::nullopt);
  EXPECT_EQ(evaluator.integer(stores.list[2]->id(1), *stores.list[2]), 2u);
  EXPECT_EQ(evaluator.activity(*stores.list[3]->parent()), Activity::Unknown);
}

TEST(LaneEvaluator, KnowsWhoIsActive) {
  Stores stores("if (g.x >= p.n) return; a[0] = 1u; if (a[9] > 2u) a[1] = 2u;"
                "for (uint i = g.x; i < 4u; ++i) a[2] = 3u;");
  EXPECT_EQ(activityOf(stores, 0, lane(2), hostOf(3)), Activity::Yes);
  EXPECT_EQ(activityOf(stores, 0, lane(3), hostOf(3)), Activity::No);
  EXPECT_EQ(activityOf(stores, 1, lane(2), hostOf(3)), Activity::Unknown);
  EXPECT_EQ(activityOf(stores, 1, lane(3), hostOf(3)), Activity::No) << "whatever the data";
  EXPECT_EQ(activityOf(stores, 2, lane(3), hostOf(9)), Activity::Yes);
  EXPECT_EQ(activityOf(stores, 2, lane(5), hostOf(9)), Activity::No) << "the loop does not start";
}

TEST(LaneEvaluator, TakesChainsOfAnyLength) {
  std::string body = "uint r = g.x;\n";
  for (unsigned i = 0; i < 5000; ++i)
    body += "r = r * 3u + g.y;\n";
  Stores stores(body + "a[0] = r;");
  ASSERT_FALSE(stores.list.empty());
  LaneModel model(*stores.kernel);
  HostValues host;
  uint32_t expected = 5;
  for (unsigned i = 0; i < 5000; ++i)
    expected = expected * 3 + 2;
  EXPECT_EQ(LaneEvaluator(model, lane(5, 2), host).integer(stores.list[0]->id(1), *stores.list[0]),
            expected);
}

TEST(LaneEvaluator, TakesNestsOfBranches) {
  std::string body = "uint r = 0u;\n", end;
  for (unsigned i = 0; i < 100; ++i) {
    body += "if (g.x < " + std::to_string(1000 - i) + "u) { r += g.y;\n";
    end += "}\n";
  }
  Stores stores(body + "a[1] = r;" + end + "a[0] = r;");
  ASSERT_EQ(stores.list.size(), 2u);
  LaneModel model(*stores.kernel);
  HostValues host;
  LaneEvaluator evaluator(model, lane(5, 2), host);
  EXPECT_EQ(evaluator.integer(stores.list[0]->id(1), *stores.list[0]), 200u);
  EXPECT_EQ(evaluator.integer(stores.list[1]->id(1), *stores.list[1]), 200u);
  EXPECT_EQ(evaluator.activity(*stores.list[0]->parent()), Activity::Yes);
}

TEST(LaneArithmetic, RefusesWhatIsUndefined) {
  ConstantValue number{ConstantValue::Kind::Int, 32, true, 0, {}};
  auto with = [&](uint64_t bits) {
    ConstantValue value = number;
    value.bits = bits;
    return value;
  };
  EXPECT_EQ(foldLane(spv::Op::OpUDiv, {with(1), with(0)}, number), std::nullopt);
  EXPECT_EQ(foldLane(spv::Op::OpBitFieldUExtract, {with(1), with(30), with(3)}, number),
            std::nullopt);
  EXPECT_EQ(foldLaneExtended(GLSLstd450UClamp, {with(1), with(5), with(3)}, number), std::nullopt);
  ConstantValue nan{ConstantValue::Kind::Float, 32, false, 0x7FC00000, {}};
  EXPECT_EQ(foldLane(spv::Op::OpConvertFToS, {nan}, number), std::nullopt);
  ConstantValue big{ConstantValue::Kind::Float, 32, false, 0x4F000000, {}}; // 2^31
  EXPECT_EQ(foldLane(spv::Op::OpConvertFToS, {big}, number), std::nullopt);
  ConstantValue small{ConstantValue::Kind::Float, 32, false, 0xCF000000, {}}; // -2^31
  EXPECT_EQ(foldLane(spv::Op::OpConvertFToS, {small}, number)->bits, 0x80000000u);
}
