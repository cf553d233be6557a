//===- Bundle/VariantEmitter.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Bundle/VariantEmitter.h"

#include "Backends/Backend.h"
#include "IR/Module.h"
#include "Support/Files.h"
#include "Support/SpirvTools.h"

#include <algorithm>

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

/// What variants have in common whose modules may differ in their size alone.
std::string kindOf(const VariantInfo &variant) {
  std::string kind = variant.technique + std::string(nameOf(variant.dispatch.rule));
  for (const StepInfo &step : variant.steps)
    for (const auto &[name, value] : step.parameters)
      kind.append(" ").append(name).append("=").append(value);
  return kind;
}

} // namespace

bool VariantEmitter::Pattern::differsInSizeAlone(const std::vector<uint32_t> &other) const {
  if (other.size() != words.size())
    return false;
  auto size = static_cast<std::ptrdiff_t>(sizeWord);
  return std::equal(other.begin(), other.begin() + size, words.begin()) &&
         std::equal(other.begin() + size + 3, other.end(), words.begin() + size + 3);
}

Result<std::string> VariantEmitter::emitText(const std::string &target, const VariantInfo &variant,
                                             const std::vector<uint32_t> &words,
                                             Pattern *pattern) const {
  EmitRequest request{words, entry, variant.localSize, file, {}};
  auto made = [&]() -> Result<std::string> {
    Result<Emitted> text = emit(target, request);
    if (!text)
      return text.takeFailure();
    return std::move(text->code);
  };
  if (!pattern)
    return made();
  auto known = pattern->texts.find(target);
  if (known == pattern->texts.end())
    known = pattern->texts.emplace(target, made()).first;
  if (!known->second)
    return Failure{known->second.diagnostic()};
  return withSize(target, *known->second, variant.localSize);
}

void VariantEmitter::emitTargets(VariantInfo &variant, const std::vector<uint32_t> &words,
                                 const std::vector<uint32_t> &spirv, Pattern *pattern) {
  const bool gridIsConstant = variant.guard && variant.guard->kind == kGuardSpecConstant;
  for (const std::string &target : targets) {
    const Backend *backend = findBackend(target);
    Status fits = backend ? checkLimits(*backend, variant.localSize, variant.sharedBytes)
                          : failure({}, "there is no such language");
    if (fits && gridIsConstant && target != "spirv")
      fits = failure({}, "the logical grid is in specialization constants, which a text has not");
    Result<std::string> code = !fits               ? Result<std::string>(fits.takeFailure())
                               : target == "spirv" ? bytesOfWords(spirv)
                                                   : emitText(target, variant, words, pattern);
    if (code)
      variant.code[target] = bundle.addBlob(std::move(*code));
    else
      variant.skipped[target] = code.diagnostic().text;
  }
}

void VariantEmitter::emitAuthored(VariantInfo &variant, const std::vector<uint32_t> &words,
                                  const std::vector<uint32_t> &spirv) {
  emitTargets(variant, words, spirv, nullptr);
}

Status VariantEmitter::emitVariant(VariantInfo &variant, const std::vector<uint32_t> &words) {
  const std::string kind = kindOf(variant);
  auto at = patterns.find(kind);
  // Literals other than zero have no part in validity: what holds for one holds for all that
  // differ in them alone.
  if (at == patterns.end() || !at->second.differsInSizeAlone(words)) {
    if (Status valid = validateSpirv(words, file); !valid) {
      Failure fault = valid.takeFailure();
      fault.diagnostic.kind = ErrorKind::Internal;
      fault.diagnostic.text =
          "the variant '" + variant.id + "' is not valid SPIR-V: " + fault.diagnostic.text;
      return fault;
    }
    if (std::optional<size_t> sizeWord = sizeWordOf(words))
      at = patterns.insert_or_assign(kind, Pattern{words, *sizeWord}).first;
    else
      at = patterns.end();
  }
  emitTargets(variant, words, words, at == patterns.end() ? nullptr : &at->second);
  return success();
}

} // namespace tailor
