//===- interpreter/TestSupport.cpp ------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/TestSupport.h"

#include "IR/WorkgroupSize.h"

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

} // namespace tailor::interp
