//===- languages/LanguageCases.h - The suite in one language ---------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a test of a language runs: every kernel of bench/kernels, as written and
// under each technique that it allows, with the text, what its host must know,
// the contents of every resource, and what the authored SPIR-V leaves behind on
// a Vulkan device. The tests of a language execute the text with that language's
// own consumer and ask `check` whether the outputs are the authored kernel's.
//
// Every case ends in the table (kernel x language x technique): `ran`, or
// `refused` by us with the reason. There is no third way: a case that neither
// ran nor was refused is a failure of the test.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_LANGUAGES_LANGUAGECASES_H
#define TAILOR_LANGUAGES_LANGUAGECASES_H

#include "Backends/Backend.h"
#include "Bundle/Manifest.h"
#include "Vulkan/Compare.h"
#include "Vulkan/Resources.h"
#include "Vulkan/Runner.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tailor::languages {

/// A kernel with its problem, shared by its cases.
struct KernelProblem {
  std::string kernel;              ///< file stem in bench/kernels
  vulkan::KernelInstance instance; ///< contents of every resource before the dispatch
  vulkan::RunResult expected;      ///< what the authored SPIR-V leaves behind
  std::string device;              ///< where it ran
  /// By index into expected.outputs: integers exactly, floats as the workload says, at least
  /// `kFloatUlps`.
  std::vector<vulkan::CompareRule> rules;
};

/// Other compilers contract and reorder sums as their language allows.
inline constexpr uint64_t kFloatUlps = 16;

/// One variant of a kernel in one language.
struct LanguageCase {
  std::shared_ptr<const KernelProblem> problem;
  std::string target;  ///< glsl, essl, hlsl, msl, wgsl
  VariantInfo variant; ///< id, technique, local size, dispatch, guard
  /// Why there is no text; empty where there is one.
  std::string refusal;
  std::string text;
  LanguageInterface interface;
  Dim3 groups; ///< to dispatch
  /// The whole block, with the logical grid that a guarded variant asks for.
  std::vector<std::byte> pushConstants;

  std::string name() const; ///< `blur_image authored`, `saxpy resize-64x1x1`
};

/// File names of the kernels, sorted; TAILOR_LANGUAGE_KERNELS in the environment (`a,b`) chooses.
std::vector<std::string> suiteKernels();

/// The cases of one kernel: authored, and of each technique and composition one variant that the
/// problem admits and that has at most `maxInvocations`; with TAILOR_LANGUAGE_VARIANTS=N in the
/// environment N of each. Fails where the kernel cannot be built or run on Vulkan.
Result<std::vector<LanguageCase>> casesOf(const std::string &file, const std::string &target,
                                          const EmitOptions &options = {},
                                          uint32_t maxInvocations = 256);

/// A finished run: whether `outputs` (in the order of expected.outputs) are what the authored
/// kernel leaves behind; empty, or what differs. Enters the case into the table as run.
std::string check(const LanguageCase &made, const std::vector<std::vector<std::byte>> &outputs,
                  const std::string &consumer);

/// A kernel in which one rounding decides much (which surface a ray meets), so that compilers of
/// two languages may part in some elements, and then by any amount.
struct RoundingAllowance {
  std::string_view kernel;
  double share;         ///< of the elements of an output, at most
  std::string_view why; ///< for the table
};

/// check() for the cases of one kernel, the authored one first. Of a kernel with an allowance the
/// authored text may differ from the authored SPIR-V in that share of the elements, and the other
/// texts must do exactly what it does.
class CaseCheck {
public:
  CaseCheck(std::string consumer, std::vector<RoundingAllowance> allowances)
      : consumer(std::move(consumer)), allowances(std::move(allowances)) {}
  std::string operator()(const LanguageCase &made,
                         const std::vector<std::vector<std::byte>> &outputs);

private:
  std::string consumer;
  std::vector<RoundingAllowance> allowances;
  std::shared_ptr<const KernelProblem> ofText; ///< what the authored text leaves behind
};

/// Enters a case without text into the table.
void enterRefusal(const LanguageCase &made, const std::string &consumer);

/// The consumer of a language is not on this machine: a failure where CI=true, else a skip that
/// says so. Returns true, so that a test can `if (!found) { missing("wine"); return; }`.
bool missing(const std::string &what);

} // namespace tailor::languages

#endif
