//===- Analysis/CanonicalForm.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Analysis/CanonicalForm.h"

#include "IR/Reader.h"
#include "Support/SpirvTools.h"

#include "spirv-tools/optimizer.hpp"

#include <functional>

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

using AddPasses = std::function<void(spvtools::Optimizer &)>;

/// Runs the passes on `words`; keeps the old words, and says so in `undone`,
/// when one fails or what comes out is not valid.
bool step(std::vector<uint32_t> &words, const char *what, const AddPasses &addPasses,
          std::vector<std::string> &undone) {
  spvtools::Optimizer optimizer(targetEnvOf(words));
  std::string message;
  optimizer.SetMessageConsumer(
      [&](spv_message_level_t level, const char *, const spv_position_t &, const char *text) {
        if (level <= SPV_MSG_ERROR && message.empty())
          message = text;
      });
  addPasses(optimizer);
  std::vector<uint32_t> out;
  spvtools::OptimizerOptions options;
  options.set_run_validator(false); // validateSpirv below knows which options we need
  bool ran = optimizer.Run(words.data(), words.size(), &out, options);
  if (ran && validateSpirv(out, "")) {
    words = std::move(out);
    return true;
  }
  undone.push_back(std::string(what) + (message.empty() ? "" : ": " + message));
  return false;
}

void addInlining(spvtools::Optimizer &optimizer, bool mergeReturns) {
  optimizer.RegisterPass(spvtools::CreateStripNonSemanticInfoPass());
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

  Module marked = authored.clone();
  keepOnlyEntry(marked, entry);
  markWordOffsets(marked);
  for (Instruction &inst : marked.section(Section::Debug))
    if (inst.opcode() == spv::Op::OpSource)
      inst.setLiteral(0, 0); // the optimizer refuses languages that it does not know
  marked.useNativeByteOrder();
  std::vector<uint32_t> words = marked.words();

  // Inlining cannot take a callee that returns from inside a construct; merging returns can be had
  // for it, but hides the bounds checks of the entry point, so it is the second try.
  auto reread = [&] { return readModule(words, authored.source.file); };
  std::vector<uint32_t> before = words;
  step(words, "inlining", [](auto &optimizer) { addInlining(optimizer, false); }, result.undone);
  Result<Module> form = reread();
  if (!form)
    return form.takeFailure();
  if (Function *body = form->function(entry.function()); body && hasCalls(*body)) {
    words = std::move(before);
    step(
        words, "merging returns and inlining",
        [](auto &optimizer) { addInlining(optimizer, true); }, result.undone);
  }
  step(words, "local variables to SSA", addScalarForm, result.undone);

  form = reread();
  if (!form)
    return form.takeFailure();
  result.form = std::move(*form);
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
  Location marked = form.locationOf(*at);
  if (marked.file == kWordMarker)
    if (auto found = byWord.find(marked.line); found != byWord.end())
      return authored->locationOf(*found->second);
  // Module-scope definitions keep their ids.
  if (isValid(inst.result()) && !inst.parent())
    if (const Instruction *same = authored->def(inst.result()))
      return authored->locationOf(*same);
  return Location::inFile(authored->source.file);
}

} // namespace tailor
