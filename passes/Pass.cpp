//===- passes/Pass.cpp - Properties of modules, names of enumerants ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/Pass.h"

#include "IR/WorkgroupSize.h"
#include "passes/ModuleEdits.h"

#include "llvm/ADT/DenseMap.h"

namespace tailor {

Pass::~Pass() = default;

std::string_view nameOf(PassKind kind) {
  switch (kind) {
  case PassKind::Transform:
    return "transform";
  case PassKind::Print:
    return "print";
  case PassKind::Verify:
    return "verify";
  }
  return "";
}

std::string_view nameOf(Property property) {
  switch (property) {
  case Property::CanonicalSize:
    return "canonical-size";
  case Property::OneEntryPoint:
    return "one-entry-point";
  case Property::NoSpecConstants:
    return "no-spec-constants";
  }
  return "";
}

static bool hasCanonicalSize(const Module &module) {
  if (workgroupSizeConstant(module))
    return false;
  llvm::DenseMap<uint32_t, unsigned> literalSizes;
  for (const Instruction &mode : module.section(Section::ExecutionModes)) {
    auto which = static_cast<spv::ExecutionMode>(mode.literal(1));
    if (which == spv::ExecutionMode::LocalSizeId)
      return false;
    if (which == spv::ExecutionMode::LocalSize)
      ++literalSizes[raw(mode.id(0))];
  }
  for (const EntryPoint &entry : module.entryPoints())
    if (entry.model() == spv::ExecutionModel::GLCompute &&
        literalSizes.lookup(raw(entry.function())) != 1)
      return false;
  return true;
}

bool holds(const Module &module, Property property) {
  switch (property) {
  case Property::CanonicalSize:
    return hasCanonicalSize(module);
  case Property::OneEntryPoint:
    return module.entryPoints().size() == 1;
  case Property::NoSpecConstants:
    for (const Instruction &inst : module.section(Section::Annotations))
      if (inst.opcode() == spv::Op::OpDecorate &&
          inst.literal(1) == static_cast<uint32_t>(spv::Decoration::SpecId))
        return false;
    return true;
  }
  return false;
}

void emitNote(PassContext &context, Location where, std::string text) {
  Diagnostic note;
  note.severity = Severity::Note;
  note.location = std::move(where);
  note.text = std::move(text);
  context.diagnostics.emit(std::move(note));
}

} // namespace tailor
