//===- passes/PrintWorkgroupSize.cpp - The size of each kernel ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/PrintWorkgroupSize.h"

#include "IR/WorkgroupSize.h"

#include "llvm/Support/raw_ostream.h"

namespace tailor {

Result<std::unique_ptr<Pass>> PrintWorkgroupSize::create(PassArguments &) {
  return std::unique_ptr<Pass>(std::make_unique<PrintWorkgroupSize>());
}

Result<Change> PrintWorkgroupSize::run(Module &module, PassContext &context) {
  for (const EntryPoint &entry : module.entryPoints()) {
    if (entry.model() != spv::ExecutionModel::GLCompute)
      continue;
    Result<WorkgroupSize> size = readWorkgroupSize(module, entry, context.spec);
    if (!size)
      return size.takeFailure();
    context.out << "workgroup size of '" << entry.name() << "': " << size->size.str() << " ("
                << nameOf(size->spelling) << (size->specialized ? ", specialized" : "") << ")\n";
  }
  return Change::Unchanged;
}

} // namespace tailor
