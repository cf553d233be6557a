//===- Bundle/Validate.h - What must hold in every bundle ----------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BUNDLE_VALIDATE_H
#define TAILOR_BUNDLE_VALIDATE_H

#include "Bundle/Manifest.h"
#include "Support/Result.h"

namespace tailor {

/// Checks what readers of a bundle rely on, beyond the file format:
/// kernel names and, in each kernel, variant ids are unique and not empty; the authored variant
/// is first, with the authored size and the rule `same`; sizes and factors are not zero; bounds
/// name an axis and have well-formed expressions; `cover` has a bound on each axis where its
/// size does not divide the grid; `guarded` has a guard; a guard is 12 bytes of
/// push constants or three specialization constants; code names blobs that exist, and
/// SPIR-V consists of whole words. Fails with `kind`, located at `fileName`.
Status validateBundle(const Bundle &bundle, const std::string &fileName, ErrorKind kind);

} // namespace tailor

#endif
