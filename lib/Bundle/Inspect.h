//===- Bundle/Inspect.h - A bundle for people ----------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BUNDLE_INSPECT_H
#define TAILOR_BUNDLE_INSPECT_H

#include "Bundle/Manifest.h"

namespace llvm {
class raw_ostream;
}

namespace tailor {

/// Prints each kernel on about a screen: name, entry point, authored size, class and what it uses,
/// a table of the variants, and what was refused and why. Control characters that a file's names
/// hold are printed as `\x1b`. Sentences are wrapped to `columns`, with what follows indented; 0:
/// each is one line, as programs like it.
void printInspectText(llvm::raw_ostream &os, const Bundle &bundle, unsigned columns = 0);

} // namespace tailor

#endif
