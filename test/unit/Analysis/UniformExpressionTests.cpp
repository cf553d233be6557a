//===- unit/Analysis/UniformExpressionTests.cpp - Bounds as expressions ----===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bounds that are chosen, and bounds in structures that are passed by value;
// the counter-examples first.
//
//===----------------------------------------------------------------------===//
#include "KernelSupport.h"

#include "Analysis/Certificate.h"
#include "Analysis/UniformExpression.h"

#include "gmock/gmock.h"

using namespace tailor;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

const std::string kHead = R"(
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint SPEC = 0u;
layout(constant_id = 1) const bool FLAG = true;
layout(constant_id = 2) const int ISPEC = 0;
struct Meta { uvec4 sizes[2]; uvec2 numel; uint n; };
layout(push_constant) uniform P { uint n; uint m; int i; int j; } p;
layout(set = 0, binding = 0) buffer A { float a[]; };
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
layout(set = 0, binding = 2) buffer C { uint c[]; };
layout(set = 0, binding = 3) uniform U { Meta meta; } u;
#define GX gl_GlobalInvocationID.x
)";

/// The bounds on x, `;` between them; empty where the axis is not guarded.
std::string boundsOf(const std::string &glsl) {
  const AnalysedKernel kernel = analyse(kHead + glsl);
  if (!kernel.operator->())
    return "no kernel";
  Certificate certificate = certify(*kernel);
  if (certificate.resizeRefusal())
    return "refused: " + certificate.resizeRefusal()->text;
  std::string text;
  for (const DispatchBound &bound : certificate.bounds[0])
    text += (text.empty() ? "" : "; ") + bound.str();
  return text;
}
std::string boundOf(const std::string &setup) {
  return boundsOf("void main() { " + setup + " if (GX < n) a[GX] = 1.0; }");
}

// --- no bounds ---

TEST(UniformExpression, AChoiceThatVariesIsNoBound) {
  EXPECT_THAT(boundOf("uint n = GX > 5u ? p.n : p.m;"), IsEmpty());
  EXPECT_THAT(boundOf("uint n = mix(p.n, p.m, GX > 5u);"), IsEmpty());
  EXPECT_THAT(boundOf("uint n = p.n; if (c[0] == 1u) n = p.m; c[GX] = 1u;"), IsEmpty());
  EXPECT_THAT(boundOf("uint n = p.n; if (p.i > 0 && GX != 3u) n = p.m;"), IsEmpty());
}

TEST(UniformExpression, AUniformChoiceOfWhatVariesIsNoBound) {
  EXPECT_THAT(boundOf("uint n = p.i > 0 ? p.n : GX;"), IsEmpty());
  EXPECT_THAT(boundOf("uint n = mix(p.n, c[1], p.i > 0); c[GX + 2u] = n;"), IsEmpty());
}

TEST(UniformExpression, AnUndefinedSideIsNoBound) {
  EXPECT_THAT(boundOf("uint n; if (p.i > 0) n = p.n;"), IsEmpty());
}

TEST(UniformExpression, AChoiceInALoopIsNoBound) {
  EXPECT_THAT(boundOf("uint n = p.n; for (int k = 0; k < p.i; ++k) if (k == p.j) n = p.m;"),
              IsEmpty());
  EXPECT_THAT(boundOf("uint n = 5u; for (int k = 0; k < 9; ++k) { if (p.j == k) break; n = p.m; }"),
              IsEmpty());
}

TEST(UniformExpression, AMemberThatWasReplacedIsNoBound) {
  EXPECT_THAT(boundOf("Meta t = u.meta; t.numel.y = GX + 1u; uint n = t.numel.y;"), IsEmpty());
  EXPECT_THAT(
      boundOf("Meta t = u.meta; t.numel = uvec2(1u, c[0]); uint n = t.numel.y; c[GX + 1u] = n;"),
      IsEmpty());
}

// --- choices ---

TEST(UniformExpression, AConstantOfTheHostOrAPushConstant) {
  EXPECT_EQ(boundOf("uint n = SPEC == 0u ? p.n : SPEC;"),
            "gid.x < ((spec_constant(0) == 0) ? push_constant[0] : spec_constant(0))");
  EXPECT_EQ(boundOf("uint n; if (SPEC != 0u) n = SPEC; else n = p.n;"),
            "gid.x < ((spec_constant(0) != 0) ? spec_constant(0) : push_constant[0])");
  EXPECT_EQ(boundOf("uint n = p.n; if (p.m >= 7u) n = 7u;"),
            "gid.x < ((7 <= push_constant[4]) ? 7 : push_constant[0])");
  EXPECT_EQ(boundOf("uint n = mix(p.m, p.n, p.i < p.j);"),
            "gid.x < (sless(push_constant[8], push_constant[12]) ? push_constant[0] : "
            "push_constant[4])");
  EXPECT_EQ(boundOf("const uint n = FLAG ? SPEC : 9u;"),
            "gid.x < ((spec_constant(1) != 0) ? spec_constant(0) : 9)");
}

TEST(UniformExpression, ConditionsAreMadeOfConditions) {
  EXPECT_EQ(boundOf("uint n = p.n; if (!FLAG && p.m > p.n) n = p.m;"),
            "gid.x < ((((spec_constant(1) != 0) == 0) ? (push_constant[0] < push_constant[4]) : "
            "((spec_constant(1) != 0) == 0)) ? push_constant[4] : push_constant[0])");
  EXPECT_EQ(boundOf("uint n = p.n; if ((p.i <= 0) != FLAG) n = 1u;"),
            "gid.x < ((sless_equal(push_constant[8], 0) != (spec_constant(1) != 0)) ? 1 : "
            "push_constant[0])");
  EXPECT_EQ(boundOf("const bool both = FLAG && SPEC > 3u; const uint n = both ? 2u : 3u;"),
            "gid.x < (((spec_constant(1) != 0) & (3 < spec_constant(0))) ? 2 : 3)");
}

TEST(UniformExpression, ByComponentAndNested) {
  EXPECT_EQ(boundOf("uint n = mix(uvec2(1u, p.n), uvec2(2u, p.m), bvec2(p.i > 0, p.j > 0)).y;"),
            "gid.x < (sless(0, push_constant[12]) ? push_constant[4] : push_constant[0])");
  EXPECT_EQ(boundOf("uint n; if (p.i == 0) { if (p.j == 0) n = 1u; else n = 2u; } else n = 3u;"),
            "gid.x < ((push_constant[8] == 0) ? ((push_constant[12] == 0) ? 1 : 2) : 3)");
}

TEST(UniformExpression, FromAFunctionThatReturnsEarly) {
  EXPECT_EQ(boundsOf("uint f() { if (SPEC == 0u) return p.n; return SPEC; } "
                     "void main() { if (GX < f()) a[GX] = 1.0; }"),
            "gid.x < ((spec_constant(0) == 0) ? push_constant[0] : spec_constant(0))");
}

// The choice is the same for the whole dispatch, and so is what hangs off it.
TEST(UniformExpression, AChoiceKeepsTheIdInIt) {
  EXPECT_EQ(
      boundsOf("layout(set = 0, binding = 4) buffer D { float d[]; } s[4]; "
               "void main() { uint t = p.i > 0 ? 1u : p.m; if (GX < p.n) s[t].d[GX] = 1.0; }"),
      "gid.x < push_constant[0]");
}

// --- structures by value ---

TEST(UniformExpression, AMemberOfAParameter) {
  EXPECT_EQ(boundsOf("bool outside(uint i, const Meta m) { return i >= m.numel.y; } "
                     "void main() { if (outside(GX, u.meta)) return; a[GX] = 1.0; }"),
            "gid.x < buffer(0,3)[36]");
  EXPECT_EQ(boundOf("Meta t = u.meta; uint n = t.sizes[1].z + t.n;"),
            "gid.x < (buffer(0,3)[24] + buffer(0,3)[40])");
}

TEST(UniformExpression, AMemberBesideAnotherThatDependsOnGroups) {
  EXPECT_EQ(boundOf("Meta t = u.meta; t.n = gl_LocalInvocationIndex; uint n = t.numel.x;"),
            "gid.x < buffer(0,3)[32]");
  EXPECT_EQ(boundsOf("struct S { uint lane; uvec2 v; }; bool inside(S s) { return s.v.y < p.n; } "
                     "void main() { S s = S(gl_LocalInvocationID.x, uvec2(SPEC, GX)); "
                     "if (inside(s)) a[s.v.y] = 1.0; }"),
            "gid.x < push_constant[0]");
  EXPECT_THAT(boundsOf("struct S { uint lane; uint v; }; uint f(S s) { return s.lane; } "
                       "void main() { a[f(S(gl_LocalInvocationID.x, GX))] = 1.0; }"),
              HasSubstr("an address depends on how"));
}

TEST(UniformExpression, AnArrayOfConstants) {
  EXPECT_EQ(boundOf("const uint t[3] = uint[](4u, SPEC, 6u); uint n = t[1];"),
            "gid.x < spec_constant(0)");
}

// The affine analysis has one symbol for a member, however it is loaded.
TEST(UniformExpression, AMemberIsOneSymbol) {
  const AnalysedKernel kernel =
      analyse(kHead + "uint f(Meta m) { return m.numel.y; } "
                      "void main() { uint x = f(u.meta), y = u.meta.numel.y; uvec2 z = "
                      "u.meta.numel; c[x * GX] = 0u; c[y * GX] = 1u; c[z.y * GX] = 2u; }");
  std::vector<std::string> addresses;
  for (const Block &block : kernel->form().function().blocks())
    for (const Instruction &inst : block.instructions())
      if (inst.opcode() == spv::Op::OpIMul)
        addresses.push_back(kernel->affine().str(*kernel->affine().expr(inst.result(), 0)));
  EXPECT_THAT(addresses, testing::ElementsAre("u.meta.numel.y*gid.x", "u.meta.numel.y*gid.x",
                                              "u.meta.numel.y*gid.x"));
}

TEST(UniformExpression, ASumWithAMemberOfAParameter) {
  EXPECT_EQ(boundsOf("bool inside(uint i, Meta m) { return i * m.n + 2u < m.numel.x; } "
                     "void main() { if (inside(GX, u.meta)) a[GX] = 1.0; }"),
            "buffer(0,3)[40]*gid.x + 2 < buffer(0,3)[32]");
}

// --- descriptors ---

TEST(DescriptorIndex, OfALoopIsTheSameForThoseInIt) {
  const std::string head = "layout(set = 0, binding = 4) buffer D { float d[]; } s[4]; ";
  EXPECT_EQ(boundsOf(head + "void main() { if (GX >= p.n) return; "
                            "for (int k = 0; k < p.i; ++k) s[k].d[GX] = 1.0; }"),
            "gid.x < push_constant[0]");
  // Behind the loop each has its own.
  EXPECT_THAT(boundsOf(head + "void main() { int k = 0; while (k < 3 && c[GX * 4u + k] != 0u) ++k; "
                              "s[k].d[GX] = 1.0; }"),
              HasSubstr("must be uniform in a workgroup"));
  EXPECT_THAT(boundsOf(head + "void main() { for (uint k = GX; k < 4u; ++k) s[k].d[GX] = 1.0; }"),
              HasSubstr("must be uniform in a workgroup"));
}

} // namespace
