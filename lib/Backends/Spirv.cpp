//===- Backends/Spirv.cpp - SPIR-V, as it is -------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/Emitters.h"
#include "Support/Files.h"

namespace tailor {

Result<Emitted> emitSpirv(const EmitRequest &request, const ModuleFacts &facts) {
  if (Status same = compareSize("spirv", request, facts.literalSize()); !same)
    return same.takeFailure();
  return Emitted{bytesOfWords(request.spirv), {request.entryPoint, {}, {}, {}, {}}};
}

} // namespace tailor
