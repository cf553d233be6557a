//===- passes/PrintCfg.cpp - Blocks, edges, dominators, cycles ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/PrintCfg.h"

#include "IR/Cfg.h"

#include "llvm/Support/raw_ostream.h"

namespace tailor {

Result<std::unique_ptr<Pass>> PrintCfg::create(PassArguments &) {
  return std::unique_ptr<Pass>(std::make_unique<PrintCfg>());
}

static void printBlock(llvm::raw_ostream &os, const Block &block, const ControlFlow &flow) {
  os << "  %" << raw(block.id()) << ":";
  if (block.successors().empty())
    os << " ends";
  else
    os << " to";
  for (const Block *next : block.successors())
    os << " %" << raw(next->id());
  if (const Instruction *merge = block.merge()) {
    os << ", merge %" << raw(merge->id(0));
    if (merge->opcode() == spv::Op::OpLoopMerge)
      os << ", continue %" << raw(merge->id(1));
  }
  if (!flow.isReachable(block)) {
    os << ", unreachable\n";
    return;
  }
  if (const Block *dominator = flow.immediateDominator(block))
    os << ", dominated by %" << raw(dominator->id());
  if (unsigned depth = flow.cycleDepth(block))
    os << ", cycle depth " << depth;
  os << "\n";
}

Result<Change> PrintCfg::run(Module &module, PassContext &context) {
  for (const auto &function : module.functions()) {
    context.out << "control flow of '" << module.name(function->id()) << "'\n";
    if (function->isDeclaration())
      continue;
    ControlFlow flow(*function);
    for (const Block &block : function->blocks())
      printBlock(context.out, block, flow);
  }
  return Change::Unchanged;
}

} // namespace tailor
