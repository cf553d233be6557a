//===- interpreter/Machine.h - Steps through a Program ----------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_INTERPRETER_MACHINE_H
#define TAILOR_INTERPRETER_MACHINE_H

#include "interpreter/Decoder.h"
#include "interpreter/Interpreter.h"

#include "llvm/ADT/SmallVector.h"

namespace tailor::interp {

class Machine {
public:
  Machine(Program &program, Observer &observer, const Limits &limits, Locate locate);
  Result<RunResult> run(llvm::ArrayRef<Dim3> groups);

private:
  struct Frame {
    uint32_t returnTo; ///< code
    uint32_t result;   ///< register
    uint32_t words;
    uint32_t chain; ///< cycles around the call
    const Code *call;
  };
  enum class State : uint8_t {
    Running,
    Waiting,    ///< at a barrier
    AtSubgroup, ///< at an operation of its subgroup
    Ended,
  };
  struct Invocation {
    uint32_t index = 0;
    Dim3 id;
    State state = State::Running;
    uint32_t pc = 0;
    uint64_t *registers = nullptr;
    std::byte *memory = nullptr;
    uint32_t *iterations = nullptr; ///< by cycle
    uint32_t *instances = nullptr;  ///< by Code::access
    llvm::SmallVector<Frame, 2> frames;
    const Code *barrier = nullptr; ///< where it waits
  };

  // Machine.cpp
  bool runGroup(const Dim3 &group);
  void start(Invocation &invocation, uint32_t index);
  void setBuiltIns(const Invocation &invocation);
  bool builtIn(spv::BuiltIn which, const Invocation &invocation, uint64_t (&words)[4]) const;
  void select(Invocation &invocation);
  bool resume();
  bool control(const Code &code, bool &stopped);
  bool data(const Code &code);
  bool openBarrier(std::vector<Invocation> &all);
  void take(const Code &code, const Edge &edge);
  void call(const Code &code);
  bool giveBack(const Code &code);
  void scalar(const Code &code);
  void whole(const Code &code);
  void copy(const Code &code);
  void reportValue(const Code &code);
  llvm::ArrayRef<uint32_t> iterationsAt(const Invocation &invocation, uint32_t chain);
  Where where(const Code &code);
  bool fail(const Instruction &inst, std::string text);

  // MachineSubgroups.cpp
  using Lanes = std::vector<Invocation *>; ///< of a subgroup; null: not active
  std::vector<uint32_t> positionOf(const Invocation &invocation) const;
  bool openSubgroups(std::vector<Invocation> &all, bool &any);
  bool together(const Code &code, const Lanes &lanes);
  const uint64_t *inOf(const Invocation &lane, const Code &code, uint32_t index) const;
  template <typename Source> void exchange(const Code &code, const Lanes &lanes, Source source);
  void reduce(const Code &code, const Lanes &lanes);
  bool vote(const Code &code, const Lanes &lanes);
  void readBallot(const Code &code, const Lanes &lanes);

  // MachineMemory.cpp
  std::byte *bytesAt(const Code &code, const uint64_t *pointer, uint64_t bytes, const char *what);
  std::pair<std::byte *, uint64_t> memoryOf(const Object &object);
  std::string nameOf(const Object &object) const;
  void report(const Code &code, AccessKind kind, const uint64_t *pointer, const Layout &layout);
  void reportRun(const Code &code, AccessKind kind, const Object &object, const ByteRun &run,
                 uint32_t part);
  bool isReported(const Object &object) const;
  void accessChain(const Code &code, unsigned first);
  bool load(const Code &code);
  bool store(const Code &code);
  bool copyMemory(const Code &code);
  bool arrayLength(const Code &code);
  void initVariable(const Code &code);
  // MachineAtomics.cpp
  bool atomic(const Code &code);

  // MachineImages.cpp
  struct Texel {
    const Object *object = nullptr;
    const Resource *image = nullptr;
    uint64_t number = 0; ///< row by row, slice by slice
    bool inside = false;
  };
  bool find(const Code &code, uint64_t object, const int64_t (&at)[3], const char *what,
            Texel &texel);
  bool integerCoordinates(const Code &code, int64_t (&at)[3]);
  bool sampledCoordinates(const Code &code, int64_t (&at)[3]);
  bool image(const Code &code);
  bool imageRead(const Code &code, bool sampled);
  bool imageWrite(const Code &code);
  bool imageGather(const Code &code);
  bool imageSize(const Code &code);
  bool texelPointer(const Code &code);

  const uint64_t *in(uint32_t ref) const { return bases[ref >> 31] + (ref & ~kConstantBit); }
  const Operand &operand(const Code &code, uint32_t index) const {
    return program.operands[code.first + index];
  }
  const uint64_t *in(const Code &code, uint32_t index) const {
    return in(operand(code, index).ref);
  }
  uint64_t *out(const Code &code) { return now->registers + code.result; }

  Program &program;
  Observer &observer;
  const Limits limits;
  const Locate locate;
  const Interest interest;
  RunResult result;
  Undefined undefined;
  std::optional<Failure> fault;

  Dim3 group;
  Invocation *now = nullptr;
  const uint64_t *bases[2] = {};
  std::vector<uint64_t> registers;
  std::vector<std::byte> invocationMemory, workgroupMemory;
  std::vector<uint32_t> counters;
  std::vector<uint64_t> scratch;
  llvm::SmallVector<uint32_t, 8> iterations;
};

} // namespace tailor::interp

#endif
