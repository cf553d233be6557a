//===- passes/LegalizeExtendedArithmetic.cpp -------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/LegalizeExtendedArithmetic.h"

#include "IR/Builder.h"
#include "IR/Types.h"
#include "passes/ModuleEdits.h"

#include "llvm/ADT/STLExtras.h"

namespace tailor {

Result<std::unique_ptr<Pass>> LegalizeExtendedArithmetic::create(PassArguments &) {
  return std::unique_ptr<Pass>(std::make_unique<LegalizeExtendedArithmetic>());
}

namespace {

bool isExtended(spv::Op op) {
  return op == spv::Op::OpUMulExtended || op == spv::Op::OpSMulExtended ||
         op == spv::Op::OpIAddCarry || op == spv::Op::OpISubBorrow;
}

/// The two members of a result: the low half and the high one, or the sum and the carry.
struct Halves {
  Id low, high;
};

/// Writes ordinary arithmetic in front of one instruction, in the unsigned type of its results.
class Arithmetic {
public:
  /// `member` is the type of both results.
  Arithmetic(Builder &builder, Instruction &before, Id member)
      : builder(builder), before(before), member(member) {
    const Module &module = builder.module();
    width = module.def(scalarTypeOf(module, member))->literal(0);
    lanes = componentCount(module, member);
    type = over(builder.intType(width, false));
  }

  Halves write() {
    const Id a = cast(before.id(0), type), b = cast(before.id(1), type);
    switch (before.opcode()) {
    case spv::Op::OpUMulExtended: {
      const Id low = op(spv::Op::OpIMul, a, b);
      return result(low, upperHalf(a, b));
    }
    case spv::Op::OpSMulExtended: {
      // As unsigned, less what the signs have added: 2^width * b where a is negative.
      const Id low = op(spv::Op::OpIMul, a, b);
      Id high = upperHalf(a, b);
      high = op(spv::Op::OpISub, high, whereNegative(a, b));
      high = op(spv::Op::OpISub, high, whereNegative(b, a));
      return result(low, high);
    }
    case spv::Op::OpIAddCarry: {
      const Id sum = op(spv::Op::OpIAdd, a, b);
      return result(sum, oneWhere(sum, a));
    }
    default: { // OpISubBorrow
      const Id difference = op(spv::Op::OpISub, a, b);
      return result(difference, oneWhere(a, b));
    }
    }
  }

private:
  Id over(Id scalar) { return lanes == 1 ? scalar : builder.vectorType(scalar, lanes); }
  Id op(spv::Op code, Id a, Id b) { return builder.insertBefore(before, code, type, {a, b}); }
  Id cast(Id value, Id to) {
    return builder.module().def(value)->typeId() == to
               ? value
               : builder.insertBefore(before, spv::Op::OpBitcast, to, {value});
  }
  Halves result(Id low, Id high) {
    low = cast(low, member);
    high = cast(high, member);
    return {low, high};
  }
  Id constant(uint64_t bits) {
    Id scalar = builder.intConstant(builder.intType(width, false), bits);
    return lanes == 1 ? scalar
                      : builder.compositeConstant(type, llvm::SmallVector<Id, 4>(lanes, scalar));
  }
  Id lowerBits(Id value) {
    return op(spv::Op::OpBitwiseAnd, value, constant((uint64_t{1} << width / 2) - 1));
  }
  Id upperBits(Id value) { return op(spv::Op::OpShiftRightLogical, value, constant(width / 2)); }

  /// The upper half of a product of unsigned numbers. No sum in it wraps: with h = 2^(width/2),
  /// (h-1)^2 + (h-1) < h^2.
  Id upperHalf(Id a, Id b) {
    const Id aLow = lowerBits(a), aHigh = upperBits(a), bLow = lowerBits(b), bHigh = upperBits(b);
    const Id low = upperBits(op(spv::Op::OpIMul, aLow, bLow));
    const Id inner = op(spv::Op::OpIAdd, op(spv::Op::OpIMul, aHigh, bLow), low);
    const Id innerLow = lowerBits(inner), innerHigh = upperBits(inner);
    const Id outer = op(spv::Op::OpIAdd, op(spv::Op::OpIMul, aLow, bHigh), innerLow);
    const Id outerHigh = upperBits(outer);
    const Id top = op(spv::Op::OpIAdd, op(spv::Op::OpIMul, aHigh, bHigh), innerHigh);
    return op(spv::Op::OpIAdd, top, outerHigh);
  }
  /// `value` where `sign` has its highest bit set, else 0.
  Id whereNegative(Id sign, Id value) {
    const Id bit = op(spv::Op::OpShiftRightLogical, sign, constant(width - 1));
    return op(spv::Op::OpIMul, bit, value);
  }
  /// 1 where a < b, else 0.
  Id oneWhere(Id a, Id b) {
    const Id one = constant(1), zero = constant(0);
    const Id less =
        builder.insertBefore(before, spv::Op::OpULessThan, over(builder.boolType()), {a, b});
    return builder.insertBefore(before, spv::Op::OpSelect, type, {less, one, zero});
  }

  Builder &builder;
  Instruction &before;
  Id member, type = Id::None; ///< of a result; the same, unsigned
  uint32_t width = 0;
  unsigned lanes = 1;
};

/// The type of both results; None where they are not what they should be.
Id memberType(const Module &module, const Instruction &inst) {
  const Instruction *type = module.def(inst.typeId());
  if (!type || type->opcode() != spv::Op::OpTypeStruct || type->numOperands() != 2 ||
      type->id(0) != type->id(1))
    return Id::None;
  const Id scalar = scalarTypeOf(module, type->id(0));
  if (componentCount(module, type->id(0)) == 0 || !isIntType(module, scalar))
    return Id::None;
  const uint32_t width = module.def(scalar)->literal(0);
  return width == 8 || width == 16 || width == 32 || width == 64 ? type->id(0) : Id::None;
}

class Legalizer {
public:
  explicit Legalizer(Module &module) : module(module), builder(module), uses(module) {}

  Result<Change> run() {
    std::vector<Instruction *> extended;
    for (const auto &function : module.functions())
      for (Block &block : function->blocks())
        for (Instruction &inst : block.instructions())
          if (isExtended(inst.opcode()))
            extended.push_back(&inst);
    if (extended.empty())
      return Change::Unchanged;
    for (Instruction *inst : extended)
      if (!isValid(memberType(module, *inst)))
        return failure(module.locationOf(*inst),
                       nameOf(inst->opcode()) +
                           " has a result that is not two integers of one type");
    llvm::DenseSet<uint32_t> structs;
    for (Instruction *inst : extended) {
      structs.insert(raw(inst->typeId()));
      replace(*inst, Arithmetic(builder, *inst, memberType(module, *inst)).write());
    }
    forwardParts();
    eraseUnused(structs);
    return Change::Changed;
  }

private:
  void replace(Instruction &inst, const Halves &halves);
  void forwardParts();
  void eraseUnused(const llvm::DenseSet<uint32_t> &structs);

  Module &module;
  Builder builder;
  UseMap uses; ///< as it was: what we write uses no result of these instructions as a whole
  llvm::DenseMap<uint32_t, Id> parts; ///< OpCompositeExtract of one half -> that half
};

/// Hands the halves to whoever takes them out, and leaves a composite where the whole is used.
void Legalizer::replace(Instruction &inst, const Halves &halves) {
  bool isWhole = false;
  for (const UseMap::Use &use : uses.uses(inst.result())) {
    Instruction &user = *use.user;
    if (!user.parent())
      continue; // names and decorations
    if (user.opcode() != spv::Op::OpCompositeExtract || user.numOperands() < 2) {
      isWhole = true;
      continue;
    }
    const Id half = user.literal(1) == 0 ? halves.low : halves.high;
    if (user.numOperands() == 2) {
      parts[raw(user.result())] = half;
      continue;
    }
    user.setId(0, half);
    user.removeOperands(1, 1);
  }
  Instruction whole(spv::Op::OpCompositeConstruct, inst.typeId(), inst.result());
  whole.addId(halves.low).addId(halves.high);
  whole.lineIndex = inst.lineIndex;
  Instruction *after = &*std::next(inst.getIterator());
  if (!isWhole)
    removeNamesAndDecorations(module, {raw(inst.result())});
  module.erase(inst);
  if (isWhole)
    module.insertBefore(*after, whole);
}

void Legalizer::forwardParts() {
  std::vector<Instruction *> gone;
  std::vector<Id> marked;
  llvm::DenseSet<uint32_t> ids, nonUniform;
  module.forEachInstruction([&](Instruction &inst) {
    if (auto part = parts.find(raw(inst.result())); part != parts.end()) {
      // RelaxedPrecision does not move: the half may have users that want all of its bits.
      if (module.hasDecoration(inst.result(), spv::Decoration::NonUniform) &&
          nonUniform.insert(raw(part->second)).second)
        marked.push_back(part->second);
      gone.push_back(&inst);
      ids.insert(raw(inst.result()));
    }
    if (inst.parent())
      for (unsigned index = 0; index < inst.numOperands(); ++index)
        if (inst.isId(index))
          if (auto part = parts.find(raw(inst.id(index))); part != parts.end())
            inst.setId(index, part->second);
  });
  for (Id half : marked)
    module.append(Section::Annotations,
                  Instruction(spv::Op::OpDecorate)
                      .addId(half)
                      .addLiteral(static_cast<uint32_t>(spv::Decoration::NonUniform)));
  removeNamesAndDecorations(module, ids);
  for (Instruction *inst : gone)
    module.erase(*inst);
}

/// Backends declare every structure that there is.
void Legalizer::eraseUnused(const llvm::DenseSet<uint32_t> &structs) {
  const UseMap now(module);
  llvm::DenseSet<uint32_t> unused;
  for (uint32_t type : structs)
    if (llvm::all_of(now.uses(Id(type)), [](const UseMap::Use &use) {
          const spv::Op op = use.user->opcode();
          return op == spv::Op::OpName || op == spv::Op::OpMemberName ||
                 op == spv::Op::OpDecorate || op == spv::Op::OpMemberDecorate;
        }))
      unused.insert(type);
  removeNamesAndDecorations(module, unused);
  for (uint32_t type : unused)
    module.erase(Section::Globals, *module.def(Id(type)));
}

} // namespace

Result<Change> legalizeExtendedArithmetic(Module &module) { return Legalizer(module).run(); }

Result<Change> LegalizeExtendedArithmetic::run(Module &module, PassContext &) {
  return legalizeExtendedArithmetic(module);
}

} // namespace tailor
