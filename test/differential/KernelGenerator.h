//===- differential/KernelGenerator.h - Kernels by the seed ---------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes kernels that mix everything the proofs of `resize` look at: ids in right
// and wrong spellings, bounds checks of many shapes from many sources, stores,
// image stores and atomics inside and outside of them, local arrays, private
// globals, calls, loops and switches. Each is defined for the dispatch that comes
// with it: invocations write elements of their own (an address that is the linear
// global id where the kernel is group-independent), or add to counters in any
// order. A kernel whose ids are spelled wrong may race; it must then be refused.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_DIFFERENTIAL_KERNELGENERATOR_H
#define TAILOR_DIFFERENTIAL_KERNELGENERATOR_H

#include "Bundle/CandidateSizes.h"
#include "IR/Constants.h"
#include "Tuning/Workload.h"

#include <array>
#include <string>
#include <vector>

namespace tailor::differential {

/// A stream of numbers from a seed, the same on every machine. (Which kernel a seed gives depends
/// on the order in which the compiler evaluates operands too.)
class Random {
public:
  explicit Random(uint64_t seed) : seed(seed) {}
  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(randomBits(seed, at++) % limit); }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <typename T> const T &pick(const std::vector<T> &list) {
    return list[below(static_cast<uint32_t>(list.size()))];
  }

private:
  uint64_t seed, at = 0;
};

struct GeneratedKernel {
  std::string glsl;
  Dim3 authored, groups;
  SpecMap spec;      ///< the size, where it is a specialization constant
  SizeRequest sizes; ///< six that tell something about this kernel
  Workload workload; ///< one size
};

/// The kernel of that number. `maxInvocations`: what every device allows in a workgroup.
GeneratedKernel generateKernel(uint64_t seed, uint32_t maxInvocations);

/// What the writers of the parts share.
struct KernelContext {
  Random &random;
  Dim3 authored, grid;           ///< size and invocations of the dispatch
  std::array<uint32_t, 3> bound; ///< of the guards, per axis
  bool specialized = false;      ///< the size is a specialization constant
  /// Ids in wrong spellings that it may still take: few, so that none hides a proof that lets
  /// another pass.
  unsigned dirt = 0;
  /// Values come from ids and uniform inputs alone, so that stores are the only hazards.
  bool pure = false;
  std::string preamble;     ///< functions and globals
  bool readsBefore = false; ///< a global `before` holds what was read in front of all checks
  unsigned names = 0;
  std::string fresh(const std::string &stem) { return stem + std::to_string(names++); }
};

// ExpressionWriter.cpp
/// GlobalInvocationId[axis] as a uint; wrong now and then while there is `dirt` to spread.
std::string globalId(KernelContext &context, unsigned axis);
/// A uint over gx, gy, gz, constants, inputs; sometimes over local ids while there is `dirt` to
/// spread.
std::string valueExpr(KernelContext &context, unsigned depth);

// GuardWriter.cpp
/// A condition that holds inside the bound of `axis`: `gx < bound` in some spelling.
std::string insideCondition(KernelContext &context, unsigned axis);
/// A read in front of all checks, at an address that is clamped or looks like it.
std::string readBefore(KernelContext &context);
/// Puts bounds checks of some shape around `effects`.
std::string guarded(KernelContext &context, const std::vector<std::string> &effects);

} // namespace tailor::differential

#endif
