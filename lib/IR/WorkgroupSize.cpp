//===- IR/WorkgroupSize.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "IR/WorkgroupSize.h"

namespace tailor {

std::string_view nameOf(SizeSpelling spelling) {
  switch (spelling) {
  case SizeSpelling::LocalSize:
    return "LocalSize";
  case SizeSpelling::LocalSizeId:
    return "LocalSizeId";
  case SizeSpelling::WorkgroupSize:
    return "WorkgroupSize";
  }
  return "";
}

const Instruction *workgroupSizeConstant(const Module &module) {
  for (const Instruction &inst : module.section(Section::Globals))
    if (isConstant(inst.opcode()) && module.decoration(inst.result(), spv::Decoration::BuiltIn) ==
                                         static_cast<uint32_t>(spv::BuiltIn::WorkgroupSize))
      return &inst;
  return nullptr;
}

static Failure unknownSize(const Module &module, const Instruction &where, const char *what) {
  return failure(module.locationOf(where), std::string("the workgroup size cannot be evaluated: ") +
                                               what +
                                               " is not a constant that this tool can compute");
}

static Result<WorkgroupSize> checked(const Module &module, const Instruction &where,
                                     WorkgroupSize size) {
  for (unsigned axis = 0; axis < 3; ++axis)
    if (size.size[axis] == 0)
      return failure(module.locationOf(where),
                     std::string("the workgroup size is zero on the ") + kAxisName[axis] + " axis");
  return size;
}

Result<WorkgroupSize> readWorkgroupSize(const Module &module, const EntryPoint &entry,
                                        const SpecMap &spec) {
  ConstantEvaluator constants(module, spec);
  if (const Instruction *constant = workgroupSizeConstant(module)) {
    std::optional<ConstantValue> value = constants.evaluate(constant->result());
    if (!value || !value->isComposite() || value->elements.size() != 3)
      return unknownSize(module, *constant, "the constant decorated BuiltIn WorkgroupSize");
    WorkgroupSize size{
        {}, SizeSpelling::WorkgroupSize, dependsOnSpecConstant(module, constant->result())};
    for (unsigned axis = 0; axis < 3; ++axis) {
      const ConstantValue &element = value->elements[axis];
      if (element.kind != ConstantValue::Kind::Int || element.bits > UINT32_MAX)
        return unknownSize(module, *constant, "the constant decorated BuiltIn WorkgroupSize");
      size.size[axis] = static_cast<uint32_t>(element.bits);
    }
    return checked(module, *constant, size);
  }

  for (const Instruction &mode : module.section(Section::ExecutionModes)) {
    if (mode.id(0) != entry.function())
      continue;
    auto which = static_cast<spv::ExecutionMode>(mode.literal(1));
    if (which == spv::ExecutionMode::LocalSize)
      return checked(
          module, mode,
          {{mode.literal(2), mode.literal(3), mode.literal(4)}, SizeSpelling::LocalSize, false});
    if (which != spv::ExecutionMode::LocalSizeId)
      continue;
    WorkgroupSize size{{}, SizeSpelling::LocalSizeId, false};
    for (unsigned axis = 0; axis < 3; ++axis) {
      std::optional<uint64_t> value = constants.evaluateInt(mode.id(2 + axis));
      if (!value || *value > UINT32_MAX)
        return unknownSize(module, mode, "an operand of LocalSizeId");
      size.size[axis] = static_cast<uint32_t>(*value);
      size.specialized |= dependsOnSpecConstant(module, mode.id(2 + axis));
    }
    return checked(module, mode, size);
  }
  return failure(module.locationOf(*entry.inst),
                 "entry point '" + entry.name() + "' has no workgroup size");
}

Result<EntryPoint> findComputeEntryPoint(const Module &module, const std::string &name) {
  std::vector<EntryPoint> compute;
  for (const EntryPoint &entry : module.entryPoints())
    if (entry.model() == spv::ExecutionModel::GLCompute)
      compute.push_back(entry);
  Location whole = Location::inFile(module.source.file);
  if (compute.empty()) {
    Diagnostic none = Diagnostic::error(whole, "the module has no compute entry point");
    for (const EntryPoint &entry : module.entryPoints())
      none.addNote(module.locationOf(*entry.inst),
                   "entry point '" + entry.name() + "' is of another kind");
    return failure(std::move(none));
  }
  if (name.empty() && compute.size() == 1)
    return compute.front();
  Diagnostic problem = Diagnostic::error(
      whole, name.empty() ? "the module has several compute entry points: name one"
                          : "the module has no compute entry point '" + name + "'");
  for (const EntryPoint &entry : compute) {
    if (!name.empty() && entry.name() == name)
      return entry;
    problem.addNote(module.locationOf(*entry.inst), "there is '" + entry.name() + "'");
  }
  return failure(std::move(problem));
}

} // namespace tailor
