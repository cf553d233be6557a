//===- Backends/Forwarding.h - Memory is read where the module reads it ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SPIRV-Cross 1.3.239 writes a load where its value is used, unless it has seen
// a store between the two in the order of the text. A loop goes back in that
// order: a load ahead of a loop, used inside it, came out inside the loop, behind
// the stores of its earlier rounds. So does what a loop's last block uses, which
// stands in the head of a `for`. Modules of compilers that keep values in ids
// (DXC, naga, spirv-opt) are full of these.
//
// Here every value that comes of memory and leaves its block is computed in its
// block, into a variable of its own.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BACKENDS_FORWARDING_H
#define TAILOR_BACKENDS_FORWARDING_H

#include <cstdint>
#include <span>
#include <vector>

namespace tailor {

/// The ids that a text must give variables of their own, in a module in the machine's byte order.
std::vector<uint32_t> valuesToHold(std::span<const uint32_t> words);

/// A back end of SPIRV-Cross that does.
template <typename Compiler> class Holding : public Compiler {
public:
  explicit Holding(std::span<const uint32_t> words) : Compiler(words.data(), words.size()) {
    for (uint32_t id : valuesToHold(words))
      this->forced_temporaries.insert(id);
  }
};

} // namespace tailor

#endif
