//===- Analysis/Memory.h - Pointers back to their variables ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_MEMORY_H
#define TAILOR_ANALYSIS_MEMORY_H

#include "IR/Module.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>

namespace tailor {

/// What a variable's memory is, for questions of who can change it.
enum class MemorySpace : uint8_t {
  Input, ///< built-in inputs
  PushConstant,
  UniformBuffer,
  StorageBuffer, ///< also a BufferBlock in storage class Uniform
  Resource,      ///< images, samplers, texel buffers
  Workgroup,
  Private, ///< Private and Function: one copy an invocation
  Other,
};

/// A pointer as a variable and the indices that lead from it.
struct PointerPath {
  const Instruction *variable; ///< OpVariable
  MemorySpace space;
  llvm::SmallVector<Id, 4> indices; ///< of all access chains on the way, outermost first
  llvm::SmallVector<const Instruction *, 2> chains; ///< the access chains themselves
};

MemorySpace spaceOf(const Module &module, const Instruction &variable);

/// The variable's name, or its block's where it has none of its own (a block without an instance
/// name); else `%12`.
std::string nameOfVariable(const Module &module, const Instruction &variable);

/// nullopt where the variable is not known by form: pointers through phi, select, function
/// parameters, physical addresses.
std::optional<PointerPath> tracePointer(const Module &module, Id pointer);

/// The image or sampler variable behind a loaded image, sampler or sampled image, with the path to
/// it.
std::optional<PointerPath> traceResource(const Module &module, Id value);

/// The memory operands of a load, a store or a copy (of its two, where it has them), as one mask;
/// 0 for other instructions (SPIR-V 1.6, section 3.26).
uint32_t memoryOperands(const Instruction &inst);

/// Bytes of a texel of the format (SPIR-V 1.6, section 3.11); nullopt for Unknown.
std::optional<unsigned> texelBytes(spv::ImageFormat format);

/// Variables that the module's functions, or some blocks of them, can write: through stores,
/// copies, atomics, image writes. Keyed by the variable's id.
class WrittenVariables {
public:
  explicit WrittenVariables(const Module &module);
  WrittenVariables(const Module &module, llvm::ArrayRef<Block *> blocks);
  bool contains(const Instruction &variable) const {
    return everything || written.contains(raw(variable.result()));
  }

private:
  void note(const Module &module, const Block &block);
  llvm::DenseSet<uint32_t> written;
  bool everything = false; ///< a write went through a pointer that could not be traced
};

} // namespace tailor

#endif
