//===- unit/IR/BuilderTests.cpp - No duplicates, no edits ------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "IR/Builder.h"

#include "gtest/gtest.h"

namespace tailor {
namespace {

TEST(Builder, makesEachTypeOnce) {
  Module module;
  Builder builder(module);
  EXPECT_EQ(builder.intType(32, false), builder.intType(32, false));
}

} // namespace
} // namespace tailor
