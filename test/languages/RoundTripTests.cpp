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
#include "../unit/Backends/AssemblyKernel.h"
#include "interpreter/Interpreter.h"

#include "Backends/Backend.h"
#include "Bundle/KernelBuilder.h"
#include "IR/Reader.h"
#include "IR/WorkgroupSize.h"
#include "Tuning/Search.h"
#include "passes/ModuleEdits.h"

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
constexpr Language kWgsl = {"wgsl", InputKind::Wgsl};
constexpr Language kLanguages[] = {{"glsl", InputKind::Glsl}, {"hlsl", InputKind::Hlsl}, kWgsl};

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
    for (Shape shape : {Shape::AsCompiled, Shape::Fast, Shape::Small, Shape::Ssa}) {
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
  EXPECT_GT(compared, 8 * count);
  std::cout << compared << " texts came back, " << refused << " were refused, " << wrong
            << " kernels are wrong\n";
}

/// A loop that ends by its own test and is left by a break; END is put in.
const char *const kLoop = R"(OpBranch %head
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
OpStore %p %r
OpReturn)";

using Eight = std::vector<uint32_t>; ///< or more: invocations are eight

/// The buffer of an assembly kernel after it ran over these values.
Eight run(const Compiled &kernel, const Eight &values) {
  interp::Inputs inputs;
  inputs.numWorkgroups = {1, 1, 1};
  std::vector<std::byte> &data = inputs.resources[{0, 0, 0}].data;
  data.resize(values.size() * sizeof(uint32_t));
  std::memcpy(data.data(), values.data(), data.size());
  Result<interp::Inputs> ran =
      interpret(kernel.module, kernel.entryPoint, {8, 1, 1}, std::move(inputs));
  EXPECT_TRUE(ran) << ran.diagnostic().text;
  Eight result(values.size());
  if (ran)
    std::memcpy(result.data(), ran->resources[{0, 0, 0}].data.data(),
                result.size() * sizeof(uint32_t));
  return result;
}

/// The kernel as it comes back from a text, and the text; nothing where a test has failed.
std::optional<std::pair<Compiled, std::string>> roundTrip(const Compiled &kernel,
                                                          const Language &language) {
  const std::vector<uint32_t> words = kernel.module.words();
  EmitOptions options;
  options.vulkanGlsl = true;
  Result<Emitted> made = emit(language.target, {words, "main", {8, 1, 1}, "kernel", options});
  EXPECT_TRUE(made) << language.target << ": " << made.diagnostic().text;
  if (!made)
    return std::nullopt;
  Result<Compiled> back =
      differential::compile(made->code, language.kind, made->interface.entryPoint);
  EXPECT_TRUE(back) << language.target << ": " << back.diagnostic().text << "\n" << made->code;
  if (!back)
    return std::nullopt;
  return std::pair(std::move(*back), made->code);
}

Compiled assembled(const std::string &body) {
  Result<Compiled> compiled =
      differential::compile(test::assemblyKernel(body), InputKind::SpirvText);
  EXPECT_TRUE(compiled) << compiled.diagnostic().text << "\n" << body;
  return compiled ? std::move(*compiled) : Compiled{};
}

TEST(RoundTrip, TheValueOfALoopThatEndsByItsTest) {
  for (auto [end, expected] : {std::pair("%u100", Eight{0, 1, 2, 3, 4, 100, 100, 100}),
                               std::pair("%i", Eight{0, 1, 2, 3, 4, 5, 5, 5})}) {
    std::string body = kLoop;
    body.replace(body.find("END"), 3, end);
    const Compiled kernel = assembled(body);
    for (const Language &language : kLanguages)
      if (auto back = roundTrip(kernel, language)) {
        EXPECT_EQ(run(back->first, Eight(8)), expected) << back->second;
      }
  }
}

/// Two structures of one name and of the same offsets, 12 bytes apart in one buffer and 16 in the
/// other.
TEST(RoundTrip, StructuresOfOneNameKeepTheirLayouts) {
  Result<Compiled> kernel = differential::compile(R"(#version 450
layout(local_size_x = 8) in;
struct S { uint a, b, c; };
layout(binding = 1, std430) readonly buffer A { S s[]; } x;
layout(binding = 2, std140) readonly buffer B { S s[8]; } y;
layout(binding = 0, std430) buffer C { uint result[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  result[i] = x.s[i].b + 1000 * y.s[i].c;
}
)",
                                                  InputKind::Glsl);
  ASSERT_TRUE(kernel) << kernel.diagnostic().text;
  for (const Instruction &inst : kernel->module.section(Section::Globals))
    if (inst.opcode() == spv::Op::OpConstantComposite) // the size, once more
      removeDecoration(kernel->module, inst.result(), spv::Decoration::BuiltIn);
  auto ran = [](const Compiled &given) {
    interp::Inputs inputs;
    inputs.numWorkgroups = {1, 1, 1};
    for (uint32_t binding : {0U, 1U, 2U}) {
      std::vector<std::byte> &data = inputs.resources[{0, binding, 0}].data;
      for (uint32_t word = 0; word < 32; ++word) {
        const uint32_t value = word * 3 + binding;
        const auto *bytes = reinterpret_cast<const std::byte *>(&value);
        data.insert(data.end(), bytes, bytes + sizeof value);
      }
    }
    Result<interp::Inputs> done =
        interpret(given.module, given.entryPoint, {8, 1, 1}, std::move(inputs));
    EXPECT_TRUE(done) << done.diagnostic().text;
    return done ? done->resources[{0, 0, 0}].data : std::vector<std::byte>();
  };
  const std::vector<std::byte> expected = ran(*kernel);
  if (auto back = roundTrip(*kernel, kWgsl)) {
    EXPECT_EQ(ran(back->first), expected) << back->second;
  }
}

/// A loop that stores what was loaded ahead of it, in a loop of its own or by its last block.
TEST(RoundTrip, ALoadStaysAheadOfTheLoopThatStores) {
  constexpr std::string_view kHead = "OpBranch %head\n%head = OpLabel\n"
                                     "%i = OpPhi %uint %u0 %entry %in %cont\n"
                                     "%acc = OpPhi %uint %u1 %entry %next %cont\n"
                                     "OpLoopMerge %merge %cont None\n"
                                     "%c = OpULessThan %bool %i %u4\n"
                                     "OpBranchConditional %c %body %merge\n%body = OpLabel\n";
  constexpr std::string_view kEnd = "%in = OpIAdd %uint %i %u1\nOpBranch %head\n"
                                    "%merge = OpLabel\nOpReturn";
  const std::string head(kHead), end(kEnd);
  const std::string three = "%three = OpIMul %uint %acc %u3\n", next = "OpIAdd %uint %three ";
  const std::string store = "OpStore %p %next\n", on = "OpBranch %cont\n%cont = OpLabel\n";
  const std::string sum = "%sum = OpIAdd %uint %v %u7\n";
  const std::string load = "%v = OpLoad %uint %p\n";
  // The second half is where the values of the first point.
  const std::vector<uint32_t> values = {11, 9, 12, 8, 13, 10, 15, 14, 0, 1, 2, 3, 4, 5, 6, 7};
  for (const std::string &body : std::vector<std::string>{
           // Used in the body, in the last block, through another value, and as an index.
           load + head + three + "%next = " + next + "%v\n" + store + on + end,
           load + head + three + "%next = " + next + "%i\n" + store + on +
               "%w = OpIAdd %uint %next %v\nOpStore %p %w\n" + end,
           load + sum + head + three + "%next = " + next + "%sum\n" + store + on + end,
           load + "%q = OpAccessChain %pe %b %u0 %v\n" + head + three + "%next = " + next +
               "%g\nOpStore %q %next\n" + store + on + end}) {
    const Compiled kernel = assembled(body);
    const Eight expected = run(kernel, values);
    for (const Language &language : kLanguages)
      if (auto back = roundTrip(kernel, language)) {
        EXPECT_EQ(run(back->first, values), expected) << language.target << "\n" << back->second;
      }
  }
}

TEST(RoundTrip, PhisTakeTheirValuesAtOneTime) {
  // A swap, and a queue in the order in which each would be overwritten before it is read.
  for (const char *phis :
       {"%a = OpPhi %uint %u1 %entry %d %cont\n%d = OpPhi %uint %g %entry %a %cont\n",
        "%a = OpPhi %uint %u1 %entry %i %cont\n%d = OpPhi %uint %g %entry %a %cont\n",
        "%d = OpPhi %uint %g %entry %i %cont\n%a = OpPhi %uint %u1 %entry %d %cont\n"}) {
    const Compiled kernel = assembled(
        "OpBranch %head\n%head = OpLabel\n%i = OpPhi %uint %u0 %entry %in %cont\n" +
        std::string(phis) +
        "%s = OpPhi %uint %u0 %entry %next %cont\nOpLoopMerge %merge %cont None\n"
        "%c = OpULessThan %bool %i %u5\nOpBranchConditional %c %body %merge\n%body = OpLabel\n"
        "%t = OpIMul %uint %s %u7\n%d3 = OpIMul %uint %d %u3\n%ad = OpIAdd %uint %a %d3\n"
        "%next = OpIAdd %uint %t %ad\nOpBranch %cont\n%cont = OpLabel\n"
        "%in = OpIAdd %uint %i %u1\nOpBranch %head\n%merge = OpLabel\n"
        "OpStore %p %s\nOpReturn");
    const Eight expected = run(kernel, Eight(8));
    for (const Language &language : kLanguages)
      if (auto back = roundTrip(kernel, language)) {
        EXPECT_EQ(run(back->first, Eight(8)), expected) << language.target << "\n" << back->second;
      }
  }
}

/// Operations on integers of the other sign, and comparisons with NaN.
TEST(RoundTrip, NumbersKeepTheirMeaning) {
  std::vector<std::string> bodies;
  for (const char *op : {"OpSDiv %uint %u %u5", "OpSRem %uint %u %u5", "OpSMod %uint %u %u5",
                         "OpShiftRightArithmetic %uint %u %u3", "OpSNegate %uint %u",
                         "OpBitFieldSExtract %uint %u %u3 %u7", "OpExtInst %uint %std SMax %u %u5",
                         "OpExtInst %uint %std SMin %u %u5", "OpExtInst %uint %std SAbs %u",
                         "OpExtInst %uint %std SSign %u", "OpExtInst %uint %std FindSMsb %u",
                         "OpExtInst %uint %std SClamp %u %u1 %u5"})
    bodies.push_back("%r = " + std::string(op));
  for (const char *op : {"OpUDiv %int %i %i5", "OpUMod %int %i %i5", "OpSMod %int %i %i5",
                         "OpShiftRightLogical %int %i %u3", "OpBitFieldUExtract %int %i %u3 %u7",
                         "OpExtInst %int %std UMin %i %i5", "OpExtInst %int %std UMax %i %i5",
                         "OpExtInst %int %std FindUMsb %i", "OpExtInst %int %std FindUMsb %u",
                         "OpBitCount %int %u", "OpExtInst %int %std UClamp %i %i5 %i5"})
    bodies.push_back("%s = " + std::string(op) + "\n%r = OpBitcast %uint %s");
  for (const char *op : {"OpConvertSToF %float %u", "OpConvertUToF %float %i"})
    bodies.push_back("%s = " + std::string(op) + "\n%r = OpBitcast %uint %s");
  for (const char *op :
       {"OpSLessThan %bool %u %u5", "OpSGreaterThanEqual %bool %u %u5", "OpULessThan %bool %i %i5",
        "OpUGreaterThan %bool %i %i5", "OpFOrdEqual %bool %f %f", "OpFOrdNotEqual %bool %f %f5",
        "OpFOrdLessThan %bool %f %f5", "OpFUnordEqual %bool %f %f5", "OpFUnordNotEqual %bool %f %f",
        "OpFUnordLessThan %bool %f %f5", "OpFUnordLessThanEqual %bool %f %f5",
        "OpFUnordGreaterThan %bool %f %f5", "OpFUnordGreaterThanEqual %bool %f %f5"})
    bodies.push_back("%s = " + std::string(op) + "\n%r = OpSelect %uint %s %u1 %u0");
  const Eight values = {0,          1,          7,          0x80000000,
                        0xffffffff, 0x7fc00000, 0x40a00000, 0xc0a00000}; // NaN, 5.0, -5.0
  for (const std::string &body : bodies) {
    const Compiled kernel = assembled("%u = OpLoad %uint %p\n%i = OpBitcast %int %u\n"
                                      "%i5 = OpBitcast %int %u5\n%f5 = OpConvertUToF %float %u5\n"
                                      "%f = OpBitcast %float %u\n" +
                                      body + "\nOpStore %p %r\nOpReturn");
    const Eight expected = run(kernel, values);
    for (const Language &language : kLanguages)
      if (auto back = roundTrip(kernel, language)) {
        EXPECT_EQ(run(back->first, values), expected) << language.target << ": " << body << "\n"
                                                      << back->second;
      }
  }
}

} // namespace
} // namespace tailor::languages
