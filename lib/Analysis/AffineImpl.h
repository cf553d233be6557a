//===- Analysis/AffineImpl.h - Inside the affine analysis ------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Affine.cpp:        the walk over the kernel, and the questions
// AffineValues.cpp:  what each instruction makes of its operands
// AffineMemory.cpp:  ids, values of the host, addresses
// AffineLoops.cpp:   loops, their counters and trip counts
// AffineText.cpp:    expressions for people
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_AFFINEIMPL_H
#define TAILOR_ANALYSIS_AFFINEIMPL_H

#include "Analysis/Affine.h"
#include "Analysis/AffineArithmetic.h"

#include "llvm/ADT/DenseSet.h"

#include <deque>
#include <map>

namespace tailor {

/// A loop counter: init + step·iteration.
struct Induction {
  AffineExpr step;
  const LoopInfo *loop;
};

/// `low < high`, or `low <= high`, or the two differ: while it holds, a loop goes on.
struct StayTest {
  Id low = Id::None, high = Id::None;
  bool strict = true, isSigned = false, isUnequal = false;
  unsigned width = 0; ///< of what is compared
};

/// A counter that was widened before it was compared, as init + step·iteration: it is that number
/// only while it stays in the range of its type.
struct NarrowCounter {
  AffineExpr value;
  IntRange type;
};

/// The two sides of such a test, and their difference at iteration k: first - step·k.
struct TripGap {
  AffineExpr low, high, first;
  int64_t step = 0;
  std::vector<NarrowCounter> narrow;
};

struct AffineSolver {
  AffineSolver(const CanonicalForm &canonical, const ControlFlow &controlFlow,
               const IdDependence &deps, const Dim3 &authored)
      : form(canonical), module(canonical.module()), flow(controlFlow), ids(deps), size(authored) {}

  using Maybe = std::optional<AffineExpr>;

  // --- Affine.cpp ---
  void run();
  void walk();
  const AffineExpr *known(Id id, unsigned component) const;
  /// What is known, or the value as a symbol of its own; for values that have an integer type.
  AffineExpr exprOf(Id id, unsigned component);
  /// Bits of an integer (vector's component); 0 for other types.
  unsigned widthOf(Id type) const;
  bool isSignedInt(Id type) const;
  /// The operands and the result may have 16 bits on the device.
  bool isRelaxed(const Instruction &inst) const {
    return module.hasDecoration(inst.result(), spv::Decoration::RelaxedPrecision);
  }
  IntRange rangeOf(const AffineExpr &expr, const Block *at = nullptr) const;
  /// As the number that the bits mean: the polynomial's range where it fits, else the type's.
  IntRange meaningOf(const AffineExpr &expr, unsigned width, bool isSigned) const;
  SymbolIndex addSymbol(const Symbol &symbol);
  /// The symbol for a value as itself.
  AffineExpr asItself(const Instruction &inst, unsigned component, IntRange range);
  AffineExpr asItself(const Instruction &inst, unsigned component);

  // --- AffineValues.cpp ---
  Maybe compute(const Instruction &inst, unsigned component);
  Maybe computeConstant(const Instruction &inst, unsigned component);
  Maybe linear(const Instruction &inst, unsigned component);
  Maybe divide(const Instruction &inst, unsigned component);
  Maybe remainder(const Instruction &inst, unsigned component);
  Maybe shiftRight(const Instruction &inst, unsigned component);
  Maybe bitwise(const Instruction &inst, unsigned component);
  Maybe convert(const Instruction &inst, unsigned component);
  Maybe composite(const Instruction &inst, unsigned component);
  Maybe extended(const Instruction &inst, unsigned component);
  Maybe select(const Instruction &inst, unsigned component);
  Maybe phi(const Instruction &inst, unsigned component);
  Maybe quotientBy(const Instruction &inst, unsigned component, const AffineExpr &dividend,
                   int64_t divisor, bool isSigned);
  Maybe remainderBy(const Instruction &inst, unsigned component, const AffineExpr &dividend,
                    int64_t divisor, bool isSigned);

  // --- AffineMemory.cpp ---
  Maybe load(const Instruction &inst, unsigned component);
  Maybe loadedPart(const Instruction &inst, unsigned component, const Instruction &load,
                   llvm::ArrayRef<uint32_t> part);
  Maybe builtIn(const Instruction &inst, spv::BuiltIn builtIn, llvm::ArrayRef<Id> indices,
                unsigned component);
  AffineExpr localIdOf(unsigned axis);
  AffineExpr workgroupIdOf(unsigned axis);
  AffineExpr hostValue(const Instruction &inst, unsigned component, std::string key);
  Maybe query(const Instruction &inst, unsigned component);
  std::optional<std::string> constantPath(const PointerPath &path);
  std::optional<AffineAddress> address(Id pointer) const;

  // --- AffineLoops.cpp ---
  void findLoops();
  void findInductions();
  void findInduction(const LoopInfo &loop, const Instruction &phi, unsigned component);
  bool findGeometric(const LoopInfo &loop, const Instruction &phi);
  void findTrips(LoopInfo &loop, bool isFinal);
  std::optional<StayTest> exitTest(const LoopInfo &loop) const;
  std::optional<TripGap> gapOf(const LoopInfo &loop, const StayTest &stay);
  bool fits(const TripGap &gap, const StayTest &stay) const;
  bool narrowFit(const TripGap &gap) const;
  /// Whether nothing more is to be said of the loop.
  bool countTrips(LoopInfo &loop, const TripGap &gap, const StayTest &stay);
  void proveTrips(LoopInfo &loop, const TripGap &gap, const StayTest &stay);
  bool contains(const LoopInfo &loop, const Block &block) const;
  bool isInvariant(const LoopInfo &loop, const AffineExpr &expr) const;
  /// Counters that are symbols of their own, spelled as init + step·iteration, for a comparison of
  /// `compared` bits; those of fewer bits are noted.
  Maybe expand(const AffineExpr &expr, unsigned compared, std::vector<NarrowCounter> &narrow);

  // --- AffineText.cpp ---
  std::string nameOf(SymbolIndex symbol) const;
  std::string str(const AffineExpr &expr) const;

  const CanonicalForm &form;
  const Module &module;
  const ControlFlow &flow;
  const IdDependence &ids;
  Dim3 size;

  std::deque<Symbol> symbols;
  llvm::DenseMap<uint64_t, SymbolIndex> valueSymbols; ///< by id and component
  std::map<std::string, SymbolIndex> hostSymbols;     ///< by what the host supplies
  std::array<std::optional<SymbolIndex>, 3> localSymbols, workgroupSymbols, numSymbols;
  /// By id: the first expression, and how many components follow.
  llvm::DenseMap<uint32_t, std::pair<uint32_t, uint32_t>> slots;
  std::deque<AffineExpr> table; ///< addresses hold: constants come when they are asked for

  std::vector<std::unique_ptr<LoopInfo>> loops;
  std::vector<const LoopInfo *> innermost;         ///< by block index
  std::vector<std::vector<const Block *>> latches; ///< by loop, as in `loops`
  llvm::DenseMap<const Block *, unsigned> loopOfHeader;
  std::map<std::pair<uint32_t, unsigned>, Induction> inductions; ///< by phi and component
  llvm::DenseMap<SymbolIndex, std::pair<const Instruction *, unsigned>> counterSymbols;
  llvm::DenseMap<SymbolIndex, IntRange> bodyRange; ///< of Iteration symbols, in the body
};

} // namespace tailor

#endif
