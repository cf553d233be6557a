//===- interpreter/PackTests.cpp - Packed kernels, run on the host ---------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What no device here runs: blocks of workgroup memory with an explicit layout,
// which alias each other. And what no device shows for certain: that a kernel
// for which packing is refused would go wrong, at a divergent barrier.
//
//===----------------------------------------------------------------------===//
#include "interpreter/SharedKernelGenerator.h"
#include "interpreter/TestSupport.h"

#include "../differential/BenchKernels.h"

#include "IR/Reader.h"
#include "Support/SpirvTools.h"
#include "passes/CanonicalizeWorkgroupSize.h"
#include "passes/PackGroups.h"

#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"

#include <iostream>

using namespace tailor;
using namespace tailor::interp;
using testing::HasSubstr;

namespace {

constexpr uint32_t kSize = 16;  ///< invocations of an authored group
const Dim3 kGroups = {6, 2, 1}; ///< authored

struct Run {
  std::string failed; ///< empty: it went through
  std::vector<uint32_t> words;
};

Run runOf(const Module &module, const Dim3 &size, const Dim3 &groups) {
  Result<EntryPoint> entry = findComputeEntryPoint(module, "");
  if (!entry)
    return {entry.diagnostic().text, {}};
  Inputs inputs;
  inputs.numWorkgroups = groups;
  for (uint32_t binding = 0; binding < 2; ++binding) {
    std::vector<std::byte> &data = inputs.resources[{0, binding, 0}].data;
    data.resize(4 * kSize * kGroups.product());
    for (uint32_t at = 0; binding == 1 && at < data.size() / 4; ++at) {
      const uint32_t word = at * 2654435761u;
      std::memcpy(&data[4 * size_t{at}], &word, 4);
    }
  }
  Observer nobody;
  Result<RunResult> ran = run(module, *entry, size, allGroups(groups), inputs, nobody);
  if (!ran)
    return {textOf(ran.diagnostic()), {}};
  const std::vector<std::byte> &data = inputs.resources[{0, 0, 0}].data;
  std::vector<uint32_t> words(data.size() / 4);
  std::memcpy(words.data(), data.data(), data.size());
  return {"", words};
}

/// Blocks of workgroup memory need SPIR-V 1.4. The module with its size as a literal.
Module moduleOf(const std::string &text, InputKind kind) {
  Diagnostics diagnostics;
  FrontendOptions options;
  options.kind = kind;
  options.targetEnv = "vulkan1.2";
  Result<FrontendResult> shader = loadShaderFromMemory(text, "kernel.comp", options, diagnostics);
  Result<Module> read = shader ? readModule(shader->words, "kernel.comp") : shader.takeFailure();
  EXPECT_TRUE(bool(read)) << (read ? "" : textOf(read.diagnostic())) << text;
  Module module = read ? std::move(*read) : Module();
  PassContext context{diagnostics, llvm::nulls(), {}, ""};
  EXPECT_TRUE(bool(CanonicalizeWorkgroupSize({}).run(module, context)));
  return module;
}

Result<Module> packedAs(const Module &base, const Dim3 &size, const Certificate *certificate) {
  Module module = base.clone();
  Diagnostics diagnostics;
  PassContext context{diagnostics, llvm::nulls(), {}, ""};
  if (Result<Change> ran = PackGroups({size, "", certificate}).run(module, context); !ran)
    return ran.takeFailure();
  return module;
}

/// All packings of 2, 3 and 6 groups along x and 2 along y against the authored kernel.
void expectSame(const std::string &text, InputKind kind = InputKind::Glsl) {
  Module base = moduleOf(text, kind);
  Run authored = runOf(base, {kSize, 1, 1}, kGroups);
  ASSERT_EQ(authored.failed, "");
  EXPECT_NE(authored.words, std::vector<uint32_t>(authored.words.size())); // it does something
  for (const Dim3 &groups : {Dim3{2, 1, 1}, Dim3{3, 1, 1}, Dim3{6, 2, 1}, Dim3{1, 2, 1}}) {
    Dim3 size{kSize * groups.x, groups.y, 1};
    Result<Module> packed = packedAs(base, size, nullptr);
    ASSERT_TRUE(bool(packed)) << packed.diagnostic().text;
    Status valid = validateSpirv(packed->words(), "packed");
    EXPECT_TRUE(bool(valid)) << valid.diagnostic().text;
    Run run = runOf(*packed, size, {kGroups.x / groups.x, kGroups.y / groups.y, 1});
    EXPECT_EQ(run.failed, "") << size.str();
    EXPECT_EQ(run.words, authored.words) << size.str();
  }
}

const std::string kHead = R"(#version 460
#extension GL_EXT_shared_memory_block : require
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
#define PLACE (gl_GlobalInvocationID.y * 96 + gl_GlobalInvocationID.x)
#define L gl_LocalInvocationID.x
)";

TEST(PackedMemory, BlocksThatAliasEachOther) {
  expectSame(kHead + R"(
shared Words { uint words[16]; uvec4 tail[2]; };
shared Quads { uvec4 quads[4]; float f[9]; };
void main() {
  words[L] = b[PLACE];
  barrier();
  uvec4 q = quads[L & 3];
  barrier();
  if (L < 9) f[L] = float(q.y & 255) + float(gl_WorkGroupID.x);
  barrier();
  a[PLACE] = q.x + q.z * 3 + tail[0][L & 3] + words[15 - L];
})");
}

TEST(PackedMemory, BlocksWithStructuresAndMatrices) {
  expectSame(kHead + R"(
struct S { vec3 v; uint n; };
shared One { layout(row_major) mat3x2 m; S s[16]; } one;
shared Two { uint raw[88]; } two;
void main() {
  one.s[L].v = vec3(b[PLACE] & 63, L, gl_WorkGroupID.x);
  one.s[L].n = b[PLACE];
  if (L == 2) one.m = mat3x2(gl_WorkGroupID.x + 1);
  barrier();
  a[PLACE] = two.raw[12 + L * 4] * 3 + two.raw[12 + L * 4 + 3] + two.raw[L % 12] + one.s[15 - L].n;
})");
}

/// Blocks that are loaded and stored as wholes, and passed to functions.
TEST(PackedMemory, WholeBlocks) {
  expectSame(R"(
               OpCapability Shader
               OpCapability WorkgroupMemoryExplicitLayoutKHR
               OpExtension "SPV_KHR_workgroup_memory_explicit_layout"
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main" %index %global %one %two %out
               OpExecutionMode %main LocalSize 16 1 1
               OpMemberName %pair 0 "x"
               OpDecorate %index BuiltIn LocalInvocationIndex
               OpDecorate %global BuiltIn GlobalInvocationId
               OpDecorate %words ArrayStride 4
               OpDecorate %buffer Block
               OpMemberDecorate %buffer 0 Offset 0
               OpDecorate %out DescriptorSet 0
               OpDecorate %out Binding 0
               OpDecorate %one Aliased
               OpDecorate %two Aliased
               OpDecorate %pair Block
               OpMemberDecorate %pair 0 Offset 0
               OpMemberDecorate %pair 1 Offset 8
               OpDecorate %four ArrayStride 4
               OpDecorate %raw Block
               OpMemberDecorate %raw 0 Offset 0
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
       %bool = OpTypeBool
       %uint = OpTypeInt 32 0
         %v3 = OpTypeVector %uint 3
      %input = OpTypePointer Input %uint
     %input3 = OpTypePointer Input %v3
      %index = OpVariable %input Input
     %global = OpVariable %input3 Input
      %words = OpTypeRuntimeArray %uint
     %buffer = OpTypeStruct %words
    %pbuffer = OpTypePointer StorageBuffer %buffer
      %pword = OpTypePointer StorageBuffer %uint
        %out = OpVariable %pbuffer StorageBuffer
         %n0 = OpConstant %uint 0
         %n1 = OpConstant %uint 1
         %n2 = OpConstant %uint 2
         %n3 = OpConstant %uint 3
         %n4 = OpConstant %uint 4
        %n96 = OpConstant %uint 96
       %n264 = OpConstant %uint 264
       %pair = OpTypeStruct %uint %uint
       %four = OpTypeArray %uint %n4
        %raw = OpTypeStruct %four
      %ppair = OpTypePointer Workgroup %pair
       %praw = OpTypePointer Workgroup %raw
    %element = OpTypePointer Workgroup %uint
        %one = OpVariable %ppair Workgroup
        %two = OpVariable %praw Workgroup
      %getfn = OpTypeFunction %uint %praw %uint
        %get = OpFunction %uint None %getfn
         %gp = OpFunctionParameter %praw
         %gi = OpFunctionParameter %uint
         %gl = OpLabel
         %ga = OpAccessChain %element %gp %n0 %gi
         %gv = OpLoad %uint %ga
               OpReturnValue %gv
               OpFunctionEnd
       %main = OpFunction %void None %fn
      %label = OpLabel
          %i = OpLoad %uint %index
          %g = OpLoad %v3 %global
         %gx = OpCompositeExtract %uint %g 0
         %gy = OpCompositeExtract %uint %g 1
        %row = OpIMul %uint %gy %n96
      %place = OpIAdd %uint %row %gx
         %is = OpIEqual %bool %i %n3
               OpSelectionMerge %met None
               OpBranchConditional %is %lone %met
       %lone = OpLabel
       %made = OpCompositeConstruct %pair %place %gx
               OpStore %one %made
               OpBranch %met
        %met = OpLabel
               OpControlBarrier %n2 %n2 %n264
       %back = OpLoad %pair %one Aligned 4
         %b0 = OpCompositeExtract %uint %back 0
         %b1 = OpCompositeExtract %uint %back 1
         %c0 = OpFunctionCall %uint %get %two %n0
         %c2 = OpFunctionCall %uint %get %two %n2
         %s0 = OpIMul %uint %b0 %n3
         %s1 = OpIAdd %uint %s0 %b1
         %s2 = OpIMul %uint %s1 %n3
         %s3 = OpIAdd %uint %s2 %c0
         %s4 = OpIMul %uint %s3 %n3
         %s5 = OpIAdd %uint %s4 %c2
         %to = OpAccessChain %pword %out %n0 %place
               OpStore %to %s5
               OpReturn
               OpFunctionEnd
)",
             InputKind::SpirvText);
}

//===----------------------------------------------------------------------===//
// Generated kernels
//===----------------------------------------------------------------------===//

/// Factors to pack by, on the axes that the verdict allows: as many groups as there are, and two.
std::vector<Dim3> factorsFor(const TechniqueVerdict &verdict, const Dim3 &groups) {
  std::vector<Dim3> list;
  Dim3 all;
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (verdict.axisRefusal[axis] || groups[axis] == 1)
      continue;
    all[axis] = groups[axis];
    Dim3 one;
    one[axis] = groups[axis] % 2 == 0 ? 2 : groups[axis];
    list.push_back(one);
  }
  if (all.product() > 1)
    list.push_back(all);
  return list;
}

/// Barriers in nests of branches and loops, and values exchanged between them. Where invocations
/// choose by what atomics tell them, another order has another result, and only that every
/// barrier is reached is looked at.
TEST(PackedMemory, GeneratedKernelsGiveTheSameWords) {
  const uint64_t count = numberFrom("TAILOR_PACK_COUNT", 600);
  const uint64_t first = numberFrom("TAILOR_PACK_FIRST", 1);
  size_t runs = 0, refused = 0, ordered = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    SharedKernel generated = generateSharedKernel(seed);
    Result<differential::Compiled> compiled =
        differential::compile(generated.glsl, InputKind::Glsl);
    ASSERT_TRUE(bool(compiled));
    EXPECT_TRUE(bool(reshape(*compiled, static_cast<differential::Shape>(seed % 3))));
    Result<EntryPoint> entry = findComputeEntryPoint(compiled->module, "");
    ASSERT_TRUE(bool(entry));
    Result<Certificate> certificate = certify(compiled->module, *entry);
    ASSERT_TRUE(bool(certificate));
    const TechniqueVerdict &verdict = certificate->verdict(Technique::Pack);
    refused += !verdict.legal();
    if (!verdict.legal())
      continue;
    Observer nobody;
    Inputs authored = generated.inputs;
    Result<RunResult> ran = run(compiled->module, *entry, generated.size,
                                allGroups(generated.groups), authored, nobody);
    ASSERT_TRUE(bool(ran)) << textOf(ran.diagnostic());
    const bool isOrdered = generated.glsl.find("atomicAdd(counters") != std::string::npos;
    ordered += isOrdered;
    for (const Dim3 &factor : factorsFor(verdict, generated.groups)) {
      Dim3 size, groups;
      for (unsigned axis = 0; axis < 3; ++axis) {
        size[axis] = generated.size[axis] * factor[axis];
        groups[axis] = generated.groups[axis] / factor[axis];
      }
      Result<Module> packed = packedAs(compiled->module, size, &*certificate);
      ASSERT_TRUE(bool(packed)) << packed.diagnostic().text << "\n" << generated.glsl;
      Result<EntryPoint> main = findComputeEntryPoint(*packed, "");
      ASSERT_TRUE(bool(main));
      Inputs inputs = generated.inputs;
      inputs.numWorkgroups = groups;
      Result<RunResult> again = run(*packed, *main, size, allGroups(groups), inputs, nobody);
      ASSERT_TRUE(bool(again)) << "seed " << seed << ", " << size.str() << ": "
                               << textOf(again.diagnostic()) << "\n"
                               << generated.glsl;
      ++runs;
      for (const auto &[slot, resource] : authored.resources)
        EXPECT_TRUE(isOrdered || resource.data == inputs.resources[slot].data)
            << "seed " << seed << ", " << size.str() << "\n"
            << generated.glsl;
    }
  }
  std::cout << "generated: " << runs << " runs, kernels refused " << refused
            << ", that depend on an order " << ordered << "\n";
  EXPECT_GT(runs, count / 8);
}

//===----------------------------------------------------------------------===//
// What the refusals are for
//===----------------------------------------------------------------------===//

/// The kernel packed in spite of its certificate, two along x.
Run packedAllTheSame(const std::string &body) {
  Module base = moduleOf(
      kHead + "shared uint t[16]; shared uint flag; void main() { " + body + " }", InputKind::Glsl);
  Result<EntryPoint> entry = findComputeEntryPoint(base, "");
  EXPECT_TRUE(bool(entry));
  Result<Certificate> certificate = certify(base, *entry);
  EXPECT_TRUE(bool(certificate));
  EXPECT_EQ(runOf(base, {kSize, 1, 1}, kGroups).failed, "") << "valid as it was authored: " << body;
  TechniqueVerdict &verdict = certificate->verdict(Technique::Pack);
  EXPECT_TRUE(verdict.refusal || verdict.axisRefusal[0]) << body;
  EXPECT_FALSE(bool(packedAs(base, {2 * kSize, 1, 1}, nullptr))) << body;
  verdict.refusal.reset();
  verdict.axisRefusal = {};
  Result<Module> packed = packedAs(base, {2 * kSize, 1, 1}, &*certificate);
  EXPECT_TRUE(bool(packed));
  return packed ? runOf(*packed, {2 * kSize, 1, 1}, {kGroups.x / 2, kGroups.y, 1}) : Run();
}

TEST(PackedMemory, GroupsThatPartBeforeABarrierGoWrong) {
  const std::string meet = "{ t[L] = b[PLACE]; barrier(); a[PLACE] += t[15 - L]; barrier(); }";
  for (const std::string &body :
       {"if (gl_WorkGroupID.x >= 3) return; " + meet,
        "for (uint i = 0; i <= gl_WorkGroupID.x; ++i) " + meet,
        "if ((b[gl_WorkGroupID.x] & 1) != 0) " + meet, "if ((gl_WorkGroupID.x & 1) != 0) " + meet,
        "if (L == 0) flag = gl_WorkGroupID.x & 1; barrier(); if (flag != 0) " + meet,
        "if (L == 0) flag = atomicAdd(a[0], 1); barrier(); for (uint i = 0; i < (flag & 3); ++i) " +
            meet})
    EXPECT_THAT(packedAllTheSame(body).failed, HasSubstr("barrier")) << body;
}

} // namespace
