//===- Analysis/AffineValues.cpp - What instructions make of expressions ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each function gives a polynomial that is congruent to the result, or nothing:
// the result then is a symbol, with what is known of its range.
//
//===----------------------------------------------------------------------===//
#include "Analysis/AffineImpl.h"

#include "Analysis/CompositeParts.h"
#include "IR/Types.h"

#include "spirv/unified1/GLSL.std.450.h"

#include <algorithm>
#include <bit>

namespace tailor {

AffineSolver::Maybe AffineSolver::computeConstant(const Instruction &inst, unsigned component) {
  if (isRelaxed(inst))
    return std::nullopt;
  std::optional<ConstantValue> value = ids.constants().evaluate(inst.result());
  if (value && value->isComposite()) {
    if (component >= value->elements.size())
      return std::nullopt;
    ConstantValue element = value->elements[component];
    value = std::move(element);
  }
  unsigned width = widthOf(inst.typeId());
  if (value && value->kind == ConstantValue::Kind::Int)
    return affine::constant(affine::wrapTo(value->bits, width));
  if (!isSpecConstant(inst.opcode()))
    return std::nullopt;
  std::optional<uint32_t> specId = module.decoration(inst.result(), spv::Decoration::SpecId);
  // Two constants may share a SpecId and differ in their defaults.
  std::string key = "constant " + std::to_string(raw(inst.result()));
  if (specId && inst.opcode() == spv::Op::OpSpecConstant)
    key = "spec " + std::to_string(*specId) + " " + std::to_string(width) + " " +
          std::to_string(inst.literal64(0));
  return hostValue(inst, component, key + " component " + std::to_string(component));
}

AffineSolver::Maybe AffineSolver::compute(const Instruction &inst, unsigned component) {
  if (isRelaxed(inst))
    return std::nullopt;
  switch (inst.opcode()) {
  case spv::Op::OpLoad:
    return load(inst, component);
  case spv::Op::OpPhi:
    return phi(inst, component);
  case spv::Op::OpSelect:
    return select(inst, component);
  case spv::Op::OpIAdd:
  case spv::Op::OpISub:
  case spv::Op::OpIMul:
  case spv::Op::OpSNegate:
  case spv::Op::OpNot:
  case spv::Op::OpShiftLeftLogical:
    return linear(inst, component);
  case spv::Op::OpUDiv:
  case spv::Op::OpSDiv:
    return divide(inst, component);
  case spv::Op::OpUMod:
  case spv::Op::OpSRem:
  case spv::Op::OpSMod:
    return remainder(inst, component);
  case spv::Op::OpShiftRightLogical:
  case spv::Op::OpShiftRightArithmetic:
    return shiftRight(inst, component);
  case spv::Op::OpBitwiseAnd:
  case spv::Op::OpBitwiseOr:
  case spv::Op::OpBitwiseXor:
  case spv::Op::OpBitFieldUExtract:
  case spv::Op::OpBitCount:
    return bitwise(inst, component);
  case spv::Op::OpUConvert:
  case spv::Op::OpSConvert:
  case spv::Op::OpBitcast:
  case spv::Op::OpCopyObject:
    return convert(inst, component);
  case spv::Op::OpCompositeExtract:
  case spv::Op::OpCompositeConstruct:
  case spv::Op::OpCompositeInsert:
  case spv::Op::OpVectorShuffle:
  case spv::Op::OpVectorExtractDynamic:
    return composite(inst, component);
  case spv::Op::OpArrayLength:
  case spv::Op::OpImageQuerySize:
  case spv::Op::OpImageQuerySizeLod:
    return query(inst, component);
  case spv::Op::OpExtInst:
    return extended(inst, component);
  default:
    return std::nullopt;
  }
}

AffineSolver::Maybe AffineSolver::linear(const Instruction &inst, unsigned component) {
  unsigned width = widthOf(inst.typeId());
  AffineExpr a = exprOf(inst.id(0), component);
  switch (inst.opcode()) {
  case spv::Op::OpSNegate:
    return affine::scale(a, -1, width);
  case spv::Op::OpNot: // -1 - a
    return affine::add(affine::scale(a, -1, width), affine::constant(-1), width);
  default:
    break;
  }
  AffineExpr b = exprOf(inst.id(1), component);
  switch (inst.opcode()) {
  case spv::Op::OpIAdd:
    return affine::add(a, b, width);
  case spv::Op::OpISub:
    return affine::add(a, affine::scale(b, -1, width), width);
  case spv::Op::OpIMul:
    return affine::multiply(a, b, width);
  default: // OpShiftLeftLogical
    if (!b.isConstant() || b.constant < 0 || b.constant >= width)
      return std::nullopt;
    return affine::scale(a, static_cast<int64_t>(uint64_t{1} << b.constant), width);
  }
}

/// `dividend / divisor` for a positive divisor that is one number.
AffineSolver::Maybe AffineSolver::quotientBy(const Instruction &inst, unsigned component,
                                             const AffineExpr &dividend, int64_t divisor,
                                             bool isSigned) {
  unsigned width = widthOf(inst.typeId());
  IntRange meaning = meaningOf(dividend, width, isSigned);
  IntRange polynomial = rangeOf(dividend);
  bool isExact = isSigned ? polynomial.fitsSigned(width) : polynomial.fitsUnsigned(width);
  affine::Split split = affine::splitBy(dividend, divisor);
  IntRange rest = rangeOf(split.remainder);
  // Truncation is the floor for what is not negative, and where nothing remains.
  bool isFloor = polynomial.lo >= 0 || rest == IntRange{0, 0};
  if (isExact && isFloor && rest.within(0, divisor - 1))
    return affine::reduce(split.quotient, width);
  if (!meaning.isBounded())
    return std::nullopt;
  return asItself(inst, component, {meaning.lo / divisor, meaning.hi / divisor});
}

AffineSolver::Maybe AffineSolver::remainderBy(const Instruction &inst, unsigned component,
                                              const AffineExpr &dividend, int64_t divisor,
                                              bool isSigned) {
  unsigned width = widthOf(inst.typeId());
  IntRange polynomial = rangeOf(dividend);
  bool isExact = isSigned ? polynomial.fitsSigned(width) : polynomial.fitsUnsigned(width);
  bool neverNegative = isExact && polynomial.lo >= 0;
  // Modulo a power of two the congruence alone is enough.
  bool isPower = !isSigned && std::has_single_bit(static_cast<uint64_t>(divisor));
  affine::Split split = affine::splitBy(dividend, divisor);
  if ((neverNegative || isPower) && rangeOf(split.remainder).within(0, divisor - 1))
    return split.remainder;
  bool mayBeNegative = isSigned && !neverNegative && inst.opcode() != spv::Op::OpSMod;
  IntRange range{mayBeNegative ? 1 - divisor : 0, divisor - 1};
  if (neverNegative)
    range.hi = std::min(range.hi, polynomial.hi);
  return asItself(inst, component, range);
}

AffineSolver::Maybe AffineSolver::divide(const Instruction &inst, unsigned component) {
  unsigned width = widthOf(inst.typeId());
  bool isSigned = inst.opcode() == spv::Op::OpSDiv;
  AffineExpr dividend = exprOf(inst.id(0), component), divisor = exprOf(inst.id(1), component);
  IntRange by = meaningOf(divisor, width, isSigned);
  if (divisor.isConstant() && by.lo > 0)
    return quotientBy(inst, component, dividend, by.lo, isSigned);
  IntRange range = meaningOf(dividend, width, isSigned);
  if (range.isBounded() && range.lo >= 0 && by.lo >= 0) // a quotient is no larger
    return asItself(inst, component, {0, range.hi});
  return std::nullopt;
}

AffineSolver::Maybe AffineSolver::remainder(const Instruction &inst, unsigned component) {
  unsigned width = widthOf(inst.typeId());
  bool isSigned = inst.opcode() != spv::Op::OpUMod;
  AffineExpr dividend = exprOf(inst.id(0), component), divisor = exprOf(inst.id(1), component);
  IntRange by = meaningOf(divisor, width, isSigned);
  if (divisor.isConstant() && by.lo > 0)
    return remainderBy(inst, component, dividend, by.lo, isSigned);
  IntRange range = meaningOf(dividend, width, isSigned);
  if (range.isBounded() && range.lo >= 0 && by.isBounded() && by.lo >= 0)
    return asItself(inst, component, {0, std::min(range.hi, std::max<int64_t>(by.hi - 1, 0))});
  return std::nullopt;
}

AffineSolver::Maybe AffineSolver::shiftRight(const Instruction &inst, unsigned component) {
  unsigned width = widthOf(inst.typeId());
  AffineExpr value = exprOf(inst.id(0), component), amount = exprOf(inst.id(1), component);
  bool isSigned = inst.opcode() == spv::Op::OpShiftRightArithmetic;
  IntRange meaning = meaningOf(value, width, isSigned);
  if (!amount.isConstant() || amount.constant < 0 || amount.constant >= width ||
      amount.constant > 62) {
    if (meaning.isBounded() && meaning.lo >= 0)
      return asItself(inst, component, {0, meaning.hi});
    return std::nullopt;
  }
  int64_t divisor = int64_t{1} << amount.constant;
  if (isSigned && !(meaning.isBounded() && meaning.lo >= 0)) {
    if (!meaning.isBounded())
      return std::nullopt;
    return asItself(inst, component,
                    {meaning.lo >> amount.constant, meaning.hi >> amount.constant});
  }
  return quotientBy(inst, component, value, divisor, isSigned);
}

/// The lowest bit that can be set in the polynomial: every number it can be is a multiple of 2^n.
static unsigned trailingZeros(const AffineExpr &expr) {
  uint64_t bits = static_cast<uint64_t>(expr.constant);
  for (const AffineTerm &term : expr.terms)
    bits |= static_cast<uint64_t>(term.coefficient);
  return bits == 0 ? 64 : static_cast<unsigned>(std::countr_zero(bits));
}

AffineSolver::Maybe AffineSolver::bitwise(const Instruction &inst, unsigned component) {
  unsigned width = widthOf(inst.typeId());
  IntRange full = affine::fullRange(width, false);
  if (inst.opcode() == spv::Op::OpBitCount)
    return asItself(inst, component, {0, 64});
  AffineExpr a = exprOf(inst.id(0), component);
  if (inst.opcode() == spv::Op::OpBitFieldUExtract) {
    AffineExpr count = exprOf(inst.id(2), 0), offset = exprOf(inst.id(1), 0);
    if (!count.isConstant() || !offset.isConstant() || count.constant < 1 || count.constant > 62 ||
        offset.constant != 0 || count.constant > width)
      return std::nullopt;
    return remainderBy(inst, component, a, int64_t{1} << count.constant, false);
  }
  AffineExpr b = exprOf(inst.id(1), component);
  if (a.isConstant() && b.isConstant()) {
    uint64_t x = static_cast<uint64_t>(a.constant), y = static_cast<uint64_t>(b.constant);
    uint64_t bits = inst.opcode() == spv::Op::OpBitwiseAnd  ? x & y
                    : inst.opcode() == spv::Op::OpBitwiseOr ? x | y
                                                            : x ^ y;
    return affine::constant(affine::wrapTo(bits, width));
  }
  if (inst.opcode() == spv::Op::OpBitwiseAnd) {
    if (a.isConstant())
      std::swap(a, b);
    IntRange mask = meaningOf(b, width, false), value = meaningOf(a, width, false);
    uint64_t bits = static_cast<uint64_t>(mask.lo);
    if (b.isConstant() && width <= 32 && mask.lo > 0 && std::has_single_bit(bits + 1))
      return remainderBy(inst, component, a, mask.lo + 1, false);
    if (!mask.isBounded() || !value.isBounded())
      return std::nullopt;
    if (b.isConstant() && width <= 32) {
      // A mask that clears the low bits: what is left is a multiple of their power.
      uint64_t cleared = ~bits & static_cast<uint64_t>(full.hi);
      if (std::has_single_bit(cleared + 1)) {
        affine::Split split = affine::splitBy(a, static_cast<int64_t>(cleared) + 1);
        if (rangeOf(split.remainder).within(0, static_cast<int64_t>(cleared)))
          return affine::add(a, affine::scale(split.remainder, -1, width), width);
      }
    }
    return asItself(inst, component, {0, std::min(mask.hi, value.hi)});
  }
  // Or and exclusive or of numbers that share no bit are their sum.
  for (bool swapped : {false, true}) {
    const AffineExpr &high = swapped ? b : a, &low = swapped ? a : b;
    unsigned zeros = std::min(trailingZeros(high), 62u);
    if (rangeOf(low).within(0, (int64_t{1} << zeros) - 1))
      return affine::add(a, b, width);
  }
  IntRange x = meaningOf(a, width, false), y = meaningOf(b, width, false);
  if (!x.isBounded() || !y.isBounded() || width > 32)
    return std::nullopt;
  uint64_t top = std::bit_ceil(static_cast<uint64_t>(std::max(x.hi, y.hi)) + 1);
  return asItself(inst, component, {0, static_cast<int64_t>(top) - 1});
}

AffineSolver::Maybe AffineSolver::convert(const Instruction &inst, unsigned component) {
  const Instruction *from = module.def(inst.id(0));
  unsigned width = widthOf(inst.typeId()), fromWidth = from ? widthOf(from->typeId()) : 0;
  if (fromWidth == 0 ||
      componentCount(module, inst.typeId()) != componentCount(module, from->typeId()))
    return std::nullopt;
  AffineExpr value = exprOf(inst.id(0), component);
  if (width == fromWidth)
    return value;
  if (width < fromWidth)
    return affine::reduce(value, width);
  bool isSigned = inst.opcode() == spv::Op::OpSConvert;
  IntRange meaning = meaningOf(value, fromWidth, isSigned);
  if (value.isConstant())
    return affine::constant(meaning.lo);
  IntRange range = rangeOf(value);
  if (isSigned ? range.fitsSigned(fromWidth) : range.fitsUnsigned(fromWidth))
    return value;
  return asItself(inst, component, meaning);
}

AffineSolver::Maybe AffineSolver::composite(const Instruction &inst, unsigned component) {
  auto vectorCount = [&](Id id) {
    const Instruction *def = module.def(id);
    return def ? componentCount(module, def->typeId()) : 0;
  };
  auto part = [&](Id id, unsigned at) -> Maybe {
    const Instruction *def = module.def(id);
    return def && widthOf(def->typeId()) != 0 ? Maybe(exprOf(id, at)) : std::nullopt;
  };
  switch (inst.opcode()) {
  case spv::Op::OpCompositeExtract: {
    ValuePart source = sourceOfExtract(module, inst, component);
    const Instruction *def = module.def(source.id);
    if (source.path.empty())
      return part(source.id, 0);
    if (source.path.size() == 1 && source.path[0] < vectorCount(source.id))
      return part(source.id, source.path[0]);
    bool isLoad = def && def->opcode() == spv::Op::OpLoad && def->parent() &&
                  widthOf(inst.typeId()) != 0 &&
                  !module.hasDecoration(source.id, spv::Decoration::RelaxedPrecision);
    return isLoad ? loadedPart(inst, component, *def, source.path) : std::nullopt;
  }
  case spv::Op::OpVectorExtractDynamic: {
    Maybe index = part(inst.id(1), 0);
    if (index && index->isConstant() && index->constant >= 0 &&
        index->constant < vectorCount(inst.id(0)))
      return part(inst.id(0), static_cast<unsigned>(index->constant));
    return std::nullopt;
  }
  case spv::Op::OpCompositeConstruct:
    for (unsigned at = 0; at < inst.numOperands(); ++at) {
      unsigned count = vectorCount(inst.id(at));
      if (component < count)
        return part(inst.id(at), component);
      component -= count;
    }
    return std::nullopt;
  case spv::Op::OpCompositeInsert:
    if (inst.numOperands() != 3)
      return std::nullopt;
    return inst.literal(2) == component ? part(inst.id(0), 0) : part(inst.id(1), component);
  default: { // OpVectorShuffle
    unsigned first = vectorCount(inst.id(0));
    uint32_t from = inst.literal(2 + component);
    if (from < first)
      return part(inst.id(0), from);
    return from - first < vectorCount(inst.id(1)) ? part(inst.id(1), from - first) : std::nullopt;
  }
  }
}

AffineSolver::Maybe AffineSolver::select(const Instruction &inst, unsigned component) {
  AffineExpr a = exprOf(inst.id(1), component), b = exprOf(inst.id(2), component);
  if (a == b)
    return a;
  return asItself(inst, component, affine::unite(rangeOf(a), rangeOf(b)));
}

/// Numbers of which the result is one, where the operands are the numbers that their bits mean.
static std::optional<IntRange> rangeOfExtended(uint32_t number, const IntRange &a,
                                               const IntRange &b, const IntRange &c) {
  switch (number) {
  case GLSLstd450UMin:
  case GLSLstd450SMin:
    return IntRange{std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
  case GLSLstd450UMax:
  case GLSLstd450SMax:
    return IntRange{std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
  case GLSLstd450UClamp:
  case GLSLstd450SClamp: // min(max(a, b), c)
    return IntRange{std::min(std::max(a.lo, b.lo), c.lo), std::min(std::max(a.hi, b.hi), c.hi)};
  default:
    return std::nullopt;
  }
}

AffineSolver::Maybe AffineSolver::extended(const Instruction &inst, unsigned component) {
  if (module.extInstSet(inst.id(0)) != "GLSL.std.450" || inst.numOperands() < 4)
    return std::nullopt;
  uint32_t number = inst.literal(1);
  bool isSigned =
      number == GLSLstd450SMin || number == GLSLstd450SMax || number == GLSLstd450SClamp;
  bool isUnsigned =
      number == GLSLstd450UMin || number == GLSLstd450UMax || number == GLSLstd450UClamp;
  if (!isSigned && !isUnsigned)
    return std::nullopt;
  unsigned width = widthOf(inst.typeId());
  AffineExpr a = exprOf(inst.id(2), component), b = exprOf(inst.id(3), component);
  if (a == b && inst.numOperands() == 4)
    return a;
  IntRange rangeA = meaningOf(a, width, isSigned), rangeB = meaningOf(b, width, isSigned), rangeC;
  if (inst.numOperands() > 4)
    rangeC = meaningOf(exprOf(inst.id(4), component), width, isSigned);
  bool isMin = number == GLSLstd450SMin || number == GLSLstd450UMin;
  bool isMax = number == GLSLstd450SMax || number == GLSLstd450UMax;
  if (isMin || isMax) { // one of them is never the other side's
    if (rangeA.isBounded() && rangeB.isBounded()) {
      if (rangeA.hi <= rangeB.lo)
        return isMin ? a : b;
      if (rangeB.hi <= rangeA.lo)
        return isMin ? b : a;
    }
  }
  std::optional<IntRange> range = rangeOfExtended(number, rangeA, rangeB, rangeC);
  return range ? Maybe(asItself(inst, component, *range)) : std::nullopt;
}

AffineSolver::Maybe AffineSolver::phi(const Instruction &inst, unsigned component) {
  const Block &block = *inst.parent();
  auto header = loopOfHeader.find(&block);
  if (header != loopOfHeader.end()) {
    const LoopInfo &loop = *loops[header->second];
    auto found = inductions.find({raw(inst.result()), component});
    if (found == inductions.end()) {
      // In a geometric sequence, or unknown.
      auto known = valueSymbols.find(uint64_t{raw(inst.result())} << 8 | component);
      AffineExpr self =
          known != valueSymbols.end() ? affine::symbol(known->second) : asItself(inst, component);
      counterSymbols[self.terms.front().symbols[0]] = {&inst, component};
      return self;
    }
    // The value that comes from outside, and the step once for each time round.
    for (unsigned at = 0; at + 1 < inst.numOperands(); at += 2) {
      const Instruction *label = module.def(inst.id(at + 1));
      if (!label || !label->parent() || contains(loop, *label->parent()))
        continue;
      unsigned width = widthOf(inst.typeId());
      Maybe moved = affine::multiply(found->second.step, affine::symbol(loop.iteration), width);
      return moved ? affine::add(exprOf(inst.id(at), component), *moved, width) : std::nullopt;
    }
    return std::nullopt;
  }
  std::optional<AffineExpr> common;
  IntRange range;
  bool isFirst = true, allSame = true;
  for (unsigned at = 0; at + 1 < inst.numOperands(); at += 2) {
    const Instruction *label = module.def(inst.id(at + 1));
    if (!label || !label->parent() || !flow.isReachable(*label->parent()))
      continue;
    const Instruction *def = module.def(inst.id(at));
    bool isComputed = def && (isConstant(def->opcode()) || known(inst.id(at), component));
    if (!isComputed)
      return std::nullopt; // it comes round an irreducible cycle
    AffineExpr incoming = exprOf(inst.id(at), component);
    range = isFirst ? rangeOf(incoming) : affine::unite(range, rangeOf(incoming));
    allSame &= isFirst || incoming == *common;
    common = std::move(incoming);
    isFirst = false;
  }
  if (isFirst)
    return std::nullopt;
  return allSame ? common : Maybe(asItself(inst, component, range));
}

} // namespace tailor
