//===- unit/IR/ModuleTests.cpp - Changing, copying, asking, locating -------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "IRTestSupport.h"

#include "gtest/gtest.h"

#include <map>

namespace tailor {
namespace {

using namespace test;

/// The id that carries this OpName.
Id named(const Module &module, const std::string &name) {
  for (const Instruction &inst : module.section(Section::Debug))
    if (inst.opcode() == spv::Op::OpName && inst.string(1) == name)
      return inst.id(0);
  ADD_FAILURE() << "nothing is called " << name;
  return Id::None;
}

TEST(Module, aCloneIsIndependent) {
  Module module = readText(shaderText("OpName %main \"main\"", "", emptyMain()));
  Words before = module.words();
  Module copy = module.clone();
  Block &block = copy.functions()[0]->front();
  copy.insert(block, block.instructions().begin(), Instruction(spv::Op::OpNop));
  copy.erase(Section::Debug, copy.section(Section::Debug).front());
  EXPECT_EQ(copy.freshId(), module.freshId()) << "the bounds are apart";
  EXPECT_NE(copy.words(), before);
  before[3] += 1; // our own fresh id
  EXPECT_EQ(module.words(), before);
  EXPECT_EQ(block.getParent(), copy.functions()[0].get());
  EXPECT_NE(copy.def(block.id()), module.def(block.id()));
}

TEST(Module, insertingAndErasingKeepsTheDefinitions) {
  Module module = readText(shaderText("OpName %uint \"uint\"", "", emptyMain()));
  Block &block = module.functions()[0]->front();
  Id uint = named(module, "uint");
  Instruction undef(spv::Op::OpUndef, uint, module.freshId());
  Instruction &made = module.insertBefore(*block.terminator(), undef);
  EXPECT_EQ(module.def(undef.result()), &made);
  EXPECT_EQ(made.parent(), &block);
  module.erase(block, made);
  EXPECT_EQ(module.def(undef.result()), nullptr);

  Instruction &first = module.section(Section::Globals).front();
  Instruction type(spv::Op::OpTypeFloat, Id::None, module.freshId());
  type.addLiteral(32);
  Instruction &front = module.insertBefore(first, type); // outside functions too
  EXPECT_EQ(&module.section(Section::Globals).front(), &front);
  EXPECT_EQ(front.parent(), nullptr);
  EXPECT_EQ(module.def(type.result()), &front);
  module.erase(Section::Globals, front);
  EXPECT_EQ(module.def(type.result()), nullptr);

  Instruction constant(spv::Op::OpConstantNull, uint, module.freshId());
  Instruction &last = module.insertGlobal(nullptr, constant);
  EXPECT_EQ(&module.section(Section::Globals).back(), &last);
  EXPECT_EQ(module.def(Id::None), nullptr);
  EXPECT_EQ(module.def(static_cast<Id>(UINT32_MAX)), nullptr);
}

TEST(Module, aSecondDefinitionKeepsItsPlaceWhenTheFirstGoes) {
  Module module = readText(shaderText("", "", emptyMain()));
  Block &block = module.functions()[0]->front();
  Id uint = module.section(Section::Globals).front().result();
  Id id = module.freshId();
  Instruction &old =
      module.insertBefore(*block.terminator(), Instruction(spv::Op::OpUndef, uint, id));
  Instruction &replacement =
      module.insertBefore(*block.terminator(), Instruction(spv::Op::OpUndef, uint, id));
  module.erase(block, old); // how a pass replaces an instruction under the same id
  EXPECT_EQ(module.def(id), &replacement);
}

TEST(Module, erasingAFunctionLeavesWhatStandsAroundIt) {
  Module module = readText(R"(
    OpCapability Shader
    OpExtension "SPV_KHR_non_semantic_info"
    %set = OpExtInstImport "NonSemantic.Testing"
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main"
    OpName %helper "helper"
    OpName %main "main"
    OpName %between "between"
    OpName %after "after"
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %helper = OpFunction %void None %fn
    %e1 = OpLabel
    OpReturn
    OpFunctionEnd
    %between = OpExtInst %void %set 1
    %main = OpFunction %void None %fn
    %e2 = OpLabel
    OpReturn
    OpFunctionEnd
    %after = OpExtInst %void %set 2
  )");
  Id main = named(module, "main"), between = named(module, "between"),
     after = named(module, "after");
  module.eraseFunction(*module.function(main));
  EXPECT_EQ(module.function(main), nullptr);
  EXPECT_EQ(module.def(main), nullptr);
  ASSERT_NE(module.def(between), nullptr);
  ASSERT_NE(module.def(after), nullptr);
  std::vector<Id> results;
  module.forEachInstruction([&](Instruction &inst) {
    if (inst.opcode() == spv::Op::OpExtInst)
      results.push_back(inst.result());
  });
  EXPECT_EQ(results, (std::vector<Id>{between, after}));
  module.eraseFunction(*module.function(named(module, "helper")));
  EXPECT_TRUE(module.functions().empty());
  EXPECT_EQ(read(module.words()).words(), module.words());
}

TEST(Module, lineMarksOutliveTheirInstruction) {
  Module module = readText(R"(
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main"
    %file = OpString "a.comp"
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %main = OpFunction %void None %fn
    %entry = OpLabel
    OpLine %file 5 2
    OpNop
    OpNop
    OpLine %file 6 1
    OpReturn
    OpFunctionEnd
  )");
  Block &block = module.functions()[0]->front();
  module.erase(block, block.instructions().front());
  module.erase(block, block.instructions().front());
  ASSERT_EQ(block.terminator()->lineMarks().size(), 2u);
  EXPECT_EQ(block.terminator()->lineMarks()[0].line, 5u);
  EXPECT_EQ(block.terminator()->lineMarks()[1].line, 6u);
}

TEST(Module, appendedBlocksArePartOfTheGraph) {
  Module module = readText(shaderText("", "", emptyMain()));
  Function &function = *module.functions()[0];
  Block &added = module.appendBlock(function, module.freshId());
  EXPECT_EQ(module.def(added.id()), &added.label());
  EXPECT_EQ(added.label().parent(), &added);
  module.insert(added, added.instructions().end(), Instruction(spv::Op::OpReturn));
  Block &entry = function.front();
  module.erase(entry, *entry.terminator());
  module.insert(entry, entry.instructions().end(),
                Instruction(spv::Op::OpBranch).addId(added.id()));
  function.rebuildCfg();
  ASSERT_EQ(entry.successors().size(), 1u);
  EXPECT_EQ(entry.successors()[0], &added);
  EXPECT_EQ(added.predecessors()[0], &entry);
  EXPECT_EQ(added.index(), 1u);
  EXPECT_EQ(function.block(added.id()), &added);
  EXPECT_EQ(read(module.words()).words(), module.words());
}

TEST(Module, usesAreCountedOnceEach) {
  for (const std::string &kernel : benchKernels(".comp")) {
    Module module = read(compileKernel(kernel, ""));
    UseMap map(module);
    std::map<uint32_t, std::vector<std::pair<Instruction *, unsigned>>> expected;
    module.forEachInstruction([&](Instruction &inst) {
      if (isValid(inst.typeId()))
        expected[raw(inst.typeId())].push_back({&inst, UseMap::kTypeOperand});
      for (unsigned index = 0; index < inst.numOperands(); ++index)
        if (inst.isId(index))
          expected[raw(inst.id(index))].push_back({&inst, index});
    });
    for (uint32_t id = 0; id < module.idBound() + 2; ++id) {
      std::vector<std::pair<Instruction *, unsigned>> got;
      for (const UseMap::Use &use : map.uses(static_cast<Id>(id)))
        got.push_back({use.user, use.operand});
      ASSERT_EQ(got, expected[id]) << id;
    }
    EXPECT_TRUE(map.uses(static_cast<Id>(UINT32_MAX)).empty());
  }
}

TEST(Module, namesCapabilitiesExtensionsAndSets) {
  Module module = readText(R"(
    OpCapability Shader
    OpCapability Int64
    OpExtension "SPV_KHR_storage_buffer_storage_class"
    %glsl = OpExtInstImport "GLSL.std.450"
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %9 "main"
    OpName %7 "number"
    OpName %8 ""
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %7 = OpTypeInt 32 0
    %8 = OpTypeInt 64 0
    %9 = OpFunction %void None %fn
    %10 = OpLabel
    OpReturn
    OpFunctionEnd
  )");
  EXPECT_EQ(module.name(static_cast<Id>(7)), "number");
  EXPECT_EQ(module.name(static_cast<Id>(8)), "%8");
  EXPECT_EQ(module.name(static_cast<Id>(99)), "%99");
  EXPECT_TRUE(module.hasCapability(spv::Capability::Int64));
  EXPECT_FALSE(module.hasCapability(spv::Capability::Float64));
  EXPECT_TRUE(module.hasExtension("SPV_KHR_storage_buffer_storage_class"));
  EXPECT_FALSE(module.hasExtension("SPV_KHR_storage_buffer"));
  EXPECT_EQ(module.extInstSet(module.section(Section::ExtInstImports).front().result()),
            "GLSL.std.450");
  EXPECT_EQ(module.extInstSet(static_cast<Id>(7)), "");
  ASSERT_EQ(module.entryPoints().size(), 1u);
  EXPECT_EQ(module.entryPoints()[0].name(), "main");
  EXPECT_EQ(module.entryPoints()[0].numInterfaceIds(), 0u);
}

TEST(Module, decorationsDirectAndThroughGroups) {
  Module module = readText(R"(
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpName %v1 "v1"
    OpName %v2 "v2"
    OpName %s "s"
    OpName %group "group"
    OpDecorate %group NonWritable
    OpDecorate %group DescriptorSet 3
    %group = OpDecorationGroup
    OpGroupDecorate %group %v1 %v2
    OpDecorate %members Offset 16
    %members = OpDecorationGroup
    OpGroupMemberDecorate %members %s 1
    OpMemberDecorate %s 0 Offset 4
    OpMemberDecorate %s 0 NonWritable
    OpDecorate %v1 Binding 5
    OpDecorate %s Block
    %uint = OpTypeInt 32 0
    %s = OpTypeStruct %uint %uint
    %p = OpTypePointer StorageBuffer %s
    %v1 = OpVariable %p StorageBuffer
    %v2 = OpVariable %p StorageBuffer
  )");
  Id v1 = named(module, "v1"), v2 = named(module, "v2"), s = named(module, "s");
  for (Id variable : {v1, v2}) {
    EXPECT_TRUE(module.hasDecoration(variable, spv::Decoration::NonWritable));
    EXPECT_EQ(module.decoration(variable, spv::Decoration::DescriptorSet), 3u);
  }
  EXPECT_EQ(module.decoration(v1, spv::Decoration::Binding), 5u);
  EXPECT_FALSE(module.decoration(v2, spv::Decoration::Binding));
  EXPECT_FALSE(module.decoration(v1, spv::Decoration::NonWritable)) << "it has no literal";
  // A member's decoration is not the structure's.
  EXPECT_FALSE(module.hasDecoration(s, spv::Decoration::NonWritable));
  EXPECT_TRUE(module.hasDecoration(s, spv::Decoration::Block));
  EXPECT_TRUE(module.hasMemberDecoration(s, 0, spv::Decoration::NonWritable));
  EXPECT_FALSE(module.hasMemberDecoration(s, 1, spv::Decoration::NonWritable));
  EXPECT_EQ(module.memberDecoration(s, 0, spv::Decoration::Offset), 4u);
  EXPECT_EQ(module.memberDecoration(s, 1, spv::Decoration::Offset), 16u);
  EXPECT_FALSE(module.memberDecoration(s, 2, spv::Decoration::Offset));

  // The answers follow a change.
  Instruction decorate(spv::Op::OpDecorate);
  decorate.addId(v2).addLiteral(static_cast<uint32_t>(spv::Decoration::Binding)).addLiteral(8);
  Instruction &added = module.append(Section::Annotations, decorate);
  EXPECT_EQ(module.decoration(v2, spv::Decoration::Binding), 8u);
  module.erase(Section::Annotations, added);
  EXPECT_FALSE(module.decoration(v2, spv::Decoration::Binding));
  EXPECT_FALSE(module.hasDecoration(module.freshId(), spv::Decoration::Block));
}

TEST(Module, locationsFromLineMarks) {
  Module module = readText(R"(
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main"
    %file = OpString "dir/a.comp"
    %other = OpString "inc.glsl"
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %main = OpFunction %void None %fn
    %entry = OpLabel
    OpNop
    OpLine %file 5 2
    OpNop
    OpNop
    OpLine %other 9 0
    OpNop
    OpNoLine
    OpNop
    OpLine %file 12 1
    OpBranch %next
    %next = OpLabel
    OpReturn
    OpFunctionEnd
  )");
  auto block = module.functions()[0]->blocks().begin();
  std::vector<std::string> places;
  for (Instruction &inst : block->instructions())
    places.push_back(module.locationOf(inst).str());
  ASSERT_EQ(places.size(), 6u);
  EXPECT_TRUE(places[0].starts_with("test.spv:word ")) << places[0];
  EXPECT_EQ(places[1], "dir/a.comp:5:2");
  EXPECT_EQ(places[2], "dir/a.comp:5:2");
  EXPECT_EQ(places[3], "inc.glsl:9");
  EXPECT_TRUE(places[4].starts_with("test.spv:word ")) << places[4];
  EXPECT_EQ(places[5], "dir/a.comp:12:1");
  // A mark ends with its block.
  ++block;
  EXPECT_TRUE(module.locationOf(block->label()).str().starts_with("test.spv:word "));
  EXPECT_TRUE(module.locationOf(*block->terminator()).str().starts_with("test.spv:word "));
  // The place in the binary stays known.
  EXPECT_EQ(module.rawLocationOf(*block->terminator()).word, module.words().size() - 2);
  Module copy = module.clone();
  EXPECT_EQ(copy.locationOf(*copy.functions()[0]->front().terminator()).str(), "dir/a.comp:12:1");
  // What we make ourselves has the file alone.
  EXPECT_EQ(module.locationOf(Instruction(spv::Op::OpNop)).str(), "test.spv");
}

TEST(Module, locationsFromDebugLines) {
  std::string kernel = std::string(TAILOR_SOURCE_DIR) + "/bench/kernels/saxpy.comp";
  Module module = read(compileKernel(kernel, "-gVS --target-env vulkan1.1"));
  unsigned located = 0;
  module.forEachInstruction([&](Instruction &inst) {
    Location where = module.locationOf(inst);
    if (inst.opcode() != spv::Op::OpStore || where.line == 0)
      return;
    ++located;
    EXPECT_TRUE(where.file.ends_with("saxpy.comp")) << where.str();
    EXPECT_LT(where.line, 100u);
  });
  EXPECT_GT(located, 0u);
}

TEST(Module, locationsFromTextLines) {
  Words words = assemble(shaderText("", "", emptyMain()));
  ModuleSource source{"a.spvasm", {}};
  uint32_t line = 3;
  for (size_t at : instructionStarts(words))
    source.textLines.emplace_back(static_cast<uint32_t>(at), line++);
  Result<Module> module = readModule(words, source);
  ASSERT_TRUE(module);
  line = 3;
  module->forEachInstruction([&](Instruction &inst) {
    EXPECT_EQ(module->locationOf(inst).str(), "a.spvasm:" + std::to_string(line++));
  });
}

TEST(Instruction, operandsKnowTheirKind) {
  Instruction inst(spv::Op::OpEntryPoint);
  inst.addLiteral(5).addId(static_cast<Id>(3)).addString("abcd").addId(static_cast<Id>(4));
  EXPECT_EQ(inst.numWords(), 6u);
  EXPECT_EQ(inst.string(2), "abcd");
  EXPECT_EQ(inst.id(3), static_cast<Id>(4));
  inst.setId(3, static_cast<Id>(9));
  inst.setLiteral(0, 7);
  EXPECT_EQ(inst.literal(0), 7u);
  inst.removeOperands(1, 2);
  ASSERT_EQ(inst.numOperands(), 2u);
  EXPECT_EQ(inst.id(1), static_cast<Id>(9));
  inst.truncate(1);
  EXPECT_EQ(inst.numWords(), 2u);
  for (const char *text : {"", "a", "abc", "abcd", "abcde", "h\xc3\xa9"}) {
    Instruction string(spv::Op::OpString, Id::None, static_cast<Id>(1));
    string.addString(text);
    EXPECT_EQ(string.string(0), text);
    EXPECT_EQ(string.numWords(), 2 + std::string(text).size() / 4 + 1);
  }
  EXPECT_EQ(nameOf(spv::Op::OpIAdd), "OpIAdd");
  EXPECT_EQ(nameOf(static_cast<spv::Op>(9999)), "Op#9999");
}

} // namespace
} // namespace tailor
