//===- passes/PrintSharedMemory.cpp - Workgroup memory and its lengths ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/PrintSharedMemory.h"

#include "passes/EntryAnalysis.h"

#include "Analysis/SharedMemory.h"

#include "llvm/Support/raw_ostream.h"

namespace tailor {

Result<std::unique_ptr<Pass>> PrintSharedMemory::create(PassArguments &arguments) {
  Options options;
  options.entry = arguments.string("entry").value_or("");
  options.size = arguments.dim3("size");
  if (Status read = arguments.finish(); !read)
    return read.takeFailure();
  return std::unique_ptr<Pass>(std::make_unique<PrintSharedMemory>(std::move(options)));
}

static std::string bytesText(std::optional<uint64_t> bytes) {
  return bytes ? std::to_string(*bytes) + " bytes" : "unknown";
}

static void printVariable(llvm::raw_ostream &os, const SharedVariable &variable) {
  os << "  '" << variable.name << "': " << variable.type << ", " << bytesText(variable.bytes);
  if (!variable.bytes || variable.expression != std::to_string(*variable.bytes))
    os << " = " << variable.expression;
  for (uint32_t id : variable.specIds)
    os << ", SpecId " << id;
  if (variable.dependsOnSize)
    os << ", follows the size";
  if (variable.aliased)
    os << ", shares its bytes with other blocks";
  if (variable.usedAsPrivate)
    os << ", each invocation keeps to its own bytes";
  os << "\n";
}

Result<Change> PrintSharedMemory::run(Module &module, PassContext &context) {
  Result<KernelAnalysis> analysis = analyzeEntry(module, options.entry, context);
  if (!analysis)
    return analysis.takeFailure();
  SharedMemory shared = analyzeSharedMemory(*analysis);
  context.out << "workgroup memory of '" << analysis->entryName() << "'\n";
  for (const SharedVariable &variable : shared.variables)
    printVariable(context.out, variable);
  context.out << "  total at " << analysis->size().str() << ": " << bytesText(shared.totalBytes)
              << "\n";
  if (options.size)
    context.out << "  total at " << options.size->str() << ": "
                << bytesText(sharedBytesAt(*analysis, *options.size)) << "\n";
  return Change::Unchanged;
}

} // namespace tailor
