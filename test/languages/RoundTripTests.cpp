//===- languages/RoundTripTests.cpp - Generated kernels out and in again ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes generated kernels and their variants in each language that can be read
// back, reads the text, and runs both modules in the interpreter: what comes back
// must do what went out. The kernels pass through SPIRV-Tools' optimizer in part,
// so that values live in phis, as they do in modules that ship.
//
// TAILOR_DIFFERENTIAL_COUNT and TAILOR_DIFFERENTIAL_FIRST choose more or other
// kernels.
//
//===----------------------------------------------------------------------===//
#include "../differential/BenchKernels.h"
#include "../differential/Harness.h"
#include "../differential/TechniqueGenerator.h"
#include "interpreter/Interpreter.h"

#include "Backends/Backend.h"
#include "Bundle/KernelBuilder.h"
#include "IR/Reader.h"
#include "IR/WorkgroupSize.h"
#include "Tuning/Search.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cstring>
#include <iostream>

namespace tailor::languages {
namespace {

using differential::Compiled;
using differential::Shape;
using differential::TechniqueKernel;

/// A language with the front end that reads it.
struct Language {
  const char *target;
  InputKind kind;
};
constexpr Language kLanguages[] = {
    {"glsl", InputKind::Glsl}, {"hlsl", InputKind::Hlsl}, {"wgsl", InputKind::Wgsl}};

Result<interp::Inputs> interpret(const Module &module, const std::string &entryPoint,
                                 const Dim3 &size, interp::Inputs inputs) {
  Result<EntryPoint> entry = findComputeEntryPoint(module, entryPoint);
  if (!entry)
    return entry.takeFailure();
  interp::Observer nobody;
  interp::Limits limits;
  limits.maxSteps = 20'000'000;
  Result<interp::RunResult> ran = interp::run(
      module, *entry, size, interp::allGroups(inputs.numWorkgroups), inputs, nobody, limits);
  if (!ran)
    return ran.takeFailure();
  return inputs;
}

/// The slot of a place in SPIR-V that comes of a text.
interp::Slot slotOf(const std::vector<PlaceNumber> &place) {
  uint32_t set = 0, binding = 0;
  for (const PlaceNumber &each : place)
    (each.word == "space" || each.word == "set" || each.word == "group" ? set : binding) =
        each.number;
  return {set, binding, 0};
}

std::vector<std::byte> bytesOf(const Dim3 &groups) {
  std::vector<std::byte> bytes(3 * sizeof(uint32_t));
  const uint32_t counts[] = {groups.x, groups.y, groups.z};
  std::memcpy(bytes.data(), counts, sizeof counts);
  return bytes;
}

/// One kernel with its variants, in every language.
class RoundTrip {
public:
  explicit RoundTrip(const TechniqueKernel &source) : source(source) {}

  void run(Shape shape) {
    Result<Compiled> compiled = differential::compile(source.glsl, InputKind::Glsl);
    ASSERT_TRUE(compiled) << compiled.diagnostic().text;
    ASSERT_TRUE(differential::reshape(*compiled, shape));
    Result<vulkan::KernelInstance> instance =
        instantiate(source.workload, source.workload.sizes.front());
    ASSERT_TRUE(instance) << instance.diagnostic().text;
    inputs = interp::inputsOf(*instance);
    inputs.numWorkgroups = source.groups;
    Result<interp::Inputs> ran =
        interpret(compiled->module, compiled->entryPoint, source.size, inputs);
    if (!ran)
      return; // the interpreter does not take it: nothing to compare with
    expected = std::move(*ran);
    build(*compiled);
    for (const VariantInfo &variant : kernel.variants)
      for (const Language &language : kLanguages)
        check(variant, language);
  }

  size_t compared = 0, refused = 0;
  std::string wrong;

private:
  void build(const Compiled &compiled) {
    Result<EntryPoint> entry = findComputeEntryPoint(compiled.module, compiled.entryPoint);
    KernelBuildOptions options;
    options.targets = {"spirv"};
    for (const Language &language : kLanguages)
      options.targets.emplace_back(language.target);
    options.emit.vulkanGlsl = true;
    options.emit.hlslShaderModel = 60; // spaces, so that no two registers have one number
    options.plan.maxVariants = 4;
    options.plan.named = true;
    options.plan.techniques = {Technique::Pack, Technique::Coarsen, Technique::Swizzle};
    Diagnostics diagnostics;
    Result<KernelInfo> built =
        buildKernel(compiled.module, *entry, "kernel", options, bundle, diagnostics);
    ASSERT_TRUE(built) << built.diagnostic().text;
    kernel = std::move(*built);
  }

  void check(const VariantInfo &variant, const Language &language) {
    auto code = variant.code.find(language.target);
    if (code == variant.code.end()) {
      ++refused;
      return;
    }
    Result<Dim3> groups =
        variantGroups(variant.dispatch, source.size, source.groups, {65535, 65535, 65535});
    if (!groups)
      return;
    const std::string text = bundle.bytesOf(code->second);
    // glslang's HLSL has no 64-bit integers; HlslTests asks Microsoft's compilers.
    if (language.kind == InputKind::Hlsl && text.find("int64_t") != std::string::npos)
      return;
    const LanguageInterface &interface = bundle.interfaces[code->second.interface.value_or(0)];
    std::string fault = differenceIn(text, language, interface, variant, *groups);
    ++compared;
    if (!fault.empty() && wrong.empty())
      wrong = std::string(language.target) + " " + variant.id + ": " + fault + "\n" + text;
  }

  std::string differenceIn(const std::string &text, const Language &language,
                           const LanguageInterface &interface, const VariantInfo &variant,
                           const Dim3 &groups) {
    Result<Compiled> back = differential::compile(text, language.kind, interface.entryPoint);
    if (!back)
      return "is not read: " + back.diagnostic().text;
    interp::Inputs given = inputs;
    given.numWorkgroups = groups;
    for (const PlacedValues &values : interface.values) {
      if (values.kind == "push_constants")
        continue;
      interp::Resource &buffer = given.resources[slotOf(values.place)];
      buffer.data = values.what == "workgroup_counts" ? bytesOf(groups) : inputs.pushConstants;
    }
    Result<interp::Inputs> actual =
        interpret(back->module, back->entryPoint, variant.localSize, std::move(given));
    if (!actual)
      return "does not run: " + actual.diagnostic().text;
    // The optimizer may have dropped a buffer, whose place is free then.
    for (const auto &[slot, resource] : expected.resources)
      if (!isOfValues(interface, slot) && actual->resources[slot].data != resource.data)
        return "another result in binding " + std::to_string(std::get<1>(slot));
    return "";
  }

  static bool isOfValues(const LanguageInterface &interface, const interp::Slot &slot) {
    return std::any_of(interface.values.begin(), interface.values.end(),
                       [&](const PlacedValues &values) {
                         return values.kind != "push_constants" && slotOf(values.place) == slot;
                       });
  }

  const TechniqueKernel &source;
  Bundle bundle;
  KernelInfo kernel;
  interp::Inputs inputs, expected;
};

TEST(RoundTrip, GeneratedKernelsComeBackAsTheyWentOut) {
  const uint64_t first = numberFrom("TAILOR_DIFFERENTIAL_FIRST", 1),
                 count = numberFrom("TAILOR_DIFFERENTIAL_COUNT", 20);
  size_t compared = 0, refused = 0, wrong = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const TechniqueKernel kernel = differential::generateTechniqueKernel(seed);
    for (Shape shape : {Shape::AsCompiled, Shape::Fast, Shape::Small}) {
      RoundTrip trip(kernel);
      trip.run(shape);
      compared += trip.compared;
      refused += trip.refused;
      if (!trip.wrong.empty() && ++wrong > 3)
        std::cout << "seed " << seed << ", shape " << static_cast<int>(shape) << ": "
                  << trip.wrong.substr(0, trip.wrong.find('\n')) << "\n";
      else if (!trip.wrong.empty())
        ADD_FAILURE() << "seed " << seed << ", shape " << static_cast<int>(shape) << ": "
                      << trip.wrong << "\nof\n"
                      << kernel.glsl;
    }
  }
  EXPECT_EQ(wrong, 0u);
  EXPECT_GT(compared, 6 * count);
  std::cout << compared << " texts came back, " << refused << " were refused, " << wrong
            << " kernels are wrong\n";
}

/// A loop that ends by its own test and is left by a break; END is put in.
const char *const kLoop = R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %gid
OpExecutionMode %main LocalSize 8 1 1
OpDecorate %gid BuiltIn GlobalInvocationId
OpDecorate %array ArrayStride 4
OpMemberDecorate %Block 0 Offset 0
OpDecorate %Block BufferBlock
OpDecorate %b DescriptorSet 0
OpDecorate %b Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%bool = OpTypeBool
%v3 = OpTypeVector %uint 3
%pi = OpTypePointer Input %v3
%pu = OpTypePointer Input %uint
%array = OpTypeRuntimeArray %uint
%Block = OpTypeStruct %array
%pBlock = OpTypePointer Uniform %Block
%pe = OpTypePointer Uniform %uint
%gid = OpVariable %pi Input
%b = OpVariable %pBlock Uniform
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u5 = OpConstant %uint 5
%u100 = OpConstant %uint 100
%main = OpFunction %void None %fn
%entry = OpLabel
%pg = OpAccessChain %pu %gid %u0
%g = OpLoad %uint %pg
OpBranch %head
%head = OpLabel
%i = OpPhi %uint %u0 %entry %in %cont
OpLoopMerge %merge %cont None
OpBranch %test
%test = OpLabel
%c = OpULessThan %bool %i %u5
OpBranchConditional %c %body %merge
%body = OpLabel
%e = OpIEqual %bool %i %g
OpBranchConditional %e %merge %cont
%cont = OpLabel
%in = OpIAdd %uint %i %u1
OpBranch %head
%merge = OpLabel
%r = OpPhi %uint END %test %i %body
%po = OpAccessChain %pe %b %u0 %g
OpStore %po %r
OpReturn
OpFunctionEnd
)";

/// What invocations 0 to 7 write when the text in that language is read back and run.
std::vector<uint32_t> endsOf(const std::string &assembly, const Language &language) {
  Result<Compiled> compiled = differential::compile(assembly, InputKind::SpirvText);
  EXPECT_TRUE(compiled) << compiled.diagnostic().text;
  const std::vector<uint32_t> words = compiled->module.words();
  EmitOptions options;
  options.vulkanGlsl = true;
  Result<Emitted> made = emit(language.target, {words, "main", {8, 1, 1}, "loop", options});
  EXPECT_TRUE(made) << made.diagnostic().text;
  if (!made)
    return {};
  Result<Compiled> back =
      differential::compile(made->code, language.kind, made->interface.entryPoint);
  EXPECT_TRUE(back) << made->code;
  if (!back)
    return {};
  interp::Inputs inputs;
  inputs.numWorkgroups = {1, 1, 1};
  inputs.resources[{0, 0, 0}].data.resize(8 * sizeof(uint32_t));
  Result<interp::Inputs> ran =
      interpret(back->module, back->entryPoint, {8, 1, 1}, std::move(inputs));
  EXPECT_TRUE(ran) << ran.diagnostic().text;
  std::vector<uint32_t> ends(8);
  if (ran)
    std::memcpy(ends.data(), ran->resources[{0, 0, 0}].data.data(), 8 * sizeof(uint32_t));
  return ends;
}

TEST(RoundTrip, TheValueOfALoopThatEndsByItsTest) {
  for (const Language &language : kLanguages) {
    std::string constant = kLoop, counter = kLoop;
    constant.replace(constant.find("END"), 3, "%u100");
    counter.replace(counter.find("END"), 3, "%i");
    EXPECT_EQ(endsOf(constant, language), (std::vector<uint32_t>{0, 1, 2, 3, 4, 100, 100, 100}))
        << language.target;
    EXPECT_EQ(endsOf(counter, language), (std::vector<uint32_t>{0, 1, 2, 3, 4, 5, 5, 5}))
        << language.target;
  }
}

} // namespace
} // namespace tailor::languages
