//===- Backends/HlslShapes.h - Code that FXC has no form for ---------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inside lib/Backends alone: what access chains lead to, and how switches run.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BACKENDS_HLSLSHAPES_H
#define TAILOR_BACKENDS_HLSLSHAPES_H

#include "spirv/unified1/spirv.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace tailor {

/// Of an instruction: the words behind the opcode's.
using HlslOperands = std::span<const uint32_t>;

/// The types and constants that say where an access chain leads to.
class HlslChains {
public:
  void look(SpvOp op, HlslOperands operands);
  /// Whether the chain chooses, at run time, a component of a vector, a column of a matrix or an
  /// element of a structure's array, in a variable that is not memory: what FXC cannot write to
  /// (X3500, array reference cannot be used as an l-value).
  bool isDynamicPart(HlslOperands chain) const;
  /// The storage class and the pointee's type of a variable or chain; zeros where it is neither.
  std::pair<uint32_t, uint32_t> pointerOf(uint32_t id) const;

private:
  struct Type {
    SpvOp op;
    std::vector<uint32_t> parts; ///< element or members; of a pointer: class and pointee
  };
  std::map<uint32_t, Type> types;
  std::map<uint32_t, uint32_t> constants; ///< id -> value
  std::map<uint32_t, uint32_t> pointers;  ///< id of a variable or chain -> type
};

/// The blocks of one function, for what a switch says of them.
class HlslBlocks {
public:
  /// The word of a switch of which a case runs on into another one, or goes on with a loop around
  /// the switch.
  std::optional<uint32_t> fallThrough() const;
  void look(SpvOp op, HlslOperands operands, uint32_t word);

private:
  struct Switch {
    uint32_t word, header, merge;
    std::set<uint32_t> targets; ///< without the merge block
  };
  bool runsOn(const Switch &choice, uint32_t from) const;

  std::map<uint32_t, std::vector<uint32_t>> successors;
  std::vector<Switch> switches;
  std::map<uint32_t, uint32_t> loops; ///< continue target -> header
  uint32_t block = 0, merge = 0;
};

} // namespace tailor

#endif
