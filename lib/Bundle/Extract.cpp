//===- Bundle/Extract.cpp ------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Bundle/Extract.h"

#include "Support/Files.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

namespace tailor {

static constexpr std::string_view kManifestName = "manifest.json";

/// File name -> index of its bytes, or why two files would be one.
static Result<std::map<std::string, CodeInfo>> planFiles(const Bundle &bundle,
                                                         const std::string &folder) {
  std::map<std::string, CodeInfo> files;
  for (const KernelInfo &kernel : bundle.kernels)
    for (const VariantInfo &variant : kernel.variants)
      for (const auto &[target, code] : variant.code) {
        std::string name = fileNameOf(kernel, variant, target);
        if (!bundle.has(code))
          return failure(Location::inFile(folder), "the bundle has no code for '" + name + "'");
        if (name == kManifestName || !files.emplace(name, code).second)
          return failure(Location::inFile(folder),
                         "two files of the bundle would be named '" + name + "'");
      }
  return files;
}

Status extractBundle(const Bundle &bundle, const std::string &folder) {
  Result<std::map<std::string, CodeInfo>> files = planFiles(bundle, folder);
  if (!files)
    return files.takeFailure();
  if (Status status = makeFolder(folder); !status)
    return status;
  const std::string prefix = folder.empty() || folder.back() == '/' ? folder : folder + "/";
  for (const auto &[name, code] : *files)
    if (Status status = writeFileAtomically(prefix + name, bundle.bytesOf(code)); !status)
      return status;

  std::string manifest;
  llvm::raw_string_ostream os(manifest);
  {
    llvm::json::OStream json(os, /*IndentSize=*/2);
    writeManifestJson(json, bundle);
  }
  os << "\n";
  return writeFileAtomically(prefix + std::string(kManifestName), manifest);
}

} // namespace tailor
