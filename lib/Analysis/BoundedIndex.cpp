//===- Analysis/BoundedIndex.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/BoundedIndex.h"

#include "Analysis/AffineArithmetic.h"

#include "spirv/unified1/GLSL.std.450.h"
#include "llvm/ADT/STLExtras.h"

namespace tailor {

/// Symbols replaced in one expression: a clamp of a clamp of ...
static constexpr unsigned kMaxReplaced = 8;
static constexpr unsigned kWidth = 64;

static bool isUniform(const AffineAnalysis &affine, const AffineExpr &expr) {
  return llvm::all_of(expr.terms, [&](const AffineTerm &term) {
    return llvm::all_of(term.symbols, [&](SymbolIndex symbol) {
      return symbol == AffineTerm::kNone ||
             affine.symbols()[symbol].kind == Symbol::Kind::Uniform ||
             affine.symbols()[symbol].kind == Symbol::Kind::NumWorkgroups;
    });
  });
}

/// What the symbol's instruction holds inside of bounds; null where it is no such instruction.
static const AffineExpr *heldBy(const AffineAnalysis &affine, const Module &module,
                                const Symbol &symbol) {
  if (symbol.kind != Symbol::Kind::Value || !symbol.def ||
      symbol.def->opcode() != spv::Op::OpExtInst ||
      module.extInstSet(symbol.def->id(0)) != "GLSL.std.450")
    return nullptr;
  switch (symbol.def->literal(1)) {
  case GLSLstd450UClamp:
  case GLSLstd450SClamp:
    return affine.expr(symbol.def->id(2), symbol.component);
  case GLSLstd450UMin:
  case GLSLstd450UMax:
  case GLSLstd450SMin:
  case GLSLstd450SMax: {
    const AffineExpr *a = affine.expr(symbol.def->id(2), symbol.component);
    const AffineExpr *b = affine.expr(symbol.def->id(3), symbol.component);
    if (!a || !b || isUniform(affine, *a) == isUniform(affine, *b))
      return nullptr;
    return isUniform(affine, *a) ? b : a;
  }
  default:
    return nullptr;
  }
}

/// `term` with one occurrence of the symbol replaced.
static std::optional<AffineExpr> replaceIn(const AffineTerm &term, SymbolIndex symbol,
                                           const AffineExpr &by) {
  AffineExpr rest = affine::constant(term.coefficient);
  bool isReplaced = false;
  for (SymbolIndex factor : term.symbols) {
    if (factor == AffineTerm::kNone)
      break;
    bool isIt = factor == symbol && !isReplaced;
    isReplaced |= isIt;
    std::optional<AffineExpr> product =
        affine::multiply(rest, isIt ? by : affine::symbol(factor), kWidth);
    if (!product)
      return std::nullopt;
    rest = std::move(*product);
  }
  return rest;
}

std::optional<AffineExpr> withoutBounds(const AffineAnalysis &affine, const Module &module,
                                        const AffineExpr &expr) {
  AffineExpr result = expr;
  bool isReplaced = false;
  for (unsigned round = 0; round < kMaxReplaced; ++round) {
    SymbolIndex symbol = AffineTerm::kNone;
    const AffineExpr *held = nullptr;
    for (const AffineTerm &term : result.terms)
      for (SymbolIndex factor : term.symbols)
        if (factor != AffineTerm::kNone && !held) {
          held = heldBy(affine, module, affine.symbols()[factor]);
          symbol = factor;
        }
    if (!held)
      return isReplaced ? std::optional(result) : std::nullopt;
    AffineExpr next = affine::constant(result.constant);
    for (const AffineTerm &term : result.terms) {
      AffineExpr alone;
      alone.terms.push_back(term);
      std::optional<AffineExpr> part =
          term.contains(symbol) ? replaceIn(term, symbol, *held) : alone;
      std::optional<AffineExpr> sum =
          part ? affine::add(next, *part, kWidth) : std::optional<AffineExpr>();
      if (!sum)
        return std::nullopt;
      next = std::move(*sum);
    }
    result = std::move(next);
    isReplaced = true;
  }
  return std::nullopt;
}

} // namespace tailor
