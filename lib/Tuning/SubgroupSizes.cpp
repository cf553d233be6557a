//===- Tuning/SubgroupSizes.cpp -------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/SubgroupSizes.h"

#include "Analysis/InstructionRules.h"
#include "Analysis/Opcodes.h"
#include "IR/Reader.h"
#include "Tuning/Search.h"

#include <algorithm>
#include <bit>

namespace tailor {

namespace {

/// Of the capabilities that a device runs, those that let a module see its subgroup, or time.
bool isOfSubgroups(spv::Capability capability) {
  using enum spv::Capability;
  switch (capability) {
  case GroupNonUniform:
  case GroupNonUniformVote:
  case GroupNonUniformArithmetic:
  case GroupNonUniformBallot:
  case GroupNonUniformShuffle:
  case GroupNonUniformShuffleRelative:
  case GroupNonUniformClustered:
  case GroupNonUniformQuad:
  case ShaderClockKHR:
    return true;
  default:
    return !vulkan::mayEnable(static_cast<uint32_t>(capability));
  }
}

bool isSubgroupInput(spv::BuiltIn builtIn) {
  using enum spv::BuiltIn;
  switch (builtIn) {
  case SubgroupSize:
  case SubgroupMaxSize:
  case NumSubgroups:
  case NumEnqueuedSubgroups:
  case SubgroupId:
  case SubgroupLocalInvocationId:
  case SubgroupEqMask:
  case SubgroupGeMask:
  case SubgroupGtMask:
  case SubgroupLeMask:
  case SubgroupLtMask:
    return true;
  default:
    return false;
  }
}

bool isNarrow(OrderingReach reach) {
  return reach == OrderingReach::Subgroup || reach == OrderingReach::Unknown;
}

bool seesSubgroups(const Instruction &inst, ConstantEvaluator &constants) {
  switch (classOf(inst.opcode())) {
  case OpcodeClass::Subgroup:
  case OpcodeClass::Derivative:
  case OpcodeClass::Unknown:
    return true;
  case OpcodeClass::ControlBarrier:
    for (unsigned scope : {0U, 1U}) {
      std::optional<uint64_t> value = constants.evaluateInt(inst.id(scope));
      if (!value || *value == static_cast<uint64_t>(spv::Scope::Subgroup))
        return true;
    }
    return false;
  default:
    return isNarrow(orderingReach(inst, constants));
  }
}

} // namespace

bool usesSubgroups(std::span<const uint32_t> words) {
  Result<Module> read = readModule({words.begin(), words.end()}, "");
  if (!read)
    return true;
  const Module &module = *read;
  for (const Instruction &inst : module.section(Section::Capabilities))
    if (isOfSubgroups(static_cast<spv::Capability>(inst.literal(0))))
      return true;
  for (const Instruction &inst : module.section(Section::Annotations)) {
    const bool ofMember = inst.opcode() == spv::Op::OpMemberDecorate;
    const unsigned at = ofMember ? 2 : 1;
    if ((ofMember || inst.opcode() == spv::Op::OpDecorate) &&
        inst.literal(at) == static_cast<uint32_t>(spv::Decoration::BuiltIn) &&
        isSubgroupInput(static_cast<spv::BuiltIn>(inst.literal(at + 1))))
      return true;
  }
  ConstantEvaluator constants(module, {}, /*useDefaults=*/false);
  for (const std::unique_ptr<Function> &function : module.functions())
    for (const auto &block : function->blocks())
      for (const Instruction &inst : block.instructions())
        if (seesSubgroups(inst, constants))
          return true;
  return false;
}

std::vector<SubgroupChoice> subgroupChoices(const Bundle &bundle, const KernelInfo &kernel,
                                            const vulkan::DeviceInfo &device, bool evenIfOne) {
  const vulkan::DeviceLimits &limits = device.limits;
  const uint32_t least = limits.minSubgroupSize, most = limits.maxSubgroupSize;
  std::vector<SubgroupChoice> choices;
  if (!device.features.subgroupSizeControl || !std::has_single_bit(least) ||
      (least >= most && !evenIfOne))
    return choices;
  for (size_t i = 0; i != kernel.variants.size(); ++i) {
    const uint64_t invocations = kernel.variants[i].localSize.product();
    Result<std::vector<uint32_t>> words = wordsOf(bundle, kernel, kernel.variants[i]);
    if (!words || usesSubgroups(*words))
      continue;
    for (uint64_t size = least; size <= most; size *= 2) {
      const bool fits =
          limits.maxWorkgroupSubgroups == 0 || invocations <= size * limits.maxWorkgroupSubgroups;
      if (fits && (size == least || size < 2 * invocations))
        choices.push_back({i, static_cast<uint32_t>(size)});
    }
  }
  return choices;
}

} // namespace tailor
