//===- unit/IR/RoundTripTests.cpp - Reading and writing gives the same words ===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "IRTestSupport.h"

#include "gtest/gtest.h"

#include <fstream>
#include <map>

namespace tailor {
namespace {

using namespace test;

/// What must hold of every module: the same words out of it, out of its clone and in the other
/// byte order, and a table of definitions that agrees with the instructions.
void expectRoundTrip(const Words &words) {
  ASSERT_FALSE(words.empty());
  Module module = read(words);
  ASSERT_EQ(module.words(), words);
  EXPECT_FALSE(module.isBigEndian());
  Module copy = module.clone();
  ASSERT_EQ(copy.words(), words);

  Module swapped = read(byteSwapped(words));
  EXPECT_TRUE(swapped.isBigEndian());
  ASSERT_EQ(swapped.words(), byteSwapped(words));
  swapped.useNativeByteOrder();
  ASSERT_EQ(swapped.words(), words);

  for (Module *each : {&module, &copy}) {
    size_t definitions = 0, found = 0;
    each->forEachInstruction([&](Instruction &inst) {
      if (!isValid(inst.result()))
        return;
      ++definitions;
      ASSERT_EQ(each->def(inst.result()), &inst) << nameOf(inst.opcode());
    });
    for (uint32_t id = 0; id < each->idBound(); ++id)
      found += each->def(static_cast<Id>(id)) != nullptr;
    EXPECT_EQ(found, definitions);
  }
}

TEST(RoundTrip, everyKernelInEveryEnvironment) {
  std::vector<std::string> kernels = benchKernels(".comp");
  ASSERT_GE(kernels.size(), 12u);
  for (const char *env : {"vulkan1.0", "vulkan1.1", "vulkan1.2", "vulkan1.3"})
    for (const char *debug : {"", "-g ", "-gVS "})
      for (const std::string &kernel : kernels) {
        SCOPED_TRACE(std::string(env) + " " + debug + kernel);
        expectRoundTrip(compileKernel(kernel, std::string(debug) + "--target-env " + env));
      }
}

TEST(RoundTrip, everyKernelFromHlsl) {
  std::vector<std::string> kernels = benchKernels(".hlsl");
  ASSERT_FALSE(kernels.empty());
  for (const std::string &kernel : kernels)
    for (const char *debug : {"", "-g ", "-gVS "}) {
      SCOPED_TRACE(debug + kernel);
      expectRoundTrip(
          compileKernel(kernel, std::string(debug) + "-D -e main -S comp --target-env vulkan1.1"));
    }
}

TEST(RoundTrip, whatTheOptimizerWrites) {
  std::string in = scratchFolder() + "/in.spv", out = scratchFolder() + "/out.spv";
  for (const std::string &kernel : benchKernels(".comp"))
    for (const char *debug : {"", "-g "}) { // the optimizer crashes on what -gVS makes
      Words words = compileKernel(kernel, std::string(debug) + "--target-env vulkan1.2");
      {
        std::ofstream file(in, std::ios::binary);
        for (uint32_t word : words)
          for (unsigned shift = 0; shift < 32; shift += 8)
            file.put(static_cast<char>(word >> shift));
      }
      for (const char *options : {"-O", "--strip-debug", "-Os --compact-ids"}) {
        SCOPED_TRACE(kernel + " " + debug + options);
        std::string command =
            std::string(TAILOR_SPIRV_OPT) + " " + options + " " + in + " -o " + out;
        ASSERT_EQ(runQuietly(command), 0);
        expectRoundTrip(readWords(out));
      }
    }
}

TEST(RoundTrip, lineMarksInFrontOfEveryInstruction) {
  Words words = compileKernel(benchKernels(".comp").front(), "-g --target-env vulkan1.1");
  Module module = read(words);
  uint32_t file = 0;
  for (const Instruction &inst : module.section(Section::Debug))
    if (inst.opcode() == spv::Op::OpString)
      file = raw(inst.result());
  ASSERT_NE(file, 0u);
  std::vector<size_t> starts = instructionStarts(words);
  // One mark at each place alone, the end of the module included.
  for (size_t at : starts) {
    SCOPED_TRACE(at);
    Words marked = withInserted(words, at, instruction(spv::Op::OpLine, {file, 7, 3}));
    ASSERT_EQ(read(marked).words(), marked);
    marked = withInserted(words, at, instruction(spv::Op::OpNoLine, {}));
    ASSERT_EQ(read(marked).words(), marked);
  }
  // All at once, several a place.
  Words marked = words;
  for (size_t index = starts.size(); index-- > 0;) {
    marked = withInserted(marked, starts[index], instruction(spv::Op::OpNoLine, {}));
    marked = withInserted(marked, starts[index], instruction(spv::Op::OpLine, {file, 1, 0}));
    marked = withInserted(marked, starts[index], instruction(spv::Op::OpLine, {file, 2, 9}));
  }
  expectRoundTrip(marked);
}

TEST(RoundTrip, nonSemanticInstructionsBetweenAndAfterFunctions) {
  expectRoundTrip(assemble(R"(
    OpCapability Shader
    OpExtension "SPV_KHR_non_semantic_info"
    %set = OpExtInstImport "NonSemantic.Testing.Unknown"
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main"
    OpExecutionMode %main LocalSize 1 1 1
    %file = OpString "a.comp"
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %g1 = OpExtInst %void %set 1 %file
    OpLine %file 1 1
    %helper = OpFunction %void None %fn
    OpLine %file 2 1
    %e1 = OpLabel
    %i1 = OpExtInst %void %set 2
    OpLine %file 3 1
    OpReturn
    OpLine %file 4 1
    OpFunctionEnd
    OpLine %file 5 1
    %b1 = OpExtInst %void %set 3 %helper
    %b2 = OpExtInst %void %set 4 %b1 %file
    OpNoLine
    %main = OpFunction %void None %fn
    %e2 = OpLabel
    %c = OpFunctionCall %void %helper
    OpReturn
    OpFunctionEnd
    %a1 = OpExtInst %void %set 5 %main
    OpLine %file 6 1
    %a2 = OpExtInst %void %set 6 %a1
    OpLine %file 7 1
    OpNoLine
  )"));
}

TEST(RoundTrip, decorationGroupsAndLongStrings) {
  std::string text(20'000, 'x');
  std::string source(60'000, 's');
  expectRoundTrip(assemble(R"(
    OpCapability Shader
    OpCapability Linkage
    OpExtension "SPV_KHR_storage_buffer_storage_class"
    %glsl = OpExtInstImport "GLSL.std.450"
    OpMemoryModel Logical GLSL450
    %file = OpString ")" + text +
                           R"("
    OpSource GLSL 450 %file ")" +
                           source + R"("
    OpSourceContinued ")" + source +
                           R"("
    OpSourceExtension "GL_KHR_memory_scope_semantics"
    OpName %s "S"
    OpMemberName %s 0 ""
    OpMemberName %s 1 "four"
    OpModuleProcessed "client vulkan100"
    OpModuleProcessed ""
    OpDecorate %group NonWritable
    OpDecorate %group DescriptorSet 3
    %group = OpDecorationGroup
    OpGroupDecorate %group %v1 %v2
    OpDecorate %members Offset 16
    %members = OpDecorationGroup
    OpGroupMemberDecorate %members %s 1
    OpDecorate %v1 LinkageAttributes "exported" Export
    %uint = OpTypeInt 32 0
    %s = OpTypeStruct %uint %uint
    %p = OpTypePointer StorageBuffer %s
    %v1 = OpVariable %p StorageBuffer
    %v2 = OpVariable %p StorageBuffer
  )"));
}

TEST(RoundTrip, constantsAndSelectorsOf64Bits) {
  Words words = assemble(R"(
    OpCapability Shader
    OpCapability Int64
    OpCapability Float64
    OpCapability Int16
    OpCapability Int8
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main"
    OpExecutionMode %main LocalSize 1 1 1
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %ulong = OpTypeInt 64 0
    %long = OpTypeInt 64 1
    %short = OpTypeInt 16 1
    %char = OpTypeInt 8 1
    %double = OpTypeFloat 64
    %c = OpConstant %ulong 0x123456789abcdef0
    %m = OpConstant %long -1
    %s = OpConstant %short -2
    %t = OpConstant %char -128
    %d = OpConstant %double 0x1.8p+100
    %main = OpFunction %void None %fn
    %entry = OpLabel
    OpSelectionMerge %end None
    OpSwitch %c %end 0x100000000 %one 0xffffffffffffffff %two
    %one = OpLabel
    OpBranch %end
    %two = OpLabel
    OpBranch %end
    %end = OpLabel
    OpReturn
    OpFunctionEnd
  )");
  expectRoundTrip(words);
  Module module = read(words);
  Block &entry = module.functions()[0]->front();
  const Instruction *last = entry.terminator();
  ASSERT_EQ(last->numOperands(), 6u);
  EXPECT_EQ(last->literal64(2), 0x100000000u);
  EXPECT_EQ(last->literal64(4), UINT64_MAX);
  EXPECT_EQ(entry.successors().size(), 3u);
}

TEST(RoundTrip, sourceLanguagesThatNobodyKnows) {
  for (uint32_t language : {7u, 10u, 11u, 12u, 1000u, UINT32_MAX}) {
    Words words = assemble(shaderText("OpSource GLSL 450\nOpSource HLSL 600\n", "", emptyMain()));
    for (size_t at : instructionStarts(words))
      if (at < words.size() && (words[at] & 0xffff) == static_cast<uint32_t>(spv::Op::OpSource))
        words[at + 1] = language;
    SCOPED_TRACE(language);
    expectRoundTrip(words);
    Module module = read(words);
    EXPECT_EQ(module.section(Section::Debug).front().literal(0), language);
  }
}

TEST(RoundTrip, severalStagesInOneModule) {
  expectRoundTrip(assemble(R"(
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpEntryPoint Vertex %f "vertexMain" %position
    OpEntryPoint Fragment %f "fragmentMain"
    OpEntryPoint GLCompute %f "computeMain"
    OpEntryPoint GLCompute %g "other"
    OpExecutionMode %f OriginUpperLeft
    OpExecutionMode %f LocalSize 8 8 1
    OpExecutionMode %g LocalSize 1 2 3
    OpDecorate %position BuiltIn Position
    %void = OpTypeVoid
    %float = OpTypeFloat 32
    %v4 = OpTypeVector %float 4
    %p = OpTypePointer Output %v4
    %position = OpVariable %p Output
    %fn = OpTypeFunction %void
    %f = OpFunction %void None %fn
    %e1 = OpLabel
    OpReturn
    OpFunctionEnd
    %g = OpFunction %void None %fn
    %e2 = OpLabel
    OpReturn
    OpFunctionEnd
  )"));
}

TEST(RoundTrip, globalsOfKernelsAndExtensions) {
  expectRoundTrip(assemble(R"(
    OpCapability Kernel
    OpCapability Addresses
    OpCapability Pipes
    OpCapability PipeStorage
    OpCapability Linkage
    OpMemoryModel Physical32 OpenCL
    %pipes = OpTypePipeStorage
    OpTypeForwardPointer %q CrossWorkgroup
    %c = OpConstantPipeStorage %pipes 16 16 2
    %uint = OpTypeInt 32 0
    %node = OpTypeStruct %uint %q
    %q = OpTypePointer CrossWorkgroup %node
    %u = OpUndef %uint
    %fn = OpTypeFunction %uint %uint
    %declared = OpFunction %uint None %fn
    %parameter = OpFunctionParameter %uint
    OpFunctionEnd
  )"));
}

TEST(RoundTrip, headerAloneAndItsFields) {
  Words header = {0x07230203, 0x00010300, 0x00280001, 1, 0};
  expectRoundTrip(header);
  header[4] = 77; // the reserved schema word
  EXPECT_EQ(read(header).words(), header);
  EXPECT_EQ(read(header).version(), 0x00010300u);
}

} // namespace
} // namespace tailor
