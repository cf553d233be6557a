//===- unit/Analysis/RegionTests.cpp - Where invocations part and meet -----===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KernelSupport.h"

#include "Analysis/RegionRules.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <set>

using namespace tailor;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

const std::string kHead = R"(layout(local_size_x = 48) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
layout(push_constant) uniform P { uint n, m; } p;
#define I gl_LocalInvocationIndex
shared uint t[48];
#define MEET t[I] = r; barrier(); r += t[47 - I]; barrier();
)"; // with its #version line, 8 lines

/// `10-12 tail, 15-15`: the lines of each region's blocks, counted from the kernel's first.
std::string regionsOf(const AnalysedKernel &kernel) {
  Result<std::vector<DivergentRegion>> regions =
      findDivergentRegions(kernel->form().function(), kernel->flow(),
                           [&](const Block &block) { return leavesTogether(*kernel, block); });
  if (!regions)
    return regions.diagnostic().text;
  std::string text;
  for (const DivergentRegion &region : *regions) {
    std::set<unsigned> lines;
    for (const Block *block : region.blocks)
      for (const Instruction &inst : block->instructions())
        if (unsigned line = kernel.lineOf(inst); line > 8)
          lines.insert(line - 8);
    EXPECT_FALSE(lines.empty());
    EXPECT_NE(region.parting, nullptr);
    text += (text.empty() ? "" : ", ") + std::to_string(*lines.begin()) + "-" +
            std::to_string(*lines.rbegin());
    text += region.isTail ? region.needsLoop ? " tail in a loop" : " tail" : "";
    text += region.exit ? "" : " to the end";
  }
  return text;
}

std::string regionsOf(const std::string &body) {
  const AnalysedKernel kernel = analyse(kHead + body);
  return kernel ? regionsOf(kernel) : "";
}

/// The verdict on coarsen, with its line.
std::string coarsenOf(const std::string &body) {
  const AnalysedKernel kernel = analyse(kHead + body);
  if (!kernel)
    return "";
  const std::optional<Diagnostic> refusal = certify(*kernel).verdict(Technique::Coarsen).refusal;
  return refusal ? std::to_string(refusal->location.line - 8) + ": " + refusal->text : "legal";
}

const char *const kStands =
    "a control barrier stands in a part of the kernel that invocations of a "
    "workgroup may go through in different ways";

//===----------------------------------------------------------------------===//
// What is found
//===----------------------------------------------------------------------===//

TEST(Regions, NoneWhereAllGoTogether) {
  EXPECT_EQ(regionsOf(R"(void main() {
  uint r = b[I];
  for (uint k = 0; k < p.n; ++k) { MEET if (k == p.m) break; }
  a[I] = r;
})"),
            "");
}

TEST(Regions, WholeConstructs) {
  EXPECT_EQ(regionsOf(R"(void main() {
  uint r = b[I];
  if (r > 5)
    r += 3;
  for (uint k = 0; k < p.n; ++k) {
    MEET
    while (r > 9)
      r -= 7;
    switch (r) {
    case 1:
      r += 5;
    }
  }
  a[I] = r;
})"),
            "4-4, 7-8, 11-11");
}

TEST(Regions, RestOfTheFunction) {
  EXPECT_EQ(regionsOf(R"(void main() {
  uint r = b[I];
  MEET
  if (r > 5)
    return;
  a[I] = r;
})"),
            "5-6 tail to the end");
}

TEST(Regions, RestOfASwitch) {
  EXPECT_EQ(regionsOf(R"(void main() {
  uint r = b[I];
  switch (p.n) {
  case 1:
    MEET
    if (r > 5)
      break;
    r += 3;
    break;
  case 2:
    MEET
  }
  a[I] = r;
})"),
            "7-9 tail");
}

TEST(Regions, RestOfALoopsBody) {
  EXPECT_EQ(regionsOf(R"(void main() {
  uint r = b[I];
  for (uint k = 0; k < p.n; ++k) {
    MEET
    if (r > 5)
      continue;
    r += 3;
    if (r == 7) {
      r = 5;
      continue;
    }
    r += 9;
  }
  a[I] = r;
})"),
            "6-12 tail");
}

TEST(Regions, RestOfALoopsBodyInABranchOfIt) {
  EXPECT_EQ(regionsOf(R"(void main() {
  uint r = b[I];
  for (uint k = 0; k < p.n; ++k) {
    if (k == p.m) {
      MEET
      if (r > 5)
        continue;
      r += 3;
      continue;
    }
    r += 9;
    MEET
  }
  a[I] = r;
})"),
            "7-9 tail");
}

TEST(Regions, ContinuesOutOfASwitch) {
  EXPECT_EQ(regionsOf(R"(void main() {
  uint r = b[I];
  for (uint k = 0; k < p.n; ++k) {
    MEET
    switch (r) {
    case 0:
      continue;
    default:
      r += 3;
    }
    r += 9;
  }
  a[I] = r;
})"),
            "7-11 tail in a loop");
}

TEST(Regions, ContinuesPastASwitch) {
  EXPECT_EQ(regionsOf(R"(void main() {
  uint r = b[I];
  for (uint k = 0; k < p.n; ++k) {
    MEET
    if (r == 3)
      continue;
    switch (r) {
    case 0:
      break;
    default:
      r += 3;
    }
    r += 9;
  }
  a[I] = r;
})"),
            "6-13 tail");
}

TEST(Regions, OfTheInnerLoop) {
  EXPECT_EQ(regionsOf(R"(void main() {
  uint r = b[I];
  for (uint j = 0; j < p.m; ++j) {
    for (uint k = 0; k < p.n; ++k) {
      MEET
      if (r > 5)
        continue;
      r += 3;
    }
    if (r == 7)
      continue;
    r += 9;
  }
  a[I] = r;
})"),
            "7-8 tail, 11-12 tail");
}

TEST(Regions, TheWholeLoopWhereItIsLeftUnalike) {
  EXPECT_EQ(regionsOf(R"(void main() {
  uint r = b[I];
  MEET
  for (uint k = 0; k < r; ++k) {
    if (b[k] > 5)
      continue;
    r += 3;
  }
  a[I] = r;
})"),
            "4-7");
}

//===----------------------------------------------------------------------===//
// What the certificate makes of them
//===----------------------------------------------------------------------===//

TEST(Regions, ContinuesAreLegalBehindBarriers) {
  EXPECT_EQ(coarsenOf(R"(void main() {
  uint r = b[I];
  for (uint k = 0; k < p.n; ++k) { MEET if (r > 5) continue; r += 3; }
  a[I] = r;
})"),
            "legal");
}

TEST(Regions, BarrierThatAllReachByDifferentWays) {
  // In every other iteration all meet. But `r ^= 5` follows for those that did not, too.
  const std::string body = R"(void main() {
  uint r = b[I];
  for (uint k = 0; k < p.n; ++k) {
    if ((k & 1) == 1) {
      MEET
      if (r > 5)
        continue;
      r += 3;
    }
    r ^= 5;
  }
  a[I] = r;
})";
  EXPECT_EQ(coarsenOf(body), std::string("5: ") + kStands);
  const AnalysedKernel kernel = analyse(kHead + body);
  const Diagnostic refusal = *certify(*kernel).verdict(Technique::Coarsen).refusal;
  ASSERT_GE(refusal.notes.size(), 2u);
  EXPECT_EQ(refusal.notes[0].text, "they part at this branch");
  EXPECT_EQ(refusal.notes[0].location.line, 6u + 8u);
}

TEST(Regions, BarriersBehindContinuesAndBreaks) {
  for (const char *body : {"if (r > 5) continue; MEET", "MEET if (r > 5) break;",
                           "MEET if (r > 5) continue; if (p.m > 2) { MEET }",
                           "MEET switch (r) { case 1: continue; case 2: break; default: r += 3; } "
                           "if (p.m == k) { MEET }"})
    EXPECT_THAT(coarsenOf("void main() {\n  uint r = b[I];\n  for (uint k = 0; k < p.n; ++k) { " +
                          std::string(body) + " }\n  a[I] = r;\n}"),
                HasSubstr("3: whether a control barrier is reached"))
        << body;
}

TEST(Regions, OfAFormWithOneReturn) {
  EXPECT_EQ(coarsenOf(R"(void main() {
  uint r = b[I];
  for (uint k = 0; k < p.n; ++k) {
    if (k == p.m)
      return;
    MEET
    if (r > 5)
      continue;
    r += 3;
  }
  a[I] = r;
})"),
            "legal");
}

TEST(Regions, RefusalsOfAFormWithOneReturnAreLocated) {
  EXPECT_EQ(coarsenOf(R"(void main() {
  uint r = b[I];
  for (uint k = 0; k < p.n; ++k) {
    if (k == p.m) {
      a[I] = r;
      return;
    }
    if ((k & 1) == 1) {
      MEET
      if (r > 5)
        continue;
    }
    r ^= 5;
  }
  a[I] = r;
})"),
            std::string("9: ") + kStands);
}

TEST(Regions, LeftOutForTests) {
  const AnalysedKernel kernel = analyse(kHead + R"(void main() {
  uint r = b[I];
  for (uint k = 0; k < p.n; ++k) { if (k == 3) { MEET if (r > 5) continue; } r ^= 5; }
  a[I] = r;
})");
  EXPECT_FALSE(certify(*kernel).verdict(Technique::Coarsen).legal());
  EXPECT_TRUE(certify(*kernel, {LegalityCondition::Regions}).verdict(Technique::Coarsen).legal());
}

} // namespace
