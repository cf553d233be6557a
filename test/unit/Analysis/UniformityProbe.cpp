//===- unit/Analysis/UniformityProbe.cpp - Kernels with probes -------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "UniformityProbe.h"

#include "Frontend/Frontend.h"
#include "IR/Reader.h"

#include "spirv-tools/libspirv.hpp"

namespace tailor::uniformity {

static std::vector<uint32_t> wordsOf(const std::string &source, bool isAssembly,
                                     const std::string &environment) {
  if (isAssembly) {
    std::vector<uint32_t> words;
    spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_1);
    tools.SetMessageConsumer([](spv_message_level_t, const char *, const spv_position_t &at,
                                const char *text) { ADD_FAILURE() << at.line << ": " << text; });
    tools.Assemble(source, &words, SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS);
    return words;
  }
  Diagnostics diagnostics;
  FrontendOptions options;
  options.kind = InputKind::Glsl;
  options.targetEnv = environment;
  Result<FrontendResult> shader =
      loadShaderFromMemory("#version 450\n" + source, "k.comp", options, diagnostics);
  if (!shader) {
    ADD_FAILURE() << shader.diagnostic().location.str() << ": " << shader.diagnostic().text;
    return {};
  }
  return shader->words;
}

Kernel::Kernel(const std::string &source, bool isAssembly, const std::string &environment) {
  Result<Module> read = readModule(wordsOf(source, isAssembly, environment), "k.comp");
  if (!read) {
    ADD_FAILURE() << read.diagnostic().text;
    std::abort();
  }
  module = std::make_unique<Module>(std::move(*read));
  Result<EntryPoint> entry = findComputeEntryPoint(*module, "");
  Result<KernelAnalysis> result = KernelAnalysis::create(*module, *entry);
  if (!result) {
    ADD_FAILURE() << result.diagnostic().text;
    std::abort();
  }
  analysis = std::make_unique<KernelAnalysis>(std::move(*result));
}

const Instruction &Kernel::store(unsigned probe) const {
  for (const Block &block : analysis->form().function().blocks())
    for (const Instruction &inst : block.instructions()) {
      if (inst.opcode() != spv::Op::OpStore)
        continue;
      std::optional<PointerPath> path = tracePointer(analysis->module(), inst.id(0));
      if (!path || path->indices.empty() || path->space != MemorySpace::StorageBuffer ||
          analysis->module().decoration(path->variable->result(), spv::Decoration::Binding) != 0u)
        continue;
      if (analysis->constants().evaluateInt(path->indices.back()) == probe)
        return inst;
    }
  ADD_FAILURE() << "no store to probe[" << probe << "]";
  std::abort();
}

static std::string textOf(UniformityScope scope, const std::vector<bool> &packs) {
  std::string axes;
  for (unsigned axis = 0; scope != UniformityScope::Dispatch && axis < 3; ++axis)
    if (packs[axis])
      axes += std::string(" ") + kAxisName[axis];
  return std::string(nameOf(scope)) + (axes.empty() ? "" : ", pack" + axes);
}

std::string Kernel::text(unsigned probe) const {
  const Instruction &inst = store(probe);
  std::vector<bool> packs;
  for (unsigned axis = 0; axis < 3; ++axis)
    packs.push_back(uniformity().isPackUniform(inst.id(1), axis, Uniformity::kAll, inst.parent()));
  return textOf(uniformity().at(inst.id(1), *inst.parent()), packs);
}

std::string Kernel::controlText(unsigned probe) const {
  return controlText(*store(probe).parent());
}

std::string Kernel::controlText(const Block &block) const {
  std::vector<bool> packs;
  for (unsigned axis = 0; axis < 3; ++axis)
    packs.push_back(uniformity().isPackUniformControl(block, axis));
  return textOf(uniformity().control(block), packs);
}

std::vector<const Block *> Kernel::barriers() const {
  std::vector<const Block *> blocks;
  for (const Block &block : analysis->form().function().blocks())
    for (const Instruction &inst : block.instructions())
      if (inst.opcode() == spv::Op::OpControlBarrier)
        blocks.push_back(&block);
  return blocks;
}

std::vector<std::string> Kernel::steps(const std::vector<CauseStep> &cause) const {
  std::vector<std::string> lines;
  for (const CauseStep &step : cause)
    lines.push_back(analysis->locationOf(*step.inst).str() + ": " + step.text);
  return lines;
}

std::vector<std::string> Kernel::cause(unsigned probe, UniformityScope scope) const {
  return steps(uniformity().causeOf(store(probe).id(1), scope));
}
std::vector<std::string> Kernel::causeOfControl(const Block &block, UniformityScope scope) const {
  return steps(uniformity().causeOfControl(block, scope));
}
std::vector<std::string> Kernel::causeOfPackControl(const Block &block, unsigned axis) const {
  return steps(uniformity().causeOfPackControl(block, axis));
}

} // namespace tailor::uniformity
