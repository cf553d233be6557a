//===- bench/Twins.h - Variants and the same kernels by hand --------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// bench/twins/KERNEL.VARIANT.comp is what somebody would write by hand for the
// variant VARIANT of bench/kernels/KERNEL: the same result, bit for bit, for the
// same groups of the same size. The variant is measured against it.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BENCH_TWINS_H
#define TAILOR_BENCH_TWINS_H

#include "Bundle/Manifest.h"
#include "Support/Result.h"
#include "Tuning/Workload.h"

#include <string>
#include <vector>

namespace tailor::bench {

/// A file in bench/twins.
struct TwinFile {
  std::string kernel;  ///< its stem in bench/kernels
  std::string variant; ///< the variant's id: coarsen-16x8x1
  std::string path;

  std::string name() const { return kernel + "." + variant; }
};
/// All of them, by path; `bench` is the folder that holds twins/ and kernels/.
std::vector<TwinFile> twinFiles(const std::string &bench = TAILOR_SOURCE_DIR "/bench");

/// The id that the twin has among the variants.
inline constexpr const char *kTwinId = "twin";

struct Twin {
  Bundle bundle;
  KernelInfo kernel; ///< three variants: the authored, that of the file's name, and the twin
  Workload workload; ///< the kernel's
  /// The problem, with less groups where the variant's rule admits only multiples of some count.
  ProblemSize admitted(const ProblemSize &size) const;
};

/// Builds the variant as `build` does, of the kernel in the folder kernels beside the twin's, and
/// compiles the twin. Fails where the kernel has no variant
/// of that id, and where the twin's size is another than the variant's.
Result<Twin> loadTwin(const TwinFile &file);

} // namespace tailor::bench

#endif
