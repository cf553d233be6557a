//===- Analysis/GuardConditions.h - Conditions that hold where control stands ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_GUARDCONDITIONS_H
#define TAILOR_ANALYSIS_GUARDCONDITIONS_H

#include "Analysis/CanonicalForm.h"
#include "IR/Cfg.h"

#include "llvm/ADT/DenseSet.h"

#include <map>
#include <optional>
#include <vector>

namespace tailor {

/// A boolean component that is known to be true or false.
struct Atom {
  const Instruction *inst;
  unsigned component;
  bool truth;
};

/// What is known where control stands; `infeasible`: control cannot stand there.
class KnownConditions {
public:
  bool infeasible = false;

  const std::vector<Atom> &atoms() const { return list; }
  bool has(const Atom &atom) const { return known.contains(keyOf(atom)); }
  void add(const Atom &atom) {
    if (known.insert(keyOf(atom)).second)
      list.push_back(atom);
  }
  void keepCommon(const KnownConditions &other) {
    std::erase_if(list, [&](const Atom &atom) {
      bool drop = !other.has(atom);
      if (drop)
        known.erase(keyOf(atom));
      return drop;
    });
  }

private:
  using Key = std::pair<const Instruction *, unsigned>;
  static Key keyOf(const Atom &atom) { return {atom.inst, atom.component * 2 + atom.truth}; }
  std::vector<Atom> list; ///< in the order they came to be known
  llvm::DenseSet<Key> known;
};

/// Conditions that are known to hold, block by block, from the branches that dominate it.
class ConditionFinder {
public:
  ConditionFinder(const CanonicalForm &form, const ControlFlow &flow)
      : module(form.module()), flow(flow), ofBlock(form.function().size()) {}

  const KnownConditions &at(const Block &block);

private:
  void add(KnownConditions &facts, const Atom &atom) const;
  void addAll(KnownConditions &facts, const KnownConditions &more) const;
  void assume(KnownConditions &facts, Id condition, unsigned component, bool truth, unsigned depth);
  void assumeEdge(KnownConditions &facts, const Block &from, const Block &to, unsigned depth);
  const KnownConditions &ofPhi(const Instruction &phi, bool truth);
  KnownConditions computePhi(const Instruction &phi, bool truth);
  void assumeComponents(KnownConditions &facts, Id vector, bool truth, unsigned depth);
  bool isTimeless(const Instruction &inst) const;

  const Module &module;
  const ControlFlow &flow;
  std::vector<std::optional<KnownConditions>> ofBlock; ///< by block index
  /// What follows from a phi's being false or true, whatever else is known: computed once, since
  /// those of `a && b && c && ...` hang off each other.
  std::map<std::pair<const Instruction *, bool>, KnownConditions> phis;
  unsigned openPhis = 0;
};

} // namespace tailor

#endif
