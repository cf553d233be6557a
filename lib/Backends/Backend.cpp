//===- Backends/Backend.cpp ------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/Backend.h"

#include "Backends/CrossRules.h"
#include "Backends/Emitters.h"
#include "Backends/Legalize.h"
#include "Backends/MslRules.h"

#include <algorithm>
#include <charconv>

namespace tailor {
namespace {

constexpr Backend kBackends[] = {
#define TAILOR_BACKEND(NAME, SUFFIX, FUNCTION, STRENGTH, INVOCATIONS, X, Y, Z, SHARED, SOURCE)     \
  Backend{#NAME, SUFFIX, {LimitStrength::STRENGTH, INVOCATIONS, {X, Y, Z}, SHARED, SOURCE}},
#include "Backends/Backends.def"
};

constexpr Emitter kEmitters[] = {
#define TAILOR_BACKEND(NAME, SUFFIX, FUNCTION, STRENGTH, INVOCATIONS, X, Y, Z, SHARED, SOURCE)     \
  FUNCTION,
#include "Backends/Backends.def"
};

std::string_view verbOf(LimitStrength strength) {
  return strength == LimitStrength::Guaranteed ? " guarantees " : " allows ";
}

Failure overLimit(const Backend &backend, const LanguageLimits &limits, Location where,
                  std::string has, uint64_t limit) {
  Diagnostic diagnostic =
      Diagnostic::error(where, std::move(has) + ", " + std::string(backend.name) +
                                   std::string(verbOf(limits.strength)) + std::to_string(limit));
  diagnostic.addNote(where, "the limit is from: " + std::string(limits.source));
  if (limits.strength == LimitStrength::Guaranteed)
    diagnostic.addNote(std::move(where), "'--limit' says what your devices take");
  return failure(std::move(diagnostic));
}

std::optional<uint64_t> wholeNumber(std::string_view text) {
  uint64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value == 0)
    return std::nullopt;
  return value;
}

std::optional<Dim3> sizeOf(std::string_view text) {
  Dim3 size;
  for (unsigned axis = 0; axis < 3; ++axis) {
    const size_t end = axis == 2 ? text.size() : text.find('x');
    if (end == std::string_view::npos)
      return std::nullopt;
    std::optional<uint64_t> value = wholeNumber(text.substr(0, end));
    if (!value || *value > UINT32_MAX)
      return std::nullopt;
    size[axis] = static_cast<uint32_t>(*value);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return size;
}

/// Sets the limit of that name; false where there is none, or the value is no such thing.
bool setLimit(LanguageLimits &limits, std::string_view name, std::string_view value) {
  const std::optional<uint64_t> number = wholeNumber(value);
  if (name == "invocations" && number && *number <= UINT32_MAX)
    limits.maxInvocations = static_cast<uint32_t>(*number);
  else if (name == "shared-bytes" && number)
    limits.maxSharedBytes = *number;
  else if (std::optional<Dim3> size = sizeOf(value); name == "size" && size)
    limits.maxSize = *size;
  else
    return false;
  return true;
}

Status checkOptions(const EmitRequest &request) {
  const EmitOptions &options = request.options;
  auto refuse = [&](std::string text) {
    return failure(Location::inFile(request.fileName), std::move(text), ErrorKind::Usage);
  };
  if (options.glslVersion < 430 || options.glslVersion > 460)
    return refuse("compute shaders need GLSL 430 to 460, not " +
                  std::to_string(options.glslVersion));
  const uint32_t model = options.hlslShaderModel;
  if (model != 0 && model != 50 && model != 51 && (model < 60 || model > 66))
    return refuse("the HLSL shader model is 50, 51 or 60 to 66, not " + std::to_string(model));
  if (options.mslVersion < 20000 || options.mslVersion > 30100)
    return refuse("the Metal version is 20000 (2.0) to 30100 (3.1), not " +
                  std::to_string(options.mslVersion));
  return success();
}

} // namespace

std::span<const Backend> backends() { return kBackends; }

const Backend *findBackend(std::string_view name) {
  for (const Backend &backend : kBackends)
    if (backend.name == name)
      return &backend;
  return nullptr;
}

const LanguageLimits &limitsOf(const Backend &backend, const EmitOptions &options) {
  if (auto given = options.limits.find(backend.name); given != options.limits.end())
    return given->second;
  if (backend.name == "msl" && options.mslPlatform == MslPlatform::Ios)
    return mslIosLimits(options.mslVersion);
  if (backend.name == "glsl" && options.vulkanGlsl)
    return findBackend("spirv")->limits; // the device's
  return backend.limits;
}

Status raiseLimit(EmitOptions &options, const std::string &text) {
  auto refuse = [&](const std::string &why) {
    return failure({}, "--limit: " + why, ErrorKind::Usage);
  };
  const size_t dot = text.find('.'), equals = text.find('=');
  if (dot == std::string::npos || equals == std::string::npos || equals < dot)
    return refuse("'" + text + "' is not LANGUAGE.LIMIT=N");
  const std::string language = text.substr(0, dot);
  const Backend *backend = findBackend(language);
  if (!backend)
    return refuse("there is no language '" + language + "'");
  LanguageLimits limits = limitsOf(*backend, options);
  if (limits.strength != LimitStrength::Guaranteed && limits.strength != LimitStrength::Given)
    return refuse(
        "the limits of " + language +
        (limits.strength == LimitStrength::Hard ? " hold for all devices" : " are the device's"));
  if (!setLimit(limits, std::string_view(text).substr(dot + 1, equals - dot - 1),
                std::string_view(text).substr(equals + 1)))
    return refuse("'" + text.substr(dot + 1) +
                  "' is not invocations=N, size=XxYxZ or shared-bytes=N");
  limits.strength = LimitStrength::Given;
  limits.source = "--limit";
  options.limits.insert_or_assign(language, limits);
  return success();
}

Status checkLimits(const Backend &backend, const Dim3 &localSize, uint64_t sharedBytes,
                   Location where, const EmitOptions &options) {
  const LanguageLimits &limits = limitsOf(backend, options);
  if (limits.strength == LimitStrength::None)
    return success();
  for (unsigned axis = 0; axis < 3; ++axis)
    if (localSize[axis] > limits.maxSize[axis])
      return overLimit(backend, limits, std::move(where),
                       "workgroup has " + std::to_string(localSize[axis]) + " invocations along " +
                           kAxisName[axis],
                       limits.maxSize[axis]);
  if (localSize.product() > limits.maxInvocations)
    return overLimit(backend, limits, std::move(where),
                     "workgroup has " + std::to_string(localSize.product()) + " invocations",
                     limits.maxInvocations);
  if (sharedBytes > limits.maxSharedBytes)
    return overLimit(backend, limits, std::move(where),
                     "workgroup memory has " + std::to_string(sharedBytes) + " bytes",
                     limits.maxSharedBytes);
  return success();
}

Status refuseOp(std::string_view language, const ModuleFacts &facts, SpvOp op,
                std::string_view why) {
  if (std::optional<OpRef> use = facts.firstUse(op))
    return failure(facts.at(use->word),
                   std::string(language) + " cannot express " + std::string(why));
  return success();
}

Result<Emitted> emit(std::string_view target, const EmitRequest &request) {
  const Backend *backend = findBackend(target);
  if (!backend) {
    std::string known;
    for (const Backend &each : kBackends)
      known += (known.empty() ? "" : ", ") + std::string(each.name);
    return failure({}, "unknown target '" + std::string(target) + "' (there are " + known + ")",
                   ErrorKind::Usage);
  }
  if (Status options = checkOptions(request); !options)
    return options.takeFailure();
  Result<ModuleFacts> facts =
      ModuleFacts::read(request.spirv, request.entryPoint, request.fileName);
  if (!facts)
    return facts.takeFailure();

  if (!facts->literalSize())
    return failure(facts->location(),
                   "the entry point '" + request.entryPoint +
                       "' does not have its workgroup size as one literal LocalSize alone",
                   ErrorKind::Internal);

  uint64_t sharedBytes = 0;
  if (backend->limits.strength != LimitStrength::None) {
    std::optional<uint64_t> bytes =
        facts->sharedBytes(target == "msl" ? SharedLayout::WideVec3 : SharedLayout::Scalar);
    if (!bytes)
      return failure(facts->location(), std::string(target) +
                                            " needs workgroup memory of a literal size, and an "
                                            "array here has a specialization constant as length");
    sharedBytes = *bytes;
  }
  if (Status fits =
          checkLimits(*backend, request.localSize, sharedBytes, facts->location(), request.options);
      !fits)
    return fits.takeFailure();
  const Emitter emitter = kEmitters[backend - kBackends];
  if (emitter == emitSpirv)
    return emitter(request, *facts);
  EmitRequest prepared = request;
  const std::optional<std::vector<uint32_t>> isolated = facts->isolated();
  if (isolated)
    prepared.spirv = *isolated;
  if (target != "wgsl")
    if (Status fine = checkCrossRules(target, request, *facts); !fine)
      return fine.takeFailure();
  const Result<std::optional<std::vector<uint32_t>>> words = legalize(target, prepared, *facts);
  if (!words)
    return Failure{words.diagnostic()};
  if (*words)
    prepared.spirv = **words;
  return emitter(prepared, *facts);
}

} // namespace tailor
