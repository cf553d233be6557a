//===- languages/msl/MslShimTests.cpp - That the checks can fail ----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LanguageCases.h"
#include "msl/MslImages.h"
#include "msl/MslLibrary.h"

#include <gmock/gmock.h>

#include <array>
#include <cstring>

namespace tailor::languages {
namespace {

using testing::HasSubstr;

class MslShim : public testing::Test {
protected:
  void SetUp() override {
    Result<std::unique_ptr<MslCompiler>> made = MslCompiler::create();
    if (made)
      compiler = std::move(*made);
    else if (made.diagnostic().kind != ErrorKind::Environment)
      FAIL() << made.diagnostic().text;
    else if (missing("clang++-19"))
      GTEST_SKIP() << "there is no clang++-19";
  }

  /// A kernel over `device uint* out` and the built-ins i (in the grid), l and g.
  static MslSource kernel(const std::string &body, const std::string &ahead = "") {
    return {"text.metal",
            "#include <metal_stdlib>\n#include <simd/simd.h>\nusing namespace metal;\n"
            "struct A\n{\n    uint a[1];\n};\n" +
                ahead +
                "\nkernel void main0(device A& out [[buffer(0)]], constant A& in [[buffer(1)]], "
                "uint3 i [[thread_position_in_grid]], uint l [[thread_index_in_threadgroup]], "
                "uint3 g [[threadgroup_position_in_grid]])\n{\n" +
                body + "}\n",
            "main0",
            {}};
  }
  std::string typeError(const MslSource &source) {
    Result<std::vector<MslKernel>> made = compiler->compile({&source, 1});
    return made ? "" : made.diagnostic().text;
  }
  std::string spaceError(const MslSource &source) {
    return compiler->checkAddressSpaces({&source, 1});
  }
  /// Runs it in two workgroups of eight; what went wrong. `out` holds what was written.
  std::string run(const MslSource &source) {
    Result<std::vector<MslKernel>> made = compiler->compile({&source, 1});
    if (!made)
      return made.diagnostic().text;
    std::array<void *, 31> buffers{};
    buffers[0] = out.data();
    buffers[1] = in.data();
    MslInvocation bound{};
    bound.buffers = buffers.data();
    return dispatch(made->front(), bound, {2, 1, 1}, {8, 1, 1});
  }

  std::unique_ptr<MslCompiler> compiler;
  std::array<uint32_t, 64> out{}, in{};
};

const char *const kExchange = "    threadgroup uint t[8];\n"
                              "    t[l] = i.x + 100u;\n"
                              "    threadgroup_barrier(mem_flags::mem_threadgroup);\n"
                              "    out.a[i.x] = t[7u - l];\n";

TEST_F(MslShim, RunsAKernelWithABarrier) {
  const MslSource source = kernel(kExchange);
  EXPECT_EQ(spaceError(source), "");
  ASSERT_EQ(run(source), "");
  for (uint32_t i = 0; i < 16; ++i)
    EXPECT_EQ(out[i], i / 8 * 8 + 7 - i % 8 + 100);
}

TEST_F(MslShim, AMissingBarrierMeetsPoison) {
  MslSource source = kernel(kExchange);
  const std::string barrier = "    threadgroup_barrier(mem_flags::mem_threadgroup);\n";
  source.text.erase(source.text.find(barrier), barrier.size());
  ASSERT_EQ(run(source), "");
  EXPECT_EQ(out[0], 0x7fbadbadu);
}

TEST_F(MslShim, BothOrdersOfInvocationsMeetPoison) {
  // Each reads from one side alone.
  for (const char *other : {"l == 0u ? 0u : l - 1u", "l == 7u ? 7u : l + 1u"}) {
    out.fill(0);
    ASSERT_EQ(run(kernel("    threadgroup uint t[8];\n    t[l] = 1u;\n    out.a[i.x] = t[" +
                         std::string(other) + "];\n")),
              "");
    EXPECT_NE(std::find(out.begin(), out.begin() + 16, 0x7fbadbadu), out.begin() + 16) << other;
  }
}

TEST_F(MslShim, ThreadgroupMemoryDoesNotOutliveItsGroup) {
  ASSERT_EQ(run(kernel("    threadgroup uint t;\n    if (g.x == 0u)\n        t = 3u;\n"
                       "    out.a[i.x] = t;\n")),
            "");
  EXPECT_EQ(out[0], 3u);
  EXPECT_EQ(out[8], 0x7fbadbadu);
}

TEST_F(MslShim, ADivergentBarrierIsNamed) {
  EXPECT_EQ(run(kernel("    if (l < 4u)\n"
                       "        threadgroup_barrier(mem_flags::mem_threadgroup);\n")),
            "workgroup (0, 0, 0): invocation 4 has ended, invocation 0 waits at line 12");
  EXPECT_THAT(run(kernel("    if (l < 4u)\n"
                         "        threadgroup_barrier(mem_flags::mem_threadgroup);\n"
                         "    else\n"
                         "        threadgroup_barrier(mem_flags::mem_threadgroup);\n")),
              HasSubstr("invocation 4 waits at line 14, invocation 0 waits at line 12"));
  EXPECT_THAT(run(kernel("    for (uint n = 0u; n < l; n++)\n"
                         "        threadgroup_barrier(mem_flags::mem_threadgroup);\n")),
              HasSubstr("waits at line 12"));
}

TEST_F(MslShim, AWrongAddressSpaceIsAnError) {
  const std::string shared = "    threadgroup uint t[8];\n";
  EXPECT_EQ(spaceError(kernel(shared + "    threadgroup uint* p = &t[0];\n    *p = 1u;\n")), "");
  for (const char *body : {"    device uint* p = &t[0];\n", "    thread uint* p = &t[0];\n",
                           "    threadgroup uint* p = &out.a[0];\n", "    in.a[0] = 1u;\n"})
    EXPECT_THAT(spaceError(kernel(shared + body)), HasSubstr("error:")) << body;
  EXPECT_THAT(spaceError(kernel("    f(out.a[0]);\n", "void f(thread uint& x) { x = 1u; }\n")),
              HasSubstr("error:"));
}

TEST_F(MslShim, AWrongTypeIsAnError) {
  EXPECT_EQ(typeError(kernel("    float3 v = float3(1.0, 2.0, 3.0);\n    out.a[0] = "
                             "uint(dot(v, v.zyx * 2.0));\n")),
            "");
  for (const char *body :
       {"    float3 v = float2(1.0);\n", "    float4 v = float4(1.0, 2.0);\n", "    int3 v = i;\n",
        "    float2 v = i.xy;\n", "    out.a[0] = umulExtended(1u, 2u);\n", "    uint n = i;\n",
        "    bool3 b = i;\n    uint m = b;\n", "    float x = dot(float3(1.0), float2(1.0));\n",
        "    double d = 1.0;\n    float x = max(d, 1.0);\n"})
    EXPECT_THAT(typeError(kernel(body)), HasSubstr("error:")) << body;
}

TEST_F(MslShim, AccessOfATextureIsAType) {
  auto source = [](const char *access, const char *statement) {
    MslSource made = kernel(std::string("    ") + statement + "\n");
    made.text.replace(made.text.find("uint l [["), 0,
                      std::string("texture2d<float") + access + "> t [[texture(0)]], ");
    return made;
  };
  EXPECT_EQ(typeError(source("", "float4 c = t.read(i.xy);")), "");
  EXPECT_EQ(typeError(source(", access::read_write", "t.write(t.read(i.xy), i.xy); t.fence();")),
            "");
  EXPECT_THAT(typeError(source(", access::write", "float4 c = t.read(i.xy);")),
              HasSubstr("without access::read"));
  EXPECT_THAT(typeError(source("", "t.write(float4(1.0), i.xy);")),
              HasSubstr("without access::write"));
  EXPECT_THAT(typeError(source("", "float4 c = t.read(i);")), HasSubstr("error:"));
}

TEST_F(MslShim, TextsOfAnUnknownFormAreRefused) {
  MslSource other = kernel("");
  other.text.insert(0, "#include <metal_simdgroup_matrix>\n");
  EXPECT_THAT(typeError(other), HasSubstr("includes something else"));
  other = kernel("");
  other.text.replace(other.text.find("thread_position_in_grid"), 23, "thread_position_in_space");
  EXPECT_THAT(typeError(other), HasSubstr("thread_position_in_space"));
}

TEST_F(MslShim, FunctionConstantsTakeTheirValue) {
  const std::string declaration =
      "constant uint n_tmp [[function_constant(3)]];\n"
      "constant uint n = is_function_constant_defined(n_tmp) ? n_tmp : 64u;\n";
  ASSERT_EQ(run(kernel("    out.a[0] = n;\n", declaration)), "");
  EXPECT_EQ(out[0], 64u);
  MslSource given = kernel("    out.a[0] = n;\n", declaration);
  given.functionConstants[3] = 7;
  ASSERT_EQ(run(given), "");
  EXPECT_EQ(out[0], 7u);
  EXPECT_EQ(spaceError(given), "");
}

TEST_F(MslShim, ComputesAsMetalSays) {
  // Each statement stores one word.
  const std::pair<const char *, uint32_t> cases[] = {
      {"extract_bits(0xabcd1234u, 8u, 16u)", 0xcd12},
      {"uint(extract_bits(int(0x0000f000), 12u, 4u))", 0xffffffff},
      {"insert_bits(0xffffffffu, 0u, 4u, 8u)", 0xfffff00f},
      {"insert_bits(0x12345678u, 0xabcdu, 0u, 32u)", 0xabcd},
      {"reverse_bits(1u)", 0x80000000},
      {"popcount(0xf0f0u)", 8},
      {"clz(1u)", 31},
      {"ctz(8u)", 3},
      {"mulhi(0x80000000u, 6u)", 3},
      {"uint(mulhi(-2, 3))", 0xffffffff},
      {"as_type<uint>(half2(1.0, -2.0))", 0xc0003c00},
      {"pack_float_to_unorm4x8(float4(0.0, 1.0, 0.5, 2.0))", 0xff80ff00},
      {"as_type<uint>(select(1.0, 2.0, true))", 0x40000000},
      {"uint(select(int3(1, 2, 3), int3(4, 5, 6), int3(1) < int3(0, 2, 3)).y)", 5},
      {"uint(any(uint3(1u) > uint3(1u, 1u, 0u))) + uint(all(uint2(1u) == uint2(1u)))", 2},
      {"uint(sign(-3.5) + 3.0)", 2},
      {"as_type<uint>(1.0 / 3.0)", 0x3eaaaaab},
      {"uint(max(uchar4(250).x, uchar(3)) + uchar(10))", 260},
      {"uint(float2x2(float2(1.0, 2.0), float2(3.0, 4.0))[1].x)", 3},
      {"uint((float2x2(float2(1.0, 2.0), float2(3.0, 4.0)) * float2(1.0, 10.0)).y)", 42},
      {"uint(float3(bool3(true, false, true)).z) + uint(float4(2.0).w)", 3},
  };
  for (const auto &[expression, expected] : cases) {
    out.fill(0);
    ASSERT_EQ(run(kernel("    out.a[0] = " + std::string(expression) + ";\n")), "") << expression;
    EXPECT_EQ(out[0], expected) << expression;
  }
}

TEST_F(MslShim, ImagesKeepTheirFormat) {
  vulkan::ResourceDesc desc;
  desc.kind = vulkan::ResourceKind::StorageImage;
  desc.extent = {2, 1, 1};
  auto stored = [&](const char *format, float value) -> uint32_t {
    desc.format = format;
    Result<std::unique_ptr<HostImage>> image = HostImage::create(desc, contentsOf(desc));
    if (!image) {
      ADD_FAILURE() << image.diagnostic().text;
      return 0;
    }
    unsigned bits[4] = {};
    std::memcpy(&bits[0], &value, sizeof value);
    const MslImage *view = (*image)->view();
    view->store(view, 1, 0, 0, bits);
    uint32_t raw = 0;
    const size_t texel = (*image)->bytes().size() / 2;
    std::memcpy(&raw, (*image)->bytes().data() + texel, std::min<size_t>(texel, sizeof raw));
    return raw;
  };
  EXPECT_EQ(stored("r8", 0.5f), 128u); // 127.5, to even
  EXPECT_EQ(stored("r8", 7.0f), 255u);
  EXPECT_EQ(stored("r8_snorm", -1.0f), 0x81u);
  EXPECT_EQ(stored("r16f", 1.0f), 0x3c00u);
  EXPECT_EQ(stored("r16f", 65520.0f), 0x7c00u);
  EXPECT_EQ(stored("r16f", 5.9604645e-8f), 1u);
  EXPECT_EQ(stored("r32f", 1.0f), 0x3f800000u);
}

} // namespace
} // namespace tailor::languages
