//===- differential/CounterExampleTests.cpp - Kernels against the proofs --===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Harness.h"

#include "gtest/gtest.h"

#include <cstring>

using namespace tailor;
using namespace tailor::differential;

namespace {

const std::string kHead = R"(#version 450
layout(push_constant) uniform P { uint n, m, stride, zero; int i, neg; } p;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
#define GX gl_GlobalInvocationID.x
#define GY gl_GlobalInvocationID.y
#define LX gl_LocalInvocationID.x
#define WX gl_WorkGroupID.x
)";
const std::string kLine = "layout(local_size_x = 64) in;\n";
const std::string kPlane = "layout(local_size_x = 8, local_size_y = 8) in;\n";

/// Runs on 128 invocations a row and 16 rows (one row for kLine); bounds n = 120, m = 13.
Report reportOf(const std::string &text, InputKind kind, const Dim3 &groups,
                const SpecMap &buildSpec = {}, const SpecMap &runSpec = {},
                const std::string &entry = "") {
  Result<Compiled> compiled = compile(text, kind, entry);
  if (!compiled) {
    ADD_FAILURE() << compiled.diagnostic().text << "\n" << text;
    return {};
  }
  ProblemSize size;
  size.name = "default";
  size.groups = groups;
  for (uint32_t binding = 0; binding < 2; ++binding) {
    WorkloadBinding buffer;
    buffer.desc.binding = binding;
    buffer.desc.bytes = 4 * 128 * 16;
    buffer.desc.output = binding == 0;
    buffer.fill.kind = binding == 0 ? Fill::Kind::Poison : Fill::Kind::Sequence;
    size.bindings.push_back(buffer);
  }
  const std::vector<uint32_t> constants = {120, 13, 128, 0, 120, static_cast<uint32_t>(-5)};
  std::vector<std::byte> bytes(constants.size() * 4);
  std::memcpy(bytes.data(), constants.data(), bytes.size());
  size.pushConstants.push_back({0, bytes, {}});
  for (const auto &[id, value] : runSpec)
    size.specConstants[id] = {value, 4, {}};
  Workload workload;
  workload.file = "test";
  workload.sizes.push_back(std::move(size));
  SizeRequest sizes;
  sizes.policy = SizeRequest::Policy::List;
  sizes.list = {{48, 1, 1}, {5, 3, 1},   {7, 1, 1}, {96, 2, 1},
                {4, 4, 1},  {128, 1, 1}, {1, 1, 1}, {3, 2, 5}};
  Report report = checkKernel(*compiled, sizes, buildSpec, workload, workload.sizes.front());
  EXPECT_EQ(report.text(), "") << text;
  return report;
}

class CounterExample : public testing::Test {
protected:
  void SetUp() override {
    if (noDevices())
      GTEST_SKIP() << "no Vulkan device";
  }
  Report line(const std::string &body, const std::string &globals = "") {
    return reportOf(kHead + kLine + globals + "void main() { " + body + " }", InputKind::Glsl,
                    {2, 1, 1});
  }
  Report plane(const std::string &body, const std::string &globals = "") {
    return reportOf(kHead + kPlane + globals + "void main() { " + body + " }", InputKind::Glsl,
                    {16, 2, 1});
  }
};

TEST_F(CounterExample, CoefficientsThatWrap) {
  // 64·2^26 is 2^32: the local id's group part vanishes, and rightly so.
  EXPECT_TRUE(line("a[GX] = LX << 26;").proven);
  EXPECT_FALSE(line("a[GX] = LX << 25;").proven);
  EXPECT_TRUE(line("a[GX] = WX * 0x80000000u * 2u + GX;").proven);
  EXPECT_FALSE(line("a[GX] = WX * 0x80000000u + GX;").proven);
  EXPECT_TRUE(line("a[GX] = (WX + 7u) * 64u + LX;").proven);
}

TEST_F(CounterExample, TwoWaysToTheSameSum) {
  EXPECT_TRUE(line("uint v = WX * 64u; if ((GX & 1u) == 0u) v += 3u; else v += GX; "
                   "a[GX] = v + LX;")
                  .proven);
  EXPECT_FALSE(
      line("uint v = WX * 64u; if ((GX & 1u) == 0u) v = WX * 63u; a[GX] = v + LX;").proven);
  EXPECT_TRUE(line("a[GX] = (GX > 20u ? WX * 64u : WX * 64u + 9u) + LX;").proven);
  EXPECT_FALSE(line("a[GX] = (LX > 20u ? WX * 64u : WX * 64u + 9u) + LX;").proven);
}

TEST_F(CounterExample, SumsBuiltInLoops) {
  EXPECT_TRUE(line("uint v = 0u; for (int k = 0; k < 5; ++k) v += GX; a[GX] = v;").proven);
  EXPECT_FALSE(line("uint v = LX; for (int k = 0; k < 64; ++k) v += WX; a[GX] = v;").proven);
  EXPECT_FALSE(line("uint v = 0u; for (uint k = WX; k < 9u; ++k) v += GX; a[GX] = v;").proven);
}

TEST_F(CounterExample, SwizzlesAndComponents) {
  EXPECT_TRUE(plane("uvec3 q = gl_WorkGroupID.yxz * gl_WorkGroupSize.yxz + "
                    "gl_LocalInvocationID.yxz; a[q.x * p.stride + q.y] = q.y;")
                  .proven);
  EXPECT_FALSE(plane("uvec3 q = gl_WorkGroupID.yxz * gl_WorkGroupSize.yxz + "
                     "gl_LocalInvocationID.xyz; a[GY * p.stride + GX] = q.x;")
                   .proven);
  EXPECT_TRUE(plane("uvec3 q = gl_GlobalInvocationID; q.y = 5u; q[1] += GY; "
                    "a[GY * p.stride + GX] = q.y;")
                  .proven);
  EXPECT_TRUE(plane("a[GY * p.stride + GX] = gl_WorkGroupID[GX & 1u] * 8u + "
                    "gl_LocalInvocationID[GX & 1u];")
                  .wrong.empty());
}

TEST_F(CounterExample, IndexOfAPlane) {
  EXPECT_FALSE(plane("a[GY * p.stride + GX] = gl_LocalInvocationIndex;").proven);
  EXPECT_TRUE(plane("a[GY * p.stride + GX] = gl_LocalInvocationIndex + WX * 8u + "
                    "gl_WorkGroupID.y * 64u;")
                  .proven);
  EXPECT_FALSE(plane("a[GY * p.stride + GX] = gl_LocalInvocationIndex + WX * 64u;").proven);
}

TEST_F(CounterExample, NegativeAndMixedBounds) {
  EXPECT_EQ(line("if (int(GX) < p.neg) a[GX] = 1u; ").wrong.size(), 0u);
  EXPECT_EQ(line("if (GX < uint(p.neg)) a[GX] = 1u; ").ranCover, 0u) << "a bound past the grid";
  EXPECT_GT(line("if (int(GX) < p.i) a[GX] = 1u; ").ranCover, 0u);
  EXPECT_EQ(line("if (int(GX) - 3 < p.i - 3) a[GX] = 1u; ").ranCover, 0u);
  EXPECT_EQ(line("if (GX - 3u < p.n) a[GX] = 1u; ").ranCover, 0u);
  EXPECT_GT(line("if (GX <= 119u) a[GX] = 1u; ").ranCover, 0u);
}

TEST_F(CounterExample, BoundsThatTimeChanges) {
  EXPECT_EQ(line("uint n = p.n; for (uint k = 0u; k < 3u; ++k) { if (GX < n) a[GX] = k; n += 9u; }")
                .ranCover,
            0u);
  EXPECT_EQ(line("uint n = p.n; if (GX > 100u) n += GX; if (GX < n) a[GX] = n;").ranCover, 0u);
}

TEST_F(CounterExample, BoundsThroughSecondNames) {
  // Both names stand for one buffer, whose first element is 1: the only authored invocation raises
  // it. One beside it could see that, were c[0] taken for a constant.
  const std::string kernel = kHead + R"(layout(local_size_x = 1) in;
    layout(set = 0, binding = 1) buffer C { uint c[]; };
    void main() { if (GX < b[1]) { c[1] = 90u; a[GX] = 7u; } })";
  Report report = reportOf(kernel, InputKind::Glsl, {1, 1, 1});
  EXPECT_TRUE(report.proven);
  EXPECT_EQ(report.ranCover, 0u);
}

TEST_F(CounterExample, GuardsThatAreForgotten) {
  for (const char *body :
       {"bool ok = GX < p.n; if (p.zero != 0u) ok = false; if (!ok) { if (p.zero != 1u) return; } "
        "a[GX] = 1u;",
        "bool ok = GX < p.n; ok = ok || p.zero == 0u; if (ok) a[GX & 127u] = GX & 127u;",
        "uint k = 0u; while (true) { if (GX >= p.n) break; a[GX] = k; if (++k > 2u) break; }",
        "switch (GX < p.n ? 3 : 4) { case 3: a[GX] = 2u; break; case 4: default: }",
        "if (GX < p.n == true) a[GX] = 1u;", "if (GX < p.n != (p.zero == 1u)) a[GX] = 1u;"})
    EXPECT_TRUE(line(body).wrong.empty()) << body;
}

// Whatever is proven of these must hold; the comment says what a wrong proof would overlook.
TEST_F(CounterExample, ManyWaysToHideAGroup) {
  const char *const kernels[] = {
      // through 64 bits, where the sum does not wrap
      "a[GX] = uint((uint64_t(WX) * 64ul + uint64_t(LX)) >> 3);",
      "a[GX] = uint(uint64_t(WX * 64u) + uint64_t(LX));",
      // through 16 bits
      "a[GX] = uint(uint16_t(WX * 64u)) + LX;", "a[GX] = uint(uint16_t(LX)) + WX * 64u;",
      // through bits, floats and carries
      "a[GX] = floatBitsToUint(uintBitsToFloat(WX * 64u)) + LX;",
      "a[GX] = uint(float(WX) * 64.0) + LX;",
      "uint lo, hi; umulExtended(WX, 64u, hi, lo); a[GX] = lo + LX;",
      "uint carry; a[GX] = uaddCarry(WX * 64u, LX, carry);", "a[GX] = (WX * 64u) | LX;",
      "a[GX] = bitfieldInsert(LX, WX, 6, 8);",
      // through structures, matrices and arrays
      "struct S { uvec2 v; uint w[2]; }; S s; s.v = uvec2(WX, LX); s.w[0] = s.v.x * 64u; "
      "s.w[1] = s.v.y; a[GX] = s.w[0] + s.w[1];",
      "uvec2 t[2] = uvec2[2](uvec2(WX, 64u), uvec2(LX, 1u)); a[GX] = t[0].x * t[0].y + t[1].x;",
      "uint t[2]; t[GX & 1u] = LX; t[1u - (GX & 1u)] = WX * 64u; a[GX] = t[0] + t[1];",
      "uvec4 v = uvec4(WX); v.yz = uvec2(LX, 64u); a[GX] = v.x * v.z + v.y;",
      "uvec4 v = uvec4(WX); v[GX & 3u] = LX; a[GX] = v.x;",
      // through control flow
      "uint v = 3u; if (LX < 64u) v = 4u; a[GX] = v;",
      "uint v; switch (WX) { case 0u: v = 1u; break; case 1u: v = 2u; break; default: v = 3u; } "
      "a[GX] = v;",
      "uint v = 0u; for (uint k = 0u; k < 64u; ++k) { if (k == LX) break; v = k; } a[GX] = v;",
      "uint v = 0u; do { v += LX - LX; } while (v > LX); a[GX] = v;",
      "uint v = WX; for (uint k = 0u; k < 3u; ++k) v = v * 64u; a[GX] = v;",
      // differences that vanish, or seem to
      "a[GX] = LX - LX + GX;", "a[GX] = (LX ^ LX) + GX;", "a[GX] = LX * 0u;", "a[GX] = LX & 0u;",
      "a[GX] = (GX - LX) - WX * 64u;", "a[GX] = (GX - LX) / 64u - WX;", "a[GX] = GX / 64u;",
      "a[GX] = GX % 64u;", "a[GX] = gl_NumWorkGroups.y + gl_NumWorkGroups.z;",
      // through memory of its own
      "a[GX] = WX * 64u; a[GX] += LX;", "a[GX + 128u] = 1u; a[GX] = a[GX + 128u];",
      // negative factors and large ones
      "a[GX] = 5u - LX - WX * 64u;", "a[GX] = LX * 0xffffffffu - WX * 64u;",
      "a[GX] = LX * 0x10000001u + WX * 0x40u;", "a[GX] = (LX + (WX << 6)) << 3 >> 3;",
      "a[GX] = ~(LX + WX * 64u);", "a[GX] = uint(-int(LX)) - (WX << 6);",
      "a[GX] = uint(abs(int(WX * 64u + LX) - 60));", "a[GX] = LX + 64u * (WX + 1u) - 64u;"};
  const std::string wide =
      "#version 450\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n";
  for (const char *body : kernels) {
    std::string text = kHead.substr(kHead.find('\n') + 1) + kLine + "void main() { " + body + " }";
    EXPECT_TRUE(reportOf(wide + text, InputKind::Glsl, {2, 1, 1}).wrong.empty()) << body;
  }
}

/// Stores of 1 become stores of a number of each invocation's own, so that one too many is seen.
std::string tellingApart(std::string body) {
  const std::string one = "= 1u;", own = "= GX * 31u + GY * 5u + 3u;";
  for (size_t at = body.find(one); at != std::string::npos; at = body.find(one, at + own.size()))
    body.replace(at, one.size(), own);
  return body;
}

TEST_F(CounterExample, ManyWaysToPassAGuard) {
  const char *const kernels[] = {
      // the guard is asked at another time, of another value, or on another path
      "uint g = GX; if (g >= p.n) { g = 0u; } a[GX] = g;",
      "uint g = GX; for (uint k = 0u; k < 2u; ++k) { if (g >= p.n) return; g += 3u; a[GX] = g; }",
      "bool ok = true; for (uint k = 0u; k < 2u; ++k) { if (ok) a[GX + k * 128u] = k; ok = GX < "
      "p.n; }",
      "bool ok; for (uint k = 0u; k < 2u; ++k) { ok = GX + k < p.n; } if (ok) a[GX] = 1u;",
      "bool ok = GX < p.n; if (p.zero == 0u) { ok = !ok; } if (!ok) a[GX] = 1u;",
      "bool ok = GX < p.n; if (ok == (p.zero == 0u)) a[GX] = 1u;",
      "if (GX < p.n) { if (GX >= p.n) a[0] = 9u; a[GX] = 1u; }",
      "if (GX >= p.n) { if (GX < p.m) return; } a[GX] = 1u;",
      "if (!(GX < p.n && p.zero == 0u)) { a[GX] = 3u; } else a[GX] = 4u;",
      "if (GX >= p.n || p.zero == 1u) { } else { a[GX] = 4u; } a[GX + 128u] = 1u;",
      "if ((GX < p.n) || (GX < p.m)) a[GX] = 4u;",
      "if ((GX < p.n) ^^ (GX >= 500u)) a[GX] = 4u;",
      "if (min(GX, p.n - 1u) == GX) a[GX] = 4u;",
      "if (clamp(GX, 0u, p.n) < p.n) a[GX] = 4u;",
      "uint i = min(GX, p.n - 1u); if (i < p.n) a[GX] = 1u;",
      "uint i = GX < p.n ? GX : 0u; if (i < p.n) a[GX] = 1u;",
      "int i = int(GX); i -= 2; if (i < p.i) a[GX] = 1u;",
      "if (-int(GX) > -p.i) a[GX] = 1u;",
      "if (int(GX) < p.i && int(GX) >= 0) a[GX] = 1u;",
      "if (float(GX) < float(p.n)) a[GX] = 1u;",
      "if (GX * 2u < p.n * 2u) a[GX] = 1u;",
      "if ((GX & 127u) < p.n) a[GX] = GX;",
      "if ((GX >> 1) < (p.n >> 1)) a[GX] = 1u;",
      "if (GX < p.n - 1u + p.zero) a[GX] = 1u;",
      "if (GX < p.n / p.m * p.m) a[GX] = 1u;",
      "if (GX < (p.n ^ p.zero)) a[GX] = 1u;",
      "if (GX < (p.zero - 1u)) a[GX] = 1u;",
      "if (GX <= p.zero - 1u) a[GX] = 1u;",
      "if (GX < b[120]) a[GX] = 1u;",
      "if (GX < b[p.n]) a[GX] = 1u;",
      "if (GX < a[1500]) a[GX] = 1u;",
      "if (GX != 7u) return; a[GX] = 1u;",
      "if (GX == p.n) a[GX] = 1u;",
      "if (uint(p.i) > GX) a[GX] = 1u; else if (p.zero == 0u) a[GX] = 2u;",
      "switch (p.zero) { case 0u: if (GX >= p.n) break; a[GX] = 1u; break; default: return; }",
      "switch (p.zero) { case 1u: if (GX >= p.n) return; default: a[GX] = 1u; }",
      "if (GX < p.n) { for (uint k = 0u; ; ++k) { if (k > (GX & 7u)) { a[GX] = k; return; } } }",
      "while (GX < p.n) { a[GX] = 1u; if (p.zero == 0u) break; }",
      "uint k = 0u; while (GX < p.n && k < 3u) { a[GX] = ++k; }",
      "if (any(greaterThanEqual(gl_GlobalInvocationID.xx, uvec2(p.n, 500u)))) return; a[GX] = 1u;",
      "if (all(lessThan(gl_GlobalInvocationID.xx, uvec2(p.n, 500u)).yx)) a[GX] = 1u;",
      "bvec2 in2 = lessThan(gl_GlobalInvocationID.xx, uvec2(p.n, 500u)); if (in2.y) a[GX] = 1u;",
      "bvec2 in2 = lessThan(gl_GlobalInvocationID.xx, uvec2(500u, p.n)); if (in2.x) a[GX] = 1u;",
      "bvec2 in2 = not(lessThan(gl_GlobalInvocationID.xy, uvec2(p.n, p.m))); if (in2.x) return; "
      "a[GX] = 1u;"};
  for (const char *body : kernels)
    EXPECT_TRUE(line(tellingApart(body)).wrong.empty()) << body;
  const char *const planes[] = {
      "bool x = GX < p.n, y = GY < p.m; if (x || y) a[GY * p.stride + GX] = 1u;",
      "bool x = GX >= p.n, y = GY >= p.m; if (x && y) return; a[GY * p.stride + GX] = 1u;",
      "if (GX < p.n && GY < p.m) a[GY * p.stride + GX] = 1u;",
      "if (GX < p.n || GY < p.m) a[GY * p.stride + GX] = 1u;",
      "if (GX >= p.n && GY >= p.m) return; a[GY * p.stride + GX] = 1u;",
      "if (GX < p.n) { if (GY < p.n) a[GY * p.stride + GX] = 1u; }",
      "if (GY < p.n && GX < p.m) a[GY * p.stride + GX] = 1u;",
      "if (GX * p.m + GY < p.n * p.m) a[GY * p.stride + GX] = 1u;",
      "if (GY * p.stride + GX < 128u * 16u) a[GY * p.stride + GX] = 1u;",
      "bool x = GX < p.n, y = GY < p.m; if (x != y) return; a[GY * p.stride + GX] = 1u;",
      "bool x = GX < p.n, y = GY < p.m, xy = x ? y : false; if (xy) a[GY * p.stride + GX] = 1u;",
      "if (all(lessThan(gl_GlobalInvocationID.yx, uvec2(p.n, p.m)))) a[GY * p.stride + GX] = 1u;",
      "if (all(lessThan(gl_GlobalInvocationID, uvec3(p.n, p.m, 1u)))) a[GY * p.stride + GX] = 1u;",
      "if (any(lessThan(gl_GlobalInvocationID.xy, uvec2(p.n, p.m)))) a[GY * p.stride + GX] = 1u;"};
  for (const char *body : planes)
    EXPECT_TRUE(plane(tellingApart(body)).wrong.empty()) << body;
}

TEST_F(CounterExample, SpecializationConstantsOfSizeAndBody) {
  const std::string kernel = kHead + R"(layout(local_size_x_id = 3) in;
    layout(constant_id = 5) const uint other = 2u;
    layout(constant_id = 6) const uint bound = 50u;
    uint t[gl_WorkGroupSize.x];
    void main() {
      uint i = WX * gl_WorkGroupSize.x + LX;
      t[i % gl_WorkGroupSize.x] = i;
      if (i < bound) a[i] = t[i % gl_WorkGroupSize.x] * other + gl_WorkGroupSize.x; })";
  EXPECT_TRUE(reportOf(kernel, InputKind::Glsl, {4, 1, 1}, {{3, 32}}, {{3, 32}}).proven);
  // The workload gives the others: authored module and variants get them alike.
  EXPECT_TRUE(
      reportOf(kernel, InputKind::Glsl, {4, 1, 1}, {{3, 32}}, {{3, 32}, {5, 9}, {6, 100}}).proven);
  // And so do the build's own, with a workload that says nothing.
  EXPECT_TRUE(reportOf(kernel, InputKind::Glsl, {4, 1, 1}, {{3, 32}, {5, 9}, {6, 127}}).proven);
}

/// a[WorkgroupId.x * factor + LocalInvocationId.x] = 1, where size and factor are constants under
/// one SpecId with defaults of their own.
std::string oneSpecIdTwice(const std::string &factorDefault) {
  return R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %wid %lid
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %wid BuiltIn WorkgroupId
OpDecorate %lid BuiltIn LocalInvocationId
OpDecorate %size BuiltIn WorkgroupSize
OpDecorate %sx SpecId 3
OpDecorate %factor SpecId 3
OpDecorate %array ArrayStride 4
OpDecorate %block BufferBlock
OpMemberDecorate %block 0 Offset 0
OpDecorate %a DescriptorSet 0
OpDecorate %a Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%u = OpTypeInt 32 0
%u3 = OpTypeVector %u 3
%inp = OpTypePointer Input %u3
%wid = OpVariable %inp Input
%lid = OpVariable %inp Input
%one = OpConstant %u 1
%zero = OpConstant %u 0
%sx = OpSpecConstant %u 32
%factor = OpSpecConstant %u )" +
         factorDefault + R"(
%size = OpSpecConstantComposite %u3 %sx %one %one
%array = OpTypeRuntimeArray %u
%block = OpTypeStruct %array
%bp = OpTypePointer Uniform %block
%up = OpTypePointer Uniform %u
%a = OpVariable %bp Uniform
%main = OpFunction %void None %fn
%entry = OpLabel
%w3 = OpLoad %u3 %wid
%l3 = OpLoad %u3 %lid
%w = OpCompositeExtract %u %w3 0
%l = OpCompositeExtract %u %l3 0
%m = OpIMul %u %w %factor
%i = OpIAdd %u %m %l
%p = OpAccessChain %up %a %zero %i
OpStore %p %i
OpReturn
OpFunctionEnd
)";
}

TEST_F(CounterExample, OneSpecIdWithTwoDefaults) {
  EXPECT_TRUE(reportOf(oneSpecIdTwice("32"), InputKind::SpirvText, {4, 1, 1}).proven);
  // The host leaves them alone: the size is 32 and the factor 96.
  EXPECT_FALSE(reportOf(oneSpecIdTwice("96"), InputKind::SpirvText, {4, 1, 1}).proven);
  // It gives both one value: the sum is the global id.
  EXPECT_TRUE(
      reportOf(oneSpecIdTwice("96"), InputKind::SpirvText, {4, 1, 1}, {{3, 16}}, {{3, 16}}).proven);
}

TEST_F(CounterExample, TheSizeAsAValueOfTheBody) {
  // glslang gives the size a constant of its own, which defaults to 1, under the SpecId of F.
  const std::string kernel = kHead + R"(layout(local_size_x_id = 3) in;
    layout(constant_id = 3) const uint F = 64u;
    void main() { if (GX < p.n) a[GX] = F + gl_WorkGroupSize.x * 1000u; })";
  EXPECT_TRUE(reportOf(kernel, InputKind::Glsl, {2, 1, 1}, {{3, 64}}, {{3, 64}}).proven);
  // A variant that has 64 frozen is wrong for the host that sets 1, of which the size says nothing.
  EXPECT_FALSE(reportOf(kernel, InputKind::Glsl, {128, 1, 1}, {}, {{3, 1}}).proven);
  EXPECT_FALSE(reportOf(kernel, InputKind::Glsl, {128, 1, 1}).proven);
  EXPECT_TRUE(reportOf(kernel, InputKind::Glsl, {128, 1, 1}, {{3, 1}}, {{3, 1}}).proven);
}

/// `uint(int(2^24 * GlobalId.x) / divisor) < 1` guards a[GlobalId.x] = 1; SPIR-V compares integers
/// of either sign as it is told to.
std::string quotientOfASum(const std::string &division, const std::string &comparison) {
  const std::string type = division == "OpSDiv" ? "%int" : "%uint";
  std::string text = R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %gid
OpExecutionMode %main LocalSize 64 1 1
OpDecorate %gid BuiltIn GlobalInvocationId
OpDecorate %array ArrayStride 4
OpMemberDecorate %block 0 Offset 0
OpDecorate %block BufferBlock
OpDecorate %a DescriptorSet 0
OpDecorate %a Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%int = OpTypeInt 32 1
%v3 = OpTypeVector %uint 3
%input = OpTypePointer Input %v3
%gid = OpVariable %input Input
%factor = OpConstant %uint 16777216
%first = OpConstant %int 0
%number = OpConstant %uint 1
)";
  return text + "%divisor = OpConstant " + type + " 2147483647\n%one = OpConstant " + type + R"( 1
%array = OpTypeRuntimeArray %uint
%block = OpTypeStruct %array
%buffer = OpTypePointer Uniform %block
%element = OpTypePointer Uniform %uint
%a = OpVariable %buffer Uniform
%main = OpFunction %void None %fn
%entry = OpLabel
%id = OpLoad %v3 %gid
%x = OpCompositeExtract %uint %id 0
%product = OpIMul )" +
         type + " %x %factor\n%quotient = " + division + " " + type + " %product %divisor\n" +
         "%inside = " + comparison + R"( %bool %quotient %one
OpSelectionMerge %end None
OpBranchConditional %inside %then %end
%then = OpLabel
%place = OpAccessChain %element %a %first %x
OpStore %place %number
OpBranch %end
%end = OpLabel
OpReturn
OpFunctionEnd
)";
}

TEST_F(CounterExample, QuotientsWhoseSignsDiffer) {
  // From 2^31 on the sum is negative, and its quotient 0 again: below the bound.
  EXPECT_EQ(
      reportOf(quotientOfASum("OpSDiv", "OpULessThan"), InputKind::SpirvText, {2, 1, 1}).ranCover,
      0u);
  reportOf(quotientOfASum("OpSDiv", "OpSLessThan"), InputKind::SpirvText, {2, 1, 1});
  reportOf(quotientOfASum("OpUDiv", "OpSLessThan"), InputKind::SpirvText, {2, 1, 1});
  EXPECT_GT(
      reportOf(quotientOfASum("OpUDiv", "OpULessThan"), InputKind::SpirvText, {2, 1, 1}).ranCover,
      0u);
}

/// Two kernels of sizes 32 and 64 that compute their index in one function: W·32 + L, which is the
/// global id of the first alone.
const char *const kTwoKernels = R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %k32 "k32" %wid %lid
OpEntryPoint GLCompute %k64 "k64" %wid %lid
OpExecutionMode %k32 LocalSize 32 1 1
OpExecutionMode %k64 LocalSize 64 1 1
OpDecorate %wid BuiltIn WorkgroupId
OpDecorate %lid BuiltIn LocalInvocationId
OpDecorate %array ArrayStride 4
OpDecorate %block BufferBlock
OpMemberDecorate %block 0 Offset 0
OpDecorate %a DescriptorSet 0
OpDecorate %a Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%u = OpTypeInt 32 0
%ufn = OpTypeFunction %u
%u3 = OpTypeVector %u 3
%inp = OpTypePointer Input %u3
%inu = OpTypePointer Input %u
%wid = OpVariable %inp Input
%lid = OpVariable %inp Input
%zero = OpConstant %u 0
%c32 = OpConstant %u 32
%array = OpTypeRuntimeArray %u
%block = OpTypeStruct %array
%bp = OpTypePointer Uniform %block
%up = OpTypePointer Uniform %u
%a = OpVariable %bp Uniform
%index = OpFunction %u None %ufn
%e0 = OpLabel
%wp = OpAccessChain %inu %wid %zero
%w = OpLoad %u %wp
%l3 = OpLoad %u3 %lid
%l = OpCompositeExtract %u %l3 0
%m = OpIMul %u %w %c32
%i = OpIAdd %u %m %l
OpReturnValue %i
OpFunctionEnd
%k32 = OpFunction %void None %fn
%e1 = OpLabel
%i1 = OpFunctionCall %u %index
%p1 = OpAccessChain %up %a %zero %i1
OpStore %p1 %i1
OpReturn
OpFunctionEnd
%k64 = OpFunction %void None %fn
%e2 = OpLabel
%i2 = OpFunctionCall %u %index
%p2 = OpAccessChain %up %a %zero %i2
OpStore %p2 %i2
OpReturn
OpFunctionEnd
)";

TEST_F(CounterExample, TwoKernelsThatShareAFunction) {
  EXPECT_TRUE(reportOf(kTwoKernels, InputKind::SpirvText, {4, 1, 1}, {}, {}, "k32").proven);
  EXPECT_FALSE(reportOf(kTwoKernels, InputKind::SpirvText, {2, 1, 1}, {}, {}, "k64").proven);
}

} // namespace
