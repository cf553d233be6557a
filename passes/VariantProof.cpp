//===- passes/VariantProof.cpp ---------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "passes/VariantProof.h"

#include "IR/WorkgroupSize.h"

namespace tailor {

Result<VariantKernel> findVariantKernel(const Module &module, const std::string &option,
                                        const PassContext &context) {
  Result<EntryPoint> entry =
      findComputeEntryPoint(module, option.empty() ? context.entryPoint : option);
  if (!entry)
    return entry.takeFailure();
  Result<WorkgroupSize> authored = readWorkgroupSize(module, *entry, context.spec);
  if (!authored)
    return authored.takeFailure();
  return VariantKernel{*entry, authored->size};
}

Result<std::shared_ptr<const Certificate>>
proveVariant(const Module &module, const VariantKernel &kernel, const Certificate *given,
             Technique technique, const Dim3 &size, const PassContext &context) {
  const Location file = Location::inFile(module.source.file);
  if (size.product() == 0)
    return failure(file, "a workgroup size of " + size.str() + " has no invocations",
                   ErrorKind::Usage);
  std::shared_ptr<const Certificate> certificate(given, [](const Certificate *) {}); // the caller's
  if (!given) {
    Result<Certificate> proven = certify(module, kernel.entry, context.spec);
    if (!proven)
      return proven.takeFailure();
    certificate = std::make_shared<const Certificate>(std::move(*proven));
  }
  if (certificate->entryPoint != kernel.entry.name() ||
      certificate->authored.size != kernel.authored)
    return failure(file,
                   "the certificate is for entry point '" + certificate->entryPoint + "' at " +
                       certificate->authored.size.str() + ", not for '" + kernel.entry.name() +
                       "' at " + kernel.authored.str(),
                   ErrorKind::Internal);
  Result<Dispatch> dispatch = dispatchOf(*certificate, technique, size);
  if (dispatch)
    return certificate;
  Diagnostic why = dispatch.diagnostic();
  if (why.location.str().empty())
    why.location = file;
  return failure(std::move(why));
}

} // namespace tailor
