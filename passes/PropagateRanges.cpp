//===- passes/PropagateRanges.cpp ------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/PropagateRanges.h"

#include "Analysis/OptimizerSteps.h"
#include "Analysis/RelaxedValues.h"
#include "Analysis/ValueRanges.h"
#include "IR/Builder.h"
#include "IR/Types.h"
#include "passes/DeadCode.h"

#include "spirv-tools/optimizer.hpp"
#include "spirv/unified1/GLSL.std.450.h"

namespace tailor {

Result<std::unique_ptr<Pass>> PropagateRanges::create(PassArguments &) {
  return std::unique_ptr<Pass>(std::make_unique<PropagateRanges>());
}

namespace {

/// A value that is one number wherever it is used, or another value of the same type.
struct Decision {
  std::optional<uint64_t> bits;
  Id operand = Id::None;
};

/// A branch or switch on a value that is one number in that block.
struct DecidedBranch {
  Instruction *branch;
  uint64_t bits;
};

class Folder {
public:
  explicit Folder(Module &module) : module(module) {}
  /// Whether anything was decided.
  bool run();

private:
  void decide(Function &function);
  std::optional<Decision> decisionOn(const Instruction &inst, const ValueRanges &ranges) const;
  Id decidedOperand(const Instruction &inst, const ValueRanges &ranges) const;
  Id decidedExtended(const Instruction &inst, const ValueRanges &ranges) const;
  Id replacementFor(Id value, Builder &builder);
  Id constantOf(Id like, uint64_t bits, Builder &builder) const;

  Module &module;
  llvm::DenseMap<uint32_t, Decision> decisions; ///< by the value's id
  std::vector<DecidedBranch> branches;
};

bool Folder::run() {
  for (const auto &function : module.functions())
    if (!function->isDeclaration())
      decide(*function);
  if (decisions.empty() && branches.empty())
    return false;
  bool changed = false;
  UseMap uses(module);
  Builder builder(module);
  std::vector<Id> decided; // in a fixed order
  module.forEachInstruction([&](Instruction &inst) {
    if (isValid(inst.result()) && decisions.contains(raw(inst.result())))
      decided.push_back(inst.result());
  });
  for (Id value : decided)
    for (const UseMap::Use &use : uses.uses(value)) {
      if (!use.user->parent() || use.operand == UseMap::kTypeOperand)
        continue; // names and decorations
      use.user->setId(use.operand, replacementFor(value, builder));
      changed = true;
    }
  for (const DecidedBranch &decision : branches) {
    decision.branch->setId(0, constantOf(decision.branch->id(0), decision.bits, builder));
    changed = true;
  }
  return changed;
}

void Folder::decide(Function &function) {
  const ValueRanges ranges(module, function, knownWorkgroupSize(module));
  for (Block &block : function.blocks()) {
    if (!ranges.isReached(block))
      continue;
    for (Instruction &inst : block.instructions())
      if (isValid(inst.result()))
        if (std::optional<Decision> decision = decisionOn(inst, ranges))
          decisions[raw(inst.result())] = *decision;
    Instruction &last = *block.terminator();
    if (last.opcode() != spv::Op::OpBranchConditional && last.opcode() != spv::Op::OpSwitch)
      continue;
    const Instruction *condition = module.def(last.id(0));
    if (!condition || isConstant(condition->opcode()) || decisions.contains(raw(last.id(0))))
      continue;
    if (std::optional<uint64_t> bits = ranges.at(last.id(0), block).single())
      branches.push_back({&last, *bits});
  }
}

std::optional<Decision> Folder::decisionOn(const Instruction &inst,
                                           const ValueRanges &ranges) const {
  if (componentCount(module, inst.typeId()) != 1)
    return std::nullopt;
  const IntegerSet set = ranges.of(inst.result());
  if (!set.isTracked() || set.isEmpty())
    return std::nullopt;
  if (std::optional<uint64_t> bits = set.single())
    return Decision{bits, Id::None};
  Id operand = decidedOperand(inst, ranges);
  const Instruction *definition = module.def(operand);
  // What is decorated says something of the result that the operand need not have.
  if (!definition || definition->typeId() != inst.typeId() ||
      module.hasDecoration(inst.result(), spv::Decoration::NonUniform) ||
      module.hasDecoration(inst.result(), spv::Decoration::RelaxedPrecision) ||
      module.hasDecoration(operand, spv::Decoration::RelaxedPrecision))
    return std::nullopt;
  return Decision{std::nullopt, operand};
}

/// The number that changes nothing on the right of such an operation.
std::optional<uint64_t> neutralOnTheRight(spv::Op op) {
  switch (op) {
  case spv::Op::OpIAdd:
  case spv::Op::OpISub:
  case spv::Op::OpBitwiseOr:
  case spv::Op::OpBitwiseXor:
  case spv::Op::OpShiftLeftLogical:
  case spv::Op::OpShiftRightLogical:
  case spv::Op::OpShiftRightArithmetic:
    return 0;
  case spv::Op::OpIMul:
  case spv::Op::OpUDiv:
  case spv::Op::OpSDiv:
    return 1;
  default:
    return std::nullopt;
  }
}

bool commutes(spv::Op op) {
  return op == spv::Op::OpIAdd || op == spv::Op::OpIMul || op == spv::Op::OpBitwiseOr ||
         op == spv::Op::OpBitwiseXor;
}

/// The operand that the result always is; Id::None where it may be another number.
Id Folder::decidedOperand(const Instruction &inst, const ValueRanges &ranges) const {
  const Block &block = *inst.parent();
  if (std::optional<uint64_t> neutral = neutralOnTheRight(inst.opcode())) {
    if (ranges.at(inst.id(1), block).single() == neutral)
      return inst.id(0);
    return commutes(inst.opcode()) && ranges.at(inst.id(0), block).single() == neutral ? inst.id(1)
                                                                                       : Id::None;
  }
  switch (inst.opcode()) {
  case spv::Op::OpSelect: {
    std::optional<uint64_t> truth = ranges.at(inst.id(0), block).single();
    return truth ? inst.id(*truth == 1 ? 1 : 2) : Id::None;
  }
  case spv::Op::OpUMod: {
    const IntegerSet a = ranges.at(inst.id(0), block), b = ranges.at(inst.id(1), block);
    return !a.isEmpty() && !b.isEmpty() && a.high() < b.low() ? inst.id(0) : Id::None;
  }
  case spv::Op::OpBitwiseAnd:
    for (unsigned at : {0u, 1u}) {
      std::optional<uint64_t> mask = ranges.at(inst.id(1 - at), block).single();
      const IntegerSet value = ranges.at(inst.id(at), block);
      // The mask's lowest ones reach as far as the value does.
      if (mask && !value.isEmpty() && value.high() <= (*mask & ~(*mask + 1)))
        return inst.id(at);
    }
    return Id::None;
  case spv::Op::OpExtInst:
    return module.extInstSet(inst.id(0)) == "GLSL.std.450" ? decidedExtended(inst, ranges)
                                                           : Id::None;
  default:
    return Id::None;
  }
}

Id Folder::decidedExtended(const Instruction &inst, const ValueRanges &ranges) const {
  const uint32_t which = inst.literal(1);
  const bool isSigned =
      which == GLSLstd450SMin || which == GLSLstd450SMax || which == GLSLstd450SClamp;
  llvm::SmallVector<IntegerSet, 3> sets;
  for (unsigned at = 2; at < inst.numOperands(); ++at) {
    sets.push_back(ranges.at(inst.id(at), *inst.parent()));
    if (!sets.back().isTracked() || sets.back().isEmpty())
      return Id::None;
  }
  auto isBelow = [&](unsigned a, unsigned b) { // or the same
    return isSigned ? sets[a].signedHigh() <= sets[b].signedLow() : sets[a].high() <= sets[b].low();
  };
  switch (which) {
  case GLSLstd450UMin:
  case GLSLstd450SMin:
    return isBelow(0, 1) ? inst.id(2) : isBelow(1, 0) ? inst.id(3) : Id::None;
  case GLSLstd450UMax:
  case GLSLstd450SMax:
    return isBelow(0, 1) ? inst.id(3) : isBelow(1, 0) ? inst.id(2) : Id::None;
  case GLSLstd450UClamp:
  case GLSLstd450SClamp:
    return isBelow(1, 0) && isBelow(0, 2) ? inst.id(2) : Id::None;
  default:
    return Id::None;
  }
}

Id Folder::constantOf(Id like, uint64_t bits, Builder &builder) const {
  const Id type = module.def(like)->typeId();
  return isBoolType(module, type) ? builder.boolConstant(bits != 0)
                                  : builder.intConstant(type, bits);
}

/// Through operands that were decided themselves. Each stands before the one that it takes the
/// place of, so that this ends.
Id Folder::replacementFor(Id value, Builder &builder) {
  for (;;) {
    auto found = decisions.find(raw(value));
    if (found == decisions.end())
      return value;
    if (found->second.bits)
      return constantOf(value, *found->second.bits, builder);
    value = found->second.operand;
  }
}

/// Of integers and booleans, which ranges could be known of.
bool hasLocalNumbers(const Module &module) {
  for (const auto &function : module.functions())
    for (const Block &block : function->blocks())
      for (const Instruction &inst : block.instructions()) {
        std::optional<PointerType> type = inst.opcode() == spv::Op::OpVariable
                                              ? pointerType(module, inst.typeId())
                                              : std::nullopt;
        const Id scalar = type ? scalarTypeOf(module, type->pointee) : Id::None;
        if (type && (isIntType(module, scalar) || isBoolType(module, scalar)))
          return true;
      }
  return false;
}

/// Local variables as values, where the optimizer can.
Module withLocalsAsValues(Module module) {
  spellOutRelaxedValues(module);
  Result<OptimizerSteps> steps = OptimizerSteps::create(module.words(), module.source.file);
  if (!steps || !steps->run("local variables", [](spvtools::Optimizer &optimizer) {
        optimizer.RegisterPass(spvtools::CreateLocalSingleBlockLoadStoreElimPass())
            .RegisterPass(spvtools::CreateLocalSingleStoreElimPass())
            .RegisterPass(spvtools::CreateSSARewritePass());
      }))
    return module;
  Module values = steps->takeModule();
  values.source = module.source;
  return values;
}

} // namespace

Result<Change> propagateRanges(Module &module) {
  const bool isAlone = module.entryPoints().size() == 1;
  Module work = module.clone();
  work.useNativeByteOrder();
  if (isAlone && hasLocalNumbers(work))
    work = withLocalsAsValues(std::move(work));
  if (!Folder(work).run())
    return Change::Unchanged;
  Result<Module> clean = withoutDeadCode(std::move(work), "propagating ranges");
  if (!clean)
    return clean.takeFailure();
  module = std::move(*clean);
  return Change::Changed;
}

Result<Change> PropagateRanges::run(Module &module, PassContext &) {
  return propagateRanges(module);
}

} // namespace tailor
