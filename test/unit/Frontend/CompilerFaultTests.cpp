//===- test/unit/Frontend/CompilerFaultTests.cpp ---------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shaders that glslang lacks something for, and shaders that it compiles into
// modules that are not valid.
//
//===----------------------------------------------------------------------===//
#include "Frontend/CompiledModule.h"
#include "Frontend/Frontend.h"
#include "Frontend/GlslangHints.h"
#include "Frontend/SourceText.h"
#include "Support/SpirvTools.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tailor;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

Diagnostic refusalOf(const std::string &source, const std::string &name,
                     const FrontendOptions &options = {}, ErrorKind kind = ErrorKind::Refused) {
  Diagnostics diagnostics;
  Result<FrontendResult> result = loadShaderFromMemory(source, name, options, diagnostics);
  EXPECT_TRUE(diagnostics.all().empty());
  if (result) {
    ADD_FAILURE() << name << " compiles";
    return {};
  }
  EXPECT_EQ(result.diagnostic().kind, kind);
  return result.diagnostic();
}

bool hasNote(const Diagnostic &diagnostic, const std::string &place, const std::string &text) {
  for (const Note &note : diagnostic.notes)
    if (note.location.str() == place && note.text == text)
      return true;
  return false;
}

const std::string kOther = "; SPIR-V from another compiler can be given in place of the source";

TEST(Hints, AnExtensionThatTheCompilerLacks) {
  Diagnostic refusal =
      refusalOf("#version 450\n#extension GL_EXT_tomorrow : require\nvoid main() {}\n", "a.comp");
  EXPECT_EQ(refusal.location.str(), "a.comp:2");
  EXPECT_EQ(refusal.text, "'#extension' : extension not supported: GL_EXT_tomorrow");
  EXPECT_TRUE(
      hasNote(refusal, "a.comp:2",
              "this build's compiler, " + glslangVersion() + ", does not know it" + kOther));
}

TEST(Hints, ATargetThatIsTooOld) {
  const std::string source = "#version 460\n#extension GL_EXT_ray_tracing : require\n"
                             "layout(local_size_x = 1) in;\nvoid main() {}\n";
  Diagnostic refusal = refusalOf(source, "a.comp");
  EXPECT_THAT(refusal.text, HasSubstr("not supported for current targeted SPIR-V version"));
  EXPECT_TRUE(hasNote(refusal, "a.comp:2",
                      "the target environment is vulkan1.1; --target-env vulkan1.2 stands for "
                      "SPIR-V 1.5, --target-env vulkan1.3 for 1.6"));
  FrontendOptions options;
  options.targetEnv = "vulkan1.2";
  Diagnostics diagnostics;
  EXPECT_TRUE(loadShaderFromMemory(source, "a.comp", options, diagnostics));
}

TEST(Hints, AModuleThatIsTooNewForItsTarget) {
  FrontendOptions options;
  options.targetEnv = "vulkan1.0";
  // The compiler writes these without a word.
  const std::string glsl =
      "#version 450\n#extension GL_KHR_shader_subgroup_basic : require\n"
      "layout(binding = 0) buffer B { uint b[]; };\nvoid main() { b[0] = gl_SubgroupSize; }\n";
  const std::string hlsl = "RWStructuredBuffer<uint> b;\n[numthreads(64, 1, 1)]\n"
                           "void main(uint3 i : SV_DispatchThreadID) {\n"
                           "  b[i.x] = WaveActiveSum(b[i.x]);\n}\n";
  for (const auto &[source, name] : {std::pair(glsl, "a.comp"), std::pair(hlsl, "a.hlsl")}) {
    Diagnostic refusal = refusalOf(source, name, options);
    EXPECT_EQ(refusal.text,
              "this shader needs a newer target environment: give --target-env vulkan1.1");
    Diagnostics diagnostics;
    EXPECT_TRUE(loadShaderFromMemory(source, name, {}, diagnostics)) << name;
  }
  Diagnostic block = refusalOf("#version 450\n#extension GL_EXT_shared_memory_block : require\n"
                               "shared S { uint a[64]; } s;\nvoid main() { s.a[0] = 1; }\n",
                               "a.comp");
  EXPECT_TRUE(hasNote(block, "a.comp:3",
                      "the target environment is vulkan1.1; --target-env vulkan1.2 stands for "
                      "SPIR-V 1.5, --target-env vulkan1.3 for 1.6"));
}

TEST(Hints, AShaderOfAnotherStageByItsName) {
  const std::string source = "#version 450\nlayout(location = 0) out vec4 color;\n"
                             "void main() { color = vec4(gl_FragCoord.x); }\n";
  for (const char *name : {"d.vert/x.frag.glsl", "x.frag.glsl"})
    EXPECT_TRUE(hasNote(refusalOf(source, name), name,
                        "the file's name is that of a fragment shader, and only compute shaders "
                        "are read"));
  for (const char *name : {"x.glsl", "frag.glsl", "d.frag/x.comp.glsl"})
    for (const Note &note : refusalOf(source, name).notes)
      EXPECT_THAT(note.text, testing::Not(HasSubstr("the file's name"))) << name;
}

TEST(Hints, HlslThatTheCompilerDoesNotKnow) {
  const std::string note = "HLSL is compiled by " + glslangVersion() +
                           ", which lacks parts of HLSL 2021 and of shader model 6" + kOther;
  Diagnostic refusal = refusalOf("RWStructuredBuffer<float3> a;\n[numthreads(1, 1, 1)]\n"
                                 "void main() {\n  a[0] = select(a[1] < a[2], a[3], a[4]);\n}\n",
                                 "k.hlsl");
  EXPECT_EQ(refusal.location.line, 4u);
  EXPECT_EQ(refusal.text, "'select' : no matching overloaded function found");
  EXPECT_TRUE(hasNote(refusal, refusal.location.str(), note));
  // A plain mistake has no such note.
  Diagnostic mistake = refusalOf("RWStructuredBuffer<float> a;\n[numthreads(1, 1, 1)]\n"
                                 "void main() {\n  a[0] = foo;\n}\n",
                                 "k.hlsl");
  EXPECT_EQ(mistake.text, "'foo' : unknown variable");
  for (const Note &each : mistake.notes)
    EXPECT_NE(each.text, note);
}

TEST(Hints, AMissingEntryPointNamesThoseThatThereAre) {
  const std::string source = "/* [numthreads(1, 1, 1)]\nvoid commented() */\n"
                             "[numthreads(8, 1, 1)]\nvoid blur() {}\n"
                             "#ifdef NEVER\n[NumThreads(8, 1, 1)] [other(2)]\nvoid wave(uint x : "
                             "SV_GroupIndex) {}\n#endif\n";
  FrontendOptions options;
  options.entryPoint = "wave";
  Diagnostic refusal = refusalOf(source, "k.hlsl", options, ErrorKind::Usage);
  EXPECT_EQ(refusal.location.str(), "k.hlsl");
  EXPECT_EQ(refusal.text, "the module has no compute entry point 'wave'");
  EXPECT_TRUE(hasNote(refusal, "k.hlsl:4", "there is 'blur'"));
  EXPECT_TRUE(
      hasNote(refusal, "k.hlsl:7", "'wave' stands here, where the preprocessor leaves it out"));
  EXPECT_EQ(refusal.notes.size(), 2u);
}

TEST(SourceText, NumthreadsFunctions) {
  EXPECT_THAT(numthreadsFunctions("[numthreads"), IsEmpty());
  EXPECT_THAT(numthreadsFunctions("[numthreadsX(1)] void f() {}"), IsEmpty());
  for (const char *cut : {"[numthreads(", "[numthreads(1,1,1)]", "[numthreads(1,1,1)][a",
                          "[numthreads(1,1,1)] ;", "[numthreads(1,1,1)] struct s { }"}) {
    ASSERT_EQ(numthreadsFunctions(cut).size(), 1u) << cut;
    EXPECT_EQ(numthreadsFunctions(cut)[0].name, "") << cut;
  }
}

//===----------------------------------------------------------------------===//
// Invalid modules
//===----------------------------------------------------------------------===//

TEST(CompilerFault, AnInvalidModuleIsTheCompilersFault) {
  // A bool has no place in an interface, and glslang puts it there.
  Diagnostic refusal =
      refusalOf("[numthreads(1, 1, 1)]\nbool main() : ANYTHING { return true; }\n", "k.hlsl");
  EXPECT_EQ(refusal.location.file, "k.hlsl");
  EXPECT_EQ(refusal.location.word, Location::kUnknownWord);
  EXPECT_EQ(refusal.text,
            "the compiler, " + glslangVersion() + ", wrote an invalid module for this shader");
  ASSERT_GE(refusal.notes.size(), 2u);
  EXPECT_THAT(refusal.notes[0].text, HasSubstr("not valid SPIR-V: "));
  EXPECT_THAT(refusal.notes[0].text, HasSubstr("OpTypeBool"));
  for (const Note &note : refusal.notes)
    EXPECT_EQ(note.location.word, Location::kUnknownWord);
}

std::vector<uint32_t> assembled(std::string_view body) {
  Diagnostics diagnostics;
  Result<FrontendResult> result = loadShaderFromMemory(
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
      "OpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 1 1 1\n"
      "%file = OpString \"lib/x.hlsli\"\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n"
      "%main = OpFunction %void None %fn\n%b = OpLabel\n" +
          std::string(body) + "\nOpFunctionEnd\n",
      "a.spvasm", {}, diagnostics);
  EXPECT_TRUE(result) << result.diagnostic().text;
  return result ? result->words : std::vector<uint32_t>{};
}

TEST(CompilerFault, IsLocatedAtTheLineOfTheInstruction) {
  std::vector<uint32_t> words = assembled("OpLine %file 7 3\n%u = OpUndef %void\nOpReturn");
  Status valid = checkCompiledModule(words, "k.hlsl", ModuleCheck::Valid);
  ASSERT_FALSE(valid);
  EXPECT_EQ(valid.diagnostic().location.str(), "lib/x.hlsli:7:3");
  EXPECT_EQ(valid.diagnostic().notes[0].location.str(), "lib/x.hlsli:7:3");
  EXPECT_EQ(valid.diagnostic().notes.back().location.str(), "k.hlsl");
  EXPECT_TRUE(checkCompiledModule(words, "k.hlsl", ModuleCheck::Parsed));

  for (const char *ended : {"OpLine %file 7 3\nOpNoLine\n%u = OpUndef %void\nOpReturn",
                            "OpLine %file 7 3\nOpBranch %c\n%c = OpLabel\n%u = OpUndef %void\n"
                            "OpReturn"}) {
    Status elsewhere = checkCompiledModule(assembled(ended), "k.hlsl", ModuleCheck::Valid);
    ASSERT_FALSE(elsewhere);
    EXPECT_EQ(elsewhere.diagnostic().location.str(), "k.hlsl") << ended;
  }
}

TEST(CompilerFault, AnIdThatIsDefinedTwiceCannotBeParsed) {
  std::vector<uint32_t> words = assembled("OpLine %file 9 1\n%u = OpUndef %void\nOpReturn");
  // The result of OpUndef becomes that of OpLabel.
  uint32_t label = 0;
  for (size_t at = kSpirvHeaderWords; at < words.size(); at += words[at] >> 16)
    if ((words[at] & 0xffff) == 248)
      label = words[at + 1];
    else if ((words[at] & 0xffff) == 1)
      words[at + 2] = label;
  Status read = checkCompiledModule(words, "k.hlsl", ModuleCheck::Parsed);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.diagnostic().location.str(), "lib/x.hlsli:9:1");
  EXPECT_EQ(read.diagnostic().notes[0].text,
            "not valid SPIR-V: Id " + std::to_string(label) + " is defined more than once");
}

} // namespace
