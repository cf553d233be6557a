//===- Frontend/KnobTests.cpp - From knobs to modules ---------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Frontend/Knobs.h"

#include "IR/WorkgroupSize.h"

#include "TemporaryFolder.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tailor;
using tailor::test::TemporaryFolder;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

const std::string kTiled = R"(#version 450
#ifndef TILE
#define TILE 16
#endif
#ifndef UNROLL
#define UNROLL 1
#endif
layout(local_size_x = TILE) in;
layout(binding = 0) buffer B { uint b[]; };
shared uint tile[TILE];
void main() {
  tile[gl_LocalInvocationID.x] = b[gl_GlobalInvocationID.x];
  barrier();
  uint sum = 0;
  for (uint k = 0; k < TILE; k += UNROLL)
    sum += tile[k];
  b[gl_GlobalInvocationID.x] = sum;
}
)";

struct Compiled {
  std::string failure;              ///< `location: text`, notes behind ` | `
  std::vector<std::string> modules; ///< `TILE=8: 8x1x1`
  std::string authored;
  std::vector<std::string> warnings;
};

std::string describe(const Diagnostic &diagnostic) {
  std::string text = diagnostic.location.str() + ": " + diagnostic.text;
  for (const Note &note : diagnostic.notes)
    text += " | " + note.location.str() + ": " + note.text;
  return text;
}

Compiled compileAs(const std::string &path, const std::vector<std::string> &knobs,
                   const std::vector<std::string> &constraints = {}, FrontendOptions options = {},
                   size_t max = 256) {
  Compiled result;
  Diagnostics diagnostics;
  Result<FrontendResult> authored = loadShader(path, options, diagnostics);
  if (!authored) {
    result.failure = "authored: " + authored.diagnostic().text;
    return result;
  }
  KnobInput input;
  input.authored = &*authored;
  input.options = std::move(options);
  input.maxCombinations = max;
  for (const std::string &text : knobs) {
    Result<Knob> knob = parseKnobOption(text, "--knob");
    EXPECT_TRUE(bool(knob)) << text;
    input.fromOptions.knobs.push_back(*knob);
  }
  for (const std::string &text : constraints) {
    auto constraint = KnobExpression::parse(LocatedText("--where", text), ErrorKind::Usage);
    EXPECT_TRUE(bool(constraint)) << text;
    input.fromOptions.constraints.push_back(*constraint);
  }
  Result<KnobModules> modules = compileKnobs(input, diagnostics);
  for (const Diagnostic &diagnostic : diagnostics.all())
    result.warnings.push_back(describe(diagnostic));
  if (!modules) {
    result.failure = describe(modules.diagnostic());
    return result;
  }
  for (const KnobModule &made : modules->modules) {
    Result<EntryPoint> entry = findComputeEntryPoint(made.module, "");
    EXPECT_TRUE(bool(entry));
    Result<WorkgroupSize> size = readWorkgroupSize(made.module, *entry);
    EXPECT_TRUE(bool(size));
    result.modules.push_back(textOf(made.values) + ": " + size->size.str());
  }
  result.authored = modules->authored ? textOf(*modules->authored) : "";
  return result;
}

class Knobs : public testing::Test {
protected:
  std::string write(const std::string &name, const std::string &text) const {
    return folder.write(name, text);
  }
  std::string file(const std::string &name) const { return folder.path(name); }
  TemporaryFolder folder;
};

} // namespace

TEST_F(Knobs, MultiplyAndLeaveTheAuthoredModuleOut) {
  std::string path = write("a.comp", kTiled);
  Compiled result = compileAs(path, {"TILE=8,16", "UNROLL=1,2"});
  EXPECT_EQ(result.failure, "");
  EXPECT_THAT(result.modules, ElementsAre("TILE=8, UNROLL=1: 8x1x1", "TILE=8, UNROLL=2: 8x1x1",
                                          "TILE=16, UNROLL=2: 16x1x1"));
  EXPECT_EQ(result.authored, "TILE=16, UNROLL=1");
  EXPECT_THAT(result.warnings, ElementsAre());
}

TEST_F(Knobs, ConstraintsChoose) {
  std::string path = write("a.comp", kTiled);
  Compiled result = compileAs(path, {"TILE=4,8,32,64", "UNROLL=2,8"},
                              {"TILE*TILE <= 1024", "UNROLL < TILE && TILE % UNROLL == 0"});
  EXPECT_EQ(result.failure, "");
  EXPECT_THAT(result.modules,
              ElementsAre("TILE=4, UNROLL=2: 4x1x1", "TILE=8, UNROLL=2: 8x1x1",
                          "TILE=32, UNROLL=2: 32x1x1", "TILE=32, UNROLL=8: 32x1x1"));
  EXPECT_EQ(compileAs(path, {"TILE=4,8"}, {"TILE > 8"}).failure,
            "--where:1:1: no combination of the knobs' values satisfies every constraint");
  EXPECT_EQ(compileAs(path, {"TILE=4,8"}, {"1 / (TILE - 8) < 0"}).failure,
            "--where:1:3: a division by zero | --where:1:1: with TILE=8");
  EXPECT_EQ(compileAs(path, {"TILE=4,8"}, {"TIEL > 8"}).failure,
            "--where:1:1: there is no knob 'TIEL' | --knob:1:1: there is the knob 'TILE'");
  // A macro given by -D has a value, too.
  FrontendOptions options;
  options.defines = {{"UNROLL", "4"}};
  result = compileAs(path, {"TILE=2,8"}, {"TILE % UNROLL == 0"}, options);
  EXPECT_THAT(result.modules, ElementsAre("TILE=8: 8x1x1"));
}

TEST_F(Knobs, PragmasDeclareThem) {
  write("tile.glsl",
        "#pragma tailor knob(TILE, 8, 16, 32)\n#ifndef TILE\n#define TILE 16\n#endif\n");
  std::string path = write("a.comp", "#version 450\n#include \"tile.glsl\"\n"
                                     "#pragma tailor where(TILE <= 16)\n" +
                                         kTiled.substr(kTiled.find('\n') + 1));
  EXPECT_THAT(compileAs(path, {}).modules, ElementsAre("TILE=8: 8x1x1"));
  // The command line's values take the place of the pragma's.
  Compiled result = compileAs(path, {"TILE=4,64"}, {"TILE > 2"});
  EXPECT_EQ(result.failure, "");
  EXPECT_THAT(result.modules, ElementsAre("TILE=4: 4x1x1"));
  // A macro that is given is no knob any more.
  FrontendOptions options;
  options.defines = {{"TILE", "8"}};
  EXPECT_THAT(compileAs(path, {}, {}, options).modules, ElementsAre());
  EXPECT_EQ(compileAs(path, {"TILE=4"}, {}, options).failure,
            "--knob:1:1: 'TILE' is a knob, and given a value by -D as well");
  path = write("twice.comp", kTiled + "#pragma tailor knob(TILE, 8)\n#pragma tailor knob(TILE, 4)");
  EXPECT_EQ(compileAs(path, {}).failure, file("twice.comp") +
                                             ":20:21: the knob 'TILE' is declared twice | " +
                                             file("twice.comp") + ":19:21: the first one is here");
}

TEST_F(Knobs, HlslHasThem) {
  std::string path = write("a.hlsl", R"(#pragma tailor knob(TILE, 8, 16, 32)
#pragma tailor where(TILE*TILE \
  <= 1024 && TILE > 2)
#ifndef TILE
#define TILE 16
#endif
RWStructuredBuffer<uint> b : register(u0);
[numthreads(TILE,1,1)]
void main(uint3 id : SV_DispatchThreadID) { b[id.x] = TILE; }
)");
  Compiled result = compileAs(path, {});
  EXPECT_EQ(result.failure, "");
  EXPECT_THAT(result.modules, ElementsAre("TILE=8: 8x1x1", "TILE=32: 32x1x1"));
  EXPECT_EQ(result.authored, "TILE=16");
}

TEST_F(Knobs, UnknownOnesAreRefused) {
  std::string path = write("a.comp", kTiled);
  EXPECT_EQ(compileAs(path, {"TILES=8"}).failure,
            "--knob:1:1: the shader does not mention the macro 'TILES'; did you mean 'TILE'?");
  EXPECT_EQ(compileAs(path, {"TILE=8", "TILE=16"}).failure,
            "--knob:1:1: the knob 'TILE' is given twice");
  // A mention in the pragma or in a comment alone does not count.
  path = write("b.comp", kTiled + "#pragma tailor knob(WIDE, 8) // WIDE\n");
  EXPECT_THAT(compileAs(path, {}).failure,
              HasSubstr(":19:21: the shader does not mention the macro 'WIDE'"));
  path = write("c.spvasm", "OpCapability Shader\nOpMemoryModel Logical GLSL450\n");
  EXPECT_THAT(compileAs(path, {"TILE=8"}).failure,
              HasSubstr("--knob:1:1: knobs are macros, and SPIR-V text has none | " + path));
  EXPECT_EQ(compileAs(path, {}).failure, "");
}

TEST_F(Knobs, TooManyAreRefused) {
  std::string path = write("a.comp", kTiled);
  EXPECT_EQ(compileAs(path, {"TILE=1,2,4,8", "UNROLL=1,2,3,4"}, {"UNROLL <= TILE"}, {}, 10).failure,
            "--knob:1:1: the knobs have 11 combinations of values, and 10 are compiled at most: "
            "constrain them, or allow more with --max-combinations");
  EXPECT_EQ(compileAs(path, {"TILE=1,2,4,8", "UNROLL=1,2,3,4"}, {"UNROLL <= TILE"}, {}, 11).failure,
            "");
}

TEST_F(Knobs, ACombinationThatFailsIsNamed) {
  std::string path = write("a.comp", kTiled + "#if TILE > 16\nvoid f() { nothing; }\n#endif\n");
  Compiled result = compileAs(path, {"TILE=8,32,64"});
  EXPECT_THAT(result.failure, HasSubstr(file("a.comp") + ":20: with TILE=32: 'nothing'"));
  EXPECT_THAT(result.failure, HasSubstr("--knob:1:1: the knob is declared here"));
  EXPECT_THAT(result.failure, HasSubstr("so does TILE=64: 'nothing'"));
  // What is defined in any case cannot be given another value.
  path = write("b.comp", "#version 450\n#define TILE 16\n" + kTiled.substr(kTiled.find('\n') + 1));
  EXPECT_THAT(compileAs(path, {"TILE=8"}).failure,
              HasSubstr(file("b.comp") +
                        ":2:1: 'TILE' is defined here whatever value it was given: "
                        "put '#ifndef TILE' around it"));
}

TEST_F(Knobs, OnesWithoutEffectAreWarnedOf) {
  std::string path = write("a.comp", kTiled + "#ifdef IDLE\n#endif\n");
  Compiled result = compileAs(path, {"TILE=8,16", "IDLE=1,2"});
  EXPECT_THAT(result.modules, ElementsAre("TILE=8, IDLE=1: 8x1x1"));
  EXPECT_THAT(result.warnings,
              ElementsAre("--knob:1:1: the knob 'IDLE' has no effect: the module is the same with "
                          "each of 1, 2"));
  result = compileAs(path, {"IDLE=1"});
  EXPECT_THAT(result.modules, ElementsAre());
  EXPECT_THAT(result.warnings,
              ElementsAre("--knob:1:1: the knob 'IDLE' has no effect: the module is the same with "
                          "IDLE=1 and without"));
}

TEST_F(Knobs, TheHostMustNotNotice) {
  auto failureOf = [&](const std::string &globals) {
    std::string path = write("a.comp", R"(#version 450
#ifndef N
#define N 1
#endif
layout(local_size_x = 8) in;
)" + globals + "\nvoid main() { b[gl_GlobalInvocationID.x] = N; }\n");
    return compileAs(path, {"N=2"}).failure;
  };
  const std::string plain = "layout(binding = 0) buffer B { uint b[]; };\n";
  EXPECT_EQ(failureOf(plain), "");
  EXPECT_EQ(failureOf(plain + "layout(push_constant) uniform P { uint p; };"
                              "layout(constant_id = 3) const uint c = N;\n"),
            "");
  EXPECT_THAT(failureOf("layout(binding = N) buffer B { uint b[]; };"),
              HasSubstr("with N=2: the module wants set 0 binding 2 ('"));
  EXPECT_THAT(failureOf("layout(set = N, binding = 0) buffer B { uint b[]; };"),
              HasSubstr("with N=2: the module wants set 2 binding 0 ('"));
  EXPECT_THAT(failureOf("layout(binding = 0) buffer B { uint head[N]; uint b[]; };"),
              HasSubstr("authored: storage buffer { u32[1] every 4 bytes at 0, u32[] every 4 bytes "
                        "at 4 } | "));
  EXPECT_THAT(
      failureOf(plain + "#if N == 1\nlayout(push_constant) uniform P { uint p; };\n#endif\n"),
      HasSubstr("with N=2: the module lacks the push-constant block"));
  EXPECT_THAT(
      failureOf(plain + "layout(push_constant) uniform P { layout(offset = 8 * N) uint p; };"),
      HasSubstr("the push-constant block"));
  EXPECT_THAT(failureOf(plain + "layout(constant_id = N) const uint c = 1;\n"),
              HasSubstr("SpecId 2 ('c'), which the authored one does not have"));
  EXPECT_THAT(failureOf(plain + "layout(binding = 1) uniform sampler2D t[N];\n"),
              HasSubstr("set 0 binding 1 ('t') differs"));
  EXPECT_THAT(failureOf(plain + "#if N == 1\nlayout(binding = 1, rgba8) uniform image2D t;\n#else\n"
                                "layout(binding = 1, r32f) uniform image2D t;\n#endif\n"),
              HasSubstr("set 0 binding 1 ('t') differs"));
  EXPECT_THAT(failureOf("#if N == 1\nlayout(binding = 0) buffer B { uint b[]; };\n#else\n"
                        "layout(binding = 0) uniform B { uint b[4]; };\n#endif\n"),
              HasSubstr("with N=2"));
}
