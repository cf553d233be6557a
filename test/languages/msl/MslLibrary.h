//===- languages/msl/MslLibrary.h - Metal texts compiled by clang ---------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_LANGUAGES_MSL_MSLLIBRARY_H
#define TAILOR_LANGUAGES_MSL_MSLLIBRARY_H

#include "msl/MslFibres.h"
#include "msl/MslText.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tailor::languages {

/// The compiler, with the shim read once for all texts. Its files go with it.
class MslCompiler {
public:
  /// ErrorKind::Environment where there is no clang 19.
  static Result<std::unique_ptr<MslCompiler>> create();
  ~MslCompiler();
  MslCompiler(const MslCompiler &) = delete;
  MslCompiler &operator=(const MslCompiler &) = delete;

  /// Empty, or what the compiler says of the texts as C++ for OpenCL, in which `device`,
  /// `threadgroup`, `constant` and `thread` are address spaces.
  std::string checkAddressSpaces(std::span<const MslSource> sources);
  /// Compiles the texts as C++ and loads them: as many kernels as texts, which live as long as the
  /// compiler. Refused with what the compiler says.
  Result<std::vector<MslKernel>> compile(std::span<const MslSource> sources);

private:
  explicit MslCompiler(std::string folder) : folder(std::move(folder)) {}
  /// Runs clang in the folder; what it says where it fails.
  std::string clang(const std::string &arguments);

  std::string folder;
  unsigned made = 0;
  std::vector<void *> libraries;
};

} // namespace tailor::languages

#endif
