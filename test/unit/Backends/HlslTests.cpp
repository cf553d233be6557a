//===- test/unit/Backends/HlslTests.cpp --------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which shader model a kernel asks for, what is refused below it, and where a text
// puts its resources. test/languages runs the texts.
//
//===----------------------------------------------------------------------===//
#include "Backends/HlslRegisters.h"
#include "Shaders.h"
#include "Support/SpirvTools.h"

#include "spirv-tools/libspirv.hpp"

#include <gmock/gmock.h>

#include <algorithm>

using namespace tailor;
using namespace tailor::test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace {

const Dim3 kSize{8, 1, 1};

std::vector<uint32_t> kernel(const std::string &declarations, const std::string &body) {
  return module("#version 460\n"
                "#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
                "#extension GL_EXT_shader_8bit_storage : require\n"
                "#extension GL_EXT_shader_16bit_storage : require\n"
                "#extension GL_EXT_shader_atomic_float : require\n"
                "#extension GL_EXT_shader_atomic_int64 : require\n"
                "#extension GL_KHR_shader_subgroup_arithmetic : require\n"
                "#extension GL_KHR_shader_subgroup_ballot : require\n"
                "#extension GL_KHR_shader_subgroup_clustered : require\n"
                "layout(local_size_x = 8) in;\n"
                "layout(binding = 0) buffer A { uint a[]; };\n" +
                declarations + "\nvoid main() { uint i = gl_GlobalInvocationID.x; " + body + " }");
}

Emitted made(const std::vector<uint32_t> &words, uint32_t model = 0) {
  EmitOptions options;
  options.hlslShaderModel = model;
  Result<Emitted> result = emit("hlsl", {words, "main", kSize, "k.comp", options});
  if (result)
    return std::move(*result);
  ADD_FAILURE() << result.diagnostic().text;
  return {};
}

Diagnostic refused(const std::vector<uint32_t> &words, uint32_t model = 0) {
  EmitOptions options;
  options.hlslShaderModel = model;
  return refusal("hlsl", words, kSize, options);
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

struct ModelCase {
  const char *name, *declarations, *body;
  uint32_t model;   ///< 0: none
  const char *what; ///< in the refusal below it
};

void PrintTo(const ModelCase &each, std::ostream *out) { *out << each.name; }

class HlslModels : public testing::TestWithParam<ModelCase> {};

TEST_P(HlslModels, TheLowestIsChosenAndLowerOnesAreRefused) {
  const auto &[name, declarations, body, model, what] = GetParam();
  const std::vector<uint32_t> words = kernel(declarations, body);
  for (uint32_t lower : {50u, 51u, 60u, 61u, 62u}) {
    if (model != 0 && lower >= model)
      break;
    Diagnostic diagnostic = refused(words, lower);
    EXPECT_EQ(diagnostic.kind, ErrorKind::Refused);
    EXPECT_EQ(diagnostic.location.file, "k.comp");
    EXPECT_THAT(diagnostic.text, HasSubstr(what));
    if (model != 0) {
      EXPECT_THAT(diagnostic.text, HasSubstr("below shader model " + std::to_string(model / 10) +
                                             "." + std::to_string(model % 10)));
    }
  }
  if (model == 0) {
    EXPECT_THAT(refused(words).text, HasSubstr(what));
    return;
  }
  EXPECT_EQ(made(words).interface.version,
            "cs_" + std::to_string(model / 10) + "_" + std::to_string(model % 10));
  EXPECT_EQ(made(words, 66).interface.version, "cs_6_6");
}

INSTANTIATE_TEST_SUITE_P(
    All, HlslModels,
    testing::Values(
        ModelCase{"Bytes", "layout(binding = 1) buffer B { int8_t b[]; };", "b[i] = int8_t(1);", 0,
                  "8-bit integers"},
        ModelCase{"FloatAtomics", "layout(binding = 1) buffer B { float b[]; };",
                  "atomicAdd(b[0], 1.0);", 0, "atomic operations on floats"},
        ModelCase{"SubgroupNumber", "", "a[i] = gl_SubgroupID;", 0, "number of a subgroup"},
        ModelCase{"Clusters", "", "a[i] = subgroupClusteredAdd(i, 4);", 0,
                  "operations on clusters of a subgroup"},
        ModelCase{"BallotBits", "", "a[i] = subgroupBallotFindLSB(uvec4(i));", 0,
                  "this operation on a ballot"},
        ModelCase{"InverseHyperbolic", "", "a[i] = uint(asinh(float(i)));", 0,
                  "the inverse hyperbolic functions"},
        ModelCase{"NarrowMatrix", "layout(push_constant) uniform P { uint p; mat2 q; };",
                  "a[i] = p + uint(q[1].x);", 0,
                  "the matrix 'q' in a constant buffer, where it has a stride of 8 bytes"},
        ModelCase{"NarrowRows",
                  "layout(push_constant, row_major) "
                  "uniform P { mat2x4 q; };",
                  "a[i] = uint(q[1].x);", 0, "the matrix 'q' in a constant buffer"},
        ModelCase{"WideMatrix", "layout(push_constant) uniform P { uint p; mat3 q; };",
                  "a[i] = p + uint(q[1].x);", 50, ""},
        ModelCase{"LongAtomics", "layout(binding = 1) buffer B { uint64_t b[]; };",
                  "atomicAdd(b[i], 1ul);", 0, "atomic operations on 64-bit integers in a buffer"},
        ModelCase{"SharedLongAtomics", "shared uint64_t s;",
                  "s = 0ul; barrier(); atomicAdd(s, 1ul); barrier(); a[i] = uint(s);", 66,
                  "64-bit"},
        ModelCase{"TwoViews", "layout(binding = 0) buffer B { float b[]; };", "b[i] = float(a[i]);",
                  0, "are views of one binding"},
        ModelCase{"Plain", "", "a[i] = i;", 50, ""},
        ModelCase{"Doubles", "", "a[i] = uint(double(i) * 0.5LF);", 50, ""},
        ModelCase{"Sets", "layout(set = 1, binding = 0) buffer B { uint b[]; };", "b[i] = a[i];",
                  51, "have one register, u0"},
        ModelCase{"ManyBindings", "layout(binding = 64) buffer B { uint b[]; };", "b[i] = a[i];",
                  51, "the register u64 of 'B' (set 0, binding 64)"},
        ModelCase{"ManyConstants", "layout(binding = 14) uniform U { uint u; };", "a[i] = u;", 51,
                  "the register b14 of 'U'"},
        ModelCase{"ResourceArray", "layout(binding = 4) buffer B { uint b[]; } bs[2];",
                  "a[i] = bs[1].b[i];", 51, "the array of resources"},
        ModelCase{"Subgroups", "", "a[i] = subgroupAdd(i);", 60, "subgroup"},
        ModelCase{"LongIntegers", "", "a[i] = uint(uint64_t(i) * 3ul >> 33);", 60,
                  "64-bit integers"},
        ModelCase{"ComponentWrite", "", "uvec4 v = uvec4(i); v[a[0] & 3] = 1; a[i] = v.x + v.z;",
                  60, "writes to a component, column or array of a structure"},
        ModelCase{"FallThrough", "",
                  "switch (a[i]) { case 0: a[i] = 1; case 1: a[i + 1] = 2; break; "
                  "default: a[i] = 3; }",
                  60, "a case of a switch that runs on into the next one"},
        ModelCase{"SharedCases", "",
                  "switch (a[i]) { case 0: case 1: a[i + 1] = 2; break; default: a[i] = 3; }", 50,
                  ""},
        ModelCase{"ContinueInSwitch", "",
                  "for (uint k = 0; k < 4; ++k) switch (a[i + k]) { case 0: continue; "
                  "case 1: a[i] = 2; break; default: a[i] = 3; }",
                  60, "a case of a switch that runs on into the next one or goes on with a loop"},
        ModelCase{"SwitchInLoop", "",
                  "for (uint k = 0; k < 4; ++k) { switch (a[i + k]) { case 0: for (uint n = 0; "
                  "n < 3; ++n) { if (n == k) continue; a[n] = 1; } break; "
                  "case 1: a[i] = 2; break; default: a[i] = 3; } a[i]++; }",
                  50, ""},
        ModelCase{"DoubleFunction", "", "a[i] = uint(floor(double(i)));", 0,
                  "this function of doubles"},
        ModelCase{"StructureArrayWrite", "struct S { uint k[2]; };",
                  "S q = S(uint[2](i, 2)); q.k[a[0] & 1] = 7; a[i] = q.k[a[1] & 1];", 60,
                  "writes to a component, column or array of a structure"},
        ModelCase{"ArrayWrite", "",
                  "uint q[2] = uint[2](i, 2); q[a[0] & 1] = 7; a[i] = q[a[1] & 1];", 50, ""},
        ModelCase{"ComponentRead", "", "uvec4 v = uvec4(i); a[i] = v[a[0] & 3];", 50, ""},
        ModelCase{"Halves", "layout(binding = 1) buffer B { float16_t b[]; };",
                  "b[i] += float16_t(1);", 62, "16-bit floats"},
        ModelCase{"Shorts", "layout(binding = 1) buffer B { int16_t b[]; };", "b[i] += int16_t(1);",
                  62, "16-bit integers"},
        ModelCase{"DoubleBuffer", "layout(binding = 1) buffer B { double b[]; };", "b[i] *= 2;", 62,
                  "numbers of other than 32 bits in the buffer 'B'"}),
    [](const auto &each) { return std::string(each.param.name); });

TEST(Hlsl, TheInstructionIsNamedThatAsksForMore) {
  Diagnostic diagnostic = refused(kernel("", "a[i] = subgroupAdd(i);"), 50);
  EXPECT_NE(diagnostic.location.word, Location::kUnknownWord);
}

TEST(Hlsl, UnknownModelsAreRefused) {
  for (uint32_t model : {40u, 52u, 59u, 67u}) {
    Diagnostic diagnostic = refused(kernel("", "a[i] = i;"), model);
    EXPECT_EQ(diagnostic.kind, ErrorKind::Usage);
    EXPECT_THAT(diagnostic.text, HasSubstr("the HLSL shader model is 50, 51 or 60 to 66"));
  }
}

//===----------------------------------------------------------------------===//
// What SPIRV-Cross would write as something else
//===----------------------------------------------------------------------===//

TEST(Hlsl, WideProductsAndCarriesAreOrdinaryArithmetic) {
  for (const char *body : {"uint h, l; umulExtended(i, a[0], h, l); a[i] = h;",
                           "int h, l; imulExtended(int(i), int(a[0]), h, l); a[i] = uint(h + l);",
                           "uint c; a[i] = uaddCarry(i, a[0], c) + c;",
                           "uint c; a[i] = usubBorrow(i, a[0], c) + c;"}) {
    const std::string text = made(kernel("", body)).code;
    for (const char *name : {"Extended", "Carry", "Borrow"})
      EXPECT_THAT(text, Not(HasSubstr(name))) << body;
    EXPECT_TRUE(validateSpirv(compile(text, "out.hlsl"), "out")) << text;
  }
}

TEST(Hlsl, UndefinedValuesAreZero) {
  const std::string source = R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 8 1 1
OpDecorate %Block BufferBlock
OpMemberDecorate %Block 0 Offset 0
OpDecorate %a DescriptorSet 0
OpDecorate %a Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%v2 = OpTypeVector %uint 2
%Block = OpTypeStruct %uint
%toBlock = OpTypePointer Uniform %Block
%toUint = OpTypePointer Uniform %uint
%zero = OpConstant %uint 0
%one = OpConstant %uint 1
%nothing = OpUndef %bool
%a = OpVariable %toBlock Uniform
%main = OpFunction %void None %fn
%label = OpLabel
%inside = OpUndef %v2
%x = OpCompositeExtract %uint %inside 0
%y = OpSelect %uint %nothing %one %x
%p = OpAccessChain %toUint %a %zero
OpStore %p %y
OpReturn
OpFunctionEnd
)";
  std::vector<uint32_t> words;
  ASSERT_TRUE(spvtools::SpirvTools(SPV_ENV_VULKAN_1_1).Assemble(source, &words));
  const std::string text = made(words).code;
  EXPECT_THAT(text, HasSubstr("false ? 1u :"));
  EXPECT_TRUE(validateSpirv(compile(text, "out.hlsl"), "out")) << text;
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

TEST(HlslRegisters, OtherLinesAreNone) {
  EXPECT_THAT(registersInHlsl(""), IsEmpty());
  EXPECT_THAT(registersInHlsl("    uint x : packoffset(c0);\nfloat f : register\n"), IsEmpty());
  EXPECT_THAT(registersInHlsl("  Texture2D t : register(t0);"), IsEmpty());
  EXPECT_THAT(registersInHlsl("Texture2D t : register(t0"), IsEmpty());
  EXPECT_THAT(registersInHlsl("Texture2D t : register(tx)"), IsEmpty());
  EXPECT_THAT(registersInHlsl("Texture2D t : register(t0, space)"), IsEmpty());
  EXPECT_THAT(registersInHlsl("Texture2D t : register("), IsEmpty());
}

TEST(HlslRegisters, ReadsWhatIsDeclared) {
  const std::vector<HlslRegister> found =
      registersInHlsl("cbuffer P : register(b3)\n{\n};\n"
                      "globallycoherent RWByteAddressBuffer b[2][3] : register(u12, space4);\n"
                      "Texture2D<float4> t[] : register(t0, space1);");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].name, "P");
  EXPECT_EQ(found[0].letter, 'b');
  EXPECT_EQ(found[0].number, 3u);
  EXPECT_FALSE(found[0].hasSpace);
  EXPECT_EQ(found[1].name, "b");
  EXPECT_EQ(found[1].count, 6u);
  EXPECT_EQ(found[1].space, 4u);
  EXPECT_TRUE(found[1].writes);
  EXPECT_EQ(found[2].count, 0u);
  EXPECT_FALSE(found[2].writes);
}

const char *const kResources = "layout(binding = 1) readonly buffer B { uint b[]; } named;\n"
                               "layout(binding = 2) uniform U { uint u; };\n"
                               "layout(binding = 3) uniform sampler2D tex;\n"
                               "layout(binding = 4, rgba8) readonly uniform image2D source;\n"
                               "layout(binding = 5, rgba8) writeonly uniform image2D target;\n"
                               "layout(binding = 6, rgba8) uniform image2D both;\n"
                               "layout(push_constant) uniform P { uint p; uint q; };";
const char *const kUses =
    "vec4 v = textureLod(tex, vec2(0), 0) + imageLoad(source, ivec2(i, 0)) + "
    "imageLoad(both, ivec2(i, 0)); imageStore(target, ivec2(i, 0), v); "
    "imageStore(both, ivec2(i, 0), v); a[i] = named.b[i] + u + p + q + gl_NumWorkGroups.x;";

TEST(Hlsl, SaysWhereTheHostBindsWhat) {
  const LanguageInterface interface = made(kernel(kResources, kUses)).interface;
  EXPECT_EQ(interface.entryPoint, "main");
  EXPECT_EQ(interface.version, "cs_5_0");
  using Place = std::vector<PlaceNumber>;
  std::vector<std::tuple<std::string, uint32_t, bool, Place>> places;
  for (const PlacedResource &each : interface.resources)
    places.emplace_back(each.kind, each.binding, each.writes, each.place);
  EXPECT_THAT(places, ElementsAre(std::tuple("storage_buffer", 0, true, Place{{"u", 0}}),
                                  std::tuple("storage_buffer", 1, false, Place{{"t", 1}}),
                                  std::tuple("uniform_buffer", 2, false, Place{{"b", 2}}),
                                  std::tuple("sampler", 3, false, Place{{"s", 3}}),
                                  std::tuple("texture", 3, false, Place{{"t", 3}}),
                                  std::tuple("image", 4, false, Place{{"t", 4}}),
                                  std::tuple("image", 5, true, Place{{"u", 5}}),
                                  std::tuple("image", 6, true, Place{{"u", 6}})));
  ASSERT_EQ(interface.values.size(), 2u);
  EXPECT_EQ(interface.values[0].what, "push_constants");
  EXPECT_EQ(interface.values[0].bytes, 8u);
  EXPECT_EQ(interface.values[0].place, (Place{{"b", 3}}));
  EXPECT_EQ(interface.values[1].what, "workgroup_counts");
  EXPECT_EQ(interface.values[1].bytes, 12u);
  EXPECT_EQ(interface.values[1].place, (Place{{"b", 4}}));
  // Only `both` is read as a writable one.
  EXPECT_THAT(interface.features, ElementsAre("TypedUAVLoadAdditionalFormats"));
}

TEST(Hlsl, EveryNameOfTheInterfaceStandsInTheTextAtItsRegister) {
  for (uint32_t model : {50u, 51u, 60u, 66u}) {
    const Emitted emitted = made(kernel(kResources, kUses), model);
    auto holds = [&](const std::string &name, const std::vector<PlaceNumber> &place) {
      std::string at = name + " : register(" + place[0].word + std::to_string(place[0].number);
      at += model == 50 ? ")" : ", space" + std::to_string(place.at(1).number) + ")";
      EXPECT_THAT(emitted.code, HasSubstr(" " + at));
    };
    for (const PlacedResource &each : emitted.interface.resources)
      holds(each.name, each.place);
    for (const PlacedValues &each : emitted.interface.values)
      holds(each.name, each.place);
    EXPECT_EQ(registersInHlsl(emitted.code).size(),
              emitted.interface.resources.size() + emitted.interface.values.size());
  }
}

TEST(Hlsl, SpacesAreSets) {
  const LanguageInterface interface =
      made(kernel("layout(set = 2, binding = 0) buffer B { uint b[]; };\n"
                  "layout(push_constant) uniform P { uint p; };",
                  "b[i] = a[i] + p;"))
          .interface;
  ASSERT_EQ(interface.resources.size(), 2u);
  EXPECT_EQ(interface.resources[1].place, (std::vector<PlaceNumber>{{"u", 0}, {"space", 2}}));
  EXPECT_EQ(interface.values[0].place, (std::vector<PlaceNumber>{{"b", 0}, {"space", 30}}));
}

TEST(Hlsl, FlagsAndFeaturesAreNamed) {
  EXPECT_THAT(
      made(kernel("layout(binding = 1) buffer B { float16_t b[]; };", "b[i] += float16_t(1);"))
          .interface.features,
      ElementsAre("-enable-16bit-types", "Native16BitShaderOpsSupported"));
  EXPECT_THAT(made(kernel("", "a[i] = subgroupAdd(i);")).interface.features,
              ElementsAre("WaveOps"));
  EXPECT_THAT(made(kernel("layout(binding = 9) buffer B { uint b[]; };", "b[i] = a[i];"))
                  .interface.features,
              ElementsAre("D3D11_1_UAV_SLOTS"));
  EXPECT_THAT(made(kernel("", "a[i] = i;")).interface.features, IsEmpty());
}

} // namespace
