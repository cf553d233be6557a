//===- interpreter/ValueTests.cpp - Expressions beside a device's results ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lists of expressions over values at the edges of their types and random ones,
// in the interpreter and on a device. Integers and exact operations of floats must agree
// bit for bit.
//
//===----------------------------------------------------------------------===//
#include "interpreter/TestSupport.h"

#include "Tuning/Fill.h"

#include <cmath>

using namespace tailor;
using namespace tailor::interp;

namespace {

/// Edges of an integer type first, then random bits.
std::vector<std::byte> integers(uint32_t bytes) {
  const unsigned width = bytes * 8;
  const uint64_t top = uint64_t{1} << (width - 1);
  const uint64_t edges[] = {0, 1, 2, top - 1, top, top + 1, ~uint64_t{0}, ~uint64_t{1}, 0x5a, 31};
  std::vector<std::byte> out(size_t{3} * kCount * bytes);
  for (size_t at = 0; at < size_t{3} * kCount; ++at) {
    const size_t column = at % kCount, row = at / kCount;
    uint64_t value = column < 30 ? edges[(column * (row + 1) + row * 3) % 10] : randomBits(7, at);
    if (column >= 30 && column < 40) // small numbers
      value %= 40;
    std::memcpy(out.data() + at * bytes, &value, bytes);
  }
  return out;
}

const std::vector<std::string> kUnsigned = {"a + b",
                                            "a - b",
                                            "a * b",
                                            "a / (b | T(1))",
                                            "a % (b | T(1))",
                                            "a & b",
                                            "a | b",
                                            "a ^ b",
                                            "~a",
                                            "a << (b & T(W - 1))",
                                            "a >> (b & T(W - 1))",
                                            "min(a, b)",
                                            "max(a, b)",
                                            "clamp(a, min(b, c), max(b, c))",
                                            "a < b ? a : c",
                                            "T(a <= b)",
                                            "T(a > b) + T(a >= c)",
                                            "T(a == b) * T(7) + T(a != c)"};
const std::vector<std::string> kSigned = {"a + b",
                                          "a - b",
                                          "a * b",
                                          "-a",
                                          "a / ((b & T(63)) | T(1))",
                                          "a >> (b & T(W - 1))",
                                          "a << (b & T(W - 1))",
                                          "min(a, b)",
                                          "max(a, b)",
                                          "abs(a)",
                                          "sign(a)",
                                          "clamp(a, min(b, c), max(b, c))",
                                          "T(a < b) + T(a <= c)",
                                          "T(a > b) + T(a >= c)",
                                          "(a & T(0x7f)) % ((b & T(63)) | T(1))"};

/// T and W are the type and its width.
std::vector<std::string> spelled(std::vector<std::string> list, const std::string &type,
                                 unsigned width) {
  const std::string replacements[][2] = {{"T(", type + "("}, {"W - 1", std::to_string(width - 1)}};
  for (std::string &text : list)
    for (const auto &[from, to] : replacements)
      for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
  return list;
}

const std::string kTypes = "#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
                           "#extension GL_EXT_shader_16bit_storage : require\n"
                           "#extension GL_EXT_shader_8bit_storage : require\n";

TEST(Value, IntegersOfEveryWidthAgree) {
  const struct {
    std::string type;
    uint32_t bytes;
    bool isSigned;
  } types[] = {{"uint", 4, false},    {"int", 4, true},       {"uint64_t", 8, false},
               {"int64_t", 8, true},  {"uint16_t", 2, false}, {"int16_t", 2, true},
               {"uint8_t", 1, false}, {"int8_t", 1, true}};
  const vulkan::ElementType elements[] = {vulkan::ElementType::U8, vulkan::ElementType::U16,
                                          vulkan::ElementType::U32, vulkan::ElementType::U64};
  for (const auto &type : types) {
    SCOPED_TRACE(type.type);
    std::vector<std::string> list =
        spelled(type.isSigned ? kSigned : kUnsigned, type.type, type.bytes * 8);
    if (type.isSigned && type.bytes < 4) // GLSL has these for wider integers
      std::erase_if(list, [](const std::string &text) { return text == "sign(a)"; });
    compareExpressions({kTypes, type.type, type.type, type.type, type.bytes, type.bytes}, list,
                       integers(type.bytes),
                       vulkan::CompareRule::exact(elements[std::countr_zero(type.bytes)]));
  }
}

TEST(Value, BitsOfWordsAgree) {
  compareExpressions({"", "uint", "uint", "uint", 4, 4},
                     {"bitCount(a)",
                      "bitfieldReverse(a)",
                      "findLSB(a)",
                      "findMSB(a)",
                      "findMSB(int(a))",
                      "findLSB(int(b))",
                      "bitfieldExtract(a, int(b & 15u), int(c & 15u))",
                      "bitfieldExtract(int(a), int(b & 15u), int(c & 15u))",
                      "bitfieldInsert(a, b, int(c & 15u), int(c >> 8 & 15u))",
                      "bitfieldInsert(a, b, 0, 32)",
                      "bitfieldExtract(a, 31, 1)",
                      "packHalf2x16(unpackHalf2x16(a & 0x3bff3bffu))",
                      "packUnorm4x8(unpackUnorm4x8(a))",
                      "packSnorm4x8(unpackSnorm4x8(a & 0x7f7f7f7fu))",
                      "packUnorm2x16(unpackUnorm2x16(a))",
                      "uvec4(a, b, c, 1u).wzyx[b & 3u]",
                      "any(lessThan(uvec2(a, b), uvec2(b, c))) ? 1u : 0u",
                      "all(notEqual(uvec3(a), uvec3(b, c, a + 1u))) ? 1u : 0u",
                      "dot(vec3(a & 15u, b & 15u, c & 15u), vec3(1, 2, 3))",
                      "floatBitsToUint(float(a >> 8))",
                      "floatBitsToUint(float(int(a) >> 8))",
                      "uint(float(a & 0xffffffu))",
                      "int(float(int(a) >> 9))",
                      "uint(uvec2(a, b) == uvec2(b, a))"},
                     integers(4), vulkan::CompareRule::exact(vulkan::ElementType::U32));
}

TEST(Value, WideProductsAndCarriesAgree) {
  const std::string functions =
      "uint carry(uint a, uint b) { uint k; uint s = uaddCarry(a, b, k); return s ^ (k << 31); }\n"
      "uint borrow(uint a, uint b) { uint k; uint s = usubBorrow(a, b, k); return s ^ (k << 7); }\n"
      "uint high(uint a, uint b) { uint h, l; umulExtended(a, b, h, l); return h ^ (l * 3u); }\n"
      "int ihigh(int a, int b) { int h, l; imulExtended(a, b, h, l); return h ^ (l * 3); }\n";
  compareExpressions({functions, "uint", "uint", "uint", 4, 4},
                     {"carry(a, b)", "borrow(a, b)", "high(a, b)", "ihigh(int(a), int(b))"},
                     integers(4), vulkan::CompareRule::exact(vulkan::ElementType::U32));
}

TEST(Value, ConversionsOf64BitsAgree) {
  compareExpressions({kTypes, "uint64_t", "uint64_t", "uint64_t", 8, 8},
                     {"uint(a)", "int(a)", "uint64_t(uint16_t(a))", "int64_t(int8_t(a))",
                      "int64_t(int(a))", "packUint2x32(unpackUint2x32(a).yx)",
                      "doubleBitsToUint64(double(a >> 12))", "uint64_t(double(a >> 12))",
                      "int64_t(double(int64_t(a) >> 12))", "doubleBitsToUint64(double(int(a)))",
                      "uint64_t(floatBitsToUint(float(double(uint(b)) * 0.37)))"},
                     integers(8), vulkan::CompareRule::exact(vulkan::ElementType::U64));
}

std::vector<std::byte> floats(double low, double high) {
  std::vector<std::byte> out(size_t{3} * kCount * 4);
  const float edges[] = {0, 1, -1, 0.5F, -0.5F, 2, 1.5F, -2.5F};
  for (size_t at = 0; at < size_t{3} * kCount; ++at) {
    const size_t column = at % kCount;
    auto value = static_cast<float>(low + (high - low) * randomUnit(3, at));
    if (column < 16)
      value = std::clamp(edges[(column * (at / kCount + 1)) % 8], static_cast<float>(low),
                         static_cast<float>(high));
    std::memcpy(out.data() + at * 4, &value, 4);
  }
  return out;
}

const Domain kFloats = {"", "float", "float", "float", 4, 4};

TEST(Value, ExactOperationsOfFloatsAgree) {
  compareExpressions(kFloats,
                     {"a + b",
                      "a - b",
                      "a * b",
                      "-a",
                      "abs(a)",
                      "sign(a)",
                      "floor(a)",
                      "ceil(a)",
                      "trunc(a)",
                      "roundEven(a)",
                      "fract(a)",
                      "min(a, b)",
                      "max(a, b)",
                      "clamp(a, -1.0, 1.0)",
                      "step(a, b)",
                      "float(int(a) + 1)",
                      "float(uint(abs(a)))",
                      "a < b ? a : b",
                      "float(a >= b) + float(a == c)",
                      "float(isnan(a)) + float(isinf(b))",
                      "ldexp(a, int(b))",
                      "intBitsToFloat(floatBitsToInt(a))",
                      "vec4(a, b, c, 1).zyxw[int(abs(b)) & 3]",
                      "float(unpackHalf2x16(packHalf2x16(vec2(a, b))).y)",
                      "transpose(mat2x3(a, b, c, a, b, c))[1].x",
                      "outerProduct(vec2(a, b), vec3(b, c, a))[2].y",
                      "(mat3(2.0) * 3.0)[1][1]"},
                     floats(-100, 100), vulkan::CompareRule::exact(vulkan::ElementType::U32));
}

TEST(Value, RoundedOperationsOfFloatsAreClose) {
  compareExpressions(kFloats,
                     {"a / (abs(b) + 0.1)",
                      "sqrt(abs(a))",
                      "inversesqrt(abs(a) + 0.1)",
                      "mod(a, abs(b) + 0.5)",
                      "mix(a, b, 0.25)",
                      "smoothstep(-1.0, 2.0, a)",
                      "fma(a, b, c)",
                      "length(vec3(a, b, c))",
                      "distance(vec2(a, b), vec2(c, 1))",
                      "normalize(vec3(a, b, 1)).x",
                      "cross(vec3(a, b, c), vec3(1, 2, 3)).y",
                      "reflect(vec2(a, b), vec2(0.6, 0.8)).x",
                      "refract(vec2(0.6, -0.8), vec2(0, 1), 0.7).x",
                      "faceforward(vec2(a, b), vec2(c), vec2(1)).x",
                      "dot(vec4(a, b, c, 1), vec4(1, 2, 3, 4))",
                      "(mat2(a, b, c, 1) * vec2(1, 2)).y",
                      "(vec3(a, b, c) * mat2x3(1, 2, 3, 4, 5, 6)).x",
                      "(mat2(a, b, c, 1) * mat2(1, 2, b, 3))[1].x",
                      "determinant(mat3(a, 1, 2, b, 3, 1, 2, c, 5))",
                      "inverse(mat2(a + 9, 1, 2, b + 9))[0].y",
                      "radians(a)",
                      "degrees(a)",
                      "inverse(mat4(9, a, 1, 2, b, 8, 1, 0, c, 1, 9, 2, 1, 1, 2, 8))[2].x"},
                     floats(-3, 3),
                     vulkan::CompareRule::within(vulkan::ElementType::F32, 1e-4, 1e-4));
}

TEST(Value, TranscendentalFunctionsAreClose) {
  compareExpressions(kFloats,
                     {"sin(a)", "cos(a)", "tan(a * 0.4)", "asin(a * 0.3)", "acos(a * 0.3)",
                      "atan(a)", "atan(a, b + 4.0)", "exp(a)", "exp2(a)", "log(abs(a) + 0.1)",
                      "log2(abs(a) + 0.1)", "pow(abs(a) + 0.1, b)", "sinh(a)", "cosh(a)", "tanh(a)",
                      "asinh(a)", "acosh(abs(a) + 1.0)", "atanh(a * 0.3)"},
                     floats(-3, 3),
                     vulkan::CompareRule::within(vulkan::ElementType::F32, 2e-3, 1e-3));
}

TEST(Value, HalvesAgree) {
  std::vector<std::byte> values(size_t{3} * kCount * 2);
  for (size_t at = 0; at < size_t{3} * kCount; ++at) {
    uint16_t half = halfFromDouble(16 * randomUnit(5, at) - 8);
    std::memcpy(values.data() + at * 2, &half, 2);
  }
  compareExpressions({kTypes, "float16_t", "float16_t", "float16_t", 2, 2},
                     {"a + b", "a - b", "a * b", "-a", "abs(a)", "floor(a)", "min(a, b)",
                      "max(a, b)", "a < b ? a : c", "float16_t(int(a) + 1)", "float16_t(float(a))"},
                     values, vulkan::CompareRule::exact(vulkan::ElementType::U16));
}

/// What has no device's answer, or may differ there.
TEST(Value, UndefinedResultsAreZeroAndCounted) {
  Kernel kernel = Kernel::glsl(
      "layout(local_size_x = 1) in;\nlayout(set = 0, binding = 0) buffer Out { uint v[]; } o;\n"
      "void main() { uint z = o.v[0]; float f = uintBitsToFloat(o.v[1]);\n"
      "  o.v[2] = 7u / z; o.v[3] = 7u % z; o.v[4] = 1u << (z + 32u); o.v[5] = uint(f);\n"
      "  o.v[6] = uint(-7 / int(z)); o.v[7] = bitfieldExtract(5u, 30, int(z) + 3);\n"
      "  o.v[8] = uint(int(z - 0x80000000u) / (int(z) - 1)); }\n");
  kernel.setWords(0, {0, 0x7f800000, 9, 9, 9, 9, 9, 9, 9});
  kernel.run({1, 1, 1});
  ASSERT_EQ(kernel.failed, "");
  EXPECT_EQ(kernel.words(0), (std::vector<uint32_t>{0, 0x7f800000, 0, 0, 0, 0, 0, 0, 0x80000000}));
  EXPECT_EQ(kernel.result.undefined, 6u);
}

} // namespace
