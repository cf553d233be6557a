//===- languages/hlsl/HlslConsumers.cpp -------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HlslConsumers.h"

#include "ConsumerRepairs.h"
#include "RegisterBinding.h"

#include "../../differential/Harness.h"

#include "IR/Reader.h"
#include "Support/SpirvTools.h"

#include <map>

namespace tailor::languages {
namespace {

const std::vector<RoundingAllowance> kEdges = {
    {"mandelbrot", 0.01, "counts of rounds at the edge of the set, each round doubling an error"},
    {"raytracer", 0.0005, "which sphere a ray that grazes two of them hits"}};

/// One CaseCheck for the cases of a kernel by one consumer, the authored one first.
std::string checkOutputs(const LanguageCase &made,
                         const std::vector<std::vector<std::byte>> &outputs,
                         const std::string &consumer) {
  static std::map<std::pair<std::shared_ptr<const KernelProblem>, std::string>, CaseCheck> checks;
  return checks.try_emplace({made.problem, consumer}, consumer, kEdges)
      .first->second(made, outputs);
}

std::string run(const LanguageCase &made, Module module, RegisterSource source,
                const std::string &consumer) {
  Result<BoundModule> bound = bindRegisters(std::move(module), source, made);
  if (!bound)
    return textOf(bound.diagnostic());
  if (Status valid = validateSpirv(bound->words, consumer); !valid)
    return textOf(valid.diagnostic());
  Result<std::vector<std::vector<std::byte>>> outputs = runBound(*bound, made);
  return outputs ? checkOutputs(made, *outputs, consumer) : textOf(outputs.diagnostic());
}

} // namespace

std::string textOf(const Diagnostic &diagnostic) {
  std::string text = diagnostic.location.str() + ": " + diagnostic.text;
  for (const Note &note : diagnostic.notes)
    text += "\n" + note.text;
  return text;
}

std::string runByGlslang(const LanguageCase &made) {
  Result<differential::Compiled> compiled = differential::compile(made.text, InputKind::Hlsl);
  if (!compiled)
    return textOf(compiled.diagnostic());
  if (Status valid = validateSpirv(compiled->module.words(), "glslang"); !valid)
    return textOf(valid.diagnostic());
  countBytes(compiled->module);
  return run(made, std::move(compiled->module), RegisterSource::Glslang, "glslang");
}

std::string runDxbc(const LanguageCase &made, const std::string &dxbc) {
  Result<std::vector<uint32_t>> words = spirvOfDxbc(dxbc);
  if (!words)
    return textOf(words.diagnostic());
  if (Status valid = validateSpirv(*words, "fxc"); !valid)
    return textOf(valid.diagnostic());
  Result<Module> module = readModule(*words, "fxc");
  if (!module)
    return textOf(module.diagnostic());
  replaceTexelBuffers(*module);
  return run(made, std::move(*module), RegisterSource::Vkd3d, "fxc");
}

bool isForFxc(const LanguageInterface &interface) { return interface.version.starts_with("cs_5"); }

HlslJob jobForFxc(const LanguageCase &made) {
  return {"fxc", made.interface.version, made.text, {}};
}

HlslJob jobForDxc(const LanguageCase &made) {
  HlslJob job{"dxc", isForFxc(made.interface) ? "cs_6_0" : made.interface.version, made.text, {}};
  for (const std::string &feature : made.interface.features)
    if (feature.starts_with('-'))
      job.arguments.push_back(feature);
  return job;
}

} // namespace tailor::languages
