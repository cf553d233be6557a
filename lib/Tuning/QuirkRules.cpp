//===- Tuning/QuirkRules.cpp -----------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/QuirkRules.h"

#include "IR/Reader.h"

#include <algorithm>
#include <set>

namespace tailor {

namespace {

constexpr QuirkEffects kForbidding = kCapInvocations | kSubgroupOperationsUnreliable |
                                     kWorkgroupAtomicsUnreliable | kZeroInitUnreliable |
                                     kLiteralSizesOnly | kStorage16Unreliable | kCapBufferBytes;

/// What a module has that a fault may hit.
struct ModuleTraits {
  bool hasZeroInit = false;    ///< workgroup memory with an initializer
  bool hasOpenSizes = false;   ///< a workgroup size or a length by specialization constants
  bool hasStorage16 = false;   ///< 16-bit members of buffers
  bool hasArrayLength = false; ///< asks for the length of a buffer's array
};

ModuleTraits traitsOf(const Module &module) {
  ModuleTraits traits;
  std::set<Id> open, sizes;
  module.forEachInstruction([&](const Instruction &inst) {
    if (isSpecConstant(inst.opcode()))
      open.insert(inst.result());
    switch (inst.opcode()) {
    case spv::Op::OpVariable:
      traits.hasZeroInit |= inst.numOperands() > 1 &&
                            inst.literal(0) == static_cast<uint32_t>(spv::StorageClass::Workgroup);
      break;
    case spv::Op::OpTypeArray:
      sizes.insert(inst.id(1));
      break;
    case spv::Op::OpExecutionModeId:
      for (unsigned at = 2; at < inst.numOperands(); ++at)
        if (inst.literal(1) == static_cast<uint32_t>(spv::ExecutionMode::LocalSizeId))
          sizes.insert(inst.id(at));
      break;
    case spv::Op::OpDecorate:
      if (inst.numOperands() > 2 &&
          inst.literal(1) == static_cast<uint32_t>(spv::Decoration::BuiltIn) &&
          inst.literal(2) == static_cast<uint32_t>(spv::BuiltIn::WorkgroupSize))
        sizes.insert(inst.id(0));
      break;
    case spv::Op::OpArrayLength:
      traits.hasArrayLength = true;
      break;
    default:
      break;
    }
  });
  traits.hasOpenSizes =
      std::any_of(sizes.begin(), sizes.end(), [&](Id id) { return open.contains(id); });
  traits.hasStorage16 = module.hasCapability(spv::Capability::StorageBuffer16BitAccess) ||
                        module.hasCapability(spv::Capability::UniformAndStorageBuffer16BitAccess);
  return traits;
}

bool hasWorkgroupAtomics(const KernelInfo &kernel) {
  const std::vector<AccessFact> &accesses = kernel.facts.accesses;
  return std::any_of(accesses.begin(), accesses.end(), [](const AccessFact &access) {
    return access.op == "atomic" && access.space == "workgroup";
  });
}

bool hasBufferOver(const vulkan::KernelInstance &instance, uint64_t bytes) {
  return std::any_of(
      instance.resources.begin(), instance.resources.end(), [&](const vulkan::ResourceDesc &desc) {
        return desc.kind == vulkan::ResourceKind::StorageBuffer && desc.bytes > bytes;
      });
}

/// What of the variant the fault hits; empty: nothing.
std::string hitBy(const Quirk &quirk, const KernelInfo &kernel, const vulkan::Candidate &candidate,
                  const vulkan::KernelInstance &instance, const ModuleTraits &traits) {
  auto has = [&](QuirkEffects effect) { return (quirk.effects & effect) != 0; };
  const uint64_t invocations = candidate.localSize.product();
  if (has(kCapInvocations) && invocations > quirk.value)
    return "a workgroup of " + std::to_string(invocations) + " invocations is over " +
           std::to_string(quirk.value);
  if (has(kSubgroupOperationsUnreliable) && !kernel.facts.subgroupOps.empty())
    return "the kernel has subgroup operations";
  if (has(kWorkgroupAtomicsUnreliable) && hasWorkgroupAtomics(kernel))
    return "the kernel has atomics on workgroup memory";
  if (has(kZeroInitUnreliable) && traits.hasZeroInit)
    return "its workgroup memory has an initializer";
  if (has(kLiteralSizesOnly) && traits.hasOpenSizes)
    return "a size or length in it is a specialization constant";
  if (has(kStorage16Unreliable) && traits.hasStorage16)
    return "it has 16-bit members in buffers";
  if (has(kCapBufferBytes) && traits.hasArrayLength && hasBufferOver(instance, quirk.value))
    return "it asks for the length of an array, and a buffer has more than " +
           std::to_string(quirk.value) + " bytes";
  return "";
}

} // namespace

bool forbidsVariants(const Quirk &quirk) { return (quirk.effects & kForbidding) != 0; }

std::optional<std::string> forbiddenBy(std::span<const Quirk *const> quirks,
                                       const KernelInfo &kernel, const vulkan::Candidate &candidate,
                                       const vulkan::KernelInstance &instance) {
  if (std::none_of(quirks.begin(), quirks.end(),
                   [](const Quirk *quirk) { return forbidsVariants(*quirk); }))
    return std::nullopt;
  Result<Module> module = readModule(candidate.words, candidate.name);
  const ModuleTraits traits = module ? traitsOf(*module) : ModuleTraits();
  for (const Quirk *quirk : quirks)
    if (std::string hit = hitBy(*quirk, kernel, candidate, instance, traits); !hit.empty())
      return "a fault of the driver stands against it: " + hit + "; " + sentenceOf(*quirk);
  return std::nullopt;
}

std::string sentenceOf(const Quirk &quirk) {
  std::string effects;
  for (std::string_view effect : namesOf(quirk.effects))
    effects.append(effects.empty() ? "" : ", ").append(effect);
  return std::string(quirk.key)
      .append(": ")
      .append(quirk.what)
      .append(" (")
      .append(effects)
      .append("; ")
      .append(quirk.link)
      .append(")");
}

} // namespace tailor
