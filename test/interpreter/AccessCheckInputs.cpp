//===- interpreter/AccessCheckInputs.cpp - The host's values, and owners of bytes ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AccessCheck.h"

#include <cstring>
#include <memory>

namespace tailor::interp {

static std::optional<uint32_t> wordOf(const std::vector<std::byte> &bytes, uint64_t offset) {
  if (offset + 4 > bytes.size())
    return std::nullopt;
  uint32_t word = 0;
  std::memcpy(&word, bytes.data() + offset, 4);
  return word;
}

HostValues hostValuesOf(const Inputs &inputs) {
  HostValues host;
  host.numWorkgroups = inputs.numWorkgroups.array();
  auto held = std::make_shared<Inputs>(inputs);
  host.leaf = [held](const UniformExpr &leaf) -> std::optional<uint32_t> {
    if (leaf.op == UniformExpr::Op::PushConstant)
      return wordOf(held->pushConstants, leaf.params[0]).value_or(0);
    if (leaf.op == UniformExpr::Op::SpecConstant) {
      auto at = held->spec.find(leaf.params[0]);
      return at == held->spec.end() ? std::nullopt
                                    : std::optional(static_cast<uint32_t>(at->second));
    }
    auto at = held->resources.find({leaf.params[0], leaf.params[1], 0});
    if (at == held->resources.end())
      return std::nullopt;
    const Resource &resource = at->second;
    switch (leaf.op) {
    case UniformExpr::Op::BufferValue:
      return wordOf(resource.data, leaf.params[2]);
    case UniformExpr::Op::ImageSize:
      return leaf.params[2] < 3 ? std::optional(resource.extent[leaf.params[2]]) : std::nullopt;
    case UniformExpr::Op::ArrayLength:
      if (resource.data.size() < leaf.params[2])
        return 0;
      return static_cast<uint32_t>((resource.data.size() - leaf.params[2]) / leaf.params[3]);
    default:
      return std::nullopt;
    }
  };
  return host;
}

namespace {

/// Who touched each byte of workgroup memory first, and the variables with a second one.
struct Owners : Observer {
  Interest interest() const override {
    Interest wanted;
    wanted.accesses = true;
    return wanted;
  }
  void onAccess(const Access &access) override {
    if (access.space != MemorySpace::Workgroup)
      return;
    for (uint64_t at = access.byteAddress; at < access.byteAddress + access.bytes; ++at)
      if (owner.try_emplace({access.variable, at}, access.invocation).first->second !=
          access.invocation)
        shared.insert(access.variable);
  }
  std::map<std::pair<const Instruction *, uint64_t>, uint32_t> owner;
  std::set<const Instruction *> shared;
};

} // namespace

Result<std::set<const Instruction *>> sharedAmongInvocations(const KernelAnalysis &kernel,
                                                             const Inputs &inputs) {
  Inputs copy = inputs;
  Owners owners;
  Result<RunResult> ran = interp::run(kernel.form(), kernel.size(), {Dim3{0, 0, 0}}, copy, owners);
  if (!ran)
    return ran.takeFailure();
  return std::move(owners.shared);
}

} // namespace tailor::interp
