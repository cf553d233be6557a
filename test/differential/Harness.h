//===- differential/Harness.h - Variants against their authored kernel ----===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the authored kernel and every variant whose dispatch rule admits the
// problem, on every device that the loader finds, and compares all outputs bit
// for bit. Guard bands stand around every buffer, so that a write outside of it
// is seen. Nothing is timed.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_DIFFERENTIAL_HARNESS_H
#define TAILOR_DIFFERENTIAL_HARNESS_H

#include "Bundle/KernelBuilder.h"
#include "Frontend/Frontend.h"
#include "Tuning/Workload.h"
#include "Vulkan/Device.h"

#include "Vulkan/Runner.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tailor::differential {

/// Every device, opened once for the process; empty without a driver. With
/// TAILOR_DIFFERENTIAL_DEVICE in the environment the one device of that name (Instance::find).
const std::vector<std::shared_ptr<vulkan::Device>> &devices();
/// The test cannot run here: it fails where CI=true, and is skipped elsewhere.
bool noDevices();
/// The largest invocation count that all devices allow, and that of each axis.
Dim3 commonMaxSize(uint32_t &maxInvocations);

struct Report {
  bool proven = false; ///< there are variants
  std::string refusal; ///< why not
  size_t variants = 0; ///< besides the authored
  size_t ranExact = 0; ///< runs of variants, over all devices
  size_t ranCover = 0;
  std::map<std::string, size_t> ran; ///< those runs, by the variant's technique: `pack+coarsen`
  size_t leftOut = 0;                ///< not admitted by their rule or the device, over all devices
  std::vector<std::string> wrong;    ///< what a variant did and the authored kernel did not
  std::vector<std::string> broken;   ///< the authored kernel could not run, or writes out of bounds
  /// What the device did wrong itself: it does not give what the authored kernel says.
  std::vector<std::string> deviceFaults;
  /// Asked where a variant differs: whether a result is another than the authored kernel's. Unset:
  /// the device is believed.
  std::function<bool(const vulkan::KernelInstance &, const vulkan::RunResult &)> doubts;
  std::string text() const;
};

struct Compiled {
  Module module;
  std::string entryPoint;
};
/// GLSL (with its #version line), HLSL or SPIR-V text to a module with its entry point of that
/// name; empty: its only compute entry point.
Result<Compiled> compile(const std::string &text, InputKind kind, const std::string &entry = "");
Result<Compiled> compileFile(const std::string &path);

/// A kernel of bench/kernels with its workload.
struct BenchCase {
  std::string stem; ///< of its file's name
  Compiled compiled;
  Workload workload;
  SpecMap spec; ///< that its small problem size gives
  const ProblemSize &small() const { return workload.sizes.front(); }
  Result<Certificate> certificate() const;
};
/// `file`: its name in bench/kernels.
Result<BenchCase> loadBenchCase(const std::string &file);

enum class Shape { AsCompiled, Fast, Small, Ssa };
/// What SPIRV-Tools' optimizer makes of the module: the same kernel with inlined calls, phis,
/// selects, folded constants. Ssa: calls and returns as written, and values in ids in place of
/// variables, as DXC and naga leave modules. The module stays as it is where the optimizer fails.
Status reshape(Compiled &compiled, Shape shape);

/// The kernel with all variants of these sizes, as `build` makes them.
Result<KernelInfo> buildVariants(const Compiled &compiled, const SizeRequest &sizes,
                                 const SpecMap &spec, Bundle &bundle);

/// Runs what `kernel` holds (its first variant is the authored one) with the workload's values.
/// Nothing where there is only the authored one.
void compareVariants(const Bundle &bundle, const KernelInfo &kernel, const Workload &workload,
                     const ProblemSize &size, Report &report);

/// buildVariants and compareVariants.
Report checkKernel(const Compiled &compiled, const SizeRequest &sizes, const SpecMap &spec,
                   const Workload &workload, const ProblemSize &size);

} // namespace tailor::differential

#endif
