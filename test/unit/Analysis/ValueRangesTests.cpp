//===- unit/Analysis/ValueRangesTests.cpp - What is known, and what is not -===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/ValueRanges.h"

#include "KernelSupport.h"

#include "gmock/gmock.h"

using namespace tailor;
using testing::ElementsAre;

namespace {

const std::string kHead = R"(
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 128) in;
layout(push_constant) uniform P { uint n; int w; } p;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) volatile buffer B { uint b[]; };
shared uint t[256];
#define L gl_LocalInvocationID.x
#define I gl_LocalInvocationIndex
)";

/// What the stores to `a` write, in the order of the module, each as its block sees it.
std::vector<std::string> storedOf(const AnalysedKernel &kernel) {
  std::vector<std::string> list;
  if (!kernel)
    return list;
  Function &function = kernel->form().function();
  ValueRanges ranges(kernel->module(), function, knownWorkgroupSize(kernel->module()));
  for (const Block &block : function.blocks())
    for (const Instruction &inst : block.instructions())
      if (inst.opcode() == spv::Op::OpStore)
        if (auto path = tracePointer(kernel->module(), inst.id(0));
            path && path->space == MemorySpace::StorageBuffer)
          list.push_back(ranges.isReached(block) ? ranges.at(inst.id(1), block).str()
                                                 : "unreached");
  return list;
}

std::vector<std::string> stored(const std::string &body, const std::string &head = kHead) {
  return storedOf(analyse(head + "void main() {\n" + body + "\n}\n"));
}

/// The same of `a[0] = expression`.
std::string value(const std::string &expression, const std::string &head = kHead) {
  std::vector<std::string> list = stored("a[0] = " + expression + ";", head);
  return list.size() == 1 ? list[0] : "?";
}

} // namespace

//===----------------------------------------------------------------------===//
// What must be known
//===----------------------------------------------------------------------===//

TEST(ValueRanges, LocalIdsAreBelowTheSize) {
  EXPECT_EQ(value("L"), "[0, 127]");
  EXPECT_EQ(value("gl_LocalInvocationID.y"), "{0}");
  EXPECT_EQ(value("gl_LocalInvocationID[p.n]"), "[0, 127]") << "by a dynamic index";
  EXPECT_EQ(value("I"), "[0, 127]");
  EXPECT_EQ(value("gl_WorkGroupSize.x"), "{128}");
  EXPECT_EQ(value("gl_GlobalInvocationID.x"), "all");
  EXPECT_EQ(value("gl_WorkGroupID.x"), "all");
  EXPECT_EQ(value("gl_NumWorkGroups.x"), "all");
}

TEST(ValueRanges, ArithmeticOfPackedAndRemappedIds) {
  EXPECT_EQ(value("L / 32"), "{0, 1, 2, 3}");
  EXPECT_EQ(value("L % 33"), "[0, 32]");
  EXPECT_EQ(value("(L & 63) * 4 + 3"), "[3, 255]");
  EXPECT_EQ(value("(L >> 6) * 64 + (L & 63)"), "[0, 127]");
  EXPECT_EQ(value("uint(L < 128)"), "{1}");
  EXPECT_EQ(value("uint(L + 128 < 128)"), "{0}");
  EXPECT_EQ(value("uint(int(L) - 1 < 0 ? 1 : 0)"), "{0, 1}");
  EXPECT_EQ(value("min(L, 200u) + max(L, 127u)"), "[127, 254]");
  EXPECT_EQ(value("clamp(p.n, 3u, 90u)"), "[3, 90]");
  EXPECT_EQ(value("uint(any(lessThan(uvec2(L, L + 7), uvec2(128, 3))))"), "{1}");
  EXPECT_EQ(value("uint(all(lessThan(uvec2(L, L + 7), uvec2(128, 3))))"), "{0}");
  EXPECT_EQ(value("bitfieldExtract(p.n, 5, 3)"), "{0, 1, 2, 3, 4, 5, 6, 7}");
}

TEST(ValueRanges, StridesOfATreeReduction) {
  const char *loops[] = {
      "for (uint s = 128; s > 0; s >>= 1)",  "for (uint s = 128; s > 0; s /= 2)",
      "for (int s = 128; s > 0; s >>= 1)",   "for (int s = 128; s > 0; s /= 2)",
      "for (uint s = 128; s != 0; s >>= 1)", "for (uint s = gl_WorkGroupSize.x; s > 0; s >>= 1)"};
  for (const char *loop : loops)
    EXPECT_THAT(stored(std::string(loop) + " { a[0] = uint(s); a[1] = uint(L + 128 < uint(s)); }"),
                ElementsAre("{1, 2, 4, 8, 16, 32, 64, 128}", "{0}"))
        << loop;
  EXPECT_THAT(stored("uint s = 128; do { a[0] = s; s >>= 1; } while (s > 0); a[1] = s;"),
              ElementsAre("{1, 2, 4, 8, 16, 32, 64, 128}", "{0}"));
}

TEST(ValueRanges, OffsetsOfAScan) {
  EXPECT_THAT(stored("for (uint o = 1; o < 256; o <<= 1) { a[0] = uint(L + 128 >= o); "
                     "a[1] = uint(L >= o); }"),
              ElementsAre("{1}", "{0, 1}"));
}

TEST(ValueRanges, CountersOfLoops) {
  EXPECT_THAT(stored("for (uint i = L; i < 324; i += 128) a[0] = i;"), ElementsAre("[0, 323]"));
  EXPECT_THAT(stored("for (uint i = L + 192; i < 324; i += 256) a[0] = i;"),
              ElementsAre("[192, 323]"));
  EXPECT_THAT(stored("for (int i = 0; i < 1000; ++i) a[0] = i; "), ElementsAre("[0, 999]"));
  EXPECT_THAT(stored("for (int i = 1000; i >= 0; --i) a[0] = i; "), ElementsAre("[0, 1000]"));
  EXPECT_THAT(stored("for (uint i = 0; i < p.n; ++i) a[0] = uint(i < 0xffffffffu);"),
              ElementsAre("{1}"));
  EXPECT_THAT(stored("for (int i = 0; i < p.w; ++i) a[0] = i;"), ElementsAre("[0, 2147483646]"));
  EXPECT_THAT(stored("for (uint i = 0; i < 16; ++i) for (uint j = i; j < 16; ++j) a[0] = i * 16 + "
                     "j;"),
              ElementsAre("[0, 255]"));
}

TEST(ValueRanges, BranchesOnTheWay) {
  EXPECT_THAT(stored("if (p.n < 10) a[0] = p.n;"), ElementsAre("all")) << "another load";
  EXPECT_THAT(stored("uint n = p.n; if (n < 10) a[0] = n; else a[1] = n;"),
              ElementsAre("{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}", "[10, 4294967295]"));
  EXPECT_THAT(stored("uint n = p.n; if (n < 100 && n > 90) a[0] = n * 2;"),
              ElementsAre("{182, 184, 186, 188, 190, 192, 194, 196, 198}"));
  EXPECT_THAT(stored("uint n = p.n; if (n >= 100 || n < 90) return; a[0] = n;"),
              ElementsAre("{90, 91, 92, 93, 94, 95, 96, 97, 98, 99}"));
  EXPECT_THAT(stored("int n = p.w; if (!(n > -50)) return; if (n <= 50) a[0] = uint(n);"),
              ElementsAre("[-49, 50] signed"));
  EXPECT_THAT(stored("uint n = p.n; if (n == 5) a[0] = n; else if (n != 7) a[1] = n; else a[2] = "
                     "n;"),
              ElementsAre("{5}", "all", "{7}"));
  EXPECT_THAT(stored("uint n = p.n; switch (n) { case 3: a[0] = n; break; case 4: case 5: a[1] = "
                     "n; break; }"),
              ElementsAre("{3}", "all"));
  EXPECT_THAT(stored("uint n = p.n; a[0] = n < 300 ? n : 300;"), ElementsAre("[0, 300]"));
  EXPECT_THAT(stored("if (L > 127) a[0] = 1; else a[1] = 2;"), ElementsAre("unreached", "{2}"));
}

//===----------------------------------------------------------------------===//
// What must not be
//===----------------------------------------------------------------------===//

TEST(ValueRanges, SumsMayWrap) {
  EXPECT_EQ(value("L - 1u"), "[-1, 126] signed");
  EXPECT_EQ(value("uint(L - 1u < 127u)"), "{0, 1}");
  EXPECT_EQ(value("L * 0x2000000u * 2u"), "all");
  EXPECT_EQ(value("p.n + 1u"), "all");
  EXPECT_EQ(value("uint(p.n + 1u > p.n)"), "{0, 1}");
  EXPECT_EQ(value("uint(p.w + 1 > p.w)"), "{0, 1}");
  EXPECT_EQ(value("L << 30"), "all");
  EXPECT_EQ(value("uint(-int(L))"), "[-127, 0] signed");
}

TEST(ValueRanges, SignsAreTheOpcodes) {
  EXPECT_THAT(stored("uint n = p.n; if (int(n) < 0) a[0] = n; else a[1] = n;"),
              ElementsAre("[2147483648, 4294967295]", "[0, 2147483647]"));
  EXPECT_THAT(stored("int n = p.w; if (n < 100) a[0] = uint(uint(n) < 100u);"),
              ElementsAre("{0, 1}"));
  EXPECT_THAT(stored("uint n = p.n; if (n > 5) a[0] = uint(int(n) > 5);"), ElementsAre("{0, 1}"));
}

TEST(ValueRanges, NarrowNumbersWrapAtTheirWidth) {
  EXPECT_EQ(value("uint(uint8_t(L) + uint8_t(200))"), "[0, 255]");
  EXPECT_EQ(value("uint(uint8_t(L + 200))"), "[0, 255]");
  EXPECT_EQ(value("uint(int8_t(L))"), "[0, 127]");
  EXPECT_EQ(value("uint(int(int8_t(L + 1)))"), "[-128, 127] signed") << "128 is -128";
  EXPECT_EQ(value("uint(uint16_t(L) * uint16_t(500))"), "[0, 63500]");
  EXPECT_EQ(value("uint(uint16_t(L) * uint16_t(600))"), "[0, 65535]");
  EXPECT_EQ(value("uint((uint64_t(L) << 40) >> 38)"), "[0, 508]");
}

TEST(ValueRanges, CountersThatChangeTwice) {
  EXPECT_THAT(stored("for (uint i = 0; i < 10; ++i) { a[0] = uint(i < 10); if (p.n == i) i += "
                     "p.n; a[1] = uint(i < 10); }"),
              ElementsAre("{1}", "{0, 1}"));
  EXPECT_THAT(stored("for (uint i = 0; i != 300; ++i) { a[0] = uint(i < 300); if (b[0] == 3) i += "
                     "2; }"),
              ElementsAre("{0, 1}"));
  EXPECT_THAT(stored("uint i = 0; while (true) { i += 3; if (i > 100) break; if (b[1] == 2) i = "
                     "b[2]; a[0] = uint(i <= 100); } a[1] = uint(i > 100);"),
              ElementsAre("{0, 1}", "{1}"));
  // Down past nothing.
  EXPECT_THAT(stored("for (uint i = 10; i < 20; --i) a[0] = i;"),
              ElementsAre("{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}"));
  EXPECT_THAT(stored("for (uint s = 100; s > 0; s -= 3) a[0] = uint(s <= 100);"),
              ElementsAre("{0, 1}"));
}

TEST(ValueRanges, AConditionFromAnEarlierRoundSaysNothing) {
  // `small` is of the round before; v has changed since.
  EXPECT_THAT(stored("bool small = false; for (uint i = 0; i < p.n; ++i) { uint v = b[i]; if "
                     "(small) a[0] = uint(v < 10); small = v < 10; }"),
              ElementsAre("{0, 1}"));
  EXPECT_THAT(stored("uint v = b[0]; bool small = v < 10; for (uint i = 0; i < p.n; ++i) { if "
                     "(small) a[0] = uint(v < 10); v = b[i]; }"),
              ElementsAre("{0, 1}"));
  EXPECT_THAT(stored("uint v = 3; for (uint i = 0; i < p.n; ++i) { if (v < 10) { v = b[i]; a[0] = "
                     "uint(v < 10); } }"),
              ElementsAre("{0, 1}"));
}

TEST(ValueRanges, MemoryMayHoldAnything) {
  EXPECT_EQ(value("t[L]"), "all");
  EXPECT_EQ(value("b[L]"), "all");
  EXPECT_EQ(value("atomicAdd(a[1], 1) & 0xffffffffu"), "all");
  EXPECT_THAT(stored("if (b[0] < 5) a[0] = uint(b[0] < 5);"), ElementsAre("{0, 1}"));
  EXPECT_THAT(stored("if (t[0] < 5) { barrier(); a[0] = uint(t[0] < 5); }"), ElementsAre("{0, 1}"));
}

TEST(ValueRanges, SpecializationConstantsMayBeAnything) {
  const std::string head = "layout(local_size_x = 64) in; layout(constant_id = 3) const uint kN = "
                           "7; layout(set = 0, binding = 0) buffer A { uint a[]; };\n";
  EXPECT_EQ(value("kN", head), "all");
  EXPECT_EQ(value("kN + 1", head), "all");
  EXPECT_EQ(value("uint(gl_LocalInvocationID.x < kN)", head), "{0, 1}");
  EXPECT_EQ(value("min(kN, 5u) + gl_LocalInvocationID.x", head), "[0, 68]");
}

TEST(ValueRanges, SizesThatTheHostSetsAreUnknown) {
  const std::string buffer = "layout(set = 0, binding = 0) buffer A { uint a[]; };\n";
  for (const char *environment : {"vulkan1.1", "vulkan1.3"}) {
    AnalysedKernel kernel =
        analyse("layout(local_size_x_id = 1, local_size_y = 4) in;\n" + buffer +
                    "void main() { a[0] = gl_LocalInvocationID.x; a[1] = gl_LocalInvocationIndex; "
                    "a[2] = gl_WorkGroupSize.x; }",
                {}, InputKind::Glsl, environment);
    EXPECT_THAT(storedOf(kernel), ElementsAre("all", "all", "all")) << environment;
  }
}

/// A kernel in SPIR-V with a local id `%lid`, an output pointer `%at` and some constants.
static AnalysedKernel analyseText(const std::string &decorations, const std::string &globals,
                                  const std::string &body) {
  return analyse(R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %lid
OpExecutionMode %main LocalSize 64 1 1
OpDecorate %lid BuiltIn LocalInvocationId
OpDecorate %block BufferBlock
OpMemberDecorate %block 0 Offset 0
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 0
)" + decorations + R"(
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%v3uint = OpTypeVector %uint 3
%in = OpTypePointer Input %v3uint
%lid = OpVariable %in Input
%c300 = OpConstant %uint 300
%c5 = OpConstant %uint 5
%c1 = OpConstant %uint 1
%c0 = OpConstant %uint 0
%block = OpTypeStruct %uint
%pblock = OpTypePointer Uniform %block
%puint = OpTypePointer Uniform %uint
%out = OpVariable %pblock Uniform
)" + globals + R"(
%main = OpFunction %void None %fn
%entry = OpLabel
%at = OpAccessChain %puint %out %c0
%load = OpLoad %v3uint %lid
%x = OpCompositeExtract %uint %load 0
)" + body + "\nOpReturn\nOpFunctionEnd\n",
                 {}, InputKind::SpirvText);
}

TEST(ValueRanges, TheDecoratedConstantOverridesTheMode) {
  EXPECT_THAT(storedOf(analyseText("", "", "OpStore %at %x")), ElementsAre("[0, 63]"));
  EXPECT_THAT(
      storedOf(analyseText("OpDecorate %size BuiltIn WorkgroupSize",
                           "%size = OpConstantComposite %v3uint %c300 %c1 %c1", "OpStore %at %x")),
      ElementsAre("[0, 299]"));
  EXPECT_THAT(storedOf(analyseText("OpDecorate %size BuiltIn WorkgroupSize\n"
                                   "OpDecorate %spec SpecId 4",
                                   "%spec = OpSpecConstant %uint 8\n"
                                   "%size = OpSpecConstantComposite %v3uint %spec %c1 %c1",
                                   "OpStore %at %x")),
              ElementsAre("all"));
}

TEST(ValueRanges, EachLookAtUndefGivesAnother) {
  EXPECT_THAT(storedOf(analyseText("", "%u = OpUndef %uint", R"(
%c = OpULessThan %bool %u %c5
%s = OpSelect %uint %c %u %c0
OpStore %at %s
OpSelectionMerge %merge None
OpBranchConditional %c %merge %other
%other = OpLabel
OpBranch %merge
%merge = OpLabel
%p = OpPhi %uint %u %entry %c1 %other
OpStore %at %p)")),
              ElementsAre("all", "all"));
}

/// One that is cut where it is compared may be another one where it is used.
TEST(ValueRanges, RelaxedComparisonsSayNothing) {
  const char *body = R"(
%n = OpLoad %uint %at
%c = OpULessThan %bool %n %c300
%s = OpSelect %uint %c %n %c0
OpStore %at %s)";
  EXPECT_THAT(storedOf(analyseText("", "", body)), ElementsAre("[0, 299]"));
  EXPECT_THAT(storedOf(analyseText("OpDecorate %c RelaxedPrecision", "", body)),
              ElementsAre("all"));
  EXPECT_THAT(storedOf(analyseText("OpDecorate %n RelaxedPrecision", "", body)),
              ElementsAre("all"));
  EXPECT_THAT(storedOf(analyseText("OpDecorate %x RelaxedPrecision", "", "OpStore %at %x")),
              ElementsAre("all"));
  EXPECT_THAT(storedOf(analyseText("OpDecorate %lid RelaxedPrecision", "", "OpStore %at %x")),
              ElementsAre("all"));
}

TEST(ValueRanges, RelaxedValuesMayBeCut) {
  const std::string head = "layout(local_size_x = 128) in; layout(push_constant) uniform P { uint "
                           "n; } p; layout(set = 0, binding = 0) buffer A { uint a[]; };\n";
  EXPECT_THAT(stored("mediump uint v = gl_LocalInvocationID.x + 5; a[0] = v;", head),
              ElementsAre("all"));
  EXPECT_THAT(stored("mediump uint v = p.n; if (v < 70000) a[0] = uint(v < 70000u); ", head),
              ElementsAre("{0, 1}"));
}

TEST(ValueRanges, UndefinedValuesMayDifferEachTime) {
  EXPECT_THAT(stored("uint v; if (p.n > 3) v = L; if (v < 128) a[0] = uint(v < 128);"),
              ElementsAre("{1}"))
      << "one value, whichever it is";
  EXPECT_THAT(stored("uint v; a[0] = uint(v < 128); if (v < 128) a[1] = uint(v < 128);"),
              ElementsAre("{0, 1}", "{0, 1}"));
}

TEST(ValueRanges, UndefinedOperationsMayGiveAnything) {
  EXPECT_EQ(value("L / p.n"), "all");
  EXPECT_EQ(value("L % p.n"), "all");
  EXPECT_EQ(value("uint((int(L) - 5) % 7)"), "all") << "negative";
  EXPECT_EQ(value("L >> p.n"), "all");
  EXPECT_EQ(value("clamp(L, p.n, 10u)"), "all");
}
