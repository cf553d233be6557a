//===- languages/hlsl/Features.cpp ------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Features.h"

#include "../../differential/Harness.h"

#include "Tuning/Fill.h"
#include "passes/PassManager.h"
#include "passes/Pipelines.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cstring>

namespace tailor::languages {
namespace {

constexpr uint32_t kLanes = 64, kWords = 256;

std::vector<std::byte> inputs() {
  const uint32_t edges[] = {0, 1, 2, 3, 7, 31, 32, 255, 256, 0x7fffffff, 0x80000000, 0xffffffff};
  std::vector<uint32_t> words(kWords);
  for (uint32_t at = 0; at < kWords; ++at) {
    const auto random = static_cast<uint32_t>(randomBits(5, at));
    if (at < 2 * kLanes) {
      words[at] = at % 4 != 0 ? random % 1000 : edges[(at / 4 + at / 64) % std::size(edges)];
      continue;
    }
    const float value = 0.1F + static_cast<float>(random % 1024) / 1024.0F;
    std::memcpy(&words[at], &value, 4);
  }
  std::vector<std::byte> bytes(words.size() * 4);
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

std::string sourceOf(const Feature &feature) {
  return std::string("#version 460\n"
                     "#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
                     "#extension GL_EXT_shader_16bit_storage : require\n"
                     "#extension GL_KHR_shader_subgroup_arithmetic : require\n"
                     "#extension GL_KHR_shader_subgroup_ballot : require\n"
                     "#extension GL_KHR_shader_subgroup_vote : require\n"
                     "#extension GL_KHR_shader_subgroup_shuffle : require\n"
                     "layout(local_size_x = 64) in;\n"
                     "layout(std430, binding = 0) readonly buffer In { uint v[]; };\n"
                     "layout(std430, binding = 1) buffer Out { ") +
         (feature.isFloat ? "float" : "uint") + " o[]; };\n" + feature.declarations +
         "\nvoid main() {\n  uint i = gl_LocalInvocationIndex, a = v[i], b = v[i + 64];\n"
         "  int s = int(a), t = int(b);\n"
         "  float x = uintBitsToFloat(v[i + 128]), y = uintBitsToFloat(v[i + 192]);\n  " +
         feature.body + "\n}\n";
}

/// As build makes the authored variant: the size as one literal.
Result<Module> canonical(Module module) {
  PassManager manager;
  PassRegistry registry;
  if (Status parsed = parsePipeline("literal", "test", registry, manager); !parsed)
    return parsed.takeFailure();
  Diagnostics diagnostics;
  PassContext context{diagnostics, llvm::nulls(), {}, ""};
  Result<Change> run = manager.run(module, context);
  if (!run)
    return run.takeFailure();
  return module;
}

vulkan::ResourceDesc image(uint32_t binding, vulkan::ResourceKind kind, const char *format) {
  vulkan::ResourceDesc desc;
  desc.binding = binding;
  desc.kind = kind;
  desc.format = format;
  desc.extent = {8, 8, 1};
  desc.fill = vulkan::InitialFill::Bytes;
  desc.initial = inputs();
  desc.initial.resize(desc.dataBytes());
  desc.output = kind == vulkan::ResourceKind::StorageImage;
  return desc;
}

vulkan::ResourceDesc buffer(uint32_t binding, vulkan::ResourceKind kind) {
  vulkan::ResourceDesc desc;
  desc.binding = binding;
  desc.kind = kind;
  desc.bytes = kWords * 4;
  desc.fill = vulkan::InitialFill::Bytes;
  desc.initial = inputs();
  if (kind == vulkan::ResourceKind::UniformBuffer) // floats
    std::rotate(desc.initial.begin(), desc.initial.begin() + kWords * 2, desc.initial.end());
  return desc;
}

/// Every resource that a feature may declare.
vulkan::KernelInstance instance(const Feature &feature) {
  using Kind = vulkan::ResourceKind;
  vulkan::KernelInstance made;
  made.resources = {
      buffer(0, Kind::StorageBuffer),        buffer(1, Kind::StorageBuffer),
      image(2, Kind::StorageImage, "r32ui"), image(3, Kind::CombinedImageSampler, "rgba8"),
      buffer(4, Kind::UniformBuffer),        image(5, Kind::StorageImage, "rgba8")};
  made.resources[1].fill = vulkan::InitialFill::Zero;
  made.resources[1].initial.clear();
  made.resources[1].output = true;
  // A texture in HLSL.
  made.resources[5].output =
      std::string_view(feature.declarations).find("rgba8) readonly") == std::string_view::npos;
  made.resources[3].sampler.filter = vulkan::Filter::Linear;
  made.pushConstants = inputs();
  std::rotate(made.pushConstants.begin(), made.pushConstants.begin() + kWords * 2,
              made.pushConstants.end());
  made.pushConstants.resize(80);
  return made;
}

Status runAuthored(KernelProblem &problem, const std::vector<uint32_t> &words) {
  vulkan::Candidate candidate;
  candidate.name = problem.kernel;
  candidate.words = words;
  candidate.groups = {1, 1, 1};
  candidate.localSize = {kLanes, 1, 1};
  for (const auto &device : differential::devices()) {
    if (device->info().name.find("llvmpipe") == std::string::npos)
      continue;
    problem.device = device->info().name;
    Result<std::unique_ptr<vulkan::Runner>> runner =
        vulkan::Runner::create(device, problem.instance);
    if (!runner)
      return runner.takeFailure();
    Result<vulkan::PipelineId> pipeline = (*runner)->prepare(candidate);
    if (!pipeline)
      return pipeline.takeFailure();
    Result<vulkan::RunResult> ran = (*runner)->runOnce(*pipeline);
    if (!ran)
      return ran.takeFailure();
    problem.expected = std::move(*ran);
    return success();
  }
  return failure({}, "there is no llvmpipe", ErrorKind::Environment);
}

} // namespace

const std::vector<Feature> &features() {
  static const std::vector<Feature> list = {
#define FEATURE(NAME, IS_FLOAT, DECLARATIONS, BODY) {#NAME, DECLARATIONS, BODY, IS_FLOAT},
#include "hlsl/Features.def"
  };
  return list;
}

Result<LanguageCase> caseOf(const Feature &feature, const EmitOptions &options) {
  Result<differential::Compiled> compiled =
      differential::compile(sourceOf(feature), InputKind::Glsl);
  if (!compiled)
    return compiled.takeFailure();
  Result<Module> module = canonical(std::move(compiled->module));
  if (!module)
    return module.takeFailure();
  const std::vector<uint32_t> words = module->words();
  auto problem = std::make_shared<KernelProblem>();
  problem->kernel = feature.name;
  problem->instance = instance(feature);
  if (Status ran = runAuthored(*problem, words); !ran)
    return ran.takeFailure();
  // Vulkan and Direct3D promise sin, pow and the like in steps of 2^-11 or so.
  problem->rules = {
      feature.isFloat ? vulkan::CompareRule::within(vulkan::ElementType::F32, 5e-4, 1e-4)
                      : vulkan::CompareRule::exact(vulkan::ElementType::U32),
      vulkan::CompareRule::exact(), vulkan::CompareRule::within(vulkan::ElementType::U8, 1)};
  LanguageCase made;
  made.problem = std::move(problem);
  made.target = "hlsl";
  made.variant.id = made.variant.technique = "authored";
  made.variant.localSize = {kLanes, 1, 1};
  made.groups = {1, 1, 1};
  made.pushConstants = made.problem->instance.pushConstants;
  Result<Emitted> emitted =
      emit("hlsl", {words, "main", made.variant.localSize, feature.name, options});
  if (!emitted) {
    made.refusal = emitted.diagnostic().text;
    return made;
  }
  made.text = std::move(emitted->code);
  made.interface = std::move(emitted->interface);
  return made;
}

} // namespace tailor::languages
