//===- Backends/ForwardingTests.cpp - Memory is read where the module does -===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the texts compute is asked by RoundTripTests; here, where they say it.
//
//===----------------------------------------------------------------------===//
#include "AssemblyKernel.h"
#include "Shaders.h"

#include "Backends/Forwarding.h"

#include <gmock/gmock.h>

using namespace tailor;
using namespace tailor::test;
using testing::HasSubstr;
using testing::Not;

namespace {

constexpr std::string_view kCrossed[] = {"glsl", "essl", "hlsl", "msl"};

/// A loop of four rounds around `rounds`, with `ahead` ahead of it and `phis` in it.
std::string loopText(std::string_view target, const std::string &ahead, const std::string &phis,
                     const std::string &rounds) {
  return text(target,
              compile(assemblyKernel(ahead +
                                     "\nOpBranch %head\n%head = OpLabel\n"
                                     "%i = OpPhi %uint %u0 %entry %in %cont\n" +
                                     phis +
                                     "\nOpLoopMerge %merge %cont None\n"
                                     "%c = OpULessThan %bool %i %u4\n"
                                     "OpBranchConditional %c %body %merge\n%body = OpLabel\n" +
                                     rounds +
                                     "\nOpBranch %cont\n%cont = OpLabel\n"
                                     "%in = OpIAdd %uint %i %u1\nOpBranch %head\n"
                                     "%merge = OpLabel\nOpReturn"),
                      "k.spvasm"),
              {8, 1, 1});
}

size_t countOf(std::string_view text, std::string_view what) {
  size_t count = 0;
  for (size_t at = text.find(what); at != std::string_view::npos; at = text.find(what, at + 1))
    ++count;
  return count;
}

TEST(Forwarding, WhatIsLoadedAheadOfALoopIsReadThere) {
  for (std::string_view target : kCrossed) {
    const std::string made =
        loopText(target, "%v = OpLoad %uint %p\n%w = OpIMul %uint %v %u7",
                 "%a = OpPhi %uint %u1 %entry %n %cont", "%n = OpIAdd %uint %a %w\nOpStore %p %n");
    const std::string loop = made.substr(made.find("for ("));
    EXPECT_EQ(countOf(loop, target == "hlsl" ? ".Load(" : "_m0["), target == "hlsl" ? 0u : 1u)
        << target << "\n"
        << made;
  }
}

/// Values are held that memory gives and that leave their block; not what nobody writes.
TEST(Forwarding, WhatDoesNotChangeOrStaysInItsBlockIsNotHeld) {
  const std::string jump = "\nOpBranch %next\n%next = OpLabel\n", end = "OpStore %p %w\nOpReturn";
  auto held = [](const std::string &body) {
    return valuesToHold(compile(assemblyKernel(body), "k.spvasm")).size();
  };
  EXPECT_EQ(held("%w = OpIMul %uint %g %u7" + jump + end), 0u);
  EXPECT_EQ(
      held("%v = OpLoad %uint %p\n%w = OpIMul %uint %v %u7\nOpStore %p %w" + jump + "OpReturn"),
      0u);
  EXPECT_EQ(held("%v = OpLoad %uint %p\n%w = OpIMul %uint %v %u7" + jump + end), 1u);
}

/// SPIRV-Cross would declare `_12_copy`, not everywhere.
TEST(Forwarding, PhisThatTakeEachOthersValuesNeedNoCopyOfTheirs) {
  for (std::string_view target : kCrossed)
    for (const char *phis :
         {"%a = OpPhi %uint %u1 %entry %b2 %cont\n%b2 = OpPhi %uint %u2 %entry %a %cont",
          "%a = OpPhi %uint %u1 %entry %i %cont\n%b2 = OpPhi %uint %u2 %entry %a %cont",
          "%b2 = OpPhi %uint %u2 %entry %i %cont\n%a = OpPhi %uint %u1 %entry %b2 %cont"})
      EXPECT_THAT(loopText(target, "", phis, "%n = OpIAdd %uint %a %b2\nOpStore %p %n"),
                  Not(HasSubstr("_copy")))
          << target << ": " << phis;
}

} // namespace
