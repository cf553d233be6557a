//===- passes/PrintBarriers.cpp - Barriers and atomics of a kernel ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/PrintBarriers.h"

#include "passes/EntryAnalysis.h"

#include "Analysis/Barriers.h"

#include "llvm/Support/raw_ostream.h"

namespace tailor {

Result<std::unique_ptr<Pass>> PrintBarriers::create(PassArguments &arguments) {
  Options options{arguments.string("entry").value_or("")};
  if (Status read = arguments.finish(); !read)
    return read.takeFailure();
  return std::unique_ptr<Pass>(std::make_unique<PrintBarriers>(std::move(options)));
}

namespace {

class Printer {
public:
  Printer(const KernelAnalysis &kernel, llvm::raw_ostream &os) : kernel(kernel), os(os) {}
  void print(const BarrierFacts &facts);

private:
  std::string at(const Instruction &inst) const { return kernel.locationOf(inst).str(); }
  void causes(const std::vector<CauseStep> &steps);
  void loops(const LoopPlace &place);
  void barrier(const BarrierFact &fact);
  void atomic(const AtomicFact &fact);

  const KernelAnalysis &kernel;
  llvm::raw_ostream &os;
};

void Printer::causes(const std::vector<CauseStep> &steps) {
  for (const CauseStep &step : steps)
    os << "      because " << at(*step.inst) << ": " << step.text << "\n";
}

void Printer::loops(const LoopPlace &place) {
  os << "loop depth " << place.depth << ", runs " << place.trips.str()
     << (place.trips.str() == "1" ? " time" : " times");
}

void Printer::barrier(const BarrierFact &fact) {
  os << "  control barrier at " << at(*fact.inst) << ": execution " << fact.execution << ", memory "
     << fact.memory << ", semantics " << fact.semantics << "\n    ";
  loops(fact.loops);
  os << "; control flow is the same per " << nameOf(fact.control) << "\n";
  if (fact.isDivergent)
    os << "    divergent barrier\n";
  causes(fact.cause);
  for (unsigned axis = 0; axis < 3 && !fact.isDivergent; ++axis)
    if (!fact.packUniform[axis]) {
      os << "    groups along " << kAxisName[axis] << " may reach it differently\n";
      causes(fact.packCause[axis]);
    }
}

void Printer::atomic(const AtomicFact &fact) {
  os << "  atomic " << fact.operation << " on " << fact.space;
  if (fact.variable)
    os << " '" << fact.name << "'";
  os << " at " << at(*fact.inst) << ": result " << (fact.resultUsed ? "used" : "unused")
     << ", scope " << fact.scope << ", semantics " << fact.semantics << "\n    "
     << nameOf(fact.contention);
  if (fact.contention == Contention::OneAddress)
    os << " (in a " << nameOf(fact.contentionScope) << ")";
  if (fact.contention == Contention::PerLane)
    os << (fact.distinctInWorkgroup ? " (in a workgroup)" : " (in a row)");
  os << ", " << fact.executors.str() << "; ";
  loops(fact.loops);
  os << "\n";
}

void Printer::print(const BarrierFacts &facts) {
  for (const BarrierFact &fact : facts.barriers)
    barrier(fact);
  for (const MemoryBarrierFact &fact : facts.memoryBarriers) {
    os << "  memory barrier at " << at(*fact.inst) << ": scope " << fact.scope << ", semantics "
       << fact.semantics << "\n    ";
    loops(fact.loops);
    os << "\n";
  }
  for (const AtomicFact &fact : facts.atomics)
    atomic(fact);
  if (facts.waiting)
    os << "  waiting loop at " << at(*facts.waiting->branch)
       << ": it decides by memory that other invocations write\n      because "
       << at(*facts.waiting->read) << ": it is read here\n";
  for (const LastGroupCounter &counter : facts.lastGroupCounters)
    os << "  last-group counter at " << at(*counter.comparison) << ": compared with "
       << (counter.byNumWorkgroups ? "a count made of NumWorkgroups" : "a value of the host")
       << "\n      because " << at(*counter.atomic) << ": it counts here\n";
  bool nothing = facts.barriers.empty() && facts.memoryBarriers.empty() && facts.atomics.empty() &&
                 !facts.waiting;
  if (nothing)
    os << "  none\n";
}

} // namespace

Result<Change> PrintBarriers::run(Module &module, PassContext &context) {
  Result<KernelAnalysis> kernel = analyzeEntry(module, options.entry, context);
  if (!kernel)
    return kernel.takeFailure();
  context.out << "barriers of '" << kernel->entryName() << "'\n";
  Printer(*kernel, context.out).print(gatherBarriers(*kernel));
  return Change::Unchanged;
}

} // namespace tailor
