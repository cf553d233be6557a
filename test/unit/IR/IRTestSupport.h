//===- unit/IR/IRTestSupport.h - Modules for the IR's tests ----------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_UNIT_IR_IRTESTSUPPORT_H
#define TAILOR_UNIT_IR_IRTESTSUPPORT_H

#include "IR/Reader.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tailor::test {

using Words = std::vector<uint32_t>;

/// SPIR-V text to words; numeric ids stay what they are. Fails the running test on bad text.
Words assemble(const std::string &text);
/// Reads a module that must be readable; on failure the test fails and an empty module comes back.
Module read(const Words &words, const std::string &file = "test.spv");
inline Module readText(const std::string &text) { return read(assemble(text)); }
/// The words in the other byte order.
Words byteSwapped(const Words &words);
/// Where each instruction starts, the end of the module last.
std::vector<size_t> instructionStarts(const Words &words);

/// One instruction: opcode, then its operand words.
Words instruction(spv::Op op, std::vector<uint32_t> operands);
/// `words` with `inserted` put in at word `at`.
Words withInserted(const Words &words, size_t at, const Words &inserted);

/// A folder of this test process, removed at its end.
const std::string &scratchFolder();
/// Runs a shell command and returns its exit status; output goes nowhere.
int runQuietly(const std::string &command);
/// The words of a binary file; empty when there is none.
Words readWords(const std::string &path);

/// The kernels of bench/kernels with one of these endings (".comp", ".hlsl").
std::vector<std::string> benchKernels(const std::string &ending);
/// Compiles with glslangValidator; empty (and a failed test) when it refuses.
Words compileKernel(const std::string &path, const std::string &options);

/// Types and names that the text modules of the tests share: %void %bool %uint %int %v3uint and a
/// capability, a memory model and a compute entry point %main of size 4x2x1. `functions` is
/// appended; `globals` stands between the types and the functions.
std::string shaderText(const std::string &annotations, const std::string &globals,
                       const std::string &functions);
/// A %main that does nothing.
std::string emptyMain();

} // namespace tailor::test

#endif
