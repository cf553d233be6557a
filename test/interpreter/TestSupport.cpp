//===- interpreter/TestSupport.cpp ------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/TestSupport.h"

#include "IR/WorkgroupSize.h"

#include <iostream>

namespace tailor::interp {

std::string textOf(const Diagnostic &diagnostic) {
  std::string text = diagnostic.location.str() + ": " + diagnostic.text;
  for (const Note &note : diagnostic.notes)
    text += "\n" + note.location.str() + ": " + note.text;
  return text;
}

void Recorder::onAccess(const Access &access) {
  accesses.push_back({access,
                      {access.iterations.begin(), access.iterations.end()},
                      module.name(access.variable->result())});
}
void Recorder::onValue(const Where &where, llvm::ArrayRef<uint64_t> words) {
  values.push_back({where.inst->opcode(),
                    where.invocation,
                    {where.iterations.begin(), where.iterations.end()},
                    {words.begin(), words.end()}});
}
void Recorder::onBranch(const Where &, const Block &) { ++branches; }
void Recorder::onBarrier(const Where &where, uint32_t arrived) {
  barriers.push_back(
      {arrived, std::vector<uint32_t>(where.iterations.begin(), where.iterations.end())});
}

std::vector<Recorder::Seen> Recorder::of(const std::string &variable, uint32_t invocation,
                                         std::optional<AccessKind> kind) const {
  std::vector<Seen> list;
  for (const Seen &each : accesses)
    if (each.variable == variable && each.access.invocation == invocation &&
        (!kind || each.access.kind == *kind))
      list.push_back(each);
  return list;
}

static Kernel kernelFrom(const std::string &text, InputKind kind) {
  Result<differential::Compiled> compiled = differential::compile(text, kind);
  Kernel kernel;
  if (compiled)
    kernel.compiled = std::move(*compiled);
  else
    ADD_FAILURE() << textOf(compiled.diagnostic()) << "\n" << text;
  return kernel;
}
Kernel Kernel::glsl(const std::string &text) {
  return kernelFrom("#version 450\n" + text, InputKind::Glsl);
}
Kernel Kernel::assembly(const std::string &text) { return kernelFrom(text, InputKind::SpirvText); }

void Kernel::run(const Dim3 &size, llvm::ArrayRef<Dim3> groups, bool values, const Limits &limits) {
  Result<EntryPoint> entry = findComputeEntryPoint(compiled.module, compiled.entryPoint);
  ASSERT_TRUE(bool(entry));
  seen = std::make_shared<Recorder>(compiled.module, values);
  Result<RunResult> ran = interp::run(compiled.module, *entry, size, groups, inputs, *seen, limits);
  failed = ran ? "" : textOf(ran.diagnostic());
  if (ran)
    result = *ran;
}

std::vector<uint32_t> Kernel::words(uint32_t binding) const {
  auto at = inputs.resources.find({0, binding, 0});
  if (at == inputs.resources.end())
    return {};
  std::vector<uint32_t> list(at->second.data.size() / 4);
  std::memcpy(list.data(), at->second.data.data(), list.size() * 4);
  return list;
}
void Kernel::setWords(uint32_t binding, const std::vector<uint32_t> &list) {
  std::vector<std::byte> &data = inputs.resources[{0, binding, 0}].data;
  data.resize(list.size() * 4);
  std::memcpy(data.data(), list.data(), data.size());
}

Result<vulkan::RunResult> runOnDevice(const differential::Compiled &compiled,
                                      const vulkan::KernelInstance &instance, const Dim3 &localSize,
                                      const Dim3 &groups, std::vector<vulkan::SpecValue> spec) {
  vulkan::Candidate candidate;
  candidate.name = "kernel";
  candidate.words = compiled.module.words();
  candidate.entryPoint = compiled.entryPoint;
  candidate.groups = groups;
  candidate.localSize = localSize;
  candidate.specConstants = std::move(spec);
  Result<vulkan::RunResult> result = failure(Location(), "no Vulkan device");
  for (const auto &device : differential::devices()) {
    Result<std::unique_ptr<vulkan::Runner>> runner = vulkan::Runner::create(device, instance);
    if (!runner)
      return runner.takeFailure();
    Result<vulkan::PipelineId> pipeline = (*runner)->prepare(candidate);
    if (pipeline)
      return (*runner)->runOnce(*pipeline);
    result = pipeline.takeFailure();
  }
  return result;
}

static std::string sourceOf(const Domain &domain, const std::vector<std::string> &expressions) {
  std::string n = std::to_string(kCount);
  std::string text = domain.prologue + "layout(local_size_x = " + n + ") in;\n" +
                     "layout(std430, set = 0, binding = 0) readonly buffer In { " + domain.type +
                     " v[]; } inputs;\n"
                     "layout(std430, set = 0, binding = 1) buffer Out { " +
                     domain.result +
                     " v[]; } o;\nvoid main() {\n  uint i = gl_LocalInvocationIndex;\n  " +
                     domain.type + " a = inputs.v[i], b = inputs.v[i + " + n +
                     "], c = inputs.v[i + 2 * " + n + "];\n";
  for (size_t at = 0; at < expressions.size(); ++at)
    text += "  o.v[i + " + std::to_string(at * kCount) + "] = " + domain.convert + "(" +
            expressions[at] + ");\n";
  return text + "}\n";
}

/// Runs the expressions in both places; `rule` of the results.
void compareExpressions(const Domain &domain, const std::vector<std::string> &expressions,
                        const std::vector<std::byte> &values, const vulkan::CompareRule &rule) {
  if (differential::noDevices())
    GTEST_SKIP() << "no Vulkan device";
  Kernel kernel = Kernel::glsl(sourceOf(domain, expressions));
  vulkan::KernelInstance instance;
  instance.resources.resize(2);
  instance.resources[0].bytes = values.size();
  instance.resources[0].fill = vulkan::InitialFill::Bytes;
  instance.resources[0].initial = values;
  instance.resources[1].binding = 1;
  instance.resources[1].bytes = expressions.size() * kCount * domain.resultBytes;
  instance.resources[1].output = true;
  Result<vulkan::RunResult> expected =
      runOnDevice(kernel.compiled, instance, {kCount, 1, 1}, {1, 1, 1});
  if (!expected &&
      textOf(expected.diagnostic()).find("which the device does not have") != std::string::npos) {
    std::cout << "not compared: " << textOf(expected.diagnostic()) << "\n";
    return;
  }
  ASSERT_TRUE(bool(expected)) << textOf(expected.diagnostic());

  kernel.inputs = inputsOf(instance);
  kernel.inputs.subgroupSize = differential::devices().front()->info().limits.subgroupSize;
  kernel.run({kCount, 1, 1});
  ASSERT_EQ(kernel.failed, "");
  EXPECT_EQ(kernel.result.undefined, 0u);
  const std::vector<std::byte> &actual = kernel.inputs.resources[Slot{0, 1, 0}].data;
  const size_t part = size_t{kCount} * domain.resultBytes;
  for (size_t at = 0; at < expressions.size(); ++at) {
    std::span<const std::byte> theirs(expected->outputs[0].bytes.data() + at * part, part);
    Result<vulkan::Comparison> compared =
        vulkan::compare(theirs, {actual.data() + at * part, part}, rule);
    ASSERT_TRUE(bool(compared));
    EXPECT_TRUE(compared->equal()) << expressions[at] << ": " << compared->str();
  }
}

} // namespace tailor::interp
