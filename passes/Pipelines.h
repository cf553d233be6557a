//===- passes/Pipelines.h - Named pipelines, and pipelines as text ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_PIPELINES_H
#define TAILOR_PASSES_PIPELINES_H

#include "passes/PassManager.h"

namespace tailor {

/// A list of passes that goes by a name.
struct NamedPipeline {
  std::string_view name;
  std::string_view summary;
  std::string_view passes; ///< as a textual pipeline
};
/// Alphabetical.
llvm::ArrayRef<NamedPipeline> namedPipelines();

/// Reads `a<x=1,y=2;3>,b,c<z>` and adds its passes to the manager:
///
///   pipeline := element (',' element)*
///   element  := name [ '<' option (',' option)* '>' ]
///   option   := name [ '=' value ]
///
/// A name is a pass or a named pipeline (which takes no options). Values may hold balanced angle
/// brackets; blanks around names and values do not count. Fails with ErrorKind::Usage, located at a
/// column of `where` ("--passes"), with the nearest name where one was misspelt.
Status parsePipeline(std::string_view text, const std::string &where, const PassRegistry &registry,
                     PassManager &manager);

} // namespace tailor

#endif
