//===- tools/fuzzers/fuzz_reader.cpp - Any bytes as a SPIR-V module -------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reader refuses a module or writes the same words back. What looks at a
// module before it is validated (the size, constants) must bear any of them.
//
//===----------------------------------------------------------------------===//
#include "IR/Constants.h"
#include "IR/Reader.h"
#include "IR/WorkgroupSize.h"

#include <cstring>
#include <vector>

using namespace tailor;

static void lookAt(const Module &module) {
  ConstantEvaluator evaluator(module);
  for (const Instruction &inst : module.section(Section::Globals))
    if (raw(inst.result()) != 0)
      (void)evaluator.evaluate(inst.result());
  for (const EntryPoint &entry : module.entryPoints()) {
    (void)entry.name();
    (void)readWorkgroupSize(module, entry);
  }
  module.forEachInstruction([&](const Instruction &inst) { (void)module.locationOf(inst).str(); });
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::vector<uint32_t> words(size / 4);
  if (!words.empty())
    std::memcpy(words.data(), data, words.size() * 4);
  Result<Module> module = readModule(words, "input.spv");
  if (!module)
    return 0;
  if (module->words() != words || module->clone().words() != words)
    __builtin_trap();
  lookAt(*module);
  return 0;
}
