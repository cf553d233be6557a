//===- IR/Module.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "IR/Module.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace tailor {

// --- definitions ---

void Module::define(Instruction &inst) {
  if (!isValid(inst.result()))
    return;
  if (raw(inst.result()) >= defs.size())
    defs.resize(std::max<size_t>(raw(inst.result()) + 1, bound), nullptr);
  defs[raw(inst.result())] = &inst;
}

void Module::undefine(const Instruction &inst) {
  if (isValid(inst.result()) && def(inst.result()) == &inst)
    defs[raw(inst.result())] = nullptr;
  decorationIndex.valid = false;
}

Function *Module::function(Id id) const {
  for (const auto &each : functionList)
    if (each->id() == id)
      return each.get();
  return nullptr;
}

std::vector<EntryPoint> Module::entryPoints() const {
  std::vector<EntryPoint> list;
  for (const Instruction &inst : section(Section::EntryPoints))
    list.push_back({const_cast<Instruction *>(&inst)});
  return list;
}

std::string Module::name(Id id) const {
  for (const Instruction &inst : section(Section::Debug))
    if (inst.opcode() == spv::Op::OpName && inst.id(0) == id)
      if (std::string text = inst.string(1); !text.empty())
        return text;
  return "%" + std::to_string(raw(id));
}

bool Module::hasCapability(spv::Capability capability) const {
  return llvm::any_of(section(Section::Capabilities), [&](const Instruction &inst) {
    return inst.literal(0) == static_cast<uint32_t>(capability);
  });
}

bool Module::hasExtension(llvm::StringRef wanted) const {
  return llvm::any_of(section(Section::Extensions),
                      [&](const Instruction &inst) { return inst.string(0) == wanted; });
}

std::string Module::extInstSet(Id set) const {
  const Instruction *import = def(set);
  return import && import->opcode() == spv::Op::OpExtInstImport ? import->string(0) : "";
}

// --- decorations ---

const std::vector<const Instruction *> &Module::decorationsOf(Id id) const {
  static const std::vector<const Instruction *> none;
  DecorationIndex &index = decorationIndex;
  if (!index.valid) {
    index.byTarget.assign(bound, {});
    auto add = [&](Id target, const Instruction &inst) {
      if (raw(target) < index.byTarget.size())
        index.byTarget[raw(target)].push_back(&inst);
    };
    for (const Instruction &inst : section(Section::Annotations)) {
      if (inst.opcode() != spv::Op::OpGroupDecorate &&
          inst.opcode() != spv::Op::OpDecorationGroup &&
          inst.opcode() != spv::Op::OpGroupMemberDecorate)
        add(inst.id(0), inst);
      // The decorations of a group stand before the group's uses (section 2.4, 8).
      if (inst.opcode() == spv::Op::OpGroupDecorate)
        for (unsigned at = 1; at < inst.numOperands(); ++at) {
          if (raw(inst.id(0)) >= index.byTarget.size())
            continue;
          const std::vector<const Instruction *> group = index.byTarget[raw(inst.id(0))];
          for (const Instruction *each : group)
            add(inst.id(at), *each);
        }
    }
    index.valid = true;
  }
  return raw(id) < index.byTarget.size() ? index.byTarget[raw(id)] : none;
}

static bool isMemberDecoration(const Instruction &inst) {
  return inst.opcode() == spv::Op::OpMemberDecorate ||
         inst.opcode() == spv::Op::OpMemberDecorateString;
}

void Module::forEachDecoration(Id id, llvm::function_ref<void(const Instruction &)> visit) const {
  for (const Instruction *inst : decorationsOf(id))
    if (!isMemberDecoration(*inst))
      visit(*inst);
}

bool Module::hasDecoration(Id id, spv::Decoration wanted) const {
  bool found = false;
  forEachDecoration(id, [&](const Instruction &inst) {
    found |= inst.literal(1) == static_cast<uint32_t>(wanted);
  });
  return found;
}

std::optional<uint32_t> Module::decoration(Id id, spv::Decoration wanted) const {
  std::optional<uint32_t> value;
  forEachDecoration(id, [&](const Instruction &inst) {
    if (!value && inst.literal(1) == static_cast<uint32_t>(wanted) && inst.numOperands() > 2 &&
        !inst.isId(2))
      value = inst.operandWords()[inst.operand(2).firstWord];
  });
  return value;
}

/// Members decorated through OpGroupMemberDecorate are found by a walk: nobody writes it today.
static void forEachMemberDecoration(const Module &module, Id structType, uint32_t member,
                                    const std::vector<const Instruction *> &own,
                                    llvm::function_ref<void(const Instruction &, unsigned)> visit) {
  for (const Instruction *inst : own)
    if (isMemberDecoration(*inst) && inst->literal(1) == member)
      visit(*inst, 2);
  for (const Instruction &group : module.section(Section::Annotations)) {
    if (group.opcode() != spv::Op::OpGroupMemberDecorate)
      continue;
    for (unsigned at = 1; at + 1 < group.numOperands(); at += 2)
      if (group.id(at) == structType && group.literal(at + 1) == member)
        module.forEachDecoration(group.id(0), [&](const Instruction &inst) { visit(inst, 1); });
  }
}

bool Module::hasMemberDecoration(Id structType, uint32_t member, spv::Decoration wanted) const {
  bool found = false;
  forEachMemberDecoration(*this, structType, member, decorationsOf(structType),
                          [&](const Instruction &inst, unsigned at) {
                            found |= inst.literal(at) == static_cast<uint32_t>(wanted);
                          });
  return found;
}

std::optional<uint32_t> Module::memberDecoration(Id structType, uint32_t member,
                                                 spv::Decoration wanted) const {
  std::optional<uint32_t> value;
  forEachMemberDecoration(*this, structType, member, decorationsOf(structType),
                          [&](const Instruction &inst, unsigned at) {
                            if (!value && inst.literal(at) == static_cast<uint32_t>(wanted) &&
                                inst.numOperands() > at + 1)
                              value = inst.operandWords()[inst.operand(at + 1).firstWord];
                          });
  return value;
}

// --- change ---

Instruction &Module::append(Section which, const Instruction &inst) {
  auto *made = new Instruction(inst);
  section(which).push_back(made);
  define(*made);
  decorationIndex.valid = false;
  return *made;
}

Instruction &Module::insert(Block &block, InstructionList::iterator at, const Instruction &inst) {
  auto *made = new Instruction(inst);
  made->block = &block;
  block.body.insert(at, made);
  define(*made);
  return *made;
}

Instruction &Module::insertBefore(Instruction &before, const Instruction &inst) {
  if (Block *block = before.parent()) {
    assert(&before != &block->label() && "nothing stands before the label in its block");
    return insert(*block, before.getIterator(), inst);
  }
  // Outside blocks the list is not known, and need not be: nodes link themselves.
  auto *made = new Instruction(inst);
  section(Section::Globals).insert(before.getIterator(), made);
  define(*made);
  decorationIndex.valid = false;
  return *made;
}

Instruction &Module::insertGlobal(Instruction *before, const Instruction &inst) {
  InstructionList &globals = section(Section::Globals);
  auto *made = new Instruction(inst);
  globals.insert(before ? before->getIterator() : globals.end(), made);
  define(*made);
  return *made;
}

Block &Module::appendBlock(Function &function, Id label) {
  auto *made = new Block(Instruction(spv::Op::OpLabel, Id::None, label));
  made->function = &function;
  made->labelInst.block = made;
  function.blockList.push_back(made);
  define(made->labelInst);
  return *made;
}

void Module::eraseBlock(Block &block) {
  undefine(block.labelInst);
  for (const Instruction &inst : block.body)
    undefine(inst);
  block.function->blockList.erase(block.getIterator());
}

/// Line marks hold for what follows too, so they outlive the instruction that they stand before.
static void eraseFrom(InstructionList &list, Instruction &inst) {
  auto next = std::next(inst.getIterator());
  if (next != list.end() && !inst.lineMarks().empty()) {
    llvm::SmallVector<LineMark, 2> own(next->lineMarks());
    next->clearLineMarks();
    for (const LineMark &mark : inst.lineMarks())
      next->addLineMark(mark);
    for (const LineMark &mark : own)
      next->addLineMark(mark);
  }
  list.erase(inst.getIterator());
}

void Module::erase(Section which, Instruction &inst) {
  undefine(inst);
  eraseFrom(section(which), inst);
}

void Module::erase(Block &block, Instruction &inst) {
  undefine(inst);
  eraseFrom(block.body, inst);
}

void Module::erase(Instruction &inst) {
  undefine(inst);
  // A list keeps no count and no owner, so any list can let go of any instruction.
  trailing.erase(inst.getIterator());
}

bool Module::clearLineMarks() {
  bool any = !trailingMarks.empty();
  trailingMarks.clear();
  forEachInstruction([&](Instruction &inst) {
    any |= !inst.lineMarks().empty();
    inst.clearLineMarks();
  });
  return any;
}

void Module::eraseFunction(Function &function) {
  undefine(function.defInst);
  for (Instruction &inst : function.params)
    undefine(inst);
  for (Block &block : function.blockList) {
    undefine(block.labelInst);
    for (Instruction &inst : block.body)
      undefine(inst);
  }
  auto at = llvm::find_if(functionList, [&](const auto &each) { return each.get() == &function; });
  if (at == functionList.end())
    return;
  // What stands in front of the function is not its own.
  InstructionList &heir =
      std::next(at) == functionList.end() ? trailing : (*std::next(at))->leading;
  heir.splice(heir.begin(), function.leading);
  functionList.erase(at);
}

// --- walking, copying, writing ---

void Module::forEachInstruction(llvm::function_ref<void(Instruction &)> visit) {
  auto visitAll = [&](InstructionList &list) {
    for (auto at = list.begin(); at != list.end();)
      visit(*at++); // the visitor may erase what it is given
  };
  for (InstructionList &list : sections)
    visitAll(list);
  for (auto &function : functionList) {
    visitAll(function->leading);
    visit(function->defInst);
    visitAll(function->params);
    for (Block &block : function->blockList) {
      visit(block.labelInst);
      visitAll(block.body);
    }
    visit(function->endInst);
  }
  visitAll(trailing);
}

void Module::forEachInstruction(llvm::function_ref<void(const Instruction &)> visit) const {
  const_cast<Module *>(this)->forEachInstruction(
      [&](Instruction &inst) { visit(static_cast<const Instruction &>(inst)); });
}

Module Module::clone() const {
  Module copy;
  copy.source = source;
  copy.versionWord = versionWord;
  copy.generator = generator;
  copy.bound = bound;
  copy.schema = schema;
  copy.bigEndian = bigEndian;
  copy.sourceLines = sourceLines;
  copy.trailingMarks = trailingMarks;
  auto copyList = [&](const InstructionList &from, InstructionList &to, Block *block) {
    for (const Instruction &inst : from) {
      auto *made = new Instruction(inst);
      made->block = block;
      to.push_back(made);
      copy.define(*made);
    }
  };
  for (unsigned at = 0; at < kNumSections; ++at)
    copyList(sections[at], copy.sections[at], nullptr);
  for (const auto &function : functionList) {
    auto made = std::unique_ptr<Function>(new Function(function->defInst));
    copy.define(made->defInst);
    for (const LineMark &mark : function->endInst.lineMarks())
      made->endInst.addLineMark(mark);
    made->endInst.wordOffset = function->endInst.wordOffset;
    made->endInst.lineIndex = function->endInst.lineIndex;
    copyList(function->leading, made->leading, nullptr);
    copyList(function->params, made->params, nullptr);
    for (const Block &block : function->blockList) {
      auto *madeBlock = new Block(block.labelInst);
      made->blockList.push_back(madeBlock);
      madeBlock->labelInst.block = madeBlock;
      copy.define(madeBlock->labelInst);
      copyList(block.body, madeBlock->body, madeBlock);
    }
    made->rebuildCfg();
    copy.functionList.push_back(std::move(made));
  }
  copyList(trailing, copy.trailing, nullptr);
  return copy;
}

static void appendMarks(std::vector<uint32_t> &out, llvm::ArrayRef<LineMark> marks) {
  for (const LineMark &mark : marks) {
    if (isValid(mark.file))
      out.insert(out.end(), {4u << 16 | static_cast<uint32_t>(spv::Op::OpLine), raw(mark.file),
                             mark.line, mark.column});
    else
      out.push_back(1u << 16 | static_cast<uint32_t>(spv::Op::OpNoLine));
  }
}

std::vector<uint32_t> Module::words() const {
  size_t total = 5;
  forEachInstruction([&](const Instruction &inst) { total += inst.numWords(); });
  std::vector<uint32_t> out;
  out.reserve(total + total / 4); // line marks take the rest
  out.assign({spv::MagicNumber, versionWord, generator, bound, schema});
  forEachInstruction([&](const Instruction &inst) {
    appendMarks(out, inst.lineMarks());
    out.push_back(inst.numWords() << 16 | static_cast<uint32_t>(inst.opcode()));
    if (isValid(inst.typeId()))
      out.push_back(raw(inst.typeId()));
    if (isValid(inst.result()))
      out.push_back(raw(inst.result()));
    out.insert(out.end(), inst.operandWords().begin(), inst.operandWords().end());
  });
  appendMarks(out, trailingMarks);
  if (bigEndian)
    for (uint32_t &word : out)
      word = __builtin_bswap32(word);
  return out;
}

// --- locations ---

Location Module::rawLocationOf(const Instruction &inst) const {
  if (inst.wordOffset == UINT32_MAX || source.compiled)
    return Location::inFile(source.file);
  if (!source.textLines.empty()) {
    auto after = std::upper_bound(source.textLines.begin(), source.textLines.end(),
                                  std::pair(inst.wordOffset, UINT32_MAX));
    if (after != source.textLines.begin())
      return Location::at(source.file, std::prev(after)->second);
  }
  return Location::atWord(source.file, inst.wordOffset);
}

Location Module::locationOf(const Instruction &inst) const {
  const Instruction *at = &inst;
  if (at->lineIndex == 0 && source.compiled && at->parent()) {
    const InstructionList &body = at->parent()->instructions();
    auto next = at == &at->parent()->label() ? body.begin() : at->getIterator();
    next =
        std::find_if(next, body.end(), [](const Instruction &each) { return each.lineIndex != 0; });
    at = next == body.end() ? at : &*next;
  }
  if (at->lineIndex != 0 && at->lineIndex < sourceLines.size()) {
    const SourceLine &line = sourceLines[at->lineIndex];
    return Location::at(line.file.empty() ? source.file : line.file, line.line, line.column);
  }
  return rawLocationOf(inst);
}

Location Module::locationOf(Id id) const {
  const Instruction *inst = def(id);
  return inst ? locationOf(*inst) : Location::inFile(source.file);
}

} // namespace tailor
