//===- Backends/ModuleFacts.h - What a backend asks of a module -----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk over the words that answers, for one entry point, what every
// language wants to know before its text is written. It stands below the IR's
// parser on purpose: it reads what the bytes of the variant say, so that a fault
// in the passes or in the IR's writer does not hide behind their own view.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BACKENDS_MODULEFACTS_H
#define TAILOR_BACKENDS_MODULEFACTS_H

#include "Support/Dim3.h"
#include "Support/Result.h"

#include "spirv/unified1/spirv.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tailor {

/// How a language lays out what stands in workgroup memory.
enum class SharedLayout : uint8_t {
  Scalar,   ///< every component on its own (HLSL, GLSL as drivers do it at best)
  WideVec3, ///< a vector of three takes the room of four (Metal)
};

/// An instruction of the module, by place.
struct OpRef {
  SpvOp op;
  uint32_t word; ///< 0-based index of its first word
};

class ModuleFacts {
public:
  /// Walks the module. ErrorKind::Usage when it has no compute entry point of
  /// that name; Refused for words that are no SPIR-V module in the machine's
  /// byte order.
  static Result<ModuleFacts> read(std::span<const uint32_t> words, const std::string &entryPoint,
                                  const std::string &fileName);

  /// The literal LocalSize of the entry point, when that is the only spelling
  /// of a size which the module has for it.
  std::optional<Dim3> literalSize() const { return size; }

  bool hasCapability(SpvCapability capability) const;
  /// The first instruction with this opcode in a function that the entry point reaches.
  std::optional<OpRef> firstUse(SpvOp op) const;

  /// Bytes of workgroup memory that the entry point uses; nothing when the
  /// length of an array is a specialization constant.
  std::optional<uint64_t> sharedBytes(SharedLayout layout) const;

  /// The module without what only other entry points use (functions, workgroup
  /// variables, the entry points themselves), where there is such: SPIRV-Cross
  /// declares every workgroup variable of a module, whoever uses it.
  std::optional<std::vector<uint32_t>> isolated() const;

  /// Calls `visit(op, operands, word)` for each instruction ahead of the functions, and for each of
  /// the functions that the entry point reaches; operands[0] is the word behind the opcode's.
  template <typename Visit> void forEachInstruction(Visit visit) const {
    const uint32_t firstFunction = functions.empty() ? end() : functions.front().begin;
    visitRange(kFirstInstruction, firstFunction, visit);
    for (size_t i = 0; i < functions.size(); ++i)
      if (reached[i])
        visitRange(functions[i].begin, functions[i].end, visit);
  }
  /// The id of the entry point's function.
  uint32_t entryId() const { return entryFunction; }

  Location at(uint32_t word) const { return Location::atWord(fileName, word); }
  Location location() const { return Location::inFile(fileName); }

private:
  struct Extent {
    uint64_t bytes, align;
  };
  struct Function {
    uint32_t id;
    uint32_t begin, end; ///< words
  };

  static constexpr uint32_t kFirstInstruction = 5; ///< behind the header

  uint32_t end() const { return static_cast<uint32_t>(words.size()); }
  template <typename Visit> void visitRange(uint32_t from, uint32_t to, Visit &visit) const {
    for (uint32_t at = from; at < to; at += lengthAt(at))
      visit(opAt(at), words.subspan(at + 1, lengthAt(at) - 1), at);
  }
  Status scan(const std::string &entryPoint);
  std::vector<uint32_t> foreignInputs() const;
  Status scanGlobal(uint32_t at, uint32_t length);
  void scanReachable();
  void scanBody(const Function &function, std::vector<uint32_t> &pending);
  std::optional<Extent> extentOf(uint32_t type, SharedLayout layout, unsigned depth) const;
  SpvOp opAt(uint32_t word) const { return static_cast<SpvOp>(words[word] & 0xffff); }
  uint32_t lengthAt(uint32_t word) const { return words[word] >> 16; }
  /// The word at which an id is defined; 0: nowhere.
  uint32_t definition(uint32_t id) const { return id < definitions.size() ? definitions[id] : 0; }

  std::span<const uint32_t> words;
  std::string fileName;
  std::vector<uint32_t> definitions;
  std::vector<SpvCapability> capabilities;
  std::vector<Function> functions;
  std::vector<bool> reached; ///< beside functions: from the entry point
  uint32_t entryFunction = 0;
  uint32_t entryWord = 0;                ///< of OpEntryPoint
  std::vector<uint32_t> sizeModes;       ///< words of OpExecutionMode(Id) that give a size
  std::vector<uint32_t> sharedVariables; ///< ids, of the whole module
  std::vector<bool> sharedUsed;          ///< beside sharedVariables: reached from the entry point
  std::vector<OpRef> uses;               ///< first of each opcode
  std::optional<Dim3> size;
  bool decoratedSize = false;
};

} // namespace tailor

#endif
