//===- interpreter/ExtendedArithmeticTests.cpp - Wide products in plain words ===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// legalize-extended-arithmetic: the four operations over pairs of edge values and
// random ones, for every width and vector length, as written and legalised, in
// the interpreter and on every device that has the width. 128-bit arithmetic of
// the host says what is right.
//
//===----------------------------------------------------------------------===//
#include "interpreter/TestSupport.h"

#include "Tuning/Fill.h"
#include "passes/LegalizeExtendedArithmetic.h"

#include "gmock/gmock.h"

#include <iostream>

using namespace tailor;
using namespace tailor::interp;

namespace {

constexpr uint32_t kPairs = 768; ///< divides by 64 lanes of 1 to 4 components
constexpr uint32_t kLanes = 64;
constexpr const char *kOps[] = {"OpUMulExtended", "OpSMulExtended", "OpIAddCarry", "OpISubBorrow"};
constexpr uint32_t kColumns = 8; ///< two results of each

struct Shape {
  uint32_t width, components;
  bool isSigned; ///< the members of the signed product
};

std::string textOf(const Shape &shape) {
  return std::to_string(shape.width) + " bits, " + std::to_string(shape.components) +
         " components" + (shape.isSigned ? ", signed" : "");
}

__extension__ typedef unsigned __int128 Wide;
__extension__ typedef __int128 WideSigned;

uint64_t maskOf(uint32_t width) { return width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1; }

std::vector<uint64_t> operands(uint32_t width, uint64_t stream) {
  const uint64_t half = uint64_t{1} << width / 2, top = uint64_t{1} << (width - 1);
  const uint64_t edges[] = {0,       1,   2,       3,     half - 1,     half,         half + 1,
                            top - 1, top, top + 1, ~half, ~uint64_t{2}, ~uint64_t{1}, ~uint64_t{0}};
  constexpr uint32_t count = std::size(edges);
  std::vector<uint64_t> list(kPairs);
  for (uint32_t at = 0; at < kPairs; ++at) {
    // All pairs of edges first.
    list[at] = at < count * count ? edges[stream == 0 ? at % count : at / count]
                                  : randomBits(11 + stream, at);
    list[at] &= maskOf(width);
  }
  return list;
}

/// The low half, or sum, and the high half, or carry.
std::pair<uint64_t, uint64_t> truth(uint32_t op, uint32_t width, uint64_t a, uint64_t b) {
  auto extended = [&](uint64_t value) {
    return static_cast<int64_t>(value << (64 - width)) >> (64 - width);
  };
  Wide wide = 0;
  switch (op) {
  case 0:
    wide = Wide{a} * b;
    break;
  case 1:
    wide = static_cast<Wide>(WideSigned{extended(a)} * extended(b));
    break;
  case 2:
    wide = Wide{a} + b;
    break;
  default:
    return {(a - b) & maskOf(width), a < b ? 1 : 0};
  }
  return {static_cast<uint64_t>(wide) & maskOf(width),
          static_cast<uint64_t>(wide >> width) & maskOf(width)};
}

std::vector<std::byte> packed(const std::vector<uint64_t> &values, uint32_t bytes) {
  std::vector<std::byte> data(values.size() * bytes);
  for (size_t at = 0; at < values.size(); ++at)
    std::memcpy(data.data() + at * bytes, &values[at], bytes);
  return data;
}

/// The buffer behind all operands: column after column.
std::vector<std::byte> expectedResults(uint32_t width) {
  const std::vector<uint64_t> a = operands(width, 0), b = operands(width, 1);
  std::vector<uint64_t> list(size_t{kPairs} * kColumns);
  for (uint32_t op = 0; op < 4; ++op)
    for (uint32_t at = 0; at < kPairs; ++at) {
      auto [low, high] = truth(op, width, a[at], b[at]);
      list[(2 * op) * kPairs + at] = low;
      list[(2 * op + 1) * kPairs + at] = high;
    }
  return packed(list, width / 8);
}

std::string declarations(const Shape &shape) {
  const std::string width = std::to_string(shape.width), n = std::to_string(shape.components);
  const bool vector = shape.components > 1;
  std::string text = "OpCapability Shader\n";
  if (shape.width != 32)
    text += "OpCapability Int" + width + "\n";
  if (shape.width < 32)
    text += "OpCapability StorageBuffer" + width + "BitAccess\nOpExtension \"SPV_KHR_" + width +
            "bit_storage\"\n";
  text += "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\" %gid\n"
          "OpExecutionMode %main LocalSize 64 1 1\nOpDecorate %gid BuiltIn GlobalInvocationId\n"
          "OpDecorate %values ArrayStride " +
          std::to_string(shape.width / 8) +
          "\nOpDecorate %Block Block\nOpMemberDecorate %Block 0 Offset 0\n";
  for (const char *buffer : {"%in", "%out"})
    text += std::string("OpDecorate ") + buffer + " DescriptorSet 0\nOpDecorate " + buffer +
            " Binding " + (buffer[1] == 'i' ? "0\n" : "1\n");
  text += "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%index = OpTypeInt 32 0\n";
  text += shape.width == 32 ? "" : "%wide = OpTypeInt " + width + " 0\n";
  const std::string element = shape.width == 32 ? "%index" : "%wide";
  text += "%sign = OpTypeInt " + width + " 1\n";
  text +=
      "%U = " + (vector ? "OpTypeVector " + element + " " + n : "OpTypeVector " + element + " 2") +
      "\n%S = OpTypeVector %sign " + (vector ? n : "2") + "\n";
  const std::string u = vector ? "%U" : element, s = vector ? "%S" : "%sign";
  const std::string member = shape.isSigned ? s : u;
  text += "%Pair = OpTypeStruct " + u + " " + u + "\n";
  text += shape.isSigned ? "%SignedPair = OpTypeStruct " + s + " " + s + "\n" : "";
  text += "%v3 = OpTypeVector %index 3\n%toV3 = OpTypePointer Input %v3\n%gid = OpVariable %toV3 "
          "Input\n"
          "%values = OpTypeRuntimeArray " +
          element +
          "\n%Block = OpTypeStruct %values\n%toBlock = OpTypePointer StorageBuffer %Block\n"
          "%toValue = OpTypePointer StorageBuffer " +
          element +
          "\n%in = OpVariable %toBlock StorageBuffer\n%out = OpVariable %toBlock StorageBuffer\n";
  for (uint32_t value = 0; value < 5; ++value)
    text += "%n" + std::to_string(value) + " = OpConstant %index " + std::to_string(value) + "\n";
  for (uint32_t column = 1; column < kColumns; ++column)
    text += "%column" + std::to_string(column) + " = OpConstant %index " +
            std::to_string(column * kPairs) + "\n";
  return text;
}

/// Loads or stores the components of this invocation in a column.
std::string addressOf(const std::string &buffer, uint32_t column, uint32_t component,
                      const std::string &name) {
  std::string text = "%" + name + "i = OpIAdd %index %first %n" + std::to_string(component) + "\n";
  if (column != 0)
    text += "%" + name + "j = OpIAdd %index %" + name + "i %column" + std::to_string(column) + "\n";
  return text + "%" + name + "p = OpAccessChain %toValue " + buffer + " %n0 %" + name +
         (column != 0 ? "j" : "i") + "\n";
}

std::string kernelText(const Shape &shape) {
  const bool vector = shape.components > 1;
  const std::string element = shape.width == 32 ? "%index" : "%wide";
  const std::string u = vector ? "%U" : element, s = vector ? "%S" : "%sign";
  std::string text = declarations(shape);
  text += "%main = OpFunction %void None %fn\n%label = OpLabel\n%id = OpLoad %v3 %gid\n"
          "%x = OpCompositeExtract %index %id 0\n%first = OpIMul %index %x %n" +
          std::to_string(shape.components) + "\n";
  for (uint32_t side = 0; side < 2; ++side) {
    const std::string name = side == 0 ? "a" : "b";
    std::string parts;
    for (uint32_t c = 0; c < shape.components; ++c) {
      const std::string part = name + std::to_string(c);
      text += addressOf("%in", side, c, part) + "%" + part + " = OpLoad " + element + " %" + part +
              "p\n";
      parts += " %" + part;
    }
    text += vector ? "%" + name + " = OpCompositeConstruct %U" + parts + "\n"
                   : "%" + name + " = OpCopyObject " + element + parts + "\n";
    text += "%s" + name + " = OpBitcast " + s + " %" + name + "\n";
  }
  for (uint32_t op = 0; op < 4; ++op) {
    const bool asSigned = op == 1 && shape.isSigned;
    const std::string name = "r" + std::to_string(op), sign = asSigned ? "s" : "";
    text += "%" + name + " = " + kOps[op] + (asSigned ? " %SignedPair" : " %Pair") + " %" + sign +
            "a %" + sign + "b\n";
    for (uint32_t half = 0; half < 2; ++half) {
      const std::string part = name + (half == 0 ? "l" : "h");
      text += "%" + part + "m = OpCompositeExtract " + (asSigned ? s : u) + " %" + name + " " +
              std::to_string(half) + "\n%" + part + " = " +
              (asSigned ? "OpBitcast " : "OpCopyObject ") + u + " %" + part + "m\n";
      for (uint32_t c = 0; c < shape.components; ++c) {
        const std::string value = part + std::to_string(c);
        text += addressOf("%out", 2 * op + half, c, value) + "%" + value + " = " +
                (vector ? "OpCompositeExtract " + element + " %" + part + " " + std::to_string(c)
                        : "OpCopyObject " + element + " %" + part) +
                "\nOpStore %" + value + "p %" + value + "\n";
      }
    }
  }
  return text + "OpReturn\nOpFunctionEnd\n";
}

vulkan::KernelInstance instanceOf(const Shape &shape) {
  const uint32_t bytes = shape.width / 8;
  std::vector<std::byte> inputs = packed(operands(shape.width, 0), bytes);
  const std::vector<std::byte> b = packed(operands(shape.width, 1), bytes);
  inputs.insert(inputs.end(), b.begin(), b.end());
  vulkan::KernelInstance instance;
  instance.resources.resize(2);
  instance.resources[0].bytes = inputs.size();
  instance.resources[0].fill = vulkan::InitialFill::Bytes;
  instance.resources[0].initial = inputs;
  instance.resources[1].binding = 1;
  instance.resources[1].bytes = uint64_t{kPairs} * kColumns * bytes;
  instance.resources[1].output = true;
  return instance;
}

/// The first pair of which a column says something else; "" where there is none.
std::string difference(const std::vector<std::byte> &actual, const Shape &shape) {
  const uint32_t bytes = shape.width / 8;
  const std::vector<std::byte> expected = expectedResults(shape.width);
  if (actual.size() != expected.size())
    return "another number of bytes";
  for (size_t at = 0; at < actual.size(); at += bytes) {
    uint64_t got = 0, wanted = 0;
    std::memcpy(&got, actual.data() + at, bytes);
    std::memcpy(&wanted, expected.data() + at, bytes);
    if (got == wanted)
      continue;
    const size_t value = at / bytes, pair = value % kPairs, column = value / kPairs;
    return std::string(kOps[column / 2]) + (column % 2 == 0 ? " low" : " high") + " of " +
           std::to_string(operands(shape.width, 0)[pair]) + " and " +
           std::to_string(operands(shape.width, 1)[pair]) + ": " + std::to_string(got) +
           " instead of " + std::to_string(wanted);
  }
  return "";
}

std::string runInInterpreter(Kernel &kernel, const Shape &shape, uint32_t groups) {
  kernel.inputs = inputsOf(instanceOf(shape));
  std::vector<Dim3> ids;
  for (uint32_t x = 0; x < groups; ++x)
    ids.push_back({x, 0, 0});
  kernel.run({kLanes, 1, 1}, ids);
  return kernel.failed.empty() ? difference(kernel.inputs.resources[Slot{0, 1, 0}].data, shape)
                               : kernel.failed;
}

/// What differs on a device; nothing where it has no such type.
std::optional<std::string> runOn(const std::shared_ptr<vulkan::Device> &device,
                                 const Kernel &kernel, const Shape &shape, uint32_t groups) {
  vulkan::Candidate candidate;
  candidate.name = "kernel";
  candidate.words = kernel.compiled.module.words();
  candidate.entryPoint = kernel.compiled.entryPoint;
  candidate.groups = {groups, 1, 1};
  candidate.localSize = {kLanes, 1, 1};
  Result<std::unique_ptr<vulkan::Runner>> runner =
      vulkan::Runner::create(device, instanceOf(shape));
  if (!runner)
    return runner.diagnostic().text;
  Result<vulkan::PipelineId> pipeline = (*runner)->prepare(candidate);
  if (!pipeline && pipeline.diagnostic().text.find("does not have") != std::string::npos)
    return std::nullopt;
  if (!pipeline)
    return pipeline.diagnostic().text;
  Result<vulkan::RunResult> ran = (*runner)->runOnce(*pipeline);
  return ran ? difference(ran->outputs[0].bytes, shape) : ran.diagnostic().text;
}

TEST(ExtendedArithmetic, GivesWhatTheHostComputes) {
  size_t onDevices = 0;
  for (uint32_t width : {8u, 16u, 32u, 64u})
    for (uint32_t components = 1; components <= 4; ++components)
      for (bool isSigned : {false, true}) {
        const Shape shape{width, components, isSigned};
        SCOPED_TRACE(textOf(shape));
        const uint32_t groups = kPairs / components / kLanes;
        Kernel authored = Kernel::assembly(kernelText(shape));
        Kernel legal = Kernel::assembly(kernelText(shape));
        Result<Change> change = legalizeExtendedArithmetic(legal.compiled.module);
        ASSERT_TRUE(bool(change)) << change.diagnostic().text;
        EXPECT_EQ(*change, Change::Changed);
        EXPECT_EQ(runInInterpreter(authored, shape, groups), "");
        EXPECT_EQ(runInInterpreter(legal, shape, groups), "");
        for (const auto &device : differential::devices())
          if (std::optional<std::string> wrong = runOn(device, legal, shape, groups)) {
            EXPECT_EQ(*wrong, "") << device->info().name;
            ++onDevices;
          }
      }
  std::cout << onDevices << " runs on devices\n";
  EXPECT_GE(onDevices, 8 * differential::devices().size()) << "32 bits run everywhere";
}

/// The test would see a wrong half.
TEST(ExtendedArithmetic, ASmallerMaskIsSeen) {
  const Shape shape{32, 1, false};
  std::vector<std::byte> results = expectedResults(32);
  EXPECT_EQ(difference(results, shape), "");
  results[(size_t{kPairs} * 3 + 40) * 4] ^= std::byte{1};
  EXPECT_THAT(difference(results, shape), testing::HasSubstr("OpSMulExtended high of "));
}

} // namespace
