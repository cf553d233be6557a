//===- interpreter/Cycles.h - The nest of cycles of a function --------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cycle is a strongly connected part of the control-flow graph; the cycles
// inside of it are those that are left without its header, the block through
// which a depth-first search enters it first. Written apart from the analyses, which it checks.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_INTERPRETER_CYCLES_H
#define TAILOR_INTERPRETER_CYCLES_H

#include "IR/Module.h"

#include <vector>

namespace tailor::interp {

class CycleNest {
public:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Cycle {
    const Block *header;
    uint32_t parent; ///< index of the cycle around it, or kNone
  };
  explicit CycleNest(const Function &function);

  const std::vector<Cycle> &cycles() const { return list; }
  /// Indices of the cycles around a block, outermost first.
  llvm::ArrayRef<uint32_t> around(const Block &block) const { return chains[block.index()]; }
  bool contains(uint32_t cycle, const Block &block) const;

private:
  class Search;
  void find(const std::vector<const Block *> &blocks, uint32_t parent);

  std::vector<Cycle> list;
  std::vector<std::vector<uint32_t>> chains; ///< by block number
  std::vector<uint32_t> order;               ///< of the depth-first search, by block number
};

} // namespace tailor::interp

#endif
