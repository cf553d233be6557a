//===- Analysis/UniformExpression.h - Values of the dispatch as expressions ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_ANALYSIS_UNIFORMEXPRESSION_H
#define TAILOR_ANALYSIS_UNIFORMEXPRESSION_H

#include "Analysis/Dispatch.h"
#include "Analysis/IdDependence.h"

namespace tailor {

/// Component `component` of the 32-bit integer value `id` as an expression over what the host
/// supplies; nullopt where it is not one, or where it could vary. A boolean is 0 or 1.
std::optional<UniformExpr> uniformExpression(const Module &module, const IdDependence &ids, Id id,
                                             unsigned component = 0);

} // namespace tailor

#endif
