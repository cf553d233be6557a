//===- languages/msl/MslText.h - A Metal text made ready for clang --------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text goes to clang as it is, but for what C++ has no word for; each such
// change is a whole line or block of a form that is known, and a text of any other
// form is refused:
//   - the block spvUnsafeArray, whose members C++ cannot tell apart (the shim has
//     its own; the OpenCL route keeps the block),
//   - `threadgroup T name[N];` in the kernel becomes static, in a section that the
//     host can find and poison,
//   - function constants get their value.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_LANGUAGES_MSL_MSLTEXT_H
#define TAILOR_LANGUAGES_MSL_MSLTEXT_H

#include "Support/Result.h"

#include <cstdint>
#include <map>
#include <string>

namespace tailor::languages {

struct MslSource {
  std::string name; ///< for the compiler's messages
  std::string text;
  std::string entryPoint = "main0";
  std::map<uint32_t, uint64_t> functionConstants; ///< index -> bits
};

/// C++ with the namespace `k<number>`, and the function `mslRun<number>` that runs one invocation;
/// with threadgroup memory also `char *mslShared<number>[2]`, its begin and end.
Result<std::string> cppOf(const MslSource &source, unsigned number);
/// C++ for OpenCL, in the same namespace.
Result<std::string> openClOf(const MslSource &source, unsigned number);
/// Whether the kernel waits at barriers.
bool hasBarriers(const std::string &text);
/// Whether the kernel has threadgroup memory.
bool hasThreadgroupMemory(const std::string &text);

} // namespace tailor::languages

#endif
