//===- Bundle/VariantEmitter.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Bundle/VariantEmitter.h"

#include "IR/Module.h"
#include "Support/Files.h"
#include "Support/Hash.h"
#include "Support/SpirvTools.h"

namespace tailor {

namespace {

/// Index of the first literal of the only LocalSize.
std::optional<size_t> sizeWordOf(const std::vector<uint32_t> &words) {
  constexpr uint32_t kInstruction =
      6u << 16 | static_cast<uint32_t>(spv::Op::OpExecutionMode); // entry, mode, x, y, z
  std::optional<size_t> found;
  for (size_t at = kSpirvHeaderWords; at < words.size();) {
    const uint32_t count = words[at] >> 16;
    if (count == 0 || (words[at] & 0xffff) == static_cast<uint32_t>(spv::Op::OpFunction))
      return found;
    if (words[at] == kInstruction && at + count <= words.size() &&
        words[at + 2] == static_cast<uint32_t>(spv::ExecutionMode::LocalSize)) {
      if (found)
        return std::nullopt;
      found = at + 3;
    }
    at += count;
  }
  return found;
}

/// What modules have in common that differ in their size alone.
std::string hashWithoutSize(std::vector<uint32_t> words, size_t sizeWord) {
  for (size_t axis = 0; axis < 3; ++axis)
    words[sizeWord + axis] = 1;
  return sha256Hex(std::span<const uint32_t>(words));
}

} // namespace

Result<CodeInfo> VariantEmitter::emitText(const std::string &target, const VariantInfo &variant,
                                          const std::vector<uint32_t> &words) {
  Result<Emitted> made = emit(target, {words, entry, variant.localSize, file, options});
  if (!made)
    return made.takeFailure();
  CodeInfo code(bundle.addBlob(std::move(made->code)));
  code.interface = bundle.addInterface(std::move(made->interface));
  return code;
}

Result<CodeInfo> VariantEmitter::emitShared(const std::string &target, const VariantInfo &variant,
                                            const std::vector<uint32_t> &words, Pattern &pattern) {
  auto patched = [&](const SharedText &text) {
    CodeInfo code = text.code;
    code.at = static_cast<uint32_t>(text.place->at);
    code.count = static_cast<uint32_t>(text.place->count);
    code.bytes = statementOf(target, variant.localSize);
    return code;
  };
  auto known = pattern.texts.find(target);
  if (known == pattern.texts.end()) {
    Result<CodeInfo> made = emitText(target, variant, words);
    pattern.texts.emplace(target, made
                                      ? Result<SharedText>(SharedText{*made, variant.localSize, {}})
                                      : Failure{made.diagnostic()});
    return made;
  }
  if (!known->second)
    return Failure{known->second.diagnostic()};
  SharedText &text = *known->second;
  if (text.place)
    return patched(text);

  Result<Emitted> made = emit(target, {words, entry, variant.localSize, file, options});
  if (!made)
    return made.takeFailure();
  const bool isOneInterface = made->interface == bundle.interfaces[*text.code.interface];
  if (isOneInterface)
    text.place =
        findSize(target, bundle.blobs[text.code.blob], text.size, made->code, variant.localSize);
  if (text.place)
    return patched(text);
  CodeInfo code(bundle.addBlob(std::move(made->code)));
  code.interface = bundle.addInterface(std::move(made->interface));
  return code;
}

CodeInfo VariantEmitter::emitWords(const VariantInfo &variant, const std::vector<uint32_t> &spirv,
                                   Pattern *pattern) {
  if (!pattern)
    return bundle.addBlob(bytesOfWords(spirv));
  if (!pattern->spirv) {
    pattern->spirv = bundle.addBlob(bytesOfWords(spirv));
    return *pattern->spirv;
  }
  CodeInfo code(*pattern->spirv);
  const uint32_t size[] = {variant.localSize.x, variant.localSize.y, variant.localSize.z};
  code.at = static_cast<uint32_t>(pattern->sizeWord * sizeof(uint32_t));
  code.bytes = bytesOfWords(size);
  code.count = static_cast<uint32_t>(code.bytes.size());
  return code;
}

Result<CodeInfo> VariantEmitter::emitCode(const std::string &target, const VariantInfo &variant,
                                          const std::vector<uint32_t> &words,
                                          const std::vector<uint32_t> &spirv, Pattern *pattern) {
  const Backend *backend = findBackend(target);
  if (!backend)
    return failure({}, "there is no such language");
  if (Status fits = checkLimits(*backend, variant.localSize, variant.sharedBytes, {}, options);
      !fits)
    return fits.takeFailure();
  if (target == "spirv")
    return emitWords(variant, spirv, pattern);
  if (variant.guard && variant.guard->kind == kGuardSpecConstant)
    return failure({}, "the logical grid is in specialization constants, which a text has not");
  return pattern ? emitShared(target, variant, words, *pattern) : emitText(target, variant, words);
}

void VariantEmitter::emitTargets(VariantInfo &variant, const std::vector<uint32_t> &words,
                                 const std::vector<uint32_t> &spirv, Pattern *pattern) {
  for (const std::string &target : targets) {
    Result<CodeInfo> code = emitCode(target, variant, words, spirv, pattern);
    if (code)
      variant.code[target] = std::move(*code);
    else
      variant.skipped[target] = code.diagnostic().text;
  }
}

void VariantEmitter::emitAuthored(VariantInfo &variant, const std::vector<uint32_t> &words,
                                  const std::vector<uint32_t> &spirv) {
  emitTargets(variant, words, spirv, nullptr);
}

Status VariantEmitter::validate(const VariantInfo &variant,
                                const std::vector<uint32_t> &words) const {
  Status valid = validateSpirv(words, file);
  if (valid)
    return valid;
  Failure fault = valid.takeFailure();
  fault.diagnostic.kind = ErrorKind::Internal;
  fault.diagnostic.text =
      "the variant '" + variant.id + "' is not valid SPIR-V: " + fault.diagnostic.text;
  return fault;
}

Status VariantEmitter::emitVariant(VariantInfo &variant, const std::vector<uint32_t> &words) {
  std::optional<size_t> sizeWord = sizeWordOf(words);
  if (!sizeWord) {
    if (Status valid = validate(variant, words); !valid)
      return valid;
    emitTargets(variant, words, words, nullptr);
    return success();
  }
  auto [at, isNew] = patterns.try_emplace(hashWithoutSize(words, *sizeWord), Pattern{*sizeWord});
  // Literals other than zero have no part in validity: what holds for one holds for all that
  // differ in them alone.
  if (isNew)
    if (Status valid = validate(variant, words); !valid) {
      patterns.erase(at);
      return valid;
    }
  emitTargets(variant, words, words, &at->second);
  return success();
}

} // namespace tailor
