//===- IR/Module.h - A SPIR-V module: sections, functions, blocks ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module as SPIR-V 1.6 section 2.4 lays it out. Reading (IR/Reader.h) and
// writing (Module::words) any module gives the same words back.
//
// Instructions have stable addresses. Whoever adds or removes one does so
// through the Module, which keeps the table of definitions.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_IR_MODULE_H
#define TAILOR_IR_MODULE_H

#include "IR/Instruction.h"
#include "Support/Diagnostics.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tailor {

class Function;

/// A basic block: its label, phis and body, the merge instruction and the terminator.
class Block : public llvm::ilist_node<Block> {
public:
  Id id() const { return labelInst.result(); }
  const Instruction &label() const { return labelInst; }
  Instruction &label() { return labelInst; }
  InstructionList &instructions() { return body; }
  const InstructionList &instructions() const { return body; }
  /// The last instruction; null only while a block is being built.
  Instruction *terminator() { return body.empty() ? nullptr : &body.back(); }
  const Instruction *terminator() const { return body.empty() ? nullptr : &body.back(); }
  /// OpSelectionMerge or OpLoopMerge, or null.
  const Instruction *merge() const;

  Function *getParent() const { return function; }
  llvm::ArrayRef<Block *> successors() const { return succs; }
  llvm::ArrayRef<Block *> predecessors() const { return preds; }
  /// Position in the function, for tables; valid after Function::rebuildCfg.
  unsigned index() const { return number; }
  /// For LLVM's generic algorithms.
  void printAsOperand(llvm::raw_ostream &os, bool printType = true) const;

private:
  friend class Module;
  friend class ModuleBuilder;
  friend class Function;
  explicit Block(const Instruction &label) : labelInst(label) {}
  Instruction labelInst;
  InstructionList body;
  Function *function = nullptr;
  unsigned number = 0;
  llvm::SmallVector<Block *, 2> succs, preds; ///< duplicates of an edge are kept once
};

using BlockList = llvm::iplist<Block>;

class Function {
public:
  Id id() const { return defInst.result(); }
  const Instruction &definition() const { return defInst; }
  Instruction &definition() { return defInst; }
  const InstructionList &parameters() const { return params; }
  InstructionList &parameters() { return params; }
  BlockList &blocks() { return blockList; }
  const BlockList &blocks() const { return blockList; }
  bool isDeclaration() const { return blockList.empty(); }

  // What LLVM's generic dominator, loop and cycle code asks of a function.
  Block &front() { return blockList.front(); }
  const Block &front() const { return blockList.front(); }
  size_t size() const { return blockList.size(); }
  std::string getName() const { return "%" + std::to_string(raw(id())); }

  Block *block(Id label);
  /// Recomputes successors, predecessors and block numbers; called by the reader, and by whoever
  /// changed labels or terminators.
  void rebuildCfg();

private:
  friend class Module;
  friend class ModuleBuilder;
  explicit Function(const Instruction &def) : defInst(def), endInst(spv::Op::OpFunctionEnd) {}
  InstructionList leading; ///< non-semantic instructions in front of OpFunction
  Instruction defInst, endInst;
  InstructionList params; ///< OpFunctionParameter, and non-semantic instructions among them
  BlockList blockList;
};

/// The sections of SPIR-V 1.6 section 2.4 that come before the functions.
enum class Section : uint8_t {
  Capabilities,
  Extensions,
  ExtInstImports,
  MemoryModel,
  EntryPoints,
  ExecutionModes,
  Debug,       ///< strings, sources, names, OpModuleProcessed
  Annotations, ///< decorations
  Globals,     ///< types, constants, module-scope variables
};
inline constexpr unsigned kNumSections = 9;

/// A view of one OpEntryPoint.
struct EntryPoint {
  Instruction *inst;
  spv::ExecutionModel model() const { return static_cast<spv::ExecutionModel>(inst->literal(0)); }
  Id function() const { return inst->id(1); }
  std::string name() const { return inst->string(2); }
  unsigned numInterfaceIds() const { return inst->numOperands() - 3; }
  Id interfaceId(unsigned index) const { return inst->id(3 + index); }
};

/// Where a module came from, for messages.
struct ModuleSource {
  std::string file;
  /// For SPIR-V text: word offset of each instruction and its line, ascending.
  std::vector<std::pair<uint32_t, uint32_t>> textLines;
  /// The file is a source language: word offsets would mean nothing to its author.
  bool compiled = false;
};

class Module {
public:
  Module() = default;
  Module(Module &&) = default;
  /// Not the default: LLVM's lists forget what they held when another is assigned to them.
  Module &operator=(Module &&other) noexcept {
    if (this != &other) {
      std::destroy_at(this);
      std::construct_at(this, std::move(other));
    }
    return *this;
  }

  /// A deep copy. Word offsets and locations are kept.
  Module clone() const;

  // --- header ---
  uint32_t version() const { return versionWord; } ///< 0x00010600 for 1.6
  uint32_t idBound() const { return bound; }
  bool isBigEndian() const { return bigEndian; }
  /// From now on words() gives this machine's byte order, whatever the input's was.
  void useNativeByteOrder() { bigEndian = false; }
  /// A new id; the bound grows.
  Id freshId() { return static_cast<Id>(bound++); }

  // --- contents ---
  InstructionList &section(Section which) { return sections[static_cast<unsigned>(which)]; }
  const InstructionList &section(Section which) const {
    return sections[static_cast<unsigned>(which)];
  }
  std::vector<std::unique_ptr<Function>> &functions() { return functionList; }
  const std::vector<std::unique_ptr<Function>> &functions() const { return functionList; }
  Function *function(Id id) const;

  /// The instruction that defines `id`; null when nothing does.
  Instruction *def(Id id) const { return raw(id) < defs.size() ? defs[raw(id)] : nullptr; }
  std::vector<EntryPoint> entryPoints() const;

  /// The OpName, or `%12`.
  std::string name(Id id) const;
  bool hasCapability(spv::Capability capability) const;
  bool hasExtension(llvm::StringRef name) const;
  /// The set name that an OpExtInst's set id imports: "GLSL.std.450"; "" if unknown.
  std::string extInstSet(Id set) const;

  // --- decorations ---
  /// Calls `visit` for each OpDecorate, OpDecorateId and OpDecorateString on `id` itself, those
  /// through decoration groups included; operand 0 is the target, 1 the decoration.
  void forEachDecoration(Id id, llvm::function_ref<void(const Instruction &)> visit) const;
  bool hasDecoration(Id id, spv::Decoration decoration) const;
  /// The first literal of the decoration.
  std::optional<uint32_t> decoration(Id id, spv::Decoration decoration) const;
  /// The same for OpMemberDecorate.
  bool hasMemberDecoration(Id structType, uint32_t member, spv::Decoration decoration) const;
  std::optional<uint32_t> memberDecoration(Id structType, uint32_t member,
                                           spv::Decoration decoration) const;

  // --- change ---
  Instruction &append(Section which, const Instruction &inst);
  /// Inserts before `before`, in the list that `before` stands in. Labels and function headers
  /// stand in no list.
  Instruction &insertBefore(Instruction &before, const Instruction &inst);
  Instruction &insert(Block &block, InstructionList::iterator at, const Instruction &inst);
  /// In `Globals`, before `before` (null: at the end).
  Instruction &insertGlobal(Instruction *before, const Instruction &inst);
  Block &appendBlock(Function &function, Id label);
  /// With its instructions; the edges of the others are stale until Function::rebuildCfg.
  void eraseBlock(Block &block);
  /// Line marks in front of what is erased go to the instruction after it.
  void erase(Section which, Instruction &inst);
  void erase(Block &block, Instruction &inst);
  /// From whatever list it stands in; not for labels and the headers of functions.
  void erase(Instruction &inst);
  /// Removes every OpLine and OpNoLine; whether there was one.
  bool clearLineMarks();
  void eraseFunction(Function &function);

  /// Every instruction in the order of the binary.
  void forEachInstruction(llvm::function_ref<void(Instruction &)> visit);
  void forEachInstruction(llvm::function_ref<void(const Instruction &)> visit) const;

  // --- out ---
  /// The binary in this machine's byte order, unless the input was in the other (isBigEndian).
  std::vector<uint32_t> words() const;

  // --- locations ---
  ModuleSource source;
  /// The source line of OpLine or NonSemantic DebugLine; else the line of the SPIR-V text; else
  /// the word offset; else the file alone. An instruction of a compiled module that has no line
  /// takes the next one of its block.
  Location locationOf(const Instruction &inst) const;
  /// The location of an id's definition.
  Location locationOf(Id id) const;
  /// `word N` or text line of the instruction, even where a source line is known.
  Location rawLocationOf(const Instruction &inst) const;

private:
  friend class ModuleBuilder;
  struct SourceLine {
    std::string file;
    uint32_t line = 0, column = 0;
  };
  void define(Instruction &inst);
  void undefine(const Instruction &inst);
  const std::vector<const Instruction *> &decorationsOf(Id id) const;

  uint32_t versionWord = 0x00010000, generator = 0, bound = 1, schema = 0;
  bool bigEndian = false;
  std::array<InstructionList, kNumSections> sections;
  std::vector<std::unique_ptr<Function>> functionList;
  InstructionList trailing;            ///< non-semantic instructions after the last function
  std::vector<LineMark> trailingMarks; ///< OpLine after everything
  std::vector<Instruction *> defs;     ///< by id
  std::vector<SourceLine> sourceLines; ///< [0] is "none"
  struct DecorationIndex {
    bool valid = false;
    std::vector<std::vector<const Instruction *>> byTarget; ///< by id
  };
  mutable DecorationIndex decorationIndex;
};

/// Uses of every id, from one walk over the module; stale after a change. The OpString that an
/// OpLine names is not counted: line marks are no instructions here.
class UseMap {
public:
  struct Use {
    Instruction *user;
    unsigned operand; ///< index; kTypeOperand for the result type
  };
  static constexpr unsigned kTypeOperand = UINT32_MAX;
  explicit UseMap(Module &module);
  llvm::ArrayRef<Use> uses(Id id) const {
    size_t at = raw(id);
    if (at + 1 >= starts.size())
      return {};
    return llvm::ArrayRef<Use>(flat).slice(starts[at], starts[at + 1] - starts[at]);
  }

private:
  std::vector<uint32_t> starts;
  std::vector<Use> flat;
};

} // namespace tailor

#endif
