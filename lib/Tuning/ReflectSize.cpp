//===- Tuning/ReflectSize.cpp ----------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/ReflectSize.h"

#include "Analysis/SizeConstants.h"
#include "IR/Reader.h"

namespace tailor {

Status reflectSize(std::span<const uint32_t> words, const std::string &file,
                   Reflection &reflection) {
  Result<Module> module = readModule(words, file);
  if (!module)
    return module.takeFailure();
  Result<EntryPoint> entry = findComputeEntryPoint(*module, reflection.entryPoint);
  if (!entry)
    return entry.takeFailure();
  Result<WorkgroupSize> size = readWorkgroupSize(*module, *entry);
  if (!size)
    return size.takeFailure();
  reflection.localSize = size->size;
  std::set<uint32_t> ids = specIdsOfSize(*module, *entry);
  for (ReflectedSpecConstant &constant : reflection.specConstants)
    constant.decidesSize = ids.contains(constant.id);
  return success();
}

} // namespace tailor
