//===- Backends/Numbers.cpp ------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/Numbers.h"

#include "IR/Builder.h"
#include "IR/Types.h"
#include "passes/ModuleEdits.h"

#include "spirv/unified1/GLSL.std.450.h"

namespace tailor {
namespace {

/// How an instruction takes integers.
struct SignRule {
  enum class Sign : uint8_t {
    Signed,
    Unsigned,
    OfOperand, ///< the result has the sign of the first operand
  } sign;
  unsigned first, count; ///< operands that it is about
  bool result;           ///< and the result
};

std::optional<SignRule> ruleOf(const Module &module, const Instruction &inst) {
  using Sign = SignRule::Sign;
  switch (inst.opcode()) {
  case spv::Op::OpSDiv:
  case spv::Op::OpSRem:
  case spv::Op::OpSMod:
    return SignRule{Sign::Signed, 0, 2, true};
  case spv::Op::OpUDiv:
  case spv::Op::OpUMod:
    return SignRule{Sign::Unsigned, 0, 2, true};
  case spv::Op::OpShiftRightArithmetic:
  case spv::Op::OpBitFieldSExtract:
    return SignRule{Sign::Signed, 0, 1, true};
  case spv::Op::OpShiftRightLogical:
  case spv::Op::OpBitFieldUExtract:
    return SignRule{Sign::Unsigned, 0, 1, true};
  case spv::Op::OpSNegate:
    return SignRule{Sign::Signed, 0, 1, true};
  case spv::Op::OpConvertSToF:
    return SignRule{Sign::Signed, 0, 1, false};
  case spv::Op::OpConvertUToF:
    return SignRule{Sign::Unsigned, 0, 1, false};
  case spv::Op::OpConvertFToS:
    return SignRule{Sign::Signed, 0, 0, true};
  case spv::Op::OpConvertFToU:
    return SignRule{Sign::Unsigned, 0, 0, true};
  case spv::Op::OpSLessThan:
  case spv::Op::OpSLessThanEqual:
  case spv::Op::OpSGreaterThan:
  case spv::Op::OpSGreaterThanEqual:
    return SignRule{Sign::Signed, 0, 2, false};
  case spv::Op::OpULessThan:
  case spv::Op::OpULessThanEqual:
  case spv::Op::OpUGreaterThan:
  case spv::Op::OpUGreaterThanEqual:
    return SignRule{Sign::Unsigned, 0, 2, false};
  case spv::Op::OpBitCount:
    return SignRule{Sign::OfOperand, 0, 0, true};
  case spv::Op::OpExtInst:
    break;
  default:
    return std::nullopt;
  }
  if (module.extInstSet(inst.id(0)) != "GLSL.std.450")
    return std::nullopt;
  switch (inst.literal(1)) {
  case GLSLstd450SAbs:
  case GLSLstd450SSign:
  case GLSLstd450FindSMsb:
    return SignRule{Sign::Signed, 2, 1, true};
  case GLSLstd450SMin:
  case GLSLstd450SMax:
    return SignRule{Sign::Signed, 2, 2, true};
  case GLSLstd450SClamp:
    return SignRule{Sign::Signed, 2, 3, true};
  case GLSLstd450FindUMsb:
    return SignRule{Sign::Unsigned, 2, 1, true};
  case GLSLstd450UMin:
  case GLSLstd450UMax:
    return SignRule{Sign::Unsigned, 2, 2, true};
  case GLSLstd450UClamp:
    return SignRule{Sign::Unsigned, 2, 3, true};
  case GLSLstd450FindILsb:
    return SignRule{Sign::OfOperand, 2, 0, true};
  default:
    return std::nullopt;
  }
}

/// Whether a type is of signed integers; nothing for other types.
std::optional<bool> signOf(const Module &module, Id type) {
  const Id scalar = scalarTypeOf(module, type);
  if (!isValid(scalar) || !isIntType(module, scalar))
    return std::nullopt;
  return module.def(scalar)->literal(1) != 0;
}

/// The comparison that is true where an unordered one is false.
std::optional<spv::Op> oppositeOf(spv::Op unordered) {
  switch (unordered) {
  case spv::Op::OpFUnordNotEqual:
    return spv::Op::OpFOrdEqual;
  case spv::Op::OpFUnordLessThan:
    return spv::Op::OpFOrdGreaterThanEqual;
  case spv::Op::OpFUnordLessThanEqual:
    return spv::Op::OpFOrdGreaterThan;
  case spv::Op::OpFUnordGreaterThan:
    return spv::Op::OpFOrdLessThanEqual;
  case spv::Op::OpFUnordGreaterThanEqual:
    return spv::Op::OpFOrdLessThan;
  default:
    return std::nullopt;
  }
}

bool isRewritten(spv::Op comparison, bool openNotEqual) {
  if (comparison == spv::Op::OpFUnordNotEqual)
    return openNotEqual;
  return comparison == spv::Op::OpFOrdNotEqual || comparison == spv::Op::OpFUnordEqual ||
         oppositeOf(comparison);
}

class NumberSpeller {
public:
  explicit NumberSpeller(Module &module) : module(module), builder(module) {}

  Change run(bool openNotEqual) {
    std::vector<Instruction *> integers, comparisons;
    for (const auto &function : module.functions())
      for (Block &block : function->blocks())
        for (Instruction &inst : block.instructions())
          if (isRewritten(inst.opcode(), openNotEqual))
            comparisons.push_back(&inst);
          else if (ruleOf(module, inst))
            integers.push_back(&inst);
    for (Instruction *inst : integers)
      castInteger(*inst);
    for (Instruction *inst : comparisons)
      compareOtherwise(*inst);
    return changed ? Change::Changed : Change::Unchanged;
  }

private:
  Id withSign(Id type, bool isSigned) {
    const Id scalar = builder.intType(module.def(scalarTypeOf(module, type))->literal(0), isSigned);
    const unsigned count = componentCount(module, type);
    return count > 1 ? builder.vectorType(scalar, count) : scalar;
  }

  void castInteger(Instruction &inst) {
    const SignRule rule = *ruleOf(module, inst);
    bool isSigned = rule.sign == SignRule::Sign::Signed;
    if (rule.sign == SignRule::Sign::OfOperand)
      isSigned = signOf(module, module.def(inst.id(rule.first))->typeId()).value_or(false);
    for (unsigned at = rule.first; at < rule.first + rule.count; ++at) {
      const Id type = module.def(inst.id(at))->typeId();
      if (std::optional<bool> sign = signOf(module, type); sign && *sign != isSigned) {
        inst.setId(at, builder.insertBefore(inst, spv::Op::OpBitcast, withSign(type, isSigned),
                                            {inst.id(at)}));
        changed = true;
      }
    }
    std::optional<bool> sign = signOf(module, inst.typeId());
    if (!rule.result || !sign || *sign == isSigned)
      return;
    Instruction made = withIds(inst, module.freshId(), [](Id id) { return id; });
    made.setTypeId(withSign(inst.typeId(), isSigned));
    replace(inst, made, spv::Op::OpBitcast);
  }

  /// `made`, and in the place of `inst` the operation of its result.
  void replace(Instruction &inst, const Instruction &made, spv::Op op) {
    Instruction last(op, inst.typeId(), inst.result());
    last.addId(made.result());
    last.lineIndex = inst.lineIndex;
    Instruction &after = *std::next(inst.getIterator());
    module.erase(inst);
    module.insertBefore(after, made);
    module.insertBefore(after, last);
    changed = true;
  }

  /// Texts have the ordered comparisons, which are false of a NaN, `==` and `!=`. Others are the
  /// opposite of an ordered one, or a < b or a > b.
  void compareOtherwise(Instruction &inst) {
    const Id type = inst.typeId(), a = inst.id(0), b = inst.id(1);
    if (std::optional<spv::Op> opposite = oppositeOf(inst.opcode())) {
      Instruction made(*opposite, type, module.freshId());
      made.addId(a).addId(b);
      replace(inst, made, spv::Op::OpLogicalNot);
      return;
    }
    const Id less = builder.insertBefore(inst, spv::Op::OpFOrdLessThan, type, {a, b});
    const Id greater = builder.insertBefore(inst, spv::Op::OpFOrdGreaterThan, type, {a, b});
    const bool isEqual = inst.opcode() == spv::Op::OpFUnordEqual;
    Instruction differ(spv::Op::OpLogicalOr, type, isEqual ? module.freshId() : inst.result());
    differ.addId(less).addId(greater);
    differ.lineIndex = inst.lineIndex;
    if (isEqual) {
      replace(inst, differ, spv::Op::OpLogicalNot);
      return;
    }
    Instruction &after = *std::next(inst.getIterator());
    module.erase(inst);
    module.insertBefore(after, differ);
    changed = true;
  }

  Module &module;
  Builder builder;
  bool changed = false;
};

} // namespace

bool leavesModuloOpen(const Module &module) {
  for (const Instruction &inst : module.section(Section::Debug))
    if (inst.opcode() == spv::Op::OpSource) {
      const auto language = static_cast<spv::SourceLanguage>(inst.literal(0));
      return language == spv::SourceLanguage::GLSL || language == spv::SourceLanguage::ESSL ||
             language == spv::SourceLanguage::HLSL;
    }
  return false;
}

Change rewriteSignedModulo(Module &module) {
  Builder builder(module);
  std::vector<Instruction *> modulos;
  for (const auto &function : module.functions())
    for (Block &block : function->blocks())
      for (Instruction &inst : block.instructions())
        if (inst.opcode() == spv::Op::OpSMod)
          modulos.push_back(&inst);
  for (Instruction *inst : modulos) {
    const Id type = inst->typeId(), a = inst->id(0), b = inst->id(1);
    const unsigned count = componentCount(module, type);
    const Id truth = count > 1 ? builder.vectorType(builder.boolType(), count) : builder.boolType();
    const Id zero = builder.nullConstant(type);
    auto put = [&](spv::Op op, Id of, llvm::ArrayRef<Id> operands) {
      return builder.insertBefore(*inst, op, of, operands);
    };
    // The remainder, and behind the divisor's sign where it is not 0 and has another.
    const Id rest = put(spv::Op::OpSRem, type, {a, b});
    const Id mixed = put(spv::Op::OpBitwiseXor, type, {rest, b});
    const Id otherSign = put(spv::Op::OpSLessThan, truth, {mixed, zero});
    const Id moved = put(spv::Op::OpIAdd, type, {rest, b});
    const Id signedRest = put(spv::Op::OpSelect, type, {otherSign, moved, rest});
    const Id some = put(spv::Op::OpINotEqual, truth, {rest, zero});
    Instruction made(spv::Op::OpSelect, type, inst->result());
    made.addId(some).addId(signedRest).addId(rest);
    made.lineIndex = inst->lineIndex;
    Instruction &after = *std::next(inst->getIterator());
    module.erase(*inst);
    module.insertBefore(after, made);
  }
  return modulos.empty() ? Change::Unchanged : Change::Changed;
}

bool mayNeedNumbersSpelledOut(const ModuleFacts &facts) {
  for (SpvOp op : {SpvOpSDiv,
                   SpvOpSRem,
                   SpvOpSMod,
                   SpvOpUDiv,
                   SpvOpUMod,
                   SpvOpShiftRightArithmetic,
                   SpvOpShiftRightLogical,
                   SpvOpBitFieldSExtract,
                   SpvOpBitFieldUExtract,
                   SpvOpConvertSToF,
                   SpvOpConvertUToF,
                   SpvOpConvertFToS,
                   SpvOpConvertFToU,
                   SpvOpSNegate,
                   SpvOpBitCount,
                   SpvOpExtInst,
                   SpvOpSLessThan,
                   SpvOpSLessThanEqual,
                   SpvOpSGreaterThan,
                   SpvOpSGreaterThanEqual,
                   SpvOpULessThan,
                   SpvOpULessThanEqual,
                   SpvOpUGreaterThan,
                   SpvOpUGreaterThanEqual,
                   SpvOpFOrdNotEqual,
                   SpvOpFUnordNotEqual,
                   SpvOpFUnordEqual,
                   SpvOpFUnordLessThan,
                   SpvOpFUnordLessThanEqual,
                   SpvOpFUnordGreaterThan,
                   SpvOpFUnordGreaterThanEqual,
                   SpvOpAtomicSMin,
                   SpvOpAtomicSMax,
                   SpvOpAtomicUMin,
                   SpvOpAtomicUMax})
    if (facts.firstUse(op))
      return true;
  return false;
}

Change spellOutNumbers(Module &module, bool openNotEqual) {
  return NumberSpeller(module).run(openNotEqual);
}

Status refuseAtomicsOfOtherSign(std::string_view language, const Module &module) {
  for (const auto &function : module.functions())
    for (const Block &block : function->blocks())
      for (const Instruction &inst : block.instructions()) {
        const bool isSigned =
            inst.opcode() == spv::Op::OpAtomicSMin || inst.opcode() == spv::Op::OpAtomicSMax;
        if (!isSigned && inst.opcode() != spv::Op::OpAtomicUMin &&
            inst.opcode() != spv::Op::OpAtomicUMax)
          continue;
        if (signOf(module, inst.typeId()) != isSigned)
          return failure(module.locationOf(inst),
                         std::string(language) + " cannot express " + nameOf(inst.opcode()) +
                             " on memory of " + (isSigned ? "unsigned" : "signed") + " integers");
      }
  return success();
}

} // namespace tailor
