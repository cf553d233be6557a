//===- Backends/WgslConstants.cpp - What WGSL computes ahead of time -------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// WGSL computes expressions of constants when a shader is created, code that
// never runs included, and refuses it for a result that is not finite, for one
// that overflows, and for operands that no run should come to: a divisor of zero,
// a shift by the width, bits outside of a number (WGSL specification, "Const
// Expressions", and the functions' own errors). In SPIR-V these are values like
// any other, or undefined only where they run: such a constant goes through a
// variable here, for nobody to look at ahead of time.
//
//===----------------------------------------------------------------------===//
#include "Backends/WgslSteps.h"

#include "IR/Types.h"
#include "passes/ModuleEdits.h"

#include "spirv/unified1/GLSL.std.450.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <algorithm>
#include <functional>

namespace tailor::wgsl {
namespace {

/// Whether the test holds of a component of a constant of up to 32 bits; false of what is no
/// constant.
bool anyComponent(const Module &module, Id id, llvm::function_ref<bool(uint32_t)> test) {
  const Instruction *def = module.def(id);
  if (!def)
    return false;
  switch (def->opcode()) {
  case spv::Op::OpConstant:
    return test(def->literal(0));
  case spv::Op::OpConstantNull:
    return test(0);
  case spv::Op::OpConstantComposite:
    for (unsigned i = 0; i < def->numOperands(); ++i)
      if (anyComponent(module, def->id(i), test))
        return true;
    return false;
  default:
    return false;
  }
}

bool isModuleConstant(const Module &module, Id id) {
  const Instruction *def = module.def(id);
  return def && isConstant(def->opcode());
}

/// What only takes values apart or puts them together: of constants, WGSL's is a constant without
/// a fault.
bool isShuffling(spv::Op op) {
  switch (op) {
  case spv::Op::OpCompositeConstruct:
  case spv::Op::OpCompositeExtract:
  case spv::Op::OpCompositeInsert:
  case spv::Op::OpVectorShuffle:
  case spv::Op::OpCopyObject:
    return true;
  default:
    return false;
  }
}

bool isArithmetic(spv::Op op) {
  const auto within = [op](spv::Op first, spv::Op last) { return op >= first && op <= last; };
  return within(spv::Op::OpConvertFToU, spv::Op::OpQuantizeToF16) || op == spv::Op::OpBitcast ||
         within(spv::Op::OpSNegate, spv::Op::OpSMulExtended) ||
         within(spv::Op::OpAny, spv::Op::OpFUnordGreaterThanEqual) ||
         within(spv::Op::OpShiftRightLogical, spv::Op::OpBitCount) || op == spv::Op::OpTranspose ||
         op == spv::Op::OpVectorExtractDynamic || op == spv::Op::OpExtInst;
}

class Hider {
public:
  Hider(Module &module, Builder &builder) : module(module), builder(builder) {}

  void run() {
    for (auto &each : module.functions()) {
      function = each.get();
      constants.clear();
      for (Block &block : function->blocks())
        for (auto at = block.instructions().begin(); at != block.instructions().end();) {
          Instruction &inst = *at++;
          visit(inst);
        }
    }
  }

private:
  bool isKnown(Id id) const { return isModuleConstant(module, id) || constants.contains(raw(id)); }

  void visit(Instruction &inst) {
    hideFaults(inst);
    const bool shuffles = isShuffling(inst.opcode());
    if (!shuffles && !isArithmetic(inst.opcode()))
      return;
    const unsigned first = inst.opcode() == spv::Op::OpExtInst ? 1 : 0;
    std::optional<unsigned> operand;
    for (unsigned i = first; i < inst.numOperands(); ++i) {
      if (!inst.isId(i))
        continue;
      if (!isKnown(inst.id(i)))
        return;
      if (!operand)
        operand = i;
    }
    if (shuffles)
      constants.insert(raw(inst.result()));
    else if (operand)
      hide(inst, *operand);
  }

  /// Single operands that WGSL refuses as constants whatever the others are.
  void hideFaults(Instruction &inst) {
    switch (inst.opcode()) {
    case spv::Op::OpUDiv:
    case spv::Op::OpSDiv:
    case spv::Op::OpUMod:
    case spv::Op::OpSRem:
    case spv::Op::OpSMod:
    case spv::Op::OpFDiv: // naga refuses these itself
    case spv::Op::OpFRem:
    case spv::Op::OpFMod:
      return hideIf(inst, 1, [](uint32_t value) { return (value & 0x7fffffff) == 0; });
    case spv::Op::OpShiftLeftLogical:
    case spv::Op::OpShiftRightLogical:
    case spv::Op::OpShiftRightArithmetic:
      return hideIf(inst, 1, [](uint32_t value) { return value >= 32; });
    case spv::Op::OpBitFieldInsert:
      return hideBits(inst, 2);
    case spv::Op::OpBitFieldSExtract:
    case spv::Op::OpBitFieldUExtract:
      return hideBits(inst, 1);
    case spv::Op::OpGroupNonUniformShuffle:
    case spv::Op::OpGroupNonUniformShuffleXor:
    case spv::Op::OpGroupNonUniformShuffleUp:
    case spv::Op::OpGroupNonUniformShuffleDown:
      return hideIf(inst, 2, [](uint32_t value) { return value >= 128; });
    case spv::Op::OpVectorExtractDynamic:
      return hideIf(inst, 1, outside(typeOf(inst.id(0))));
    case spv::Op::OpVectorInsertDynamic:
      return hideIf(inst, 2, outside(typeOf(inst.id(0))));
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
      return hideIndices(inst);
    case spv::Op::OpExtInst:
      return hideFaultsOfExtended(inst);
    default:
      return;
    }
  }

  void hideFaultsOfExtended(Instruction &inst) {
    const auto set = module.extInstSet(inst.id(0));
    if (set != "GLSL.std.450")
      return;
    switch (inst.literal(1)) {
    case GLSLstd450Ldexp:
      return hideIf(inst, 3, [](uint32_t value) { return static_cast<int32_t>(value) > 15; });
    case GLSLstd450FClamp:
    case GLSLstd450NClamp:
    case GLSLstd450UClamp:
    case GLSLstd450SClamp: // low above high
      if (isKnown(inst.id(3)) && isKnown(inst.id(4)))
        hide(inst, 3);
      return;
    case GLSLstd450SmoothStep: // edges the wrong way round
      if (isKnown(inst.id(2)) && isKnown(inst.id(3)))
        hide(inst, 2);
      return;
    default:
      return;
    }
  }

  /// An offset and a count of bits, at `first` and behind it.
  void hideBits(Instruction &inst, unsigned first) {
    uint32_t offset = 0, count = 0;
    const auto largest = [](uint32_t &into) {
      return [&into](uint32_t value) {
        into = std::max(into, std::min(value, 33u));
        return false;
      };
    };
    anyComponent(module, inst.id(first), largest(offset));
    anyComponent(module, inst.id(first + 1), largest(count));
    if (offset + count <= 32)
      return;
    for (unsigned operand : {first, first + 1})
      if (isKnown(inst.id(operand)))
        hide(inst, operand);
  }

  /// Indices behind the end of an array, a matrix or a vector.
  void hideIndices(Instruction &inst) {
    std::optional<PointerType> pointer = pointerTypeOfValue(module, inst.id(0));
    Id type = pointer ? pointer->pointee : Id::None;
    for (unsigned i = 1; i < inst.numOperands(); ++i) {
      const Instruction *def = module.def(type);
      if (!def)
        return;
      if (def->opcode() == spv::Op::OpTypeStruct) {
        const Instruction *index = module.def(inst.id(i));
        if (!index || index->opcode() != spv::Op::OpConstant ||
            index->literal(0) >= def->numOperands())
          return;
        type = def->id(index->literal(0));
        continue;
      }
      hideIf(inst, i, outside(type));
      if (def->numOperands() == 0 || !def->isId(0))
        return;
      type = def->id(0);
    }
  }

  /// Whether an index has no element of the type.
  std::function<bool(uint32_t)> outside(Id type) const {
    uint32_t count = static_cast<uint32_t>(INT32_MAX) + 1; // a runtime array: none below zero
    const Instruction *def = module.def(type);
    if (def && (def->opcode() == spv::Op::OpTypeVector || def->opcode() == spv::Op::OpTypeMatrix))
      count = def->literal(1);
    if (def && def->opcode() == spv::Op::OpTypeArray)
      if (const Instruction *length = module.def(def->id(1));
          length && length->opcode() == spv::Op::OpConstant)
        count = length->literal(0);
    return [count](uint32_t index) { return index >= count; };
  }

  Id typeOf(Id value) const {
    const Instruction *def = module.def(value);
    return def ? def->typeId() : Id::None;
  }

  void hideIf(Instruction &inst, unsigned operand, llvm::function_ref<bool(uint32_t)> test) {
    if (anyComponent(module, inst.id(operand), test))
      hide(inst, operand);
  }

  /// The operand comes out of a variable.
  void hide(Instruction &inst, unsigned operand) {
    const Id value = inst.id(operand), type = typeOf(value);
    Instruction variable(spv::Op::OpVariable,
                         builder.pointerType(spv::StorageClass::Function, type), module.freshId());
    variable.addLiteral(static_cast<uint32_t>(spv::StorageClass::Function));
    const Id pointer = variable.result();
    module.insert(function->front(), function->front().instructions().begin(), variable);
    Instruction store(spv::Op::OpStore);
    store.addId(pointer).addId(value);
    module.insertBefore(inst, store).lineIndex = inst.lineIndex;
    inst.setId(operand, builder.insertBefore(inst, spv::Op::OpLoad, type, {pointer}));
  }

  Module &module;
  Builder &builder;
  Function *function = nullptr;
  llvm::DenseSet<uint32_t> constants; ///< results that WGSL takes for constants
};

Failure infinite(const Module &module, const Instruction &inst) {
  return failure(module.locationOf(inst), "wgsl cannot express an infinite constant, or one that "
                                          "is no number, which " +
                                              nameOf(inst.opcode()) + " has");
}

/// Of a type of floats, or of integers that become those of that width.
bool holdsInfinity(const Module &module, Id constant, uint32_t width) {
  return anyComponent(module, constant, [&](uint32_t bits) {
    return width == 32   ? (bits & 0x7f800000) == 0x7f800000
           : width == 16 ? (bits & 0x7c00) == 0x7c00
                         : false;
  });
}

uint32_t floatWidth(const Module &module, Id type) {
  const Instruction *scalar = module.def(scalarTypeOf(module, withoutArrays(module, type)));
  return scalar && scalar->opcode() == spv::Op::OpTypeFloat ? scalar->literal(0) : 0;
}

} // namespace

Status checkConstants(const Module &module, const Instruction &inst) {
  for (unsigned i = 0; i < inst.numOperands(); ++i) {
    if (!inst.isId(i))
      continue;
    const Instruction *def = module.def(inst.id(i));
    if (!def || !isConstant(def->opcode()))
      continue;
    // A structure is made of constants of its own.
    if (module.def(def->typeId())->opcode() == spv::Op::OpTypeStruct) {
      if (Status fine = checkConstants(module, *def); !fine)
        return failure(module.locationOf(inst), fine.diagnostic().text);
    } else if (holdsInfinity(module, inst.id(i), floatWidth(module, def->typeId()))) {
      return infinite(module, inst);
    }
    if (inst.opcode() == spv::Op::OpBitcast &&
        holdsInfinity(module, inst.id(i), floatWidth(module, inst.typeId())))
      return infinite(module, inst);
  }
  return success();
}

void dropUnusedConstants(Module &module) {
  for (bool again = true; again;) {
    llvm::DenseSet<uint32_t> used;
    module.forEachInstruction([&](Instruction &inst) {
      if (inst.opcode() == spv::Op::OpName)
        return;
      for (unsigned i = 0; i < inst.numOperands(); ++i)
        if (inst.isId(i))
          used.insert(raw(inst.id(i)));
    });
    std::vector<Instruction *> gone;
    for (Instruction &inst : module.section(Section::Globals))
      if ((inst.opcode() == spv::Op::OpConstant || inst.opcode() == spv::Op::OpConstantComposite) &&
          !used.contains(raw(inst.result())))
        gone.push_back(&inst);
    llvm::DenseSet<uint32_t> ids;
    for (Instruction *inst : gone)
      ids.insert(raw(inst->result()));
    if (!gone.empty())
      removeNamesAndDecorations(module, ids);
    for (Instruction *inst : gone)
      module.erase(*inst);
    again = !gone.empty();
  }
}

void hideConstants(Module &module, Builder &builder) { Hider(module, builder).run(); }

} // namespace tailor::wgsl
