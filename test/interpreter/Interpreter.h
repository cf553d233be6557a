//===- interpreter/Interpreter.h - Runs a kernel instruction by instruction -===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A test tool: it executes workgroups of a kernel on the host, one invocation
// after the other, and tells an observer what happened. What the analyses claim
// of a kernel is held against it.
//
//   struct Sectors : interp::Observer {
//     Interest interest() const override { return {.accesses = true}; }
//     void onAccess(const interp::Access &access) override { ... }
//   } sectors;
//   interp::Inputs inputs = *interp::inputsOf(workload, size);
//   auto result = interp::run(form, {64, 1, 1}, {{0, 0, 0}, {3, 0, 0}}, inputs, sectors);
//
// The model. An invocation runs until it ends or reaches a control barrier; then
// the next one runs. A barrier opens when every invocation of the workgroup
// waits at it in the same iteration of every loop around it. Memory of buffers and images stays
// from group to group; workgroup memory and local variables start as zero, unless
// they have an initializer.
//
// What SPIR-V leaves undefined (a division by zero, a shift past the width, a
// conversion out of range, OpUndef) is zero, and counted. An access outside of
// its memory and a divergent barrier are failures located at the instruction.
//
// Subgroups are `Inputs::subgroupSize` invocations in linear order. At a subgroup
// operation those invocations are active that got there with the same iterations
// of the loops around; the ones further behind go first.
//
// Not known, and a failure when reached: derivatives, sampling that needs them, physical addresses,
// ray queries, cooperative matrices, multisampled images. Sampling reads the nearest texel of level
// 0, whatever the filter.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_INTERPRETER_INTERPRETER_H
#define TAILOR_INTERPRETER_INTERPRETER_H

#include "Analysis/CanonicalForm.h"
#include "Analysis/Memory.h"
#include "interpreter/Inputs.h"

namespace tailor::interp {

/// An instruction executed once by one invocation.
struct Where {
  const Instruction *inst; ///< of the module that runs
  Dim3 group;              ///< WorkgroupId
  uint32_t invocation;     ///< LocalInvocationIndex
  /// For each cycle of the control-flow graph around the instruction, outermost first: how often
  /// its header was reached again since the cycle was entered; 0 the first time. Cycles
  /// around the calls that led here come first. Valid during the callback.
  llvm::ArrayRef<uint32_t> iterations;
};

enum class AccessKind : uint8_t {
  Load,
  Store,
  Atomic,
  ImageRead, ///< OpImageRead, OpImageFetch
  ImageWrite,
  ImageSample, ///< sampling and gathering: the nearest texel, the first of the four
  ImageAtomic,
};

/// A contiguous run of bytes that an instruction read or wrote.
struct Access : Where {
  uint32_t instance; ///< how often this invocation executed the instruction before
  uint32_t part;     ///< 0, and more where one execution touches several runs (padding, row-major)
  AccessKind kind;
  MemorySpace space;
  const Instruction *variable; ///< OpVariable
  uint32_t element;            ///< of an array of descriptors
  /// From the start of the variable; of an image: the texel's number, row by row, slice by slice.
  uint64_t byteAddress;
  uint32_t bytes; ///< of an image: of the texel
};

/// What an observer wants to hear of; nothing else costs time.
struct Interest {
  bool accesses = false;
  /// Accesses of Private, Function and Input variables too.
  bool privateAccesses = false;
  bool values = false;
  bool branches = false;
  bool barriers = false;
};

class Observer {
public:
  virtual ~Observer() = default;
  /// Asked once, before the run.
  virtual Interest interest() const { return {}; }
  virtual void onAccess(const Access &) {}
  /// After an instruction that has a result; phis included. Scalars of vectors, matrices and
  /// composites in order, each a bit pattern of its own width, zero-extended; booleans are 0 or 1.
  /// A pointer is the number of its memory object and a byte offset in it.
  virtual void onValue(const Where &, llvm::ArrayRef<uint64_t> /*components*/) {}
  /// A terminator, about to go `to` one of the successors of its block.
  virtual void onBranch(const Where &, const Block & /*to*/) {}
  /// A control barrier opens; `where` is its first invocation, `arrived` wait at it.
  virtual void onBarrier(const Where &, uint32_t /*arrived*/) {}
};

struct Limits {
  uint64_t maxSteps = 2'000'000'000; ///< executed instructions, all invocations together
  /// The last invocation first: what shows of that is a race, or waits.
  bool backwards = false;
  /// Reads outside of an image or buffer give zero and writes do nothing, instead of a failure.
  /// Such accesses are not reported; indices outside of an array of the type are still failures.
  bool robustImages = false, robustBuffers = false;
};

struct RunResult {
  uint64_t steps = 0;     ///< executed instructions
  uint64_t barriers = 0;  ///< control barriers opened
  uint64_t undefined = 0; ///< results that SPIR-V leaves undefined
  uint64_t outside = 0;   ///< accesses that a robust limit let pass
};

/// Runs the workgroups `groups` of the entry point, in that order, each with `size` invocations.
/// A constant decorated WorkgroupSize has the value `size`; what a compiler folded from
/// the authored size does not follow. Buffers and images of `inputs` hold the results
/// afterwards; those that the kernel uses and `inputs` lacks are added.
/// Fails, located in the authored module, for what is listed above.
Result<RunResult> run(const CanonicalForm &form, const Dim3 &size, llvm::ArrayRef<Dim3> groups,
                      Inputs &inputs, Observer &observer, const Limits &limits = {});

/// The same for an entry point of any module, calls not inlined.
Result<RunResult> run(const Module &module, const EntryPoint &entry, const Dim3 &size,
                      llvm::ArrayRef<Dim3> groups, Inputs &inputs, Observer &observer,
                      const Limits &limits = {});

/// Every group of a dispatch, x fastest.
std::vector<Dim3> allGroups(const Dim3 &numWorkgroups);

} // namespace tailor::interp

#endif
