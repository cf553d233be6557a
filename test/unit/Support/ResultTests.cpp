//===- Support/ResultTests.cpp -------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Support/Result.h"

#include "gtest/gtest.h"

#include <memory>

using namespace tailor;

static Result<int> half(int value) {
  if (value % 2 != 0)
    return failure(Location::at("in", 3), "not even", ErrorKind::Usage);
  return value / 2;
}

static Result<std::string> describe(int value) {
  Result<int> result = half(value);
  if (!result)
    return result.takeFailure();
  return "half is " + std::to_string(*result);
}

TEST(Result, HoldsAValueOrADiagnostic) {
  Result<int> good = half(8);
  ASSERT_TRUE(good);
  EXPECT_EQ(*good, 4);
  Result<int> bad = half(7);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.diagnostic().text, "not even");
  EXPECT_EQ(bad.diagnostic().severity, Severity::Error);
}

TEST(Result, FailureTravelsBetweenTypes) {
  EXPECT_EQ(*describe(4), "half is 2");
  Result<std::string> bad = describe(5);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.diagnostic().kind, ErrorKind::Usage);
  EXPECT_EQ(bad.diagnostic().location.str(), "in:3");
}

TEST(Result, HoldsWhatCanOnlyBeMoved) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(5);
  ASSERT_TRUE(result);
  std::unique_ptr<int> taken = *std::move(result);
  EXPECT_EQ(*taken, 5);
}

TEST(Result, ADiagnosticIsAValueOfItsOwnKind) {
  // A Result of text does not mistake text for a failure.
  Result<std::string> text = std::string("error");
  ASSERT_TRUE(text);
  EXPECT_EQ(text->size(), 5u);
  Status done = success();
  EXPECT_TRUE(done);
}
