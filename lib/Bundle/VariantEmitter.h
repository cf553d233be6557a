//===- Bundle/VariantEmitter.h - A variant's code in every language (internal) ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Validates the modules of variants and writes them for each target. Variants of
// one kind that differ in their size alone share texts: they are made once, and
// get the size put in.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BUNDLE_VARIANTEMITTER_H
#define TAILOR_BUNDLE_VARIANTEMITTER_H

#include "Bundle/Manifest.h"
#include "Support/Result.h"

#include <map>
#include <string>
#include <vector>

namespace tailor {

class VariantEmitter {
public:
  /// `file`: for the locations of messages.
  VariantEmitter(const std::vector<std::string> &targets, std::string entry, std::string file,
                 Bundle &bundle)
      : targets(targets), entry(std::move(entry)), file(std::move(file)), bundle(bundle) {}

  /// Fills `code` and `skipped`, and adds the code to the bundle. `spirv` is what goes in as
  /// SPIR-V, `words` what the languages are made from.
  void emitAuthored(VariantInfo &variant, const std::vector<uint32_t> &words,
                    const std::vector<uint32_t> &spirv);
  /// The same for a variant, once its module is valid. Fails with ErrorKind::Internal where it is
  /// not.
  Status emitVariant(VariantInfo &variant, const std::vector<uint32_t> &words);

private:
  /// The latest module of a kind, where its LocalSize literals stand among the words, and its texts
  /// (or why there is none).
  struct Pattern {
    std::vector<uint32_t> words;
    size_t sizeWord = 0;
    std::map<std::string, Result<std::string>> texts{};

    bool differsInSizeAlone(const std::vector<uint32_t> &other) const;
  };

  void emitTargets(VariantInfo &variant, const std::vector<uint32_t> &words,
                   const std::vector<uint32_t> &spirv, Pattern *pattern);
  Result<std::string> emitText(const std::string &target, const VariantInfo &variant,
                               const std::vector<uint32_t> &words, Pattern *pattern) const;

  const std::vector<std::string> &targets;
  std::string entry, file;
  Bundle &bundle;
  std::map<std::string, Pattern> patterns; ///< by technique and parameters
};

} // namespace tailor

#endif
