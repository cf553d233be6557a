//===- Bundle/BundleIOTests.cpp ------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestBundle.h"

#include "Bundle/Validate.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <cstring>
#include <functional>

using namespace tailor;
using namespace tailor::test;
using testing::HasSubstr;

TEST(BundleIO, RoundTripKeepsEveryField) {
  Bundle bundle = sampleBundle();
  Result<std::string> file = writeBundle(bundle);
  ASSERT_TRUE(file) << file.diagnostic().text;
  Result<Bundle> read = readBundle(*file, "b.tailor");
  ASSERT_TRUE(read) << read.diagnostic().text;
  EXPECT_EQ(read->tool, bundle.tool);
  EXPECT_EQ(read->blobs, bundle.blobs);
  ASSERT_EQ(read->kernels.size(), 2u);
  EXPECT_EQ(read->kernels[0].facts, bundle.kernels[0].facts);
  EXPECT_EQ(read->kernels[0].variants, bundle.kernels[0].variants);
  EXPECT_EQ(read->kernels[0].refused, bundle.kernels[0].refused);
  EXPECT_TRUE(*read == bundle);
}

TEST(BundleIO, SameBundleGivesSameBytes) {
  std::string first = sampleFile();
  ASSERT_FALSE(first.empty());
  EXPECT_EQ(first, sampleFile());
  Result<Bundle> read = readBundle(first, "b.tailor");
  ASSERT_TRUE(read);
  Result<std::string> again = writeBundle(*read);
  ASSERT_TRUE(again);
  EXPECT_EQ(first, *again);
}

TEST(BundleIO, EqualCodeIsStoredOnce) {
  Bundle bundle;
  uint32_t a = bundle.addBlob("aaaa"), b = bundle.addBlob("bbbb");
  EXPECT_NE(a, b);
  EXPECT_EQ(bundle.addBlob("aaaa"), a);
  EXPECT_EQ(bundle.blobs.size(), 2u);

  std::string code(100000, '\7');
  Bundle shared = sampleBundle();
  uint32_t index = shared.addBlob(code);
  for (KernelInfo &kernel : shared.kernels)
    for (VariantInfo &variant : kernel.variants)
      variant.code["hlsl"] = index;
  Result<std::string> file = writeBundle(shared);
  ASSERT_TRUE(file);
  EXPECT_LT(file->size(), 2 * code.size());
}

TEST(BundleIO, CodeAddedAfterReadingIsShared) {
  Result<Bundle> read = readBundle(sampleFile(), "b.tailor");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->addBlob("#version 430\nvoid main() {}\n"), 2u);
  Bundle direct;
  direct.blobs = {"x", "y"}; // not through addBlob
  EXPECT_EQ(direct.addBlob("y"), 1u);
  EXPECT_EQ(direct.addBlob("z"), 2u);
}

TEST(BundleIO, SpirvIsAlignedInTheFile) {
  Bundle bundle = sampleBundle();
  std::string file = sampleFile();
  for (const std::string &blob : bundle.blobs) {
    size_t at = file.find(blob);
    ASSERT_NE(at, std::string::npos);
    EXPECT_EQ(at % 4, 0u);
  }
}

TEST(BundleIO, ReadsFromAnyAddress) {
  std::string file = sampleFile();
  for (size_t shift = 0; shift < 8; ++shift) {
    std::string padded(shift, '\0');
    padded += file;
    Result<Bundle> read = readBundle(std::string_view(padded).substr(shift), "b.tailor");
    ASSERT_TRUE(read) << shift << ": " << read.diagnostic().text;
    EXPECT_TRUE(*read == sampleBundle());
  }
}

TEST(BundleIO, EmptyBundleAndAnyBytesInNames) {
  Bundle empty;
  Result<std::string> file = writeBundle(empty);
  ASSERT_TRUE(file);
  Result<Bundle> read = readBundle(*file, "b.tailor");
  ASSERT_TRUE(read) << read.diagnostic().text;
  EXPECT_TRUE(*read == empty);

  Bundle odd = sampleBundle();
  odd.kernels[0].name = std::string("a\0b\xff", 4);
  file = writeBundle(odd);
  ASSERT_TRUE(file);
  read = readBundle(*file, "b.tailor");
  ASSERT_TRUE(read);
  EXPECT_TRUE(*read == odd);
}

TEST(BundleIO, SizeLimitIsRefusedBeforeAnythingIsBuilt) {
  Bundle bundle = sampleBundle();
  bundle.addBlob(std::string(50000, 'x'));
  Result<std::string> file = writeBundle(bundle, 40000);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.diagnostic().kind, ErrorKind::Refused);
  EXPECT_THAT(file.diagnostic().text, HasSubstr("the format allows 40000"));
  Result<std::string> whole = writeBundle(bundle);
  ASSERT_TRUE(whole);
  // The estimate never allows what is too large: at the file's own size less one it refuses.
  EXPECT_FALSE(writeBundle(bundle, whole->size() - 1));
}

namespace {

struct InvalidCase {
  const char *message;
  std::function<void(Bundle &)> spoil;
};

UniformExpr chain(unsigned levels) {
  UniformExpr expr = UniformExpr::constant(1);
  for (unsigned i = 1; i < levels; ++i)
    expr = binary(UniformExpr::Op::Add, std::move(expr), UniformExpr::constant(1));
  return expr;
}

VariantInfo &resizedOf(Bundle &bundle) { return bundle.kernels[0].variants[1]; }

const InvalidCase kInvalid[] = {
    {"a kernel has no name", [](Bundle &b) { b.kernels[1].name.clear(); }},
    {"two kernels are named 'blur'", [](Bundle &b) { b.kernels[1].name = "blur"; }},
    {"the authored variant is not the first", [](Bundle &b) { b.kernels[1].variants.clear(); }},
    {"the authored variant is not the first",
     [](Bundle &b) { std::swap(b.kernels[0].variants[0], b.kernels[0].variants[1]); }},
    {"has the size 16x16x1 where the kernel has 8x8x1",
     [](Bundle &b) { b.kernels[1].authoredSize = {8, 8, 1}; }},
    {"does not have the dispatch rule 'same'",
     [](Bundle &b) { b.kernels[1].variants[0].dispatch.rule = DispatchRule::Exact; }},
    {"a variant has no id", [](Bundle &b) { resizedOf(b).id.clear(); }},
    {"two variants have the id 'authored'", [](Bundle &b) { resizedOf(b).id = "authored"; }},
    {"has the size 64x0x1", [](Bundle &b) { resizedOf(b).localSize.y = 0; }},
    {"names code 3 of 3", [](Bundle &b) { resizedOf(b).code["spirv"] = 3; }},
    {"names interface 5 of 1", [](Bundle &b) { resizedOf(b).code["glsl"].interface = 5; }},
    {"replaces bytes 4294967295 to 4294967298 of code",
     [](Bundle &b) { resizedOf(b).code["glsl"].at = UINT32_MAX; }},
    {"replaces bytes 9 to 4294967304 of code",
     [](Bundle &b) { resizedOf(b).code["glsl"].count = UINT32_MAX; }},
    {"has SPIR-V of 11 bytes",
     [](Bundle &b) {
       CodeInfo &code = resizedOf(b).code["spirv"];
       code = b.addBlob("12345678");
       code.count = 4;
       code.bytes = "1234567";
     }},
    {"which is not a number of words",
     [](Bundle &b) { resizedOf(b).code["spirv"] = b.addBlob("12345"); }},
    {"a zero factor", [](Bundle &b) { resizedOf(b).dispatch.mul.z = 0; }},
    {"a zero factor", [](Bundle &b) { resizedOf(b).dispatch.div.x = 0; }},
    {"is guarded but does not say where the guard is",
     [](Bundle &b) { b.kernels[0].variants[2].guard.reset(); }},
    {"has its guard in 8 bytes", [](Bundle &b) { b.kernels[0].variants[2].guard->bytes = 8; }},
    {"at offset 18", [](Bundle &b) { b.kernels[0].variants[2].guard->offset = 18; }},
    {"a guard of the unknown kind 'luck'",
     [](Bundle &b) { b.kernels[0].variants[2].guard->kind = "luck"; }},
    {"does not have three specialization constants",
     [](Bundle &b) { b.kernels[0].variants[3].guard->specIds.pop_back(); }},
    {"does not have three specialization constants",
     [](Bundle &b) { b.kernels[0].variants[3].guard->specIds = {7, 8, 7}; }},
    {"a bound on axis 3", [](Bundle &b) { resizedOf(b).dispatch.bounds[0].axis = 3; }},
    {"not a well-formed expression",
     [](Bundle &b) { resizedOf(b).dispatch.bounds[0].bound.operands.pop_back(); }},
    {"not a well-formed expression",
     [](Bundle &b) {
       resizedOf(b).dispatch.bounds[1].bound.operands.push_back(UniformExpr::constant(1));
     }},
    {"not a well-formed expression",
     [](Bundle &b) { resizedOf(b).dispatch.bounds[0].bound = chain(kMaxUniformDepth + 1); }},
    {"a bound on axis 3", [](Bundle &b) { resizedOf(b).dispatch.bounds[2].terms[0].axis = 3; }},
    {"does not grow with its axis", [](Bundle &b) { resizedOf(b).dispatch.bounds[2].axis = 2; }},
    {"not a well-formed expression",
     [](Bundle &b) { resizedOf(b).dispatch.bounds[2].terms[1].factor.operands.pop_back(); }},
    {"not a well-formed expression",
     [](Bundle &b) { resizedOf(b).dispatch.bounds[2].offset = chain(kMaxUniformDepth + 1); }},
    {"covers a grid without a bound on x",
     [](Bundle &b) { resizedOf(b).dispatch.bounds.erase(resizedOf(b).dispatch.bounds.begin()); }},
};

} // namespace

TEST(BundleIO, WriterAndValidatorRefuseWhatReadersCannotUse) {
  ASSERT_TRUE(validateBundle(sampleBundle(), "b.tailor", ErrorKind::Refused));
  for (const InvalidCase &invalid : kInvalid) {
    Bundle bundle = sampleBundle();
    invalid.spoil(bundle);
    Status status = validateBundle(bundle, "b.tailor", ErrorKind::Refused);
    ASSERT_FALSE(status) << invalid.message;
    EXPECT_THAT(status.diagnostic().text, HasSubstr(invalid.message));
    EXPECT_EQ(status.diagnostic().location.str(), "b.tailor");
    Result<std::string> file = writeBundle(bundle);
    ASSERT_FALSE(file) << invalid.message;
    EXPECT_EQ(file.diagnostic().kind, ErrorKind::Internal);
  }
}

TEST(BundleIO, EveryOperatorIsWrittenAndRead) {
  Bundle bundle = sampleBundle();
  for (unsigned op = 0; op <= static_cast<unsigned>(UniformExpr::Op::Select); ++op) {
    UniformExpr expr = leaf(static_cast<UniformExpr::Op>(op), {op, 2, 0, 4});
    if (!expr.isLeaf())
      expr.operands.assign(expr.op == UniformExpr::Op::Select ? 3 : 2, UniformExpr::constant(op));
    resizedOf(bundle).dispatch.bounds.push_back({0, expr, false, false, {}});
  }
  Result<std::string> file = writeBundle(bundle);
  ASSERT_TRUE(file) << file.diagnostic().text;
  Result<Bundle> read = readBundle(*file, "b.tailor");
  ASSERT_TRUE(read) << read.diagnostic().text;
  EXPECT_TRUE(*read == bundle);
}

TEST(BundleIO, DeepestExpressionIsWrittenAndRead) {
  Bundle bundle = sampleBundle();
  resizedOf(bundle).dispatch.bounds[0].bound = chain(kMaxUniformDepth);
  Result<std::string> file = writeBundle(bundle);
  ASSERT_TRUE(file) << file.diagnostic().text;
  Result<Bundle> read = readBundle(*file, "b.tailor");
  ASSERT_TRUE(read) << read.diagnostic().text;
  EXPECT_TRUE(*read == bundle);
}
