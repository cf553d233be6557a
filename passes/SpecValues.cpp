//===- passes/SpecValues.cpp - Specialization values from text ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/SpecValues.h"

#include "IR/Types.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

namespace tailor {

Result<SpecAssignment> parseSpecAssignment(std::string_view text, Location at) {
  size_t split = text.find_first_of("=:");
  SpecAssignment assignment;
  assignment.at = std::move(at);
  if (split == std::string_view::npos || split + 1 == text.size() ||
      llvm::StringRef(text.substr(0, split)).getAsInteger(0, assignment.specId))
    return failure(assignment.at,
                   "'" + std::string(text) + "' is not a specialization value: write ID=VALUE",
                   ErrorKind::Usage);
  assignment.text = text.substr(split + 1);
  return assignment;
}

std::map<uint32_t, const Instruction *> specIdsOf(const Module &module) {
  std::map<uint32_t, const Instruction *> found;
  for (const Instruction &inst : module.section(Section::Globals))
    if (isSpecConstant(inst.opcode()))
      if (std::optional<uint32_t> id = module.decoration(inst.result(), spv::Decoration::SpecId))
        found.try_emplace(*id, &inst);
  return found;
}

/// The bits that `text` means for a constant of `type`; nullopt: not a value of it.
static std::optional<uint64_t> bitsOf(const Instruction &type, llvm::StringRef text) {
  if (type.opcode() == spv::Op::OpTypeBool) {
    if (text == "true" || text == "1")
      return 1;
    if (text == "false" || text == "0")
      return 0;
    return std::nullopt;
  }
  if (type.opcode() != spv::Op::OpTypeInt && type.opcode() != spv::Op::OpTypeFloat)
    return std::nullopt;
  unsigned width = type.literal(0);
  if (width == 0 || width > 64)
    return std::nullopt;
  uint64_t mask = llvm::maskTrailingOnes<uint64_t>(width), bits = 0;
  bool isHex = text.starts_with("0x") || text.starts_with("0X");
  if (type.opcode() == spv::Op::OpTypeFloat && !isHex) {
    double value = 0;
    if (width == 16 || text.getAsDouble(value))
      return std::nullopt;
    return width == 32 ? llvm::bit_cast<uint32_t>(static_cast<float>(value))
                       : llvm::bit_cast<uint64_t>(value);
  }
  if (text.starts_with("-")) {
    int64_t value = 0;
    if (text.getAsInteger(10, value) || type.opcode() != spv::Op::OpTypeInt ||
        type.literal(1) == 0 || !llvm::isIntN(width, value))
      return std::nullopt;
    return static_cast<uint64_t>(value) & mask;
  }
  if (text.getAsInteger(isHex ? 0 : 10, bits) || bits > mask)
    return std::nullopt;
  return bits;
}

static std::string typeText(const Instruction &type) {
  switch (type.opcode()) {
  case spv::Op::OpTypeBool:
    return "bool";
  case spv::Op::OpTypeFloat:
    return "float of " + std::to_string(type.literal(0)) + " bits";
  case spv::Op::OpTypeInt:
    return (type.literal(1) != 0 ? "signed integer of " : "unsigned integer of ") +
           std::to_string(type.literal(0)) + " bits";
  default:
    return nameOf(type.opcode());
  }
}

Result<SpecMap> resolveSpecValues(const Module &module,
                                  const std::vector<SpecAssignment> &assignments, SpecMap base) {
  if (assignments.empty())
    return base;
  std::map<uint32_t, const Instruction *> known = specIdsOf(module);
  for (const SpecAssignment &assignment : assignments) {
    auto constant = known.find(assignment.specId);
    if (constant == known.end()) {
      Diagnostic problem =
          Diagnostic::error(assignment.at,
                            "the module has no specialization constant with SpecId " +
                                std::to_string(assignment.specId),
                            ErrorKind::Usage);
      for (const auto &[id, inst] : known)
        problem.addNote(module.locationOf(*inst), "there is SpecId " + std::to_string(id) + ", '" +
                                                      module.name(inst->result()) + "'");
      return failure(std::move(problem));
    }
    const Instruction *type = module.def(constant->second->typeId());
    std::optional<uint64_t> bits = type ? bitsOf(*type, assignment.text) : std::nullopt;
    if (!bits)
      return failure(Diagnostic::error(assignment.at,
                                       "'" + assignment.text + "' is not a value for SpecId " +
                                           std::to_string(assignment.specId) +
                                           (type ? " (" + typeText(*type) + ")" : ""),
                                       ErrorKind::Usage)
                         .withNote(module.locationOf(*constant->second), "the constant is here"));
    base[assignment.specId] = *bits;
  }
  return base;
}

} // namespace tailor
