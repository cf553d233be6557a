//===- Analysis/CanonicalForm.h - The form that analyses read ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One entry point alone, its calls inlined and its local variables in SSA form,
// made by SPIRV-Tools' public optimizer passes from a clone of the module.
// Nothing is removed that the authored module would execute: no dead-code
// elimination runs, so that every access of the authored body is still seen.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_CANONICALFORM_H
#define TAILOR_ANALYSIS_CANONICALFORM_H

#include "IR/Module.h"
#include "Support/Result.h"

#include "llvm/ADT/DenseMap.h"

namespace tailor {

class CanonicalForm {
public:
  /// Never fails for want of optimisation: a step that fails or gives an invalid module is undone,
  /// and `incomplete` says so. Fails where the entry point has no body.
  static Result<CanonicalForm> create(const Module &authored, const EntryPoint &entry);

  Module &module() { return form; }
  const Module &module() const { return form; }
  const Module &authoredModule() const { return *authored; }
  Function &function() const { return *body; }
  EntryPoint entry() const { return form.entryPoints().front(); }
  /// The steps that were undone, in words; empty when all went through.
  const std::vector<std::string> &incomplete() const { return undone; }

  /// Where an instruction of the form came from in the authored module.
  Location locationOf(const Instruction &inst) const;
  /// The same for the location of an instruction in a module that was made from the form, its lines
  /// kept.
  Location authoredLocation(const Location &marked) const;

private:
  const Module *authored = nullptr;
  Module form;
  Function *body = nullptr;
  std::vector<std::string> undone;
  llvm::DenseMap<uint32_t, const Instruction *> byWord; ///< authored instructions by word offset
};

} // namespace tailor

#endif
