//===- Bundle/VariantEmitter.h - A variant's code in every language (internal) ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Validates the modules of variants and writes them for each target. Variants
// whose modules differ in their size alone share one text of each language: it is
// made for the first two of them, which shows the bytes that the size stands in
// (findSize), and the others say what to put there.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BUNDLE_VARIANTEMITTER_H
#define TAILOR_BUNDLE_VARIANTEMITTER_H

#include "Backends/Backend.h"
#include "Bundle/Manifest.h"
#include "Support/Result.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tailor {

class VariantEmitter {
public:
  /// `file`: for the locations of messages.
  VariantEmitter(const std::vector<std::string> &targets, const EmitOptions &options,
                 std::string entry, std::string file, Bundle &bundle)
      : targets(targets), options(options), entry(std::move(entry)), file(std::move(file)),
        bundle(bundle) {}

  /// Fills `code` and `skipped`, and adds the code to the bundle. `spirv` is what goes in as
  /// SPIR-V, `words` what the languages are made from.
  void emitAuthored(VariantInfo &variant, const std::vector<uint32_t> &words,
                    const std::vector<uint32_t> &spirv);
  /// The same for a variant, once its module is valid. Fails with ErrorKind::Internal where it is
  /// not.
  Status emitVariant(VariantInfo &variant, const std::vector<uint32_t> &words);

private:
  /// A text that modules share.
  struct SharedText {
    CodeInfo code; ///< of the first of them
    Dim3 size;
    std::optional<TextRange> place; ///< of the size in the text; found with the second
  };
  /// Modules that differ in their LocalSize literals alone.
  struct Pattern {
    size_t sizeWord = 0;             ///< index of the first literal
    std::optional<uint32_t> spirv{}; ///< blob of the first of them
    std::map<std::string, Result<SharedText>> texts{};
  };

  void emitTargets(VariantInfo &variant, const std::vector<uint32_t> &words,
                   const std::vector<uint32_t> &spirv, Pattern *pattern);
  Result<CodeInfo> emitCode(const std::string &target, const VariantInfo &variant,
                            const std::vector<uint32_t> &words, const std::vector<uint32_t> &spirv,
                            Pattern *pattern);
  CodeInfo emitWords(const VariantInfo &variant, const std::vector<uint32_t> &spirv,
                     Pattern *pattern);
  Result<CodeInfo> emitText(const std::string &target, const VariantInfo &variant,
                            const std::vector<uint32_t> &words);
  Result<CodeInfo> emitShared(const std::string &target, const VariantInfo &variant,
                              const std::vector<uint32_t> &words, Pattern &pattern);
  Status validate(const VariantInfo &variant, const std::vector<uint32_t> &words) const;

  const std::vector<std::string> &targets;
  const EmitOptions &options;
  std::string entry, file;
  Bundle &bundle;
  std::map<std::string, Pattern> patterns; ///< by the hash of the module without its size
};

} // namespace tailor

#endif
