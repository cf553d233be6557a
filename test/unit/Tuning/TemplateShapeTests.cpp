//===- TemplateShapeTests.cpp - Every template fits its kernel ---------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever resources a kernel has: where a template is written for it, the
// template reads back, fits the module, and gives the runner what it asks for.
//
//===----------------------------------------------------------------------===//
#include "Support/SpirvTools.h"
#include "TestSupport.h"
#include "Tuning/Reflect.h"
#include "Vulkan/Candidates.h"

#include <gtest/gtest.h>

using namespace tailor;
using namespace tailor::test;

namespace {

/// What is wrong on the way from a module to resources that the runner binds; empty: nothing.
std::string faultOf(const std::vector<uint32_t> &words) {
  Result<Reflection> reflection = reflect(words, "main", "t.spv");
  if (!reflection)
    return textOf(reflection.diagnostic());
  Result<std::string> text = workloadTemplate(*reflection, "k", "t.spv");
  if (!text)
    return textOf(text.diagnostic());
  Diagnostics diags;
  std::optional<Workload> workload = parseWorkload(*text, "w.json", diags);
  if (!workload)
    return textOf(diags) + *text;
  checkWorkload(workload->sizes[0], *reflection, "k", diags);
  Result<vulkan::KernelInstance> instance = instantiate(*workload, workload->sizes[0]);
  if (!instance)
    return textOf(instance.diagnostic()) + *text;
  Result<vulkan::ModuleScan> scan = vulkan::scanModule(words);
  if (!scan)
    return textOf(scan.diagnostic());
  vulkan::checkBindings(*scan, *instance, diags);
  for (const vulkan::ResourceDesc &resource : instance->resources)
    if (vulkan::isBuffer(resource.kind) && resource.dataBytes() > uint64_t{1} << 27)
      diags.error({}, resource.str() + " is larger than devices must take");
  return diags.all().empty() ? "" : textOf(diags) + *text;
}

constexpr const char *kHead = R"(#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_image_load_formatted : require
layout(local_size_x = 8, local_size_y = 8) in;
)";
constexpr const char *kOut = "layout(set = 3, binding = 9) buffer Out { float result[]; };\n";

std::string faultOfGlsl(const std::string &declarations, const std::string &body) {
  return faultOf(compileGlsl(kHead + declarations + kOut + "void main() {\n" + body + "\n}\n"));
}

/// How a shape is bound, and what stands for its member `m`.
struct Place {
  const char *before, *after, *member;
};
const Place kPlaces[] = {
    {"layout(push_constant) uniform P { ", "} p;\n", "p.m"},
    {"layout(push_constant) uniform P { uint n; ", "} p;\n", "p.m"},
    {"layout(binding = 1, std140) uniform U { ", "} u;\n", "u.m"},
    {"layout(binding = 1, std140) uniform U { uint8_t n; ", "} u;\n", "u.m"},
    {"layout(binding = 1, std430) readonly buffer B { ", "} b;\n", "b.m"},
    {"layout(binding = 1, std430) buffer B { double n; ", "} b;\n", "b.m"},
    {"layout(binding = 1, scalar) buffer B { uint8_t n; ", "} b;\n", "b.m"},
    {"struct S { float a; ", "};\nlayout(push_constant) uniform P { uint n; S s[2]; } p;\n",
     "p.s[1].m"},
    {"struct S { float a; ", "};\nlayout(binding = 1, std430) buffer B { uint n; S s[]; } b;\n",
     "b.s[gl_LocalInvocationIndex].m"},
};

} // namespace

TEST(TemplateShapes, MatricesOfEveryShapeAndOrderAtEveryPlace) {
  for (const std::string order : {"row_major", "column_major"}) {
    const std::string defaults = "layout(" + order + ") uniform;\nlayout(" + order + ") buffer;\n";
    for (const char *type : {"mat2", "mat2x3", "mat2x4", "mat3x2", "mat3", "mat3x4", "mat4x2",
                             "mat4x3", "mat4", "dmat2x3", "dmat3x2"})
      for (const char *array : {"", "[2]", "[3][2]"})
        for (const Place &place : kPlaces) {
          const std::string member = std::string(type) + " m" + array;
          const std::string index = array[0] == 0 ? "" : array[3] == 0 ? "[1]" : "[1][1]";
          EXPECT_EQ(
              faultOfGlsl(defaults + place.before + member + "; " + place.after,
                          std::string("result[0] = float(") + place.member + index + "[1][1]);"),
              "")
              << order << place.before << member;
        }
  }
}

TEST(TemplateShapes, NumbersOfEveryTypeAtEveryPlace) {
  const char *types[] = {"int8_t",  "uint8_t",  "int16_t",   "uint16_t", "int",     "uint",
                         "int64_t", "uint64_t", "float16_t", "float",    "double",  "i8vec3",
                         "u16vec3", "f16vec2",  "uvec3",     "dvec3",    "i64vec2", "vec3"};
  for (const char *type : types)
    for (const char *array : {"", "[3]", "[2][3]", "[40]", "[5000]"})
      for (const Place &place : kPlaces) {
        const bool isLong = std::string_view(array).starts_with("[5"),
                   isPushed = std::string(place.before).find("push") != std::string::npos ||
                              std::string(place.after).find("push") != std::string::npos;
        if (isLong && isPushed)
          continue; // no device has so many
        const std::string index = array[0] == 0 ? "" : array[3] == '[' ? "[1][1]" : "[1]";
        const bool isVector = std::string(type).find("vec") != std::string::npos;
        EXPECT_EQ(faultOfGlsl(std::string(place.before) + type + " m" + array + "; " + place.after,
                              std::string("result[0] = float(") + place.member + index +
                                  (isVector ? ".y);" : ");")),
                  "")
            << place.before << type << " m" << array;
      }
}

TEST(TemplateShapes, NamesThatSoundLikeExtentsFitTheirTypes) {
  for (const char *type : {"int8_t", "uint8_t", "int16_t", "uint16_t", "int", "uint", "int64_t"})
    for (const char *name : {"width", "height", "depth", "count", "n"})
      for (const char *head :
           {"layout(push_constant) uniform P { ", "layout(binding = 1) uniform U { "})
        EXPECT_EQ(faultOfGlsl(std::string(head) + type + " " + name + "; } u;\n",
                              std::string("result[0] = float(u.") + name + ");"),
                  "")
            << type << " " << name;
}

TEST(TemplateShapes, ArraysAsLongAsTheirBuffer) {
  const char *members[] = {"float m[]",
                           "mat3 m[]",
                           "layout(row_major) mat2x3 m[]",
                           "float m[][4]",
                           "mat3x2 m[][2]",
                           "vec3 head; uint8_t m[]",
                           "double d; uint8_t m[]",
                           "uint8_t a; double d; uint8_t m[]",
                           "dvec3 d; f16vec3 m[]",
                           "mat4 big[64]; mat4 m[]"};
  for (const char *layout : {"std430", "scalar"})
    for (const char *member : members)
      EXPECT_EQ(faultOfGlsl(std::string("layout(binding = 0, ") + layout + ") buffer B { " +
                                member + "; } b;\n",
                            "result[0] = float(b.m.length());"),
                "")
          << layout << " " << member;
  EXPECT_EQ(faultOfGlsl("struct Big { vec4 v[4096]; };\n"
                        "layout(binding = 0) buffer B { Big m[]; } b;\n",
                        "result[0] = b.m[1].v[1].x;"),
            "")
      << "as many as a device binds";
}

TEST(TemplateShapes, ImagesOfEveryDimensionAndTypeOfTexel) {
  struct Dim {
    const char *name, *at, *uv;
  };
  const Dim dims[] = {{"1D", "0", "0.5"},
                      {"2D", "ivec2(0)", "vec2(0.5)"},
                      {"3D", "ivec3(0)", "vec3(0.5)"},
                      {"1DArray", "ivec2(0)", "vec2(0.5)"},
                      {"2DArray", "ivec3(0)", "vec3(0.5)"},
                      {"Cube", "ivec3(0)", "vec3(0.5)"}};
  for (const Dim &dim : dims)
    for (const std::string prefix : {"", "i", "u"}) {
      const std::string image = prefix + "image" + dim.name, uv = dim.uv, at = dim.at;
      for (const char *access : {"readonly", "writeonly", ""}) {
        std::string body = "result[0] = 1.0;";
        if (access[0] != 'w')
          body += "result[1] = float(imageLoad(img, " + at + ").x);";
        if (access[0] != 'r')
          body += "imageStore(img, " + at + ", " + prefix + "vec4(1));";
        EXPECT_EQ(faultOfGlsl(std::string("layout(binding = 0) uniform ") + access + " " + image +
                                  " img;\n",
                              body),
                  "")
            << access << " " << image;
      }
      EXPECT_EQ(
          faultOfGlsl("layout(binding = 0) uniform " + prefix + "sampler" + dim.name + " tex[2];\n",
                      "result[0] = float(textureLod(tex[1], " + uv + ", 0).x);"),
          "")
          << prefix << dim.name;
      EXPECT_EQ(faultOfGlsl("layout(binding = 0) uniform " + prefix + "texture" + dim.name +
                                " tex;\nlayout(binding = 1) uniform sampler samp;\n",
                            "result[0] = float(textureLod(" + prefix + "sampler" + dim.name +
                                "(tex, samp), " + uv + ", 0).x);"),
                "")
          << prefix << dim.name;
    }
}

TEST(TemplateShapes, StorageImagesOfEveryFormat) {
  for (const vulkan::ImageFormat &format : vulkan::imageFormats()) {
    const std::string prefix = format.type == vulkan::ComponentType::Uint   ? "u"
                               : format.type == vulkan::ComponentType::Sint ? "i"
                                                                            : "";
    for (const char *access : {"readonly", "writeonly", ""}) {
      std::string body = "result[0] = 1.0;";
      body += access[0] == 'w' ? "" : "result[1] = float(imageLoad(img, ivec2(0)).x);";
      body += access[0] == 'r' ? "" : "imageStore(img, ivec2(0), " + prefix + "vec4(1));";
      EXPECT_EQ(faultOfGlsl("layout(binding = 0, " + std::string(format.name) + ") uniform " +
                                access + " " + prefix + "image2D img;\n",
                            body),
                "")
          << format.name;
    }
  }
}

TEST(TemplateShapes, SpecializationConstantsOfEveryType) {
  const char *constants[] = {"bool c = true",
                             "int c = -5",
                             "uint c = 4000000000u",
                             "int8_t c = int8_t(-5)",
                             "uint8_t c = uint8_t(200)",
                             "int16_t c = int16_t(-5)",
                             "uint16_t c = uint16_t(60000)",
                             "int64_t c = -5l",
                             "uint64_t c = 18446744073709551615ul",
                             "float16_t c = float16_t(1.5)",
                             "float c = 0.1",
                             "double c = 0.1lf",
                             "float c = 1.0 / 0.0"};
  for (const char *constant : constants)
    EXPECT_EQ(faultOfGlsl(std::string("layout(constant_id = 3) const ") + constant + ";\n",
                          "result[0] = float(c);"),
              "")
        << constant;
  EXPECT_EQ(faultOfGlsl("layout(constant_id = 3) const uint c = 2;\n"
                        "layout(push_constant) uniform P { float f; float a[c]; } p;\n"
                        "layout(binding = 1) uniform U { float a[c]; } u;\n"
                        "layout(binding = 2) uniform sampler2D s[c];\n",
                        "result[0] = p.a[1] + p.f + u.a[1] + textureLod(s[1], vec2(0), 0).x;"),
            "");
}

TEST(TemplateShapes, SeveralVariablesOfOneDescriptor) {
  EXPECT_EQ(faultOfGlsl("layout(binding = 0) readonly buffer A { uint a; float b[]; } a;\n"
                        "layout(binding = 0) buffer B { dvec4 c[]; } b;\n",
                        "b.c[0].x = a.a; result[0] = a.b[0];"),
            "");
  EXPECT_EQ(faultOfGlsl("layout(binding = 0) uniform A { vec4 a; } a;\n"
                        "layout(binding = 0) uniform B { uvec4 c[4]; } b;\n",
                        "result[0] = a.a.x + b.c[3].x;"),
            "");
  EXPECT_EQ(faultOfGlsl("layout(binding = 0) uniform itexture2D t;\n"
                        "layout(binding = 0) uniform sampler s;\n"
                        "layout(binding = 0) uniform isampler2D both;\n",
                        "result[0] = textureLod(isampler2D(t, s), vec2(0), 0).x +\n"
                        "            textureLod(both, vec2(0), 0).x;"),
            "");
  EXPECT_EQ(faultOfGlsl("layout(binding = 0, r32ui) uniform uimage2D a;\n"
                        "layout(binding = 0) writeonly uniform uimage2D b;\n",
                        "imageStore(b, ivec2(0), imageLoad(a, ivec2(1)));"),
            "");
}

TEST(TemplateShapes, RefusesWhatNoWorkloadCanGive) {
  struct Refused {
    const char *declarations, *body, *reason;
  };
  const Refused cases[] = {
      {"layout(binding = 0) uniform samplerBuffer b;\n", "result[0] = texelFetch(b, 0).x;",
       "set 0 binding 0 ('b') is a texel buffer, which no workload can give"},
      {"layout(binding = 0, r32f) uniform imageBuffer b;\n", "imageStore(b, 0, vec4(0));",
       "set 0 binding 0 ('b') is a texel buffer, which no workload can give"},
      {"layout(binding = 0) uniform sampler2DMS b;\n", "result[0] = texelFetch(b, ivec2(0), 0).x;",
       "set 0 binding 0 ('b') is a multisampled image, which no workload can give"},
      {"layout(binding = 0) uniform sampler2DShadow s;\n",
       "result[0] = textureLod(s, vec3(0.5), 0);",
       "the kernel compares depths by a sampler, which no workload can give"},
      {"layout(binding = 0) uniform A { float a; } a;\n"
       "layout(binding = 0) buffer B { float b; } b;\n",
       "b.b = a.a;",
       "set 0 binding 0 ('a') is a uniform_buffer, and by the name 'b' a storage_buffer: no "
       "descriptor is both"},
      {"layout(binding = 0, rgba8) uniform image2D a;\n"
       "layout(binding = 0, rgba16f) uniform image2D b;\n",
       "imageStore(a, ivec2(0), imageLoad(b, ivec2(0)));",
       "set 0 binding 0 ('a') is rgba8, and by the name 'b' rgba16f: no descriptor is both"},
      {"layout(binding = 0) uniform sampler2D a;\nlayout(binding = 0) uniform usampler2D b;\n",
       "result[0] = textureLod(a, vec2(0), 0).x + textureLod(b, vec2(0), 0).x;",
       "set 0 binding 0 ('a') is of type float, and by the name 'b' of type uint: no descriptor "
       "is both"},
      {"layout(binding = 0) uniform sampler2D a;\nlayout(binding = 0) uniform sampler3D b;\n",
       "result[0] = textureLod(a, vec2(0), 0).x + textureLod(b, vec3(0), 0).x;",
       "set 0 binding 0 ('a') is 2d, and by the name 'b' 3d: no descriptor is both"},
      {"#extension GL_EXT_buffer_reference : require\n"
       "layout(buffer_reference) buffer Node;\n"
       "layout(buffer_reference) buffer Node { Node next; float v; };\n"
       "layout(push_constant) uniform P { Node first; } p;\n",
       "result[0] = p.first.next.v;",
       "the module declares capability 5347, which the runner does not enable"},
      {"layout(binding = 0) uniform samplerCubeArray b;\n",
       "result[0] = textureLod(b, vec4(0), 0).x;",
       "the module declares capability 45, which the runner does not enable"},
  };
  for (const Refused &refused : cases)
    EXPECT_NE(faultOfGlsl(refused.declarations, refused.body).find(refused.reason),
              std::string::npos)
        << faultOfGlsl(refused.declarations, refused.body);
  EXPECT_EQ(faultOf(compileGlsl("#version 450\n"
                                "layout(binding = 0) readonly buffer B { float b[]; };\n"
                                "shared float s;\nvoid main() { s = b[0]; }\n")),
            "t.spv: error: the kernel writes to no buffer and no image, so nothing could be "
            "compared\n");
}
