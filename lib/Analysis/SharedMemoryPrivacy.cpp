//===- Analysis/SharedMemoryPrivacy.cpp - Whose bytes are whose ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The proof behind SharedVariable::usedAsPrivate. Every access of the variable is
// at
//
//   A(local id) + remainder,   A = a[x]·lid.x + a[y]·lid.y + a[z]·lid.z
//
// with the same A, and a remainder that is a sum of constants and products of
// coefficients and values in known ranges. Take a modulus M, or none. Modulo M,
// summands whose coefficient M divides vanish; let [low, high) hold the bytes of
// all remainders that are left. The intervals A(l) + [low, high) of two local ids
// are disjoint if, the |a| taken in ascending order, each is at least the span of
// what the smaller ones reach; and disjoint modulo M if the whole span is at most
// M. Then no two invocations meet at a byte.
//
//   tile[lid*K + j], 0 <= j < K    no modulus: a = 4K, remainder [0, 4K)
//   tile[j][lid], any j            M = 4·64: a = 4, remainder [0, 4)
//
// An index whose polynomial may wrap is only known modulo 2^32, so M must then be
// a power of two. Accesses out of bounds are undefined, so an index into an array
// of known length is below it.
//
//===----------------------------------------------------------------------===//
#include "Analysis/SharedMemory.h"

#include "Analysis/PointerLayout.h"
#include "IR/Types.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstdlib>

namespace tailor {

namespace {

/// Numbers beyond this are given up on, so that sums cannot overflow.
constexpr int64_t kLimit = int64_t{1} << 40;

/// A summand that is no constant and no multiple of a local id.
struct Summand {
  int64_t coefficient;
  IntRange range; ///< of what the coefficient multiplies
};

struct Place {
  const Block *block = nullptr; ///< of the access
  int64_t constant = 0, bytes = 0;
  std::array<int64_t, 3> local{}; ///< a
  std::vector<Summand> rest;
  bool exact = true; ///< false: known modulo 2^32 only
};

class Prover {
public:
  Prover(const KernelAnalysis &analysis, const Instruction &variable)
      : analysis(analysis), module(analysis.module()), affine(analysis.affine()),
        constants(analysis.ids().constants()), variable(variable) {}

  bool prove();

private:
  bool collect();
  bool visit(const Instruction &inst);
  bool isOurs(Id pointer) const;
  bool addPlace(const Block &block, Id pointer, Id valueType);
  bool addIndex(Place &place, const PointerStep &step);
  bool addTerm(Place &place, const AffineTerm &term, int64_t stride);
  bool isDisjoint(std::optional<int64_t> modulus) const;
  bool remainders(std::optional<int64_t> modulus, int64_t &low, int64_t &high) const;

  const KernelAnalysis &analysis;
  const Module &module;
  const AffineAnalysis &affine;
  ConstantEvaluator &constants; ///< without defaults: a length that the host may change is unknown
  const Instruction &variable;
  std::vector<Place> places;
};

bool Prover::isOurs(Id pointer) const {
  std::optional<PointerPath> path = tracePointer(module, pointer);
  return path && path->variable == &variable;
}

bool Prover::visit(const Instruction &inst) {
  spv::Op op = inst.opcode();
  if (op == spv::Op::OpControlBarrier || op == spv::Op::OpFunctionCall)
    return false;
  constexpr uint32_t kVolatile = 0x1;
  bool isChain = op == spv::Op::OpAccessChain || op == spv::Op::OpInBoundsAccessChain;
  bool isLoad = op == spv::Op::OpLoad, isStore = op == spv::Op::OpStore;
  for (unsigned at = 0; at < inst.numOperands(); ++at) {
    if (!inst.isId(at) || !isOurs(inst.id(at)))
      continue;
    if (at != 0 || (!isChain && !isLoad && !isStore))
      return false; // the pointer goes where it is not followed
    unsigned operands = isStore ? 2 : 1;
    if (!isChain && inst.numOperands() > operands && (inst.literal(operands) & kVolatile))
      return false;
    const Instruction *value = isStore ? module.def(inst.id(1)) : &inst;
    if (!isChain && (!value || !addPlace(*inst.parent(), inst.id(0), value->typeId())))
      return false;
  }
  return true;
}

bool Prover::collect() {
  for (const Block &block : analysis.form().function().blocks())
    if (analysis.flow().isReachable(block))
      for (const Instruction &inst : block.instructions())
        if (!visit(inst))
          return false;
  return !places.empty();
}

bool Prover::addPlace(const Block &block, Id pointer, Id valueType) {
  std::optional<PointerPath> path = tracePointer(module, pointer);
  std::optional<PointerLayout> layout = layoutOfPointer(module, *path, constants);
  std::optional<TypeLayout> value = layoutOf(module, valueType, constants);
  if (!layout || !value || layout->componentStride != 0 || !layout->descriptors.empty() ||
      layout->offset > uint64_t{kLimit} || value->size.count > uint64_t{kLimit})
    return false;
  Place place;
  place.block = &block;
  place.constant = static_cast<int64_t>(layout->offset);
  place.bytes = static_cast<int64_t>(value->size.count);
  for (const PointerStep &step : layout->steps)
    if (!addIndex(place, step))
      return false;
  places.push_back(std::move(place));
  return true;
}

static bool hasLocalId(const AffineAnalysis &affine, const AffineTerm &term) {
  return llvm::any_of(term.symbols, [&](SymbolIndex symbol) {
    return symbol != AffineTerm::kNone && affine.symbols()[symbol].kind == Symbol::Kind::LocalId;
  });
}

bool Prover::addIndex(Place &place, const PointerStep &step) {
  const Instruction *def = module.def(step.index);
  const AffineExpr *expr = affine.expr(step.index);
  if (!def || !expr || step.stride == 0 || step.stride > uint64_t{kLimit} ||
      !isIntType(module, def->typeId(), 32))
    return false;
  auto stride = static_cast<int64_t>(step.stride);
  IntRange range = affine.rangeOf(*expr, place.block);
  bool isExact = range.fitsUnsigned(32);
  bool isLocal =
      llvm::any_of(expr->terms, [&](const AffineTerm &term) { return hasLocalId(affine, term); });
  int64_t last = IntRange::kMax;
  if (step.length && *step.length != 0 && *step.length < uint64_t{kLimit})
    last = static_cast<int64_t>(*step.length) - 1;
  if (!isLocal && (!isExact || range.hi > last)) { // whatever it is, it is inside of the array
    place.rest.push_back({stride, IntRange{0, last}});
    return true;
  }
  place.exact &= isExact;
  if (expr->constant > kLimit / stride || expr->constant < -kLimit / stride)
    return false;
  place.constant += stride * expr->constant;
  return llvm::all_of(expr->terms,
                      [&](const AffineTerm &term) { return addTerm(place, term, stride); });
}

bool Prover::addTerm(Place &place, const AffineTerm &term, int64_t stride) {
  if (term.coefficient > kLimit / stride || term.coefficient < -kLimit / stride)
    return false;
  int64_t coefficient = term.coefficient * stride;
  if (!hasLocalId(affine, term)) {
    AffineTerm alone = term;
    alone.coefficient = 1;
    AffineExpr product;
    product.terms.push_back(alone);
    place.rest.push_back({coefficient, affine.rangeOf(product, place.block)});
    return true;
  }
  if (term.degree() != 1)
    return false;
  place.local[affine.symbols()[term.symbols[0]].component] += coefficient;
  return true;
}

/// The bytes that all remainders hold, relative to A: [low, high).
bool Prover::remainders(std::optional<int64_t> modulus, int64_t &low, int64_t &high) const {
  bool isFirst = true;
  for (const Place &place : places) {
    int64_t from = place.constant, to = place.constant;
    if (modulus) {
      from = ((from % *modulus) + *modulus) % *modulus;
      to = from;
    }
    for (const Summand &summand : place.rest) {
      if (modulus && summand.coefficient % *modulus == 0)
        continue;
      int64_t factor = summand.coefficient < 0 ? -summand.coefficient : summand.coefficient;
      int64_t most = kLimit / std::max<int64_t>(factor, 1);
      if (!summand.range.isBounded() || !summand.range.within(-most, most))
        return false;
      int64_t a = summand.coefficient * summand.range.lo;
      int64_t b = summand.coefficient * summand.range.hi;
      from += std::min(a, b);
      to += std::max(a, b);
      if (from < -kLimit || to > kLimit)
        return false;
    }
    to += place.bytes;
    low = isFirst ? from : std::min(low, from);
    high = isFirst ? to : std::max(high, to);
    isFirst = false;
  }
  return true;
}

bool Prover::isDisjoint(std::optional<int64_t> modulus) const {
  bool isPowerOfTwo = modulus && *modulus <= (int64_t{1} << 31) &&
                      llvm::isPowerOf2_64(static_cast<uint64_t>(*modulus));
  bool allExact = llvm::all_of(places, [](const Place &place) { return place.exact; });
  int64_t low = 0, high = 0;
  if ((!allExact && !isPowerOfTwo) || !remainders(modulus, low, high))
    return false;
  std::vector<std::pair<int64_t, int64_t>> axes; // |a|, invocations
  for (unsigned axis = 0; axis < 3; ++axis)
    if (analysis.size()[axis] > 1)
      axes.emplace_back(std::abs(places.front().local[axis]), analysis.size()[axis]);
  std::sort(axes.begin(), axes.end());
  int64_t span = high - low;
  for (auto [distance, count] : axes) {
    if (distance < span || distance > kLimit / count)
      return false;
    span += distance * (count - 1);
  }
  return !modulus || span <= *modulus;
}

bool Prover::prove() {
  std::optional<PointerType> type = pointerType(module, variable.typeId());
  if (!type || module.hasDecoration(type->pointee, spv::Decoration::Block) ||
      module.hasDecoration(variable.result(), spv::Decoration::Aliased) || !collect())
    return false;
  std::set<int64_t> moduli;
  for (const Place &place : places) {
    if (place.local != places.front().local)
      return false;
    for (const Summand &summand : place.rest)
      if (summand.coefficient != 0)
        moduli.insert(std::abs(summand.coefficient));
  }
  return isDisjoint(std::nullopt) ||
         llvm::any_of(moduli, [&](int64_t modulus) { return isDisjoint(modulus); });
}

} // namespace

bool isUsedAsPrivate(const KernelAnalysis &analysis, const Instruction &variable) {
  return Prover(analysis, variable).prove();
}

} // namespace tailor
