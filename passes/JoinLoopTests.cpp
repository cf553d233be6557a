//===- passes/JoinLoopTests.cpp --------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/JoinLoopTests.h"

#include "passes/ModuleEdits.h"

#include "llvm/ADT/STLExtras.h"

namespace tailor {

Result<std::unique_ptr<Pass>> JoinLoopTests::create(PassArguments &) {
  return std::unique_ptr<Pass>(std::make_unique<JoinLoopTests>());
}

namespace {

bool hasPhi(const Block &block) {
  return !block.instructions().empty() && block.instructions().front().opcode() == spv::Op::OpPhi;
}

/// The block behind `header` that tests, where it is to be joined; null where there is none.
Block *testBehind(Function &function, Block &header) {
  const Instruction *merge = header.merge();
  if (!merge || merge->opcode() != spv::Op::OpLoopMerge ||
      header.terminator()->opcode() != spv::Op::OpBranch)
    return nullptr;
  const Id end = merge->id(0), next = merge->id(1), target = header.terminator()->id(0);
  Block *exit = function.block(end), *test = function.block(target);
  if (!exit || !test || !hasPhi(*exit) || target == end || target == next ||
      test->predecessors().size() != 1 || test->merge())
    return nullptr;
  const Instruction &branch = *test->terminator();
  const bool ends = branch.opcode() == spv::Op::OpBranchConditional &&
                    (branch.id(1) == end) != (branch.id(2) == end);
  return ends ? test : nullptr;
}

/// A phi of a block with one predecessor is the value that it takes.
void forwardPhis(Module &module, Block &test) {
  while (hasPhi(test)) {
    Instruction &phi = test.instructions().front();
    const Id value = phi.id(0), gone = phi.result();
    module.forEachInstruction([&](Instruction &inst) {
      for (unsigned index = 0; inst.parent() && index < inst.numOperands(); ++index)
        if (inst.isId(index) && inst.id(index) == gone)
          inst.setId(index, value);
    });
    removeNamesAndDecorations(module, {raw(gone)});
    module.erase(test, phi);
  }
}

void join(Module &module, Function &function, Block &header, Block &test) {
  forwardPhis(module, test);
  Instruction &merge = *std::prev(header.instructions().end(), 2);
  for (Block *after : test.successors())
    for (Instruction &phi : after->instructions()) {
      if (phi.opcode() != spv::Op::OpPhi)
        break;
      for (unsigned index = 1; index < phi.numOperands(); index += 2)
        if (phi.id(index) == test.id())
          phi.setId(index, header.id());
    }
  std::vector<Instruction> moved;
  while (!test.instructions().empty()) {
    moved.push_back(test.instructions().front());
    module.erase(test, test.instructions().front());
  }
  module.erase(header, *header.terminator());
  for (size_t at = 0; at + 1 < moved.size(); ++at)
    module.insertBefore(merge, moved[at]);
  module.insert(header, header.instructions().end(), moved.back());
  removeNamesAndDecorations(module, {raw(test.id())});
  module.eraseBlock(test);
  function.rebuildCfg();
}

} // namespace

Change joinLoopTests(Module &module) {
  Change change = Change::Unchanged;
  for (const auto &function : module.functions())
    for (Block &header : function->blocks())
      if (Block *test = testBehind(*function, header)) {
        join(module, *function, header, *test);
        change = Change::Changed;
      }
  return change;
}

Result<Change> JoinLoopTests::run(Module &module, PassContext &) { return joinLoopTests(module); }

} // namespace tailor
