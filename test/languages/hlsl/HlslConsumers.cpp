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

namespace tailor::languages {
namespace {

/// A kernel in which the last bit of a float decides about a whole value.
struct Sensitive {
  std::string_view kernel;
  double share; ///< of the values that may differ
  std::string_view why;
};
constexpr Sensitive kSensitive[] = {
    {"mandelbrot", 0.01, "counts of rounds at the edge of the set, each round doubling an error"},
    {"raytracer", 0.0005, "which sphere a ray that grazes two of them hits"},
};

/// Whether all outputs differ in no more values than the kernel's share.
bool isWithinShare(const LanguageCase &made, const std::vector<std::vector<std::byte>> &outputs,
                   double share) {
  const KernelProblem &problem = *made.problem;
  if (outputs.size() != problem.expected.outputs.size())
    return false;
  for (size_t at = 0; at < outputs.size(); ++at) {
    Result<vulkan::Comparison> compared =
        vulkan::compare(problem.expected.outputs[at].bytes, outputs[at], problem.rules[at]);
    if (!compared ||
        static_cast<double>(compared->mismatches) > share * static_cast<double>(compared->elements))
      return false;
  }
  return true;
}

std::string checkOutputs(const LanguageCase &made,
                         const std::vector<std::vector<std::byte>> &outputs,
                         const std::string &consumer) {
  for (const Sensitive &kernel : kSensitive) {
    if (kernel.kernel != made.problem->kernel || !isWithinShare(made, outputs, kernel.share))
      continue;
    // Entered as run, with what is different about it.
    std::vector<std::vector<std::byte>> expected;
    for (const vulkan::OutputData &output : made.problem->expected.outputs)
      expected.push_back(output.bytes);
    return check(made, expected, consumer + " (but for " + std::string(kernel.why) + ")");
  }
  return check(made, outputs, consumer);
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
