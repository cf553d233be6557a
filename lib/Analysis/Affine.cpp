//===- Analysis/Affine.cpp -------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/AffineImpl.h"

#include "IR/Types.h"

#include <algorithm>

namespace tailor {

unsigned AffineSolver::widthOf(Id type) const {
  const Instruction *scalar = module.def(scalarTypeOf(module, type));
  return scalar && scalar->opcode() == spv::Op::OpTypeInt ? scalar->literal(0) : 0;
}

bool AffineSolver::isSignedInt(Id type) const {
  const Instruction *scalar = module.def(scalarTypeOf(module, type));
  return scalar && scalar->opcode() == spv::Op::OpTypeInt && scalar->literal(1) != 0;
}

SymbolIndex AffineSolver::addSymbol(const Symbol &symbol) {
  symbols.push_back(symbol);
  return static_cast<SymbolIndex>(symbols.size() - 1);
}

AffineExpr AffineSolver::asItself(const Instruction &inst, unsigned component, IntRange range) {
  auto [at, isNew] =
      valueSymbols.try_emplace(uint64_t{raw(inst.result())} << 8 | component, SymbolIndex{0});
  if (isNew) {
    Symbol symbol;
    symbol.component = static_cast<uint8_t>(component);
    symbol.width = static_cast<uint8_t>(widthOf(inst.typeId()));
    symbol.def = &inst;
    symbol.range = range;
    at->second = addSymbol(symbol);
  }
  symbols[at->second].range = range; // the second walk knows more
  return affine::symbol(at->second);
}

AffineExpr AffineSolver::asItself(const Instruction &inst, unsigned component) {
  return asItself(inst, component,
                  affine::fullRange(widthOf(inst.typeId()), isSignedInt(inst.typeId())));
}

const AffineExpr *AffineSolver::known(Id id, unsigned component) const {
  auto found = slots.find(raw(id));
  if (found == slots.end() || component >= found->second.second)
    return nullptr;
  return &table[found->second.first + component];
}

AffineExpr AffineSolver::exprOf(Id id, unsigned component) {
  if (const AffineExpr *expr = known(id, component))
    return *expr;
  const Instruction *inst = module.def(id);
  if (isConstant(inst->opcode()) || inst->opcode() == spv::Op::OpUndef) {
    unsigned count = std::max(1u, componentCount(module, inst->typeId()));
    std::vector<AffineExpr> all;
    for (unsigned at = 0; at < count; ++at)
      if (Maybe value = computeConstant(*inst, at))
        all.push_back(std::move(*value));
      else
        all.push_back(asItself(*inst, at));
    slots[raw(id)] = {static_cast<uint32_t>(table.size()), count};
    table.insert(table.end(), all.begin(), all.end());
    return table[table.size() - count + std::min(component, count - 1)];
  }
  return asItself(*inst, component);
}

IntRange AffineSolver::rangeOf(const AffineExpr &expr, const Block *at) const {
  IntRange sum{expr.constant, expr.constant};
  for (const AffineTerm &term : expr.terms) {
    IntRange product{term.coefficient, term.coefficient};
    for (unsigned factor = 0; factor < term.degree(); ++factor) {
      const Symbol &symbol = symbols[term.symbols[factor]];
      IntRange range = symbol.range;
      if (at && symbol.kind == Symbol::Kind::Iteration)
        if (auto body = bodyRange.find(term.symbols[factor]); body != bodyRange.end()) {
          // The edge into the body is taken before `at`, each time round.
          auto loop = loopOfHeader.find(symbol.header);
          const LoopInfo &info = *loops[loop->second];
          const Block *inside = nullptr;
          for (const Block *next : info.exiting->successors())
            if (contains(info, *next))
              inside = next;
          if (inside && contains(info, *at) && flow.edgeDominates(*info.exiting, *inside, *at))
            range = body->second;
        }
      product = affine::multiply(product, range);
    }
    sum = affine::add(sum, product);
  }
  return sum;
}

IntRange AffineSolver::meaningOf(const AffineExpr &expr, unsigned width, bool isSigned) const {
  if (expr.isConstant() && width < 64 && !isSigned) {
    int64_t bits = expr.constant & ((int64_t{1} << width) - 1);
    return {bits, bits};
  }
  IntRange range = rangeOf(expr);
  bool fits = isSigned ? range.fitsSigned(width) : range.fitsUnsigned(width);
  return fits ? range : affine::fullRange(width, isSigned);
}

/// One walk in the order of the blocks, in which a definition comes before its uses, those of phis
/// apart.
void AffineSolver::walk() {
  slots.clear();
  table.clear();
  for (const Block &block : form.function().blocks()) {
    if (!flow.isReachable(block))
      continue;
    for (const Instruction &inst : block.instructions()) {
      if (!isValid(inst.result()) || widthOf(inst.typeId()) == 0)
        continue;
      unsigned count = componentCount(module, inst.typeId());
      std::vector<AffineExpr> all;
      for (unsigned at = 0; at < count; ++at) {
        Maybe expr = compute(inst, at);
        all.push_back(expr ? std::move(*expr) : asItself(inst, at));
      }
      slots[raw(inst.result())] = {static_cast<uint32_t>(table.size()), count};
      table.insert(table.end(), std::make_move_iterator(all.begin()),
                   std::make_move_iterator(all.end()));
    }
  }
}

void AffineSolver::run() {
  innermost.resize(form.function().size());
  findLoops();
  walk(); // counters are symbols of their own
  if (loops.empty())
    return;
  findInductions();
  for (std::unique_ptr<LoopInfo> &loop : loops)
    findTrips(*loop, /*isFinal=*/false);
  walk(); // counters are spelled out
  for (std::unique_ptr<LoopInfo> &loop : loops)
    findTrips(*loop, /*isFinal=*/true);
}

// --- the questions ---

AffineAnalysis::AffineAnalysis(const CanonicalForm &form, const ControlFlow &flow,
                               const IdDependence &ids, const Dim3 &size)
    : impl(std::make_unique<AffineSolver>(form, flow, ids, size)) {
  impl->run();
}
AffineAnalysis::~AffineAnalysis() = default;
AffineAnalysis::AffineAnalysis(AffineAnalysis &&) noexcept = default;

const AffineExpr *AffineAnalysis::expr(Id id, unsigned component) const {
  const Instruction *inst = impl->module.def(id);
  if (!inst || impl->widthOf(inst->typeId()) == 0)
    return nullptr;
  if (const AffineExpr *expr = impl->known(id, component))
    return expr;
  if (!isConstant(inst->opcode()) && inst->opcode() != spv::Op::OpUndef)
    return nullptr;
  impl->exprOf(id, component);
  return impl->known(id, component);
}

IntRange AffineAnalysis::rangeOf(const AffineExpr &expr, const Block *at) const {
  return impl->rangeOf(expr, at);
}

IntRange AffineAnalysis::unsignedRange(Id id, unsigned component) const {
  const AffineExpr *known = expr(id, component);
  if (!known)
    return {};
  return impl->meaningOf(*known, impl->widthOf(impl->module.def(id)->typeId()), false);
}

const std::deque<Symbol> &AffineAnalysis::symbols() const { return impl->symbols; }
std::string AffineAnalysis::nameOf(SymbolIndex symbol) const { return impl->nameOf(symbol); }
std::string AffineAnalysis::str(const AffineExpr &expr) const { return impl->str(expr); }
const std::vector<std::unique_ptr<LoopInfo>> &AffineAnalysis::loops() const { return impl->loops; }
const LoopInfo *AffineAnalysis::loopOf(const Block &block) const {
  return impl->innermost[block.index()];
}
bool AffineAnalysis::contains(const LoopInfo &loop, const Block &block) const {
  return impl->contains(loop, block);
}
std::optional<AffineAddress> AffineAnalysis::address(Id pointer) const {
  return impl->address(pointer);
}

AffineExpr AffineAnalysis::scaled(const AffineExpr &expr, int64_t factor) const {
  return affine::scale(expr, factor, 64);
}

std::optional<int64_t> AffineAnalysis::difference(const AffineExpr &a, const AffineExpr &b) const {
  std::optional<AffineExpr> rest = affine::add(a, affine::scale(b, -1, 64), 64);
  if (!rest || !rest->isConstant())
    return std::nullopt;
  return rest->constant;
}

std::optional<AffineExpr> AffineAnalysis::coefficientOf(const AffineExpr &expr,
                                                        SymbolIndex symbol) const {
  AffineExpr factor;
  for (const AffineTerm &term : expr.terms) {
    if (!term.contains(symbol))
      continue;
    AffineExpr rest{0, {}};
    AffineTerm left;
    left.coefficient = term.coefficient;
    unsigned kept = 0;
    for (unsigned at = 0; at < term.degree(); ++at)
      if (term.symbols[at] != symbol)
        left.symbols[kept++] = term.symbols[at];
    if (term.degree() - kept > 1)
      return std::nullopt;
    if (kept == 0)
      rest.constant = term.coefficient;
    else
      rest.terms.push_back(left);
    std::optional<AffineExpr> sum = affine::add(factor, rest, 64);
    if (!sum)
      return std::nullopt;
    factor = std::move(*sum);
  }
  return factor;
}

std::optional<SymbolIndex> AffineAnalysis::localId(unsigned axis) const {
  return impl->localSymbols[axis];
}
std::optional<SymbolIndex> AffineAnalysis::workgroupId(unsigned axis) const {
  return impl->workgroupSymbols[axis];
}
const Dim3 &AffineAnalysis::size() const { return impl->size; }

} // namespace tailor
