//===- passes/PrintWork.cpp - How much an invocation does ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/PrintWork.h"

#include "passes/EntryAnalysis.h"

#include "Analysis/Work.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace tailor {

Result<std::unique_ptr<Pass>> PrintWork::create(PassArguments &arguments) {
  Options options{arguments.string("entry").value_or("")};
  if (Status read = arguments.finish(); !read)
    return read.takeFailure();
  return std::unique_ptr<Pass>(std::make_unique<PrintWork>(std::move(options)));
}

static void printCounts(const WorkCounts<TripSum> &counts, llvm::raw_ostream &os) {
  for (unsigned at = 0; at < kNumWorkKinds; ++at) {
    auto kind = static_cast<WorkKind>(at);
    if (!counts[kind].isZero())
      os << "  " << nameOf(kind) << ": " << counts[kind].str() << "\n";
  }
  for (unsigned at = 0; at < kNumWorkSpaces; ++at) {
    auto space = static_cast<WorkSpace>(at);
    if (!counts.read(space).isZero() || !counts.written(space).isZero())
      os << "  " << nameOf(space) << " bytes: read " << counts.read(space).str() << ", written "
         << counts.written(space).str() << "\n";
  }
  if (!counts.unsized.isZero())
    os << "  accesses of unknown size: " << counts.unsized.str() << "\n";
}

Result<Change> PrintWork::run(Module &module, PassContext &context) {
  Result<KernelAnalysis> kernel = analyzeEntry(module, options.entry, context);
  if (!kernel)
    return kernel.takeFailure();
  WorkFacts facts = measureWork(*kernel);
  llvm::raw_ostream &os = context.out;
  os << "work of an invocation of '" << kernel->entryName() << "'\n";
  printCounts(facts.counts, os);
  for (const TripName &name : facts.names) {
    os << "  with " << name.name << " = " << llvm::format("%g", name.assumed);
    os << (name.meaning.empty() ? "" : ": " + name.meaning) << "\n";
  }
  os << "  floating-point operations per byte of global memory: ";
  if (facts.intensity)
    os << llvm::format("%.3f", *facts.intensity) << "\n";
  else
    os << "none\n";
  os << "  operations under control flow that may differ: "
     << llvm::format("%.1f %% in a subgroup, %.1f %% in a workgroup\n",
                     100 * facts.divergentInSubgroup, 100 * facts.divergentInWorkgroup);
  if (!facts.pressure)
    os << "  live values: too many to say\n";
  else if (!facts.pressure->at)
    os << "  live values: none\n";
  else
    os << "  live values: at most " << facts.pressure->components << " components of 32 bits, at "
       << kernel->locationOf(*facts.pressure->at).str() << "\n";
  if (facts.privateBytes != 0)
    os << "  private memory: " << facts.privateBytes << " bytes\n";
  return Change::Unchanged;
}

} // namespace tailor
