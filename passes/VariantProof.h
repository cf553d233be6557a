//===- passes/VariantProof.h - What stands before a variant is made ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_VARIANTPROOF_H
#define TAILOR_PASSES_VARIANTPROOF_H

#include "Analysis/Certificate.h"
#include "passes/Pass.h"

#include <memory>

namespace tailor {

/// The kernel that a pass is to make a variant of, at the size that the module has.
struct VariantKernel {
  EntryPoint entry;
  Dim3 authored;
};

/// The entry point `option`; where that is empty the context's, or the only one.
Result<VariantKernel> findVariantKernel(const Module &module, const std::string &option,
                                        const PassContext &context);

/// The proof that `technique` may give the kernel that size. Fails with the certificate's refusal,
/// with a size that has no invocations (ErrorKind::Usage), with one that the technique does not
/// give, or with a certificate of another kernel (ErrorKind::Internal). `given`: the proof, if it
/// is there already; null: certify() is asked.
Result<std::shared_ptr<const Certificate>>
proveVariant(const Module &module, const VariantKernel &kernel, const Certificate *given,
             Technique technique, const Dim3 &size, const PassContext &context);

} // namespace tailor

#endif
