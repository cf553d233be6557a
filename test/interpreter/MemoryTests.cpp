//===- interpreter/MemoryTests.cpp - Addresses, bounds, atomics, images -----===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/TestSupport.h"

#include "IR/Types.h"
#include "interpreter/Layouts.h"
#include "interpreter/Texels.h"

#include "gmock/gmock.h"

using namespace tailor;
using namespace tailor::interp;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

const std::string kOne = "layout(local_size_x = 1) in;\n";
const std::string kOut = "layout(set = 0, binding = 0) buffer Out { uint v[]; } o;\n";

/// Address and length of each access of a variable by invocation 0.
std::vector<std::pair<uint64_t, uint32_t>> runs(const Kernel &kernel, const std::string &name,
                                                AccessKind kind) {
  std::vector<std::pair<uint64_t, uint32_t>> list;
  for (const Recorder::Seen &each : kernel.seen->of(name, 0, kind))
    list.emplace_back(each.access.byteAddress, each.access.bytes);
  return list;
}
using Runs = std::vector<std::pair<uint64_t, uint32_t>>;

TEST(Memory, AddressesFollowOffsetsAndStrides) {
  Kernel kernel =
      Kernel::glsl(kOne + kOut +
                   "struct S { float a; vec3 b; float c[3]; };\n"
                   "layout(std430, set = 0, binding = 1) buffer B { uint head; S s[]; } b;\n"
                   "layout(std140, set = 0, binding = 2) uniform U { float f[4]; vec2 g; } u;\n"
                   "void main() { uint k = o.v[0];\n"
                   "  b.s[k + 2].b = vec3(1); b.s[k + 1].c[2] = u.f[k + 3] + u.g.y; }\n");
  kernel.run({1, 1, 1});
  ASSERT_EQ(kernel.failed, "");
  // S: a at 0, b at 16, c at 28, 48 bytes; s at 16.
  EXPECT_EQ(runs(kernel, "b", AccessKind::Store),
            (Runs{{16 + 96 + 16, 12}, {16 + 48 + 28 + 8, 4}}));
  EXPECT_EQ(runs(kernel, "u", AccessKind::Load), (Runs{{48, 4}, {68, 4}}));
  EXPECT_EQ(kernel.seen->of("u", 0)[0].access.space, MemorySpace::UniformBuffer);
}

TEST(Memory, RowMajorMatricesAreReadAcross) {
  Kernel kernel =
      Kernel::glsl(kOne + kOut +
                   "layout(std430, set = 0, binding = 1) buffer B { layout(row_major) mat2x3 r; "
                   "layout(column_major) mat2x3 c; } b;\n"
                   "layout(std430, set = 0, binding = 2) buffer F { float v[]; } f;\n"
                   "void main() { uint k = o.v[0];\n"
                   "  vec3 column = b.r[k + 1]; f.v[0] = column.z; f.v[1] = b.r[k][k + 1];\n"
                   "  mat2x3 whole = b.c; f.v[2] = whole[1].y; b.r = whole; }\n");
  std::vector<uint32_t> floats(32);
  for (unsigned at = 0; at < floats.size(); ++at)
    floats[at] = std::bit_cast<uint32_t>(static_cast<float>(at));
  kernel.setWords(1, floats);
  kernel.run({1, 1, 1});
  ASSERT_EQ(kernel.failed, "");
  // r: three rows of two floats, 8 bytes apart; c at 32: two columns 16 bytes apart.
  EXPECT_EQ(runs(kernel, "b", AccessKind::Load),
            (Runs{{4, 4}, {12, 4}, {20, 4}, {8, 4}, {32, 12}, {48, 12}}));
  EXPECT_EQ(kernel.seen->of("b", 0)[2].access.part, 2u);
  EXPECT_EQ(runs(kernel, "b", AccessKind::Store), (Runs{{0, 24}}));
  auto asFloat = [&](uint32_t binding, size_t at) {
    return std::bit_cast<float>(kernel.words(binding)[at]);
  };
  EXPECT_EQ(asFloat(2, 0), 5);  // row 2, column 1
  EXPECT_EQ(asFloat(2, 1), 2);  // row 1, column 0
  EXPECT_EQ(asFloat(2, 2), 13); // column 1 at 48 bytes, row 1
  EXPECT_EQ(asFloat(1, 1), 12); // row 0, column 1
}

TEST(Memory, LayoutsAgreeWithThoseOfTheLibrary) {
  Kernel kernel = Kernel::glsl(
      kOne + "struct T { bool b; vec3 v; mat3 m; double d; };\n"
             "shared T t[5]; shared vec3 w[7]; shared mat4x2 x; shared uint y; shared bvec4 z;\n"
             "layout(std140, set = 0, binding = 2) uniform U { mat3 m; float f[4]; T t; vec3 g; } "
             "u;\nvoid main() { y = uint(t[0].d + w[1].x + x[0].y + u.m[1].x) + uint(z.x); }\n");
  const Module &module = kernel.compiled.module;
  ConstantEvaluator evaluator(module);
  Layouts layouts(module, evaluator);
  unsigned compared = 0;
  module.forEachInstruction([&](const Instruction &inst) {
    if (!isType(inst.opcode()) || inst.opcode() == spv::Op::OpTypePointer)
      return;
    std::optional<TypeLayout> expected = layoutOf(module, inst.result(), evaluator);
    if (!expected)
      return;
    const Layout &layout = layouts.at(layouts.of(inst.result()));
    EXPECT_EQ(layout.size, expected->size.count) << module.name(inst.result());
    EXPECT_EQ(layout.alignment, expected->alignment.count) << module.name(inst.result());
    ++compared;
  });
  EXPECT_GE(compared, 12u);
}

TEST(Memory, AnAccessPastTheEndNamesItsInstructionAndVariable) {
  Kernel kernel = Kernel::glsl(kOne + kOut + "void main() {\n  o.v[o.v[0]] = 1; }\n");
  kernel.setWords(0, {3, 0, 0, 7});
  kernel.run({1, 1, 1});
  EXPECT_EQ(kernel.failed, "");
  EXPECT_EQ(kernel.words(0)[3], 1u);
  kernel.setWords(0, {4, 0, 0, 7});
  kernel.run({1, 1, 1});
  EXPECT_THAT(
      kernel.failed,
      HasSubstr(
          "kernel.comp:5: store of 4 bytes at byte 16 of 'o' (set 0 binding 0), which has 16"));
  kernel.setWords(0, {UINT32_MAX});
  kernel.run({1, 1, 1});
  EXPECT_THAT(kernel.failed, HasSubstr("of 'o'"));
}

TEST(Memory, RobustBuffersReadZeroAndDropWrites) {
  Kernel kernel = Kernel::glsl(kOne + kOut +
                               "void main() { uint k = o.v[0]; o.v[1] = o.v[k] + 5; o.v[k] = 9;\n"
                               "  o.v[2] = atomicAdd(o.v[k + 1], 3u); }\n");
  kernel.setWords(0, {7, 1, 1, 1});
  Limits limits;
  limits.robustBuffers = true;
  kernel.run({1, 1, 1}, {Dim3{0, 0, 0}}, false, limits);
  ASSERT_EQ(kernel.failed, "");
  EXPECT_THAT(kernel.words(0), ElementsAre(7, 5, 0, 1));
  EXPECT_EQ(kernel.result.outside, 3u);
  EXPECT_EQ(runs(kernel, "o", AccessKind::Store), (Runs{{4, 4}, {8, 4}}));
}

TEST(Memory, AnIndexPastAnArrayInsideABlockIsNoAccessToItsNeighbour) {
  Kernel kernel = Kernel::glsl(
      kOne + kOut + "layout(set = 0, binding = 1) buffer B { uint a[4]; uint b[4]; } b;\n" +
      "shared uint s[3];\nvoid main() { uint k = o.v[0];\n  if (k < 9) b.a[k] = 1;\n"
      "  else s[k - 5] = 2; }\n");
  for (uint32_t k : {3U, 10U}) { // inside of the array; outside of workgroup memory
    kernel.setWords(0, {k == 3 ? 3U : 7U});
    kernel.run({1, 1, 1});
    if (k == 3)
      EXPECT_EQ(kernel.failed, "");
    else
      EXPECT_THAT(kernel.failed,
                  HasSubstr("store of 'b' (set 0 binding 1) with an index outside of its array"));
  }
  kernel.setWords(0, {9});
  kernel.run({1, 1, 1});
  EXPECT_THAT(kernel.failed, HasSubstr("store of 's' with an index outside of its array"));
}

TEST(Memory, AtomicsGiveWhatWasThere) {
  Kernel kernel = Kernel::glsl(
      "layout(local_size_x = 3) in;\n" + kOut +
      "layout(set = 0, binding = 1) buffer S { int v[]; } s;\n"
      "void main() { uint i = gl_LocalInvocationIndex;\n"
      "  o.v[10 + i] = atomicAdd(o.v[0], i + 1); atomicMax(o.v[1], i * 5); \n"
      "  atomicMin(s.v[0], -int(i)); atomicOr(o.v[2], 1u << i); atomicXor(o.v[3], 1u);\n"
      "  o.v[20 + i] = atomicCompSwap(o.v[4], i, i + 1); o.v[30 + i] = atomicExchange(o.v[5], i);\n"
      "  atomicAnd(o.v[6], ~(1u << i)); atomicMax(s.v[1], int(i) - 2); }\n");
  kernel.setWords(0, {100, 3, 0, 0, 0, 77, 15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                      0,   0, 0, 0, 0, 0,  0,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  kernel.setWords(1, {5, static_cast<uint32_t>(-9)});
  kernel.run({3, 1, 1});
  ASSERT_EQ(kernel.failed, "");
  std::vector<uint32_t> words = kernel.words(0);
  EXPECT_THAT(llvm::ArrayRef<uint32_t>(words).take_front(7).vec(),
              ElementsAre(106, 10, 7, 1, 3, 2, 8));
  EXPECT_THAT(llvm::ArrayRef<uint32_t>(words).slice(10, 3).vec(), ElementsAre(100, 101, 103));
  EXPECT_THAT(llvm::ArrayRef<uint32_t>(words).slice(20, 3).vec(), ElementsAre(0, 1, 2));
  EXPECT_THAT(llvm::ArrayRef<uint32_t>(words).slice(30, 3).vec(), ElementsAre(77, 0, 1));
  EXPECT_THAT(kernel.words(1), ElementsAre(static_cast<uint32_t>(-2), 0));
  EXPECT_EQ(runs(kernel, "o", AccessKind::Atomic).size(), 7u);
}

TEST(Memory, ImagesAreAddressedByTexel) {
  Kernel kernel = Kernel::glsl(
      kOne + "layout(set = 0, binding = 0, r32ui) uniform uimage2D u;\n"
             "layout(set = 0, binding = 1, rgba8) uniform image3D f;\n"
             "layout(set = 0, binding = 2, r32ui) uniform uimage2DArray a;\n"
             "void main() { ivec2 size = imageSize(u);\n"
             "  imageStore(u, ivec2(3, 2), uvec4(size.x, 0, 0, 0)); imageAtomicAdd(u, ivec2(3, 2), "
             "5u);\n"
             "  vec4 x = imageLoad(f, ivec3(1, 1, 1)); imageStore(f, ivec3(0), x.wzyx);\n"
             "  imageStore(a, ivec3(1, 0, 2), uvec4(imageSize(a).z)); }\n");
  auto image = [&](uint32_t binding, const char *format, Dim3 extent) -> Resource & {
    Resource &made = kernel.inputs.resources[{0, binding, 0}];
    made.format = vulkan::findImageFormat(format);
    made.extent = extent;
    made.data.resize(extent.product() * made.format->texelBytes);
    return made;
  };
  image(0, "r32ui", {5, 4, 1});
  Resource &texels = image(1, "rgba8", {2, 3, 2});
  for (unsigned at = 0; at < 4; ++at)
    texels.data[9 * 4 + at] = static_cast<std::byte>(10 * at + 200);
  image(2, "r32ui", {2, 1, 3});
  kernel.run({1, 1, 1});
  ASSERT_EQ(kernel.failed, "");
  EXPECT_EQ(runs(kernel, "u", AccessKind::ImageWrite), (Runs{{13, 4}}));
  EXPECT_EQ(runs(kernel, "u", AccessKind::ImageAtomic), (Runs{{13, 4}}));
  EXPECT_EQ(kernel.words(0)[13], 10u);
  EXPECT_EQ(runs(kernel, "f", AccessKind::ImageRead), (Runs{{9, 4}})); // (1·3 + 1)·2 + 1
  EXPECT_EQ(kernel.words(1)[0], 0xc8d2dce6U);
  EXPECT_EQ(runs(kernel, "a", AccessKind::ImageWrite), (Runs{{5, 4}}));
  EXPECT_EQ(kernel.words(2)[5], 3u);
}

TEST(Memory, TexelsOutsideOfAnImageAreAFaultUnlessAskedFor) {
  Kernel kernel = Kernel::glsl(
      kOne + "layout(set = 0, binding = 0, r32ui) uniform uimage2D u;\n"
             "void main() { imageStore(u, ivec2(0), imageLoad(u, ivec2(64, 1)) + 3u);\n"
             "  imageStore(u, ivec2(-1, 0), uvec4(9)); imageAtomicAdd(u, ivec2(0, 64), 5u); }\n");
  kernel.run({1, 1, 1});
  EXPECT_THAT(
      kernel.failed,
      HasSubstr("image read at (64, 1, 0) of 'u' (set 0 binding 0), which has 64x64x1 texels"));
  Limits limits;
  limits.robustImages = true;
  kernel.run({1, 1, 1}, {Dim3{0, 0, 0}}, false, limits);
  EXPECT_EQ(kernel.failed, "");
  EXPECT_EQ(kernel.result.outside, 3u);
  EXPECT_EQ(kernel.words(0)[0], 3u);
}

TEST(Memory, EveryFormatKeepsItsTexels) {
  for (const vulkan::ImageFormat &format : vulkan::imageFormats()) {
    const bool whole =
        format.type == vulkan::ComponentType::Uint || format.type == vulkan::ComponentType::Sint;
    const Shape shape{whole ? Shape::Scalar::Int : Shape::Scalar::Float, false, 32, 1, 1, 1};
    for (uint32_t pattern = 0; pattern < 64; ++pattern) {
      std::array<std::byte, 16> before{}, after{};
      for (uint32_t at = 0; at < format.texelBytes; ++at) // small exponents: no NaN of any kind
        before[at] = static_cast<std::byte>((pattern * 37 + at * 11) & 0x2f);
      encodeTexel(format, after.data(), decodeTexel(format, before.data(), shape), shape);
      EXPECT_EQ(before, after) << std::string(format.name) << " pattern " << pattern;
    }
  }
}

TEST(Memory, LengthsAndArraysOfBuffersFollowWhatIsBound) {
  Kernel kernel = Kernel::glsl(
      kOne + kOut + "layout(set = 0, binding = 1) buffer B { uint head[2]; uvec2 v[]; } b[3];\n" +
      "void main() { o.v[1] = b[2].v.length(); o.v[2] = b[1].v[1].y; b[o.v[0]].head[1] = 6; }\n");
  kernel.setWords(0, {2, 0, 0, 0});
  for (uint32_t element = 0; element < 3; ++element) {
    auto &data = kernel.inputs.resources[{0, 1, element}].data;
    data.resize(24 + 12 * element);
    data[20] = static_cast<std::byte>(element + 40);
  }
  kernel.run({1, 1, 1});
  ASSERT_EQ(kernel.failed, "");
  EXPECT_THAT(kernel.words(0), ElementsAre(2, 5, 41, 0));
  EXPECT_EQ(kernel.inputs.resources[std::make_tuple(0, 1, 2)].data[4], std::byte{6});
  EXPECT_EQ(kernel.seen->of("b", 0, AccessKind::Store)[0].access.element, 2u);
  kernel.setWords(0, {3, 0, 0, 0});
  kernel.run({1, 1, 1});
  EXPECT_THAT(kernel.failed, HasSubstr("with an index outside of its array"));
}

TEST(Memory, LocalVariablesStartAnew) {
  Kernel kernel =
      Kernel::glsl("layout(local_size_x = 2) in;\n" + kOut +
                   "uint g = 5; shared uint w[2];\n"
                   "uint f() { uint t[2]; t[gl_LocalInvocationIndex] += 3; return t[0] + t[1]; }\n"
                   "void main() { uint i = gl_LocalInvocationIndex; g += 1; w[i] += 1;\n"
                   "  o.v[i] = f() + f(); o.v[2 + i] = g; o.v[4 + i] = w[i]; }\n");
  kernel.run({2, 1, 1}, {Dim3{0, 0, 0}, Dim3{1, 0, 0}});
  ASSERT_EQ(kernel.failed, "");
  std::vector<uint32_t> words = kernel.words(0);
  words.resize(6);
  EXPECT_THAT(words, ElementsAre(6, 6, 6, 6, 1, 1));
}

TEST(Memory, WhatNobodyGaveIsZeroAndStays) {
  Kernel kernel = Kernel::glsl(kOne + kOut + "layout(push_constant) uniform P { uint a, b; } p;\n" +
                               "void main() { o.v[0] += p.b + 1; o.v[1] = o.v.length(); }\n");
  kernel.inputs.defaultBufferBytes = 64;
  kernel.inputs.pushConstants = {std::byte{9}}; // b lies behind
  kernel.run({1, 1, 1});
  kernel.run({1, 1, 1});
  ASSERT_EQ(kernel.failed, "");
  EXPECT_EQ(kernel.words(0)[0], 2u);
  EXPECT_EQ(kernel.words(0)[1], 16u);
  EXPECT_EQ(kernel.seen->of("p", 0)[0].access.space, MemorySpace::PushConstant);
}

} // namespace
