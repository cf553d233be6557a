//===- Analysis/SharedMemory.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/SharedMemory.h"

#include "Analysis/Memory.h"
#include "Analysis/SharedMemoryText.h"
#include "Analysis/SizeConstants.h"
#include "IR/Types.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace tailor {

/// Workgroup variables that reachable code names, in declaration order.
static std::vector<const Instruction *> usedVariables(const KernelAnalysis &analysis) {
  const Module &module = analysis.module();
  llvm::DenseSet<const Instruction *> used;
  for (const Block &block : analysis.form().function().blocks())
    if (analysis.flow().isReachable(block))
      for (const Instruction &inst : block.instructions())
        for (unsigned at = 0; at < inst.numOperands(); ++at)
          if (inst.isId(at))
            if (const Instruction *def = module.def(inst.id(at));
                def && def->opcode() == spv::Op::OpVariable &&
                spaceOf(module, *def) == MemorySpace::Workgroup)
              used.insert(def);
  std::vector<const Instruction *> ordered;
  for (const Instruction &inst : module.section(Section::Globals))
    if (used.contains(&inst))
      ordered.push_back(&inst);
  return ordered;
}

static Id pointeeOf(const Module &module, const Instruction &variable) {
  std::optional<PointerType> type = pointerType(module, variable.typeId());
  return type ? type->pointee : Id::None;
}

static bool isAliased(const Module &module, const Instruction &variable) {
  return module.hasDecoration(pointeeOf(module, variable), spv::Decoration::Block);
}

/// In declaration order, each at its alignment, aliased blocks at 0. `isWhole`: false when a
/// variable had to be left out.
static uint64_t sumOf(const Module &module, const std::vector<const Instruction *> &variables,
                      ConstantEvaluator &constants, bool &isWhole) {
  uint64_t end = 0, shared = 0;
  isWhole = true;
  for (const Instruction *variable : variables) {
    std::optional<TypeLayout> layout = layoutOf(module, pointeeOf(module, *variable), constants);
    if (!layout) {
      isWhole = false;
    } else if (isAliased(module, *variable)) {
      shared = std::max(shared, layout->size.count);
    } else {
      uint64_t alignment = std::max<uint64_t>(1, layout->alignment.count);
      end = (end + alignment - 1) / alignment * alignment + layout->size.count;
    }
  }
  return std::max(end, shared);
}

static std::optional<uint64_t> totalOf(const Module &module,
                                       const std::vector<const Instruction *> &variables,
                                       ConstantEvaluator &constants) {
  bool isWhole = true;
  uint64_t sum = sumOf(module, variables, constants, isWhole);
  return isWhole ? std::optional(sum) : std::nullopt;
}

uint64_t knownSharedBytes(const KernelAnalysis &analysis) {
  bool isWhole = true;
  return sumOf(analysis.module(), usedVariables(analysis), analysis.constants(), isWhole);
}

SharedMemory analyzeSharedMemory(const KernelAnalysis &analysis) {
  const Module &module = analysis.module();
  SharedMemory result;
  std::vector<const Instruction *> variables = usedVariables(analysis);
  std::set<uint32_t> sizeIds = specIdsOfSize(module, analysis.form().entry());
  SharedMemoryText text(analysis);
  for (const Instruction *variable : variables) {
    SharedVariable entry;
    Id pointee = pointeeOf(module, *variable);
    entry.variable = variable;
    entry.name = nameOfVariable(module, *variable);
    if (std::optional<TypeLayout> layout = layoutOf(module, pointee, analysis.constants()))
      entry.bytes = layout->size.count;
    entry.type = text.typeText(pointee);
    entry.elementType = text.elementText(pointee);
    entry.specIds = SharedMemoryText::specIdsOf(module, pointee);
    entry.dependsOnSize =
        llvm::any_of(entry.specIds, [&](uint32_t id) { return sizeIds.contains(id); });
    entry.expression = text.bytesText(pointee);
    entry.aliased = isAliased(module, *variable);
    entry.usedAsPrivate = isUsedAsPrivate(analysis, *variable);
    result.dependsOnSize |= entry.dependsOnSize;
    result.variables.push_back(std::move(entry));
  }
  result.totalBytes = totalOf(module, variables, analysis.constants());
  return result;
}

std::optional<uint64_t> sharedBytesAt(const KernelAnalysis &analysis, const Dim3 &size) {
  const Module &module = analysis.module();
  EntryPoint entry = analysis.form().entry();
  std::vector<const Instruction *> variables = usedVariables(analysis);
  std::set<uint32_t> sizeIds = specIdsOfSize(module, entry);
  bool follows = llvm::any_of(variables, [&](const Instruction *variable) {
    std::set<uint32_t> ids = SharedMemoryText::specIdsOf(module, pointeeOf(module, *variable));
    return llvm::any_of(ids, [&](uint32_t id) { return sizeIds.contains(id); });
  });
  if (!follows || size == analysis.size())
    return totalOf(module, variables, analysis.constants());

  SpecMap spec = analysis.spec();
  std::array<Id, 3> axes = SharedMemoryText::sizeConstants(module, entry);
  for (unsigned axis = 0; axis < 3; ++axis)
    if (auto specId = module.decoration(axes[axis], spv::Decoration::SpecId))
      spec[*specId] = size[axis];
  // What the module's size then is: an axis that is computed, or shares its SpecId with another,
  // need not be what was asked for.
  ConstantEvaluator constants(module, spec);
  for (unsigned axis = 0; axis < 3; ++axis)
    if (dependsOnSpecConstant(module, axes[axis]) &&
        constants.evaluateInt(axes[axis]) != uint64_t{size[axis]})
      return std::nullopt;
  return totalOf(module, variables, constants);
}

} // namespace tailor
