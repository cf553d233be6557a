//===- tools/fuzzers/fuzz_workload.cpp - Any bytes as a workload ----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A workload is read, or refused with at least one error. What is read can be
// hashed and asked for its group counts and push constants.
//
//===----------------------------------------------------------------------===//
#include "Tuning/Workload.h"

using namespace tailor;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view text(reinterpret_cast<const char *>(data), size);
  Diagnostics diags;
  std::optional<Workload> workload = parseWorkload(text, "workload.json", diags);
  if (workload.has_value() == diags.hasErrors())
    __builtin_trap();
  if (!workload)
    return 0;
  if (workload->sizes.empty())
    __builtin_trap();
  for (const ProblemSize &problem : workload->sizes) {
    (void)problem.hash();
    (void)problem.pushConstantBlock();
    (void)problem.groupsFor({16, 16, 1});
  }
  return 0;
}
