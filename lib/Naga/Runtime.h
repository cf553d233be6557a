//===- Naga/Runtime.h - Entering and leaving the module --------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fault inside the module ends the call into it by a jump over C frames alone:
// what the host does between must not own anything when it leaves.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_NAGA_RUNTIME_H
#define TAILOR_NAGA_RUNTIME_H

#include <wasm-rt.h>

#include <csetjmp>
#include <cstdint>
#include <vector>

namespace tailor::naga {

/// Why a call into the module did not come to its end.
enum class Trap : uint8_t {
  None,
  Fault,  ///< a panic, an access outside the memory, ...
  Stack,  ///< the thread's stack is used up
  Memory, ///< no more memory
  Thrown, ///< the module threw an error; Host has its words
};

struct Landing {
  std::jmp_buf place;
  Trap trap = Trap::None;
};

/// Sets how far the calling thread's stack may be used.
void setStackLimit();
/// Makes `next` the place where leave() of this thread lands; the one before.
Landing *exchangeLanding(Landing *next);
[[noreturn]] void leave(Trap trap);

/// Runs `body`, which calls into the module. After a trap the instance is in no state to be used.
template <typename Body> [[gnu::noinline]] Trap enter(Body &body) {
  setStackLimit();
  Landing here;
  Landing *before = exchangeLanding(&here);
  if (setjmp(here.place) == 0)
    body();
  exchangeLanding(before);
  return here.trap;
}

} // namespace tailor::naga

#endif
