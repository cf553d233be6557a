//===- Backends/GlslScan.cpp -----------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#define SPV_ENABLE_UTILITY_CODE
#include "Backends/GlslScan.h"

#include <algorithm>

namespace tailor {
namespace {

constexpr uint32_t kMaxIds = 0x400000; // SPIR-V specification, universal limits
constexpr unsigned kMaxChain = 64;     // pointers made from pointers, until we give up

std::string stringOf(std::span<const uint32_t> words) {
  const char *bytes = reinterpret_cast<const char *>(words.data());
  const char *end = bytes + words.size() * sizeof(uint32_t);
  return std::string(bytes, std::find(bytes, end, '\0'));
}

} // namespace

GlslScan::GlslScan(const ModuleFacts &facts) {
  facts.forEachInstruction([&](SpvOp op, std::span<const uint32_t> operands, uint32_t word) {
    list.push_back({op, operands, word});
  });
  for (size_t at = 0; at < list.size(); ++at)
    index(list[at], at);
  for (const Inst &inst : list)
    if (inst.op == SpvOpVariable)
      addResource(inst);
}

void GlslScan::index(const Inst &inst, size_t at) {
  switch (inst.op) {
  case SpvOpName:
    if (inst.operands.size() > 1)
      names.emplace(inst.operand(0), stringOf(inst.operands.subspan(1)));
    return;
  case SpvOpDecorate:
    decorations.emplace(std::pair(inst.operand(0), static_cast<SpvDecoration>(inst.operand(1))),
                        inst.operand(2));
    return;
  case SpvOpMemberDecorate:
    memberDecorations.emplace(inst.operand(0), static_cast<SpvDecoration>(inst.operand(2)));
    if (static_cast<SpvDecoration>(inst.operand(2)) == SpvDecorationOffset)
      memberOffsets.emplace(std::pair(inst.operand(0), inst.operand(1)),
                            MemberOffset{inst.operand(3), inst.word});
    return;
  default:
    break;
  }
  bool hasResult = false, hasType = false;
  SpvHasResultAndType(inst.op, &hasResult, &hasType);
  const uint32_t id = hasResult ? inst.operand(hasType ? 1 : 0) : 0;
  if (id == 0 || id >= kMaxIds)
    return;
  if (byId.size() <= id)
    byId.resize(id + 1, 0);
  byId[id] = static_cast<uint32_t>(at + 1);
}

const GlslScan::Inst &GlslScan::def(uint32_t id) const {
  static const Inst kNothing;
  return id < byId.size() && byId[id] != 0 ? list[byId[id] - 1] : kNothing;
}

const GlslScan::Inst &GlslScan::typeOf(uint32_t id) const { return def(def(id).operand(0)); }

void GlslScan::addResource(const Inst &variable) {
  const auto storage = static_cast<SpvStorageClass>(variable.operand(2));
  if (storage != SpvStorageClassUniformConstant && storage != SpvStorageClassUniform &&
      storage != SpvStorageClassStorageBuffer)
    return;
  Resource resource{variable.operand(1), variable.word, storage, 0, false, false};
  resource.type = def(variable.operand(0)).operand(2);
  for (;;) {
    const Inst &type = def(resource.type);
    if (type.op != SpvOpTypeArray && type.op != SpvOpTypeRuntimeArray)
      break;
    resource.isArray = true;
    resource.isRuntimeArray |= type.op == SpvOpTypeRuntimeArray;
    resource.type = type.operand(1);
  }
  bound.push_back(resource);
}

const GlslScan::Resource *GlslScan::resourceOf(uint32_t id) const {
  for (unsigned step = 0; step < kMaxChain; ++step) {
    const Inst &inst = def(id);
    switch (inst.op) {
    case SpvOpVariable:
      for (const Resource &resource : bound)
        if (resource.id == id)
          return &resource;
      return nullptr;
    case SpvOpLoad:
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
    case SpvOpCopyObject:
    case SpvOpImage:
    case SpvOpSampledImage:
    case SpvOpImageTexelPointer:
      id = inst.operand(2);
      break;
    default:
      return nullptr;
    }
  }
  return nullptr;
}

std::string GlslScan::name(uint32_t id) const {
  auto found = names.find(id);
  if (found != names.end() && !found->second.empty())
    return "'" + found->second + "'";
  return "%" + std::to_string(id);
}

std::string GlslScan::name(const Resource &resource) const {
  const std::string own = name(resource.id);
  return own.front() == '%' ? name(resource.type) : own;
}

std::optional<uint32_t> GlslScan::decoration(uint32_t id, SpvDecoration decoration) const {
  auto found = decorations.find({id, decoration});
  return found == decorations.end() ? std::nullopt : std::optional(found->second);
}

std::optional<uint32_t> GlslScan::constant(uint32_t id) const {
  const Inst &inst = def(id);
  if (inst.op == SpvOpConstantNull)
    return 0;
  return inst.op == SpvOpConstant ? std::optional(inst.operand(2)) : std::nullopt;
}

bool GlslScan::isConstant(uint32_t id) const {
  switch (def(id).op) {
  case SpvOpConstant:
  case SpvOpConstantNull:
  case SpvOpConstantTrue:
  case SpvOpConstantFalse:
  case SpvOpConstantComposite:
  case SpvOpSpecConstant:
  case SpvOpSpecConstantOp:
  case SpvOpSpecConstantComposite:
    return true;
  default:
    return false;
  }
}

} // namespace tailor
