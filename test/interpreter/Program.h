//===- interpreter/Program.h - A kernel, ready to be stepped through -------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entry point and all that it calls as one list of codes, with operands
// resolved to words of the register file or of the constants. No function calls
// itself in a shader, so every value has one place.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_INTERPRETER_PROGRAM_H
#define TAILOR_INTERPRETER_PROGRAM_H

#include "interpreter/Cycles.h"
#include "interpreter/Inputs.h"
#include "interpreter/Layouts.h"

#include "Analysis/Memory.h"

namespace tailor::interp {

inline constexpr uint32_t kNoIndex = UINT32_MAX;
/// A reference with this bit is to the constants, else to the registers.
inline constexpr uint32_t kConstantBit = 0x80000000U;

struct Operand {
  uint32_t ref = 0;
  uint32_t words = 1;
  const Shape *shape = nullptr;
};

struct Copy {
  uint32_t from; ///< reference
  uint32_t to;   ///< register
  uint32_t words;
};

/// A way from one block to another: what the phis take, and what the loop counters do.
struct Edge {
  const Block *from, *to;
  uint32_t target = 0; ///< code
  uint32_t firstCopy = 0, numCopies = 0;
  std::vector<uint32_t> resets;  ///< cycles that are entered
  uint32_t increment = kNoIndex; ///< the cycle whose header is reached again
  std::vector<const Instruction *> phis;
};

struct Code {
  enum class Kind : uint8_t {
    Scalar, ///< componentwise, by `scalar`
    Whole,  ///< by `whole`
    Copies, ///< copies [first, first + count)
    AccessChain,
    PtrAccessChain,
    Load,
    Store,
    CopyMemory,
    ArrayLength,
    Atomic,
    TexelPointer,
    ImageRead,
    ImageWrite,
    ImageSample,
    ImageGather,
    ImageSize,
    PointerEqual,
    InitVariable, ///< `a`: object, `b`: first byte in Program::initial
    Undefined,    ///< OpUndef
    Jump,         ///< `a`: edge
    Branch,       ///< `a`: edge if true, `b`: if false
    Switch,       ///< `a`: default edge; `b`: index into Program::switches
    Call,         ///< copies of the arguments; `a`: code of the callee
    Return,
    Barrier,
    Subgroup, ///< what a subgroup does together; `b`: the group operation
    Stop,     ///< OpUnreachable
    Unsupported,
  };
  Kind kind = Kind::Unsupported;
  const Instruction *inst = nullptr;
  const Instruction *imageType = nullptr;
  const Block *block = nullptr;
  uint32_t chain = 0; ///< index into Program::chains: the cycles around
  uint32_t result = kNoIndex;
  uint32_t words = 0; ///< of the result
  const Shape *shape = nullptr;
  ScalarFn scalar = nullptr;
  WholeFn whole = nullptr;
  uint32_t first = 0, count = 0; ///< operands, or copies
  uint32_t access = kNoIndex;    ///< counts executions, of instructions with an event
  uint32_t a = 0, b = 0;
};

struct SwitchTable {
  std::vector<std::pair<uint64_t, uint32_t>> cases; ///< literal and edge
};

/// What a pointer leads to.
struct Object {
  enum class Home : uint8_t { Invocation, Workgroup, PushConstant, Resource };
  Home home = Home::Invocation;
  MemorySpace space = MemorySpace::Other;
  const Instruction *variable = nullptr;
  uint32_t element = 0; ///< of an array of descriptors
  uint64_t offset = 0;  ///< in the invocation's or workgroup's memory
  uint64_t size = 0;    ///< bytes, of those two
  Resource *resource = nullptr;
};

/// A built-in input, stored before an invocation starts.
struct BuiltInVariable {
  spv::BuiltIn builtIn;
  uint32_t object;
  uint32_t layout;
};

struct Program {
  Program(const Module &module, Inputs &inputs)
      : module(module), inputs(inputs), evaluator(module, inputs.spec), layouts(module, evaluator) {
  }
  const Module &module;
  Inputs &inputs;
  ConstantEvaluator evaluator;
  Layouts layouts;
  Dim3 size;

  std::vector<Code> codes;
  std::vector<Operand> operands;
  std::vector<Copy> copies;
  std::vector<Edge> edges;
  std::vector<SwitchTable> switches;
  std::vector<std::vector<uint32_t>> chains; ///< of cycles, numbered over all functions
  std::vector<uint64_t> constants;
  std::vector<Object> objects;
  std::vector<BuiltInVariable> builtIns;
  std::vector<std::byte> initial; ///< contents of variables with an initializer
  std::vector<std::byte> invocationMemory, workgroupMemory; ///< as they start
  uint32_t registers = 0;
  uint32_t entryCode = 0;
  uint32_t numAccesses = 0, numCycles = 0;
  bool keepsInvocations = false; ///< they stop, and go on later
  std::vector<uint32_t> headers; ///< code at which each cycle's header starts
};

/// Writes a value as bytes. `bytes` must have room for the layout's size.
void storeWords(const Layout &layout, const uint64_t *words, std::byte *bytes);
void loadWords(const Layout &layout, const std::byte *bytes, uint64_t *words);

} // namespace tailor::interp

#endif
