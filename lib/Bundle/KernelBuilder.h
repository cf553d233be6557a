//===- Bundle/KernelBuilder.h - From a module to a kernel with its variants ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BUNDLE_KERNELBUILDER_H
#define TAILOR_BUNDLE_KERNELBUILDER_H

#include "Analysis/Certificate.h"
#include "Backends/Backend.h"
#include "Bundle/AssumedDispatch.h"
#include "Bundle/KnobVariants.h"
#include "Bundle/Manifest.h"
#include "Bundle/VariantPlan.h"
#include "IR/Module.h"

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace tailor {

struct KernelBuildOptions {
  std::vector<std::string> targets = {"spirv"}; ///< names of Backends.def
  EmitOptions emit;                             ///< versions and platforms of the targets
  PlanRequest plan; ///< which variants; what it asks of the kernel is filled in
  SpecMap spec;     ///< the host's specialization values
  /// The dispatch at which the plan's profiles choose, where more variants are legal than may be.
  DispatchRequest dispatch{};
  /// The same source with other values of its knobs, which become variants that its author
  /// declares. They must outlive the build.
  std::span<const KnobBuild> knobs{};
  /// Values of knobs with which the source is the authored module; empty where none are.
  std::map<std::string, std::string> authoredKnobs{};
  bool stripSourceLines = false; ///< dropSourceLines on everything emitted, after the certificate
  /// Told how many variants are done of how many; may be empty.
  std::function<void(size_t, size_t)> progress;
};

/// Removes OpLine, OpSource and what hangs off them: what our own front ends wrote for the sake of
/// locations, with the text and path of the user's source in it. Names stay.
void dropSourceLines(Module &module);

/// The facts and refusals of a kernel with the authored variant alone, its code not emitted.
Result<KernelInfo> describeKernel(const Module &module, const EntryPoint &entry,
                                  const std::string &name, const Certificate &certificate);

/// Certifies `entry`, makes the variants that are asked for, validates them, emits it for each
/// target, and adds the code to `bundle.blobs`. A target that cannot carry a variant is in
/// VariantInfo::skipped. The authored module is the first variant: its SPIR-V is the module as it
/// came. A variant whose module and rule another one has is made once and counts once; one that
/// cannot be made is in KernelInfo::refused, and counts not at all. With more than maxVariants, the
/// profiles of the plan that are devices choose (Bundle/ProfileRank.h), if there are any. Knobs
/// get at most half of maxVariants where other techniques are asked for. Warnings (variants left
/// out by maxVariants, listed sizes that nothing gives) go to `diagnostics`. Fails where the kernel
/// cannot be certified, or (ErrorKind::Internal) a variant does not validate.
Result<KernelInfo> buildKernel(const Module &module, const EntryPoint &entry,
                               const std::string &name, const KernelBuildOptions &options,
                               Bundle &bundle, Diagnostics &diagnostics);

} // namespace tailor

#endif
