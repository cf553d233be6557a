//===- Bundle/Extract.h - A bundle as files ------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BUNDLE_EXTRACT_H
#define TAILOR_BUNDLE_EXTRACT_H

#include "Bundle/Manifest.h"
#include "Support/Result.h"

#include <string>

namespace tailor {

/// Writes every variant's files (fileNameOf) and manifest.json into the folder, which is made
/// when missing; each file appears whole or not at all, manifest.json last. Nothing is written
/// outside the folder. Fails with ErrorKind::Refused before anything is written when two files
/// would have one name, with ErrorKind::Environment when a file cannot be written.
Status extractBundle(const Bundle &bundle, const std::string &folder);

} // namespace tailor

#endif
