//===- Bundle/DamagedBundleTests.cpp -------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Foreign, newer, torn, damaged and hostile bytes: each is refused with a
// message or read as a well-formed bundle, and none stops the process.
//
//===----------------------------------------------------------------------===//
#include "TestBundle.h"

#include "Bundle/Validate.h"
#include "bundle_generated.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <random>

using namespace tailor;
using namespace tailor::test;
using testing::HasSubstr;

TEST(DamagedBundle, ForeignFilesAreNamedAsSuch) {
  EXPECT_EQ(readFailure(""), "b.tailor: the file is not a bundle: it is empty");
  const std::string foreign = "b.tailor: the file is not a bundle: it does not begin as one";
  EXPECT_EQ(readFailure("TLRB"), foreign);
  EXPECT_EQ(readFailure("#version 450\nvoid main() {}\n"), foreign);
  EXPECT_EQ(readFailure(std::string(100, '\0')), foreign);
  EXPECT_EQ(readFailure(std::string("\x7f\x45LF", 4) + std::string(200, '\1')), foreign);
}

TEST(DamagedBundle, SpirvModuleIsRecognised) {
  Result<Bundle> read = readBundle(std::string("\x03\x02\x23\x07", 4) + std::string(40, '\0'), "a");
  ASSERT_FALSE(read);
  ASSERT_EQ(read.diagnostic().notes.size(), 1u);
  EXPECT_THAT(read.diagnostic().notes[0].text, HasSubstr("SPIR-V module"));
}

TEST(DamagedBundle, NewerSchemaIsNamed) {
  // Only the first two fields are as in the others.
  flatbuffers::FlatBufferBuilder builder;
  auto preamble = fb::CreatePreamble(builder, 7, 1234);
  builder.Finish(preamble, "TLRB");
  std::string file(reinterpret_cast<const char *>(builder.GetBufferPointer()), builder.GetSize());
  Result<Bundle> read = readBundle(file, "b.tailor");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.diagnostic().text, "the bundle has schema 7, this version reads schema 2");
  ASSERT_EQ(read.diagnostic().notes.size(), 1u);
  EXPECT_EQ(read.diagnostic().kind, ErrorKind::Refused);
}

TEST(DamagedBundle, TornAtEveryLengthIsRefused) {
  const std::string file = sampleFile();
  ASSERT_GT(file.size(), 1000u);
  size_t named = 0;
  for (size_t length = 0; length < file.size(); ++length) {
    // A copy of its own, so that a sanitizer sees any step past the end.
    std::string torn(file, 0, length);
    torn.shrink_to_fit();
    std::string message = readFailure(torn);
    ASSERT_FALSE(message.empty()) << "read from " << length << " bytes of " << file.size();
    named += message.find("cut short") != std::string::npos;
  }
  EXPECT_GT(named, file.size() - 16) << "a torn file is called so";
}

TEST(DamagedBundle, TornFileWithZerosBehindIsRefused) {
  const std::string file = sampleFile();
  for (size_t length = 0; length < file.size(); ++length) {
    if (file.find_first_not_of('\0', length) == std::string::npos)
      continue; // nothing is lost
    std::string torn = file;
    std::fill(torn.begin() + static_cast<ptrdiff_t>(length), torn.end(), '\0');
    ASSERT_FALSE(readFailure(torn).empty()) << length;
  }
}

TEST(DamagedBundle, BytesBehindTheEndAreRefused) {
  EXPECT_EQ(readFailure(sampleFile() + "x"),
            "b.tailor: the bundle is damaged: 1 bytes follow its end");
}

TEST(DamagedBundle, EveryFlippedBitIsNoticed) {
  const std::string file = sampleFile();
  std::mt19937 random(20240607);
  for (int i = 0; i < 20000; ++i) {
    std::string flipped = file;
    size_t bit = random() % (file.size() * 8);
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    ASSERT_FALSE(readFailure(flipped).empty()) << "bit " << bit;
  }
}

// With the right checksum the verifier and the validator stand alone: what they let through is well
// formed.
TEST(DamagedBundle, FlippedBitsUnderARightChecksumNeverCrash) {
  const std::string file = sampleFile();
  std::mt19937 random(20240608);
  int readable = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string flipped = file;
    for (unsigned flips = 1 + random() % 3; flips != 0; --flips) {
      size_t bit = random() % ((file.size() - kBundleChecksumBytes) * 8);
      flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    }
    Result<Bundle> read = readBundle(resealed(std::move(flipped)), "b.tailor");
    if (!read) {
      ASSERT_FALSE(read.diagnostic().text.empty());
      continue;
    }
    ++readable;
    ASSERT_TRUE(validateBundle(*read, "b.tailor", ErrorKind::Refused));
    Result<std::string> again = writeBundle(*read);
    ASSERT_TRUE(again) << again.diagnostic().text;
  }
  EXPECT_GT(readable, 100) << "flips inside names and code should be readable";
  EXPECT_LT(readable, 19900);
}

namespace {

/// Finishes a hand-made bundle with the right length and checksum.
std::string sealed(flatbuffers::FlatBufferBuilder &builder, flatbuffers::Offset<fb::Bundle> root) {
  fb::FinishBundleBuffer(builder, root);
  fb::GetMutableBundle(builder.GetBufferPointer())->mutate_body_bytes(builder.GetSize());
  std::string file(reinterpret_cast<const char *>(builder.GetBufferPointer()), builder.GetSize());
  return resealed(file + std::string(kBundleChecksumBytes, '\0'));
}

/// A kernel with one authored variant under the given dispatch.
flatbuffers::Offset<fb::Kernel> kernelWith(flatbuffers::FlatBufferBuilder &builder,
                                           flatbuffers::Offset<fb::Dispatch> dispatch,
                                           fb::Evidence evidence = fb::Evidence::Proven) {
  auto authored = builder.CreateString("authored");
  fb::Extent one(1, 1, 1);
  auto variant =
      fb::CreateVariant(builder, authored, authored, &one, 0, dispatch, 0, 0, 0, evidence);
  auto variants = builder.CreateVector(&variant, 1);
  auto facts = fb::CreateFacts(builder, authored);
  return fb::CreateKernel(builder, authored, authored, authored, &one, authored, facts, variants);
}

std::string fileOf(flatbuffers::FlatBufferBuilder &builder,
                   const std::vector<flatbuffers::Offset<fb::Kernel>> &kernels,
                   const std::vector<flatbuffers::Offset<fb::Blob>> &blobs = {}) {
  auto tool = builder.CreateString("t");
  auto kernelList = builder.CreateVector(kernels);
  auto blobList = builder.CreateVector(blobs);
  return sealed(builder, fb::CreateBundle(builder, 1, 1, tool, kernelList, blobList));
}

} // namespace

TEST(DamagedBundle, UnknownEnumeratorsAreRefused) {
  fb::Extent one(1, 1, 1);
  flatbuffers::FlatBufferBuilder fine;
  auto same = fb::CreateDispatch(fine, fb::DispatchRule::Same, &one, &one);
  ASSERT_EQ(readFailure(fileOf(fine, {kernelWith(fine, same)})), "");

  flatbuffers::FlatBufferBuilder rule;
  auto unknown = fb::CreateDispatch(rule, static_cast<fb::DispatchRule>(200), &one, &one);
  EXPECT_THAT(readFailure(fileOf(rule, {kernelWith(rule, unknown)})),
              HasSubstr("unknown dispatch rule 200"));

  flatbuffers::FlatBufferBuilder evidence;
  auto fineRule = fb::CreateDispatch(evidence, fb::DispatchRule::Same, &one, &one);
  EXPECT_THAT(
      readFailure(fileOf(evidence, {kernelWith(evidence, fineRule, static_cast<fb::Evidence>(9))})),
      HasSubstr("unknown evidence 9"));

  flatbuffers::FlatBufferBuilder op;
  fb::ExprParams none;
  auto expr = fb::CreateExpr(op, static_cast<fb::ExprOp>(99), &none);
  auto bound = fb::CreateBound(op, 0, expr, false, false, fb::CreatePlace(op));
  auto bounds = op.CreateVector(&bound, 1);
  auto bounded = fb::CreateDispatch(op, fb::DispatchRule::Same, &one, &one, bounds);
  EXPECT_THAT(readFailure(fileOf(op, {kernelWith(op, bounded)})), HasSubstr("unknown operator 99"));
}

// Each level holds the level below twice: 2^30 nodes in a file of a kilobyte.
TEST(DamagedBundle, SharedTablesDoNotUnfold) {
  flatbuffers::FlatBufferBuilder builder;
  fb::Extent one(1, 1, 1);
  fb::ExprParams none;
  auto expr = fb::CreateExpr(builder, fb::ExprOp::Constant, &none);
  for (unsigned level = 0; level < 30; ++level) {
    std::vector<flatbuffers::Offset<fb::Expr>> twice = {expr, expr};
    auto operands = builder.CreateVector(twice);
    expr = fb::CreateExpr(builder, fb::ExprOp::Add, &none, operands);
  }
  auto bound = fb::CreateBound(builder, 0, expr, false, false, fb::CreatePlace(builder));
  auto bounds = builder.CreateVector(&bound, 1);
  auto dispatch = fb::CreateDispatch(builder, fb::DispatchRule::Same, &one, &one, bounds);
  EXPECT_THAT(readFailure(fileOf(builder, {kernelWith(builder, dispatch)})),
              HasSubstr("its tables do not hold together"));
}

TEST(DamagedBundle, SharedTextDoesNotUnfold) {
  flatbuffers::FlatBufferBuilder builder;
  fb::Extent one(1, 1, 1);
  auto large = builder.CreateString(std::string(100000, 'x'));
  auto facts = fb::CreateFacts(builder, large);
  std::vector<flatbuffers::Offset<fb::Kernel>> kernels;
  for (int i = 0; i < 50; ++i) {
    auto name = builder.CreateString("k" + std::to_string(i));
    auto dispatch = fb::CreateDispatch(builder, fb::DispatchRule::Same, &one, &one);
    auto id = builder.CreateString("authored");
    auto variant = fb::CreateVariant(builder, id, id, &one, 0, dispatch);
    auto variants = builder.CreateVector(&variant, 1);
    kernels.push_back(fb::CreateKernel(builder, name, id, id, &one, id, facts, variants));
  }
  EXPECT_THAT(readFailure(fileOf(builder, kernels)),
              HasSubstr("its tables name more text and code than the file holds"));
}

TEST(DamagedBundle, CodeStoredTwiceOrMisalignedIsRefused) {
  for (bool aligned : {true, false}) {
    flatbuffers::FlatBufferBuilder builder;
    const uint8_t bytes[] = {1, 2, 3, 4, 5, 6, 7, 8};
    std::vector<flatbuffers::Offset<fb::Blob>> blobs;
    for (unsigned i = 0; i < 2; ++i) {
      builder.ForceVectorAlignment(sizeof bytes, 1, 4);
      blobs.push_back(fb::CreateBlob(builder, builder.CreateVector(bytes, sizeof bytes)));
    }
    std::string file = fileOf(builder, {}, blobs);
    if (!aligned) { // move the vector that the first table names by two bytes
      auto *blob = fb::GetMutableBundle(file.data())->mutable_blobs()->GetMutableObject(0);
      auto *field = reinterpret_cast<char *>(blob) +
                    reinterpret_cast<flatbuffers::Table *>(blob)->GetOptionalFieldOffset(4);
      flatbuffers::WriteScalar(field, flatbuffers::ReadScalar<flatbuffers::uoffset_t>(field) + 2u);
      EXPECT_THAT(readFailure(resealed(file)), HasSubstr("damaged"));
      continue;
    }
    EXPECT_THAT(readFailure(file), HasSubstr("code 1 is stored twice"));
  }
}
