//===- Analysis/Work.cpp ---------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/Work.h"

#include "Analysis/InstructionWork.h"

namespace tailor {

std::string_view nameOf(WorkKind kind) {
  static constexpr std::string_view kNames[kNumWorkKinds] = {"floating-point operations",
                                                             "integer operations",
                                                             "special functions",
                                                             "conversions",
                                                             "loads",
                                                             "stores",
                                                             "atomics",
                                                             "image accesses",
                                                             "control barriers",
                                                             "memory barriers",
                                                             "subgroup operations"};
  return kNames[static_cast<unsigned>(kind)];
}

std::string_view nameOf(WorkSpace space) {
  static constexpr std::string_view kNames[kNumWorkSpaces] = {"buffer", "image", "uniform",
                                                              "workgroup", "private"};
  return kNames[static_cast<unsigned>(space)];
}

/// Instructions of one block, without its loops.
static WorkCounts<double> blockWork(const InstructionWork &costs, const Block &block) {
  WorkCounts<double> sum;
  for (const Instruction &inst : block.instructions()) {
    WorkCounts<double> one = costs.of(inst);
    for (unsigned at = 0; at < kNumWorkKinds; ++at)
      sum.operations[at] += one.operations[at];
    for (unsigned at = 0; at < kNumWorkSpaces; ++at) {
      sum.bytesRead[at] += one.bytesRead[at];
      sum.bytesWritten[at] += one.bytesWritten[at];
    }
    sum.unsized += one.unsized;
  }
  return sum;
}

static void addWeighted(WorkCounts<TripSum> &total, const WorkCounts<double> &block,
                        const TripSum &weight) {
  auto add = [&](TripSum &sum, double count) {
    if (count != 0)
      sum += weight * count;
  };
  for (unsigned at = 0; at < kNumWorkKinds; ++at)
    add(total.operations[at], block.operations[at]);
  for (unsigned at = 0; at < kNumWorkSpaces; ++at) {
    add(total.bytesRead[at], block.bytesRead[at]);
    add(total.bytesWritten[at], block.bytesWritten[at]);
  }
  add(total.unsized, block.unsized);
}

WorkFacts measureWork(const KernelAnalysis &kernel) {
  WorkFacts facts;
  TripCounts trips(kernel);
  InstructionWork costs(kernel);
  auto assumed = [&](const std::string &name) { return trips.assumedValue(name); };
  double all = 0, belowSubgroup = 0, belowWorkgroup = 0;
  for (const Block &block : kernel.form().function().blocks()) {
    if (!kernel.flow().isReachable(block))
      continue;
    WorkCounts<double> work = blockWork(costs, block);
    TripSum weight = trips.of(block);
    addWeighted(facts.counts, work, weight);
    double operations = 0;
    for (unsigned at = 0; at <= static_cast<unsigned>(WorkKind::Image); ++at)
      operations += work.operations[at];
    if (operations == 0)
      continue;
    operations *= weight.evaluate(assumed);
    all += operations;
    UniformityScope control = kernel.uniformity().control(block);
    belowSubgroup += control < UniformityScope::Subgroup ? operations : 0;
    belowWorkgroup += control < UniformityScope::Workgroup ? operations : 0;
  }
  facts.names = trips.names();
  if (all > 0) {
    facts.divergentInSubgroup = belowSubgroup / all;
    facts.divergentInWorkgroup = belowWorkgroup / all;
  }
  double bytes = 0;
  for (WorkSpace space : {WorkSpace::Buffer, WorkSpace::Image})
    bytes += (facts.counts.read(space) + facts.counts.written(space)).evaluate(assumed);
  if (bytes > 0)
    facts.intensity =
        (facts.counts[WorkKind::Float] + facts.counts[WorkKind::Special]).evaluate(assumed) / bytes;
  facts.pressure = measurePressure(kernel);
  facts.privateBytes = costs.privateBytes();
  return facts;
}

} // namespace tailor
