//===- passes/PrintAffine.cpp - Integer values as sums of symbols ----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/PrintAffine.h"

#include "passes/EntryAnalysis.h"

#include "Analysis/Opcodes.h"
#include "IR/Types.h"

#include "llvm/Support/raw_ostream.h"

namespace tailor {

Result<std::unique_ptr<Pass>> PrintAffine::create(PassArguments &arguments) {
  Options options{arguments.string("entry").value_or("")};
  if (Status read = arguments.finish(); !read)
    return read.takeFailure();
  return std::unique_ptr<Pass>(std::make_unique<PrintAffine>(std::move(options)));
}

static std::string rangeText(const IntRange &range) {
  auto end = [](int64_t value, int64_t open) {
    return value == open ? std::string("?") : std::to_string(value);
  };
  return "[" + end(range.lo, IntRange::kMin) + ", " + end(range.hi, IntRange::kMax) + "]";
}

static void printLoops(const KernelAnalysis &kernel, llvm::raw_ostream &os) {
  for (const auto &loop : kernel.affine().loops()) {
    const Instruction *last = loop->header->terminator();
    os << "  loop " << kernel.affine().nameOf(loop->iteration) << " depth " << loop->depth << " at "
       << kernel.locationOf(*last).str() << ": ";
    if (loop->tripText.empty())
      os << "trips not known";
    else
      os << "trips " << loop->tripText << (loop->trips ? "" : " (if nothing wraps)");
    os << (loop->testsAtEnd ? ", tested at the end" : "") << "\n";
  }
}

/// The pointer that a load, store or atomic goes through.
static std::optional<Id> pointerOf(const Instruction &inst) {
  if (inst.opcode() == spv::Op::OpLoad || inst.opcode() == spv::Op::OpStore ||
      isAtomic(inst.opcode()))
    return inst.id(0);
  return std::nullopt;
}

static void printInstruction(const KernelAnalysis &kernel, const Instruction &inst,
                             llvm::raw_ostream &os) {
  const AffineAnalysis &affine = kernel.affine();
  const Module &module = kernel.module();
  unsigned count = isValid(inst.result()) ? componentCount(module, inst.typeId()) : 0;
  for (unsigned at = 0; at < count; ++at) {
    const AffineExpr *expr = affine.expr(inst.result(), at);
    if (!expr)
      continue;
    os << "  " << module.name(inst.result());
    if (count > 1)
      os << "[" << at << "]";
    os << " = " << affine.str(*expr) << " in " << rangeText(affine.rangeOf(*expr, inst.parent()))
       << "\n";
  }
  std::optional<Id> pointer = pointerOf(inst);
  if (!pointer)
    return;
  std::optional<AffineAddress> address = affine.address(*pointer);
  if (!address || address->space == MemorySpace::Input ||
      address->space == MemorySpace::PushConstant)
    return;
  os << "  " << nameOf(inst.opcode()) << " '" << module.name(address->variable->result()) << "' at "
     << affine.str(address->bytes) << " (" << kernel.locationOf(inst).str() << ")\n";
}

Result<Change> PrintAffine::run(Module &module, PassContext &context) {
  Result<KernelAnalysis> kernel = analyzeEntry(module, options.entry, context);
  if (!kernel)
    return kernel.takeFailure();
  llvm::raw_ostream &os = context.out;
  os << "affine expressions of '" << kernel->entryName() << "' at " << kernel->size().str() << "\n";
  printLoops(*kernel, os);
  for (const Block &block : kernel->form().function().blocks())
    if (kernel->flow().isReachable(block))
      for (const Instruction &inst : block.instructions())
        printInstruction(*kernel, inst, os);
  return Change::Unchanged;
}

} // namespace tailor
