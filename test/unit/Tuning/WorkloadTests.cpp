//===- WorkloadTests.cpp - The workload file ---------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Support/Files.h"
#include "TestSupport.h"
#include "Tuning/Workload.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace tailor;
using namespace tailor::test;

namespace {

/// A right workload with a line of the caller's after its first.
std::string withLine(const std::string &line) {
  return "{ \"schema\": 1, \"groups\": [1],\n" + line +
         "\n\"bindings\": [{ \"binding\": 0, \"kind\": \"storage_buffer\", \"bytes\": 16, "
         "\"output\": true }] }";
}

/// A right workload whose only binding is the caller's, on the second line.
std::string withBinding(const std::string &binding) {
  return "{ \"schema\": 1, \"groups\": [1], \"bindings\": [\n" + binding + "] }";
}

uint32_t wordOf(const std::vector<std::byte> &bytes, size_t offset) {
  uint32_t value = 0;
  std::memcpy(&value, &bytes.at(offset), 4);
  return value;
}

} // namespace

TEST(Workload, SizesOverrideByKey) {
  Workload w = workloadOf(R"({
    "schema": 1, "kernel": "saxpy", "entry": "main", "grid": [100],
    "push_constants": [{ "offset": 0, "type": "u32", "value": 100 },
                       { "offset": 4, "type": "f32", "value": 0.5 }],
    "bindings": [{ "binding": 0, "kind": "storage_buffer", "bytes": 400 },
                 { "set": 1, "binding": 0, "kind": "storage_buffer", "bytes": 400, "output": true }],
    "sizes": {
      "small": {},
      "large": { "groups": [7, 2], "push_constants": [{ "offset": 0, "value": 1000 }],
                 "bindings": [{ "set": 1, "binding": 0, "bytes": 4000 }] } } })");
  EXPECT_TRUE(w.appliesTo("saxpy", "main"));
  EXPECT_FALSE(w.appliesTo("blur", "main"));
  ASSERT_EQ(w.sizes.size(), 2U);
  const ProblemSize &small = w.sizes[0], &large = w.sizes[1];
  EXPECT_EQ(small.name, "small");
  EXPECT_EQ(small.groupsFor({64, 1, 1}), (Dim3{2, 1, 1})) << "the grid is rounded up";
  EXPECT_EQ(small.find(1, 0)->desc.bytes, 400U);
  EXPECT_EQ(large.groupsFor({64, 1, 1}), (Dim3{7, 2, 1}));
  EXPECT_FALSE(large.grid) << "groups replace the grid";
  EXPECT_EQ(large.find(0, 0)->desc.bytes, 400U);
  EXPECT_EQ(large.find(1, 0)->desc.bytes, 4000U);
  EXPECT_TRUE(large.find(1, 0)->desc.output);
  EXPECT_EQ(wordOf(large.pushConstantBlock(), 0), 1000U);
  EXPECT_EQ(wordOf(large.pushConstantBlock(), 4), 0x3f000000U);
  EXPECT_NE(small.hash(), large.hash());
}

TEST(Workload, HashLooksAtWhatIsRunAlone) {
  ProblemSize a = workloadOf(withLine("\"push_constants\": [],")).sizes[0];
  ProblemSize b = workloadOf("  " + withLine("")).sizes[0];
  EXPECT_EQ(a.hash(), b.hash());
  ProblemSize c =
      workloadOf(withLine("\"push_constants\": [{\"offset\":0,\"type\":\"u32\",\"value\":1}],"))
          .sizes[0];
  EXPECT_NE(a.hash(), c.hash());
}

TEST(Workload, ValuesOfEveryKind) {
  Workload w = workloadOf(withLine(
      R"("push_constants": [{ "offset": 0, "type": "f32", "value": [1, -2.5] },
                            { "offset": 8, "type": "bool", "value": true },
                            { "offset": 12, "type": "i16", "value": -1 },
                            { "offset": 14, "type": "u8", "value": 255 }],
         "spec_constants": [{ "id": 3, "type": "u32", "value": 64 },
                            { "id": 4, "type": "f64", "value": 1 }],)"));
  std::vector<std::byte> block = w.sizes[0].pushConstantBlock();
  EXPECT_EQ(block.size(), 16U);
  EXPECT_EQ(wordOf(block, 0), 0x3f800000U);
  EXPECT_EQ(wordOf(block, 4), 0xc0200000U);
  EXPECT_EQ(wordOf(block, 8), 1U);
  EXPECT_EQ(wordOf(block, 12), 0x00ffffffU);
  EXPECT_EQ(w.sizes[0].specConstants.at(3).bits, 64U);
  EXPECT_EQ(w.sizes[0].specConstants.at(4).bits, 0x3ff0000000000000U);
  EXPECT_EQ(w.sizes[0].specConstants.at(4).bytes, 8U);
}

TEST(Workload, OutputsAreCompared) {
  Workload w = workloadOf(R"({ "schema": 1, "groups": [1], "compare": { "ulp": 4 }, "bindings": [
    { "binding": 0, "kind": "storage_buffer", "bytes": 16, "element": "f32", "output": true },
    { "binding": 1, "kind": "storage_image", "format": "rgba8", "extent": [4, 4], "output": true,
      "compare": { "absolute": 1, "relative": 0.5 } },
    { "binding": 2, "kind": "storage_buffer", "bytes": 16, "output": true, "compare": "exact" }
    ] })");
  const std::vector<WorkloadBinding> &b = w.sizes[0].bindings;
  EXPECT_EQ(b[0].compare.mode, vulkan::CompareMode::Ulp);
  EXPECT_EQ(b[0].compare.ulps, 4U);
  EXPECT_EQ(b[0].compare.type, vulkan::ElementType::F32);
  EXPECT_EQ(b[1].compare.mode, vulkan::CompareMode::Absolute);
  EXPECT_EQ(b[1].compare.type, vulkan::ElementType::U8);
  EXPECT_EQ(b[2].compare.mode, vulkan::CompareMode::Exact);
  EXPECT_EQ(b[0].fill.kind, Fill::Kind::Poison) << "an output that nobody fills";
}

TEST(WorkloadErrors, TheWholeFile) {
  EXPECT_EQ(workloadErrors("{}"), "w.json:1:1: error: the workload lacks 'schema'\n");
  EXPECT_EQ(workloadErrors("[]"),
            "w.json:1:1: error: the workload must be an object, not an array\n");
  EXPECT_EQ(workloadErrors("{\"schema\": 2}"),
            "w.json:1:12: error: schema 2 is not known to this version, which reads schema 1\n");
  EXPECT_EQ(workloadErrors(withLine("\"gird\": 1,")),
            "w.json:2:1: error: the workload has no member 'gird'; did you mean 'grid'?\n");
  EXPECT_EQ(workloadErrors(withLine("\"grid\": [1],")),
            "w.json:1:1: error: 'grid' and 'groups' exclude each other\n");
  EXPECT_EQ(workloadErrors("{\"schema\": 1, \"groups\": [1]}"),
            "w.json:1:1: error: size 'default' has no binding with \"output\": true, so nothing "
            "could be verified\n");
  EXPECT_EQ(workloadErrors(withLine("\"sizes\": {},")),
            "w.json:2:10: error: 'sizes' names no size; leave it out when there is only one\n");
}

TEST(WorkloadErrors, Extents) {
  for (const char *bad : {"[]", "[1,2,3,4]", "[0]", "[-1]", "[1.5]", "[\"1\"]", "[4294967296]"})
    EXPECT_EQ(workloadErrors(std::string("{\"schema\": 1,\n \"groups\": ") + bad + "}"),
              "w.json:2:12: error: 'groups' must be one to three integers from 1 to 2147483648\n");
  EXPECT_EQ(workloadErrors("{\"schema\": 1,\n \"groups\": 4}"),
            "w.json:2:12: error: 'groups' must be an array\n");
}

TEST(WorkloadErrors, Bindings) {
  EXPECT_EQ(workloadErrors(withBinding(R"({ "binding": 0, "kind": "storage_buffer" })")),
            "w.json:2:1: error: a binding lacks 'bytes'\n");
  EXPECT_EQ(
      workloadErrors(withBinding(R"({ "binding": 0, "kind": "storage_buffer", "bytes": 0 })")),
      "w.json:2:52: error: 'bytes' must be an integer from 1 to 4294967295\n");
  EXPECT_EQ(workloadErrors(withBinding(R"({ "binding": 0, "kind": "ssbo", "bytes": 4 })")),
            "w.json:2:25: error: unknown kind 'ssbo': use storage_buffer, uniform_buffer, "
            "storage_image, sampled_image, sampler or combined_image_sampler\n");
  EXPECT_EQ(workloadErrors(withBinding(
                R"({ "binding": 0, "kind": "storage_buffer", "byets": 4, "bytes": 4 })")),
            "w.json:2:43: error: a binding has no member 'byets'; did you mean 'bytes'?\n");
  EXPECT_EQ(workloadErrors(withBinding(
                R"({ "binding": 0, "kind": "storage_image", "format": "rgb8", "extent": [4] })")),
            "w.json:2:52: error: unknown image format 'rgb8': use a GLSL layout name such as "
            "rgba8\n");
  EXPECT_EQ(workloadErrors(withBinding(
                R"({ "binding": 0, "kind": "uniform_buffer", "bytes": 4, "output": true })")),
            "w.json:2:55: error: a binding has no member 'output'\n")
      << "a uniform buffer cannot be written";
  EXPECT_EQ(workloadErrors(withBinding(
                R"({ "binding": 0, "kind": "storage_buffer", "bytes": 4, "output": true },
{ "set": 0, "binding": 0, "kind": "storage_buffer", "bytes": 8 })")),
            "w.json:3:1: error: set 0 binding 0 appears twice\n"
            "w.json:2:1: note: the first is here\n");
}

TEST(WorkloadErrors, Fills) {
  auto fillError = [](const std::string &fill) {
    return workloadErrors(withBinding(
        "{ \"binding\": 0, \"kind\": \"storage_buffer\", \"bytes\": 4, \"output\": true,\n"
        "\"fill\": " +
        fill + "}"));
  };
  EXPECT_EQ(fillError("\"ones\""), "w.json:3:9: error: unknown fill 'ones': use zero, sequence, "
                                   "random, values, file or poison\n");
  EXPECT_EQ(fillError("{ \"kind\": \"random\", \"min\": 2, \"max\": 1 }"),
            "w.json:3:9: error: 'min' is greater than 'max'\n");
  EXPECT_EQ(fillError("{ \"kind\": \"random\", \"sede\": 1 }"),
            "w.json:3:29: error: 'fill' has no member 'sede'; did you mean 'seed'?\n");
  EXPECT_EQ(fillError("{ \"kind\": \"file\" }"), "w.json:3:9: error: 'fill' lacks 'path'\n");
  EXPECT_EQ(fillError("{ \"kind\": \"values\", \"values\": [\n{ \"offset\": 2, \"type\": \"u32\", "
                      "\"value\": 1 }] }"),
            "w.json:4:1: error: the value ends at byte 6, the buffer has 4\n");
}

TEST(WorkloadErrors, Values) {
  auto pushError = [](const std::string &constant) {
    return workloadErrors(withLine("\"push_constants\": [" + constant + "],"));
  };
  EXPECT_EQ(pushError(R"({ "offset": 0, "type": "u32", "value": -1 })"),
            "w.json:2:59: error: this value does not fit the type u32\n");
  EXPECT_EQ(pushError(R"({ "offset": 0, "type": "u32", "value": [1, 1.5] })"),
            "w.json:2:63: error: this value does not fit the type u32\n");
  EXPECT_EQ(pushError(R"({ "offset": 0, "type": "float", "value": 1 })"),
            "w.json:2:43: error: unknown type 'float': use bool, u8, i8, u16, i16, u32, i32, u64, "
            "i64, f16, f32 or f64\n");
  EXPECT_EQ(pushError(R"({ "offset": 0, "type": "u32" })"),
            "w.json:2:20: error: a push constant lacks 'value'\n");
  EXPECT_EQ(pushError(R"({ "offset": 0, "type": "f64", "value": 1 },
{ "offset": 4, "type": "u32", "value": 1 })"),
            "w.json:3:1: error: the push constant at offset 4 overlaps the one at offset 0\n"
            "w.json:2:20: note: the other is here\n");
  EXPECT_EQ(workloadErrors(withLine("\"spec_constants\": [{\"id\": 1, \"type\": \"u32\", "
                                    "\"value\": 1},\n{\"id\": 1, \"type\": \"u32\", \"value\": "
                                    "2}],")),
            "w.json:3:1: error: specialization constant 1 appears twice\n");
}

TEST(WorkloadErrors, ComparisonsAreOneOfThree) {
  EXPECT_EQ(workloadErrors(withLine("\"compare\": \"close\",")),
            "w.json:2:12: error: 'compare' must be \"exact\", { \"ulp\": N } or { \"absolute\": A, "
            "\"relative\": R }\n");
  EXPECT_EQ(workloadErrors(withLine("\"compare\": { \"ulp\": 1, \"absolute\": 1 },")),
            "w.json:2:12: error: 'compare' must have either 'ulp' or 'absolute' and 'relative'\n");
}

TEST(WorkloadErrors, OfTheCommonPartOnceAndOfASizeWhereTheyStand) {
  std::string text = R"({ "schema": 1, "grid": [4],
"bindings": [{ "binding": 0, "kind": "storage_buffer", "bytes": "many", "output": true }],
"sizes": { "a": {}, "b": {}, "c": {
  "bindings": [{ "binding": 0, "bytes": 4, "colour": 1 }], "weight": 1 } } })";
  EXPECT_EQ(workloadErrors(text),
            "w.json:2:65: error: 'bytes' must be an integer from 1 to 4294967295\n"
            "w.json:4:60: error: size 'c' has no member 'weight'\n"
            "w.json:4:44: error: a binding has no member 'colour'\n");
}

TEST(Instantiate, MakesContents) {
  Workload w = workloadOf(R"({ "schema": 1, "groups": [1], "bindings": [
    { "binding": 0, "kind": "storage_buffer", "bytes": 14, "element": "u32", "fill": "sequence" },
    { "binding": 1, "kind": "uniform_buffer", "bytes": 16, "fill": { "kind": "values", "values": [
      { "offset": 4, "type": "u32", "value": 9 }] } },
    { "binding": 2, "kind": "storage_buffer", "bytes": 8, "output": true }] })");
  Result<vulkan::KernelInstance> instance = instantiate(w, w.sizes[0]);
  ASSERT_TRUE(instance) << instance.diagnostic().text;
  ASSERT_EQ(instance->resources.size(), 3U);
  const std::vector<std::byte> &sequence = instance->resources[0].initial;
  ASSERT_EQ(sequence.size(), 14U) << "a tail of half an element";
  EXPECT_EQ(wordOf(sequence, 8), 2U);
  EXPECT_EQ(wordOf(instance->resources[1].initial, 4), 9U);
  EXPECT_EQ(wordOf(instance->resources[1].initial, 0), 0U);
  EXPECT_EQ(instance->resources[2].fill, vulkan::InitialFill::Poison);
}

TEST(Instantiate, ReadsFilesBesideTheWorkload) {
  TemporaryFolder folder;
  ASSERT_TRUE(writeFileAtomically(folder.file("p.ppm"), "P6\n2 1\n255\nabcdef"));
  ASSERT_TRUE(writeFileAtomically(folder.file("raw.bin"), "12345678"));
  Diagnostics diags;
  std::optional<Workload> w = parseWorkload(R"({ "schema": 1, "groups": [1], "bindings": [
    { "binding": 0, "kind": "sampled_image", "format": "rgba8",
      "fill": { "kind": "file", "path": "p.ppm" } },
    { "binding": 1, "kind": "storage_buffer", "bytes": 8, "output": true,
      "fill": { "kind": "file", "path": "raw.bin" } }] })",
                                            folder.file("w.json"), diags);
  ASSERT_TRUE(w) << textOf(diags);
  Result<vulkan::KernelInstance> instance = instantiate(*w, w->sizes[0]);
  ASSERT_TRUE(instance) << textOf(instance.diagnostic());
  EXPECT_EQ(instance->resources[0].extent, (Dim3{2, 1, 1})) << "the picture's own";
  EXPECT_EQ(instance->resources[0].initial.size(), 8U);
  EXPECT_EQ(instance->resources[1].initial[7], std::byte{'8'});

  ASSERT_TRUE(writeFileAtomically(folder.file("raw.bin"), "1234"));
  Result<vulkan::KernelInstance> shorter = instantiate(*w, w->sizes[0]);
  ASSERT_FALSE(shorter);
  EXPECT_NE(shorter.diagnostic().text.find("has 4 bytes"), std::string::npos);
  EXPECT_EQ(shorter.diagnostic().location.line, 5U);
}
