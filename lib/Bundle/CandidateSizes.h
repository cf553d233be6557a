//===- Bundle/CandidateSizes.h - Which sizes are worth a variant ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BUNDLE_CANDIDATESIZES_H
#define TAILOR_BUNDLE_CANDIDATESIZES_H

#include "Analysis/Certificate.h"
#include "Support/Dim3.h"
#include "Support/Result.h"

#include <string_view>
#include <vector>

namespace tailor {

/// A workgroup of more invocations is none of ours: no device in wide use allows one.
inline constexpr uint32_t kMaxCandidateInvocations = 1024;

struct SizeRequest {
  enum class Policy : uint8_t {
    Auto, ///< powers of two per axis, 16 to 1024 invocations, on the axes that the kernel uses
    All,  ///< powers of two and multiples of the authored size per axis, up to 1024 invocations
    List, ///< `list`, as given
  };
  Policy policy = Policy::Auto;
  std::vector<Dim3> list;
};

/// `auto`, `all`, or sizes such as `64x1x1,8x8`. Fails with ErrorKind::Usage, naming the part that
/// is wrong.
Result<SizeRequest> parseSizeRequest(std::string_view text);

/// Distance from what GPUs of all vendors like: about 128 invocations, wide on x. Smaller is
/// better; no claim about any one of them.
double unlikeliness(const Dim3 &size);

struct CandidateSizes {
  std::vector<Dim3> sizes; ///< most promising first; never the authored size
  size_t dropped = 0;      ///< left out by `maxSizes`
};

/// The sizes that `request` asks for, for a kernel of that certificate; at most `maxSizes` of them
/// (0: no limit), by unlikeliness; a list stays in its order.
CandidateSizes candidateSizes(const Certificate &certificate, const SizeRequest &request,
                              size_t maxSizes);

} // namespace tailor

#endif
