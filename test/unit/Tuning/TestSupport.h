//===- TestSupport.h - Shaders and bundles in memory -------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TEST_UNIT_TUNING_TESTSUPPORT_H
#define TAILOR_TEST_UNIT_TUNING_TESTSUPPORT_H

#include "Bundle/Manifest.h"
#include "Support/Diagnostics.h"
#include "Tuning/Reflect.h"
#include "Tuning/Workload.h"

#include <string>
#include <utility>
#include <vector>

namespace tailor::test {

using Defines = std::vector<std::pair<std::string, std::string>>;

/// Every diagnostic as it is printed.
std::string textOf(const Diagnostics &diags);
std::string textOf(const Diagnostic &diagnostic);
/// The same without notes that stand alone, such as those about faults of the drivers here.
std::string troubleOf(const Diagnostics &diags);

/// The module of a GLSL source; a failure of the test when it does not compile.
std::vector<uint32_t> compileGlsl(const std::string &source, const Defines &defines = {});

/// A workload that must be right.
Workload workloadOf(const std::string &text);

/// What parseWorkload says about a text that must be wrong.
std::string workloadErrors(const std::string &text);

/// A kernel whose source has the macros SX and SY for its local size, at each
/// of the sizes; the first is the authored one. `rule` is that of the others.
struct KernelSource {
  std::string source;
  std::vector<Dim3> sizes;
  DispatchRule rule = DispatchRule::Exact;
  std::vector<DispatchBound> bounds = {};
};
Bundle bundleOf(const KernelSource &kernel);

/// Adds a variant to the only kernel of a bundle: a guarded one, of any source.
void addGuarded(Bundle &bundle, const std::string &source, const Dim3 &size,
                const GuardInfo &guard);

/// A folder of the test's own, removed at the end.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  std::string file(const std::string &name) const { return path + "/" + name; }

  std::string path;
};

} // namespace tailor::test

#endif
