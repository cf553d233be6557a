//===- Backends/GlslLayout.cpp - Matrices where the host has them ----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/GlslRules.h"

#include <map>
#include <set>

namespace tailor {
namespace {

class MatrixLayouts {
public:
  MatrixLayouts(const GlslScan &scan) : scan(scan) {
    for (const GlslScan::Inst &inst : scan.instructions())
      if (inst.op == SpvOpMemberDecorate) {
        const std::pair<uint32_t, uint32_t> member(inst.operand(0), inst.operand(1));
        if (inst.operand(2) == SpvDecorationMatrixStride)
          strides[member] = inst.operand(3);
        if (inst.operand(2) == SpvDecorationRowMajor)
          rowMajor.insert(member);
      }
  }

  /// The stride of a matrix in the type that is not the block's own; nothing where all are.
  std::optional<uint32_t> wrongStride(uint32_t type, bool isStd140) const {
    const GlslScan::Inst &inst = scan.def(type);
    if (inst.op == SpvOpTypeArray || inst.op == SpvOpTypeRuntimeArray)
      return wrongStride(inst.operand(1), isStd140);
    if (inst.op != SpvOpTypeStruct)
      return std::nullopt;
    for (uint32_t member = 0; member + 1 < inst.operands.size(); ++member) {
      uint32_t held = inst.operand(member + 1);
      while (scan.def(held).op == SpvOpTypeArray || scan.def(held).op == SpvOpTypeRuntimeArray)
        held = scan.def(held).operand(1);
      if (scan.def(held).op != SpvOpTypeMatrix) {
        if (std::optional<uint32_t> inner = wrongStride(held, isStd140))
          return inner;
        continue;
      }
      auto stride = strides.find({type, member});
      if (stride != strides.end() &&
          stride->second != ownStride(held, rowMajor.contains({type, member}), isStd140))
        return stride->second;
    }
    return std::nullopt;
  }

private:
  uint32_t ownStride(uint32_t matrix, bool isRowMajor, bool isStd140) const {
    const GlslScan::Inst &inst = scan.def(matrix);
    const GlslScan::Inst &column = scan.def(inst.operand(1));
    const uint32_t bytes = scan.def(column.operand(1)).operand(1) / 8;
    const uint32_t length = isRowMajor ? inst.operand(2) : column.operand(2);
    const uint32_t natural = bytes * (length == 2 ? 2 : 4);
    return isStd140 ? (natural + 15) / 16 * 16 : natural;
  }

  const GlslScan &scan;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> strides; ///< by structure and member
  std::set<std::pair<uint32_t, uint32_t>> rowMajor;
};

} // namespace

Status checkMatrixLayout(const GlslProfile &profile, const ModuleFacts &facts, const GlslScan &scan,
                         bool pushConstantsInStd140) {
  const MatrixLayouts layouts(scan);
  for (const GlslScan::Inst &inst : scan.instructions()) {
    if (inst.op != SpvOpVariable)
      continue;
    const uint32_t storage = inst.operand(2);
    const bool isPush = storage == SpvStorageClassPushConstant;
    if (!isPush && storage != SpvStorageClassUniform && storage != SpvStorageClassStorageBuffer)
      continue;
    uint32_t type = scan.def(inst.operand(0)).operand(2);
    while (scan.def(type).op == SpvOpTypeArray || scan.def(type).op == SpvOpTypeRuntimeArray)
      type = scan.def(type).operand(1);
    const bool isStd140 = isPush ? pushConstantsInStd140
                                 : storage == SpvStorageClassUniform &&
                                       !scan.hasDecoration(type, SpvDecorationBufferBlock);
    const bool isStorage = !isPush && !isStd140;
    std::optional<uint32_t> stride = layouts.wrongStride(type, isStd140);
    if (stride && isStorage) // SPIRV-Cross takes std140 where std430 does not fit
      stride = layouts.wrongStride(type, true);
    if (stride)
      return profile.cannot(facts.at(inst.word),
                            "a matrix with " + std::to_string(*stride) +
                                " bytes between its columns or rows in a block (" +
                                scan.name(inst.operand(1)) + ")");
  }
  return success();
}

Status checkWrittenLayout(const GlslProfile &profile, const ModuleFacts &facts,
                          const GlslScan &scan, const GlslScan::Resource &resource, bool isStd140) {
  if (MatrixLayouts(scan).wrongStride(resource.type, isStd140))
    return profile.cannot(facts.at(resource.word), "a matrix that does not lie as " +
                                                       std::string(isStd140 ? "std140" : "std430") +
                                                       " has it (" + scan.name(resource) + ")");
  return success();
}

} // namespace tailor
