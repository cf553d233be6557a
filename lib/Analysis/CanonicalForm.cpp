//===- Analysis/CanonicalForm.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/CanonicalForm.h"

#include "Analysis/OptimizerSteps.h"
#include "Analysis/RelaxedValues.h"

#include "spirv-tools/optimizer.hpp"
#include "llvm/ADT/DenseSet.h"

#include <algorithm>

namespace tailor {

namespace {

/// The OpString that marks our line numbers: each is the word offset of the
/// authored instruction, which survives inlining as any OpLine does.
constexpr const char *kWordMarker = "spirv-tailor: word offsets";

void keepOnlyEntry(Module &module, const EntryPoint &kept) {
  InstructionList &entries = module.section(Section::EntryPoints);
  for (auto at = entries.begin(); at != entries.end();) {
    Instruction &inst = *at++;
    if (inst.id(1) != kept.function() || inst.literal(0) != kept.inst->literal(0) ||
        inst.string(2) != kept.name())
      module.erase(Section::EntryPoints, inst);
  }
  InstructionList &modes = module.section(Section::ExecutionModes);
  for (auto at = modes.begin(); at != modes.end();) {
    Instruction &inst = *at++;
    if (inst.id(0) != kept.function())
      module.erase(Section::ExecutionModes, inst);
  }
}

void markWordOffsets(Module &module) {
  Id marker = module.freshId();
  Instruction text(spv::Op::OpString, Id::None, marker);
  text.addString(kWordMarker);
  // OpString comes before OpName (SPIR-V 1.6, section 2.4, 7a).
  InstructionList &debug = module.section(Section::Debug);
  module.append(Section::Debug, text);
  debug.splice(debug.begin(), debug, std::prev(debug.end()));

  module.forEachInstruction([](Instruction &inst) { inst.clearLineMarks(); });
  for (auto &function : module.functions())
    for (Block &block : function->blocks()) {
      bool afterMerge = false; // nothing may stand between a merge and its branch
      for (Instruction &inst : block.instructions()) {
        if (!afterMerge)
          inst.addLineMark({marker, inst.wordOffset, 0});
        afterMerge = isMerge(inst.opcode());
      }
    }
}

bool hasCalls(const Function &function) {
  for (const Block &block : function.blocks())
    for (const Instruction &inst : block.instructions())
      if (inst.opcode() == spv::Op::OpFunctionCall)
        return true;
  return false;
}

/// Removes what has no meaning to a device: the instructions of NonSemantic.* and debug-information
/// sets, and what names them. (SPIRV-Tools 2023.1 mixes up OpLine and DebugScope, and crashes.)
void dropNonSemantic(Module &module) {
  llvm::DenseSet<uint32_t> sets, gone;
  for (const Instruction &import : module.section(Section::ExtInstImports)) {
    std::string name = import.string(0);
    if (name.rfind("NonSemantic.", 0) == 0 || name.find("DebugInfo") != std::string::npos)
      sets.insert(raw(import.result()));
  }
  if (sets.empty())
    return;
  module.forEachInstruction([&](Instruction &inst) {
    bool isImport = inst.opcode() == spv::Op::OpExtInstImport;
    bool isUse = inst.opcode() == spv::Op::OpExtInst && sets.contains(raw(inst.id(0)));
    if (isUse || (isImport && sets.contains(raw(inst.result())))) {
      gone.insert(raw(inst.result()));
      module.erase(inst);
    }
  });
  for (Section section : {Section::Debug, Section::Annotations}) {
    InstructionList &list = module.section(section);
    for (auto at = list.begin(); at != list.end();) {
      Instruction &inst = *at++;
      bool namesOne = inst.numOperands() > 0 && inst.isId(0) && !isValid(inst.result()) &&
                      gone.contains(raw(inst.id(0)));
      if (namesOne)
        module.erase(section, inst);
    }
  }
}

/// Instructions of `function` with its calls inlined; saturates. A call cycle, which is not valid,
/// counts as endless.
uint64_t inlinedSize(const Module &module, const Function &function,
                     llvm::DenseMap<uint32_t, uint64_t> &known) {
  auto [at, isNew] = known.try_emplace(raw(function.id()), UINT32_MAX);
  if (!isNew)
    return at->second;
  uint64_t size = 0;
  for (const Block &block : function.blocks())
    for (const Instruction &inst : block.instructions()) {
      ++size;
      const Function *callee =
          inst.opcode() == spv::Op::OpFunctionCall ? module.function(inst.id(0)) : nullptr;
      if (callee)
        size = std::min<uint64_t>(size + inlinedSize(module, *callee, known), UINT32_MAX);
    }
  known[raw(function.id())] = size;
  return size;
}

/// Why the calls are better left alone: each level of calls can multiply a kernel.
std::optional<std::string> tooLargeToInline(const Module &module, const Function &function) {
  constexpr uint64_t kAlwaysFine = 64'000, kGrowth = 4;
  uint64_t authored = 0;
  for (const auto &each : module.functions())
    for (const Block &block : each->blocks())
      authored += block.instructions().size();
  llvm::DenseMap<uint32_t, uint64_t> known;
  uint64_t size = inlinedSize(module, function, known);
  if (size <= std::max(kAlwaysFine, kGrowth * authored))
    return std::nullopt;
  return "inlining: it would make more than " +
         std::to_string(std::max(kAlwaysFine, kGrowth * authored)) + " instructions of " +
         std::to_string(authored);
}

void addInlining(spvtools::Optimizer &optimizer, bool mergeReturns) {
  if (mergeReturns)
    optimizer.RegisterPass(spvtools::CreateMergeReturnPass());
  optimizer.RegisterPass(spvtools::CreateInlineExhaustivePass())
      .RegisterPass(spvtools::CreateEliminateDeadFunctionsPass());
}

void addScalarForm(spvtools::Optimizer &optimizer) {
  optimizer.RegisterPass(spvtools::CreatePrivateToLocalPass())
      .RegisterPass(spvtools::CreateScalarReplacementPass(0))
      .RegisterPass(spvtools::CreateLocalAccessChainConvertPass())
      .RegisterPass(spvtools::CreateLocalSingleBlockLoadStoreElimPass())
      .RegisterPass(spvtools::CreateLocalSingleStoreElimPass())
      .RegisterPass(spvtools::CreateSSARewritePass());
}

} // namespace

/// The words that the steps begin with: one entry point, nothing non-semantic, reduced precision
/// said of values, word offsets as lines.
static std::vector<uint32_t> markedWords(const Module &authored, const EntryPoint &entry) {
  Module marked = authored.clone();
  keepOnlyEntry(marked, entry);
  dropNonSemantic(marked);
  spellOutRelaxedValues(marked);
  markWordOffsets(marked);
  for (Instruction &inst : marked.section(Section::Debug))
    if (inst.opcode() == spv::Op::OpSource)
      inst.setLiteral(0, 0); // the optimizer refuses languages that it does not know
  marked.useNativeByteOrder();
  return marked.words();
}

Result<CanonicalForm> CanonicalForm::create(const Module &authored, const EntryPoint &entry) {
  const Function *function = authored.function(entry.function());
  if (!function || function->isDeclaration())
    return failure(authored.locationOf(*entry.inst),
                   "entry point '" + entry.name() + "' has no body");
  CanonicalForm result;
  result.authored = &authored;
  authored.forEachInstruction([&](const Instruction &inst) {
    if (inst.wordOffset != UINT32_MAX)
      result.byWord[inst.wordOffset] = &inst;
  });

  Result<OptimizerSteps> steps =
      OptimizerSteps::create(markedWords(authored, entry), authored.source.file);
  if (!steps)
    return steps.takeFailure();

  // Inlining cannot take a callee that returns from inside a construct; merging returns can be had
  // for it, but hides the bounds checks of the entry point, so it is the second try.
  if (std::optional<std::string> tooLarge = tooLargeToInline(authored, *function)) {
    steps->noteUndone(*tooLarge);
  } else {
    std::vector<uint32_t> before = steps->words();
    steps->run("inlining", [](auto &optimizer) { addInlining(optimizer, false); });
    const Function *inlined = steps->module().function(entry.function());
    if (inlined && hasCalls(*inlined)) {
      steps->goBack(std::move(before));
      steps->run("merging returns and inlining",
                 [](auto &optimizer) { addInlining(optimizer, true); });
    }
  }
  steps->run("local variables to SSA", addScalarForm);

  result.undone = steps->undone();
  result.form = steps->takeModule();
  result.body = result.form.function(entry.function());
  if (!result.body || result.form.entryPoints().size() != 1)
    return failure(authored.locationOf(*entry.inst), "the canonical form lost the entry point",
                   ErrorKind::Internal);
  return result;
}

Location CanonicalForm::locationOf(const Instruction &inst) const {
  const Instruction *at = &inst;
  // A phi that SSA construction made has no line of its own: its block's end has.
  if (at->lineIndex == 0 && at->parent() && at->parent()->terminator())
    at = at->parent()->terminator();
  Location file = Location::inFile(authored->source.file);
  if (Location found = authoredLocation(form.locationOf(*at)); found != file)
    return found;
  // Module-scope definitions keep their ids.
  if (isValid(inst.result()) && !inst.parent())
    if (const Instruction *same = authored->def(inst.result()))
      return authored->locationOf(*same);
  return file;
}

Location CanonicalForm::authoredLocation(const Location &marked) const {
  if (marked.file == kWordMarker && marked.line != UINT32_MAX) // else a pass made it
    if (auto found = byWord.find(marked.line); found != byWord.end())
      return authored->locationOf(*found->second);
  return Location::inFile(authored->source.file);
}

} // namespace tailor
