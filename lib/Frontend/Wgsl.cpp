//===- Frontend/Wgsl.cpp - WGSL in, through naga ---------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Frontend/Inputs.h"
#include "Frontend/WgslClear.h"
#include "Frontend/WgslLines.h"

#include "IR/Builder.h"
#include "IR/Capabilities.h"
#include "IR/Reader.h"
#include "Naga/Naga.h"

#include <algorithm>

namespace tailor {
namespace {

std::string_view valueFor(const FrontendOptions &options, std::string_view name,
                          std::vector<bool> &used) {
  for (size_t i = 0; i < options.defines.size(); ++i)
    if (options.defines[i].first == name) {
      used[i] = true;
      return options.defines[i].second;
    }
  return {};
}

/// `override` declarations as constants of the same place: with the value that `-D NAME=V` gives,
/// else with the default. naga writes no module that has overrides.
Result<std::string> freezeOverrides(std::string_view text, const FrontendOptions &options,
                                    const std::string &fileName) {
  std::string made(text);
  std::vector<bool> used(options.defines.size());
  const std::vector<WgslToken> tokens = wgslTokens(text);
  long moved = 0; // behind the values that were put in
  int depth = 0;
  for (size_t i = 0; i + 1 < tokens.size(); ++i) {
    depth += tokens[i].text == "{" ? 1 : tokens[i].text == "}" ? -1 : 0;
    if (depth != 0 || tokens[i].text != "override")
      continue;
    auto place = [&](const WgslToken &token) {
      return static_cast<size_t>(static_cast<long>(token.offset) + moved);
    };
    size_t end = i;
    size_t equals = 0;
    for (; end < tokens.size() && tokens[end].text != ";"; ++end)
      if (equals == 0 && tokens[end].text == "=")
        equals = end;
    if (end == tokens.size())
      break; // naga says what is missing
    const std::string_view value = valueFor(options, tokens[i + 1].text, used);
    if (value.empty() && equals == 0)
      return failure(Location::at(fileName, tokens[i].line, tokens[i].column),
                     "the override '" + std::string(tokens[i + 1].text) +
                         "' has no default: give its value by -D " +
                         std::string(tokens[i + 1].text) + "=VALUE");
    // As long as the word that it replaces, so that columns stay; so does what was an attribute.
    made.replace(place(tokens[i]), 8, "const   ");
    if (i >= 5 && tokens[i - 5].text == "@" && tokens[i - 4].text == "id")
      for (size_t at = place(tokens[i - 5]); at < place(tokens[i]); ++at)
        made[at] = made[at] == '\n' ? '\n' : ' ';
    if (value.empty())
      continue;
    const size_t from = equals != 0 ? place(tokens[equals]) : place(tokens[end]);
    const size_t to = place(tokens[end]);
    const std::string put = " = " + std::string(value);
    made.replace(from, to - from, put);
    moved += static_cast<long>(put.size()) - static_cast<long>(to - from);
  }
  for (size_t i = 0; i < used.size(); ++i)
    if (!used[i])
      return failure(Location::inFile(fileName),
                     "WGSL has no macros: -D gives the value of an override, and there is none "
                     "called '" +
                         options.defines[i].first + "'",
                     ErrorKind::Usage);
  return made;
}

/// naga (wgpu 30) knows the operations of subgroups, and not the directive that asks for them: it
/// becomes blanks.
void blankSubgroupDirective(std::string &text) {
  const std::vector<WgslToken> tokens = wgslTokens(text);
  auto blank = [&](size_t from, size_t to) {
    for (size_t i = from; i <= to; ++i)
      for (size_t at = 0; at < tokens[i].text.size(); ++at)
        text[tokens[i].offset + at] = ' ';
  };
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].text != "enable")
      continue;
    size_t end = i;
    while (end < tokens.size() && tokens[end].text != ";")
      ++end;
    for (size_t word = i + 1; word < end; ++word) {
      if (tokens[word].text != "subgroups")
        continue;
      if (end - i == 2)
        blank(i, end);
      else if (tokens[word - 1].text == ",")
        blank(word - 1, word);
      else
        blank(word, word + 1);
    }
    i = end;
  }
}

/// naga-wasm writes SPIR-V 1.0 whatever is in it; the operations of subgroups are of 1.3, which
/// Vulkan has since 1.1 (SPIR-V 1.6, "Capability").
void raiseVersionForSubgroups(std::vector<uint32_t> &words) {
  constexpr uint32_t version = 0x10300;
  for (size_t at = 5;
       at < words.size() && (words[at] & 0xffff) == static_cast<uint32_t>(spv::Op::OpCapability);
       at += 2) {
    const uint32_t capability = words[at + 1];
    if (capability >= static_cast<uint32_t>(spv::Capability::GroupNonUniform) &&
        capability <= static_cast<uint32_t>(spv::Capability::GroupNonUniformQuad))
      words[1] = std::max(words[1], version);
  }
}

/// Removes the counters that naga puts into every loop, so that a loop without an end comes to one
/// after 2^64 rounds. No analysis could see the bounds of a loop past them, and nobody gets there.
class LoopBounds {
public:
  explicit LoopBounds(Module &module) : module(module) {}

  void remove() {
    for (auto &function : module.functions()) {
      std::vector<Instruction *> variables;
      for (Instruction &inst : function->front().instructions())
        if (inst.opcode() == spv::Op::OpVariable && isBound(inst))
          variables.push_back(&inst);
      for (Instruction *variable : variables)
        removeOne(*function, *variable);
      function->rebuildCfg();
    }
  }

private:
  bool isBound(const Instruction &variable) const {
    if (module.name(variable.result()).substr(0, 10) != "loop_bound" || variable.numOperands() != 2)
      return false;
    const Instruction *start = module.def(variable.id(1));
    if (!start || start->opcode() != spv::Op::OpConstantComposite || start->numOperands() != 2)
      return false;
    for (unsigned i = 0; i < 2; ++i) {
      const Instruction *part = module.def(start->id(i));
      if (!part || part->opcode() != spv::Op::OpConstant || part->literal(0) != UINT32_MAX)
        return false;
    }
    return true;
  }

  /// load; all(load == 0); to the merge block if so; else store load less one.
  void removeOne(Function &function, Instruction &variable) {
    const UseMap uses(module);
    std::vector<Instruction *> gone{&variable};
    Instruction *branch = nullptr;
    for (const UseMap::Use &use : uses.uses(variable.result())) {
      if (use.user->opcode() == spv::Op::OpName)
        continue;
      if (!use.user->parent() || (use.user->opcode() == spv::Op::OpStore && use.operand != 0))
        return;
      if (use.user->opcode() != spv::Op::OpStore && use.user->opcode() != spv::Op::OpLoad)
        return;
      gone.push_back(use.user);
    }
    // Everything that comes of the load, up to the branch.
    for (size_t i = 1; i < gone.size(); ++i)
      for (const UseMap::Use &use : uses.uses(gone[i]->result())) {
        if (std::find(gone.begin(), gone.end(), use.user) != gone.end())
          continue;
        if (use.user->opcode() == spv::Op::OpBranchConditional && !branch)
          branch = use.user;
        else if (isOfTheCount(use.user->opcode()))
          gone.push_back(use.user);
        else
          return;
      }
    if (!branch || !skipTest(function, *branch))
      return;
    Instruction *name = nullptr;
    for (Instruction &inst : module.section(Section::Debug))
      if (inst.opcode() == spv::Op::OpName && inst.id(0) == variable.result())
        name = &inst;
    if (name)
      module.erase(*name);
    for (size_t i = gone.size(); i-- > 0;)
      module.erase(*gone[i]);
  }

  static bool isOfTheCount(spv::Op op) {
    return op == spv::Op::OpIEqual || op == spv::Op::OpAll || op == spv::Op::OpCompositeExtract ||
           op == spv::Op::OpSelect || op == spv::Op::OpCompositeConstruct || op == spv::Op::OpISub;
  }

  /// The branch goes where it goes while the count lasts.
  bool skipTest(Function &function, Instruction &branch) {
    Block &block = *branch.parent();
    const Block *left = function.block(branch.id(1));
    if (!left || left->instructions().front().opcode() == spv::Op::OpPhi)
      return false;
    Instruction jump(spv::Op::OpBranch);
    jump.addId(branch.id(2));
    jump.lineIndex = branch.lineIndex;
    if (Instruction *merge = const_cast<Instruction *>(block.merge()))
      module.erase(block, *merge);
    module.erase(block, branch);
    module.insert(block, block.instructions().end(), jump);
    return true;
  }

  Module &module;
};

} // namespace

Status compileWithNaga(std::string_view source, const FrontendOptions &options,
                       FrontendResult &result) {
  const std::string &file = result.fileName;
  if (!naga::isAvailable())
    return failure(Location::inFile(file), std::string(naga::whyUnavailable()),
                   ErrorKind::Environment);
  Result<std::string> text = freezeOverrides(source, options, file);
  if (!text)
    return text.takeFailure();
  blankSubgroupDirective(*text);
  Result<std::vector<uint32_t>> words = naga::spirvFromWgsl(*text, file);
  if (!words)
    return words.takeFailure();
  if (options.debugInfo)
    if (std::optional<MarkedWgsl> marked = markStatements(*text))
      if (Result<std::vector<uint32_t>> second = naga::spirvFromWgsl(marked->text, file))
        if (auto lined = withLines(*words, *second, *marked, file))
          words = std::move(*lined);
  raiseVersionForSubgroups(*words);
  Result<Module> module = readModule(*words, file);
  if (!module)
    return module.takeFailure();
  LoopBounds(*module).remove();
  clearTogether(*module);
  dropUnusedStorage16(*module);
  result.words = module->words();
  return success();
}

} // namespace tailor
