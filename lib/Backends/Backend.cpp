//===- Backends/Backend.cpp ------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/Backend.h"

#include "Backends/Emitters.h"

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

Failure overLimit(const Backend &backend, Location where, std::string has, uint64_t limit) {
  Diagnostic diagnostic = Diagnostic::error(
      where, std::move(has) + ", " + std::string(backend.name) +
                 std::string(verbOf(backend.limits.strength)) + std::to_string(limit));
  diagnostic.addNote(std::move(where), "the limit is from: " + std::string(backend.limits.source));
  return failure(std::move(diagnostic));
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
  if (model != 50 && model != 51 && (model < 60 || model > 66))
    return refuse("the HLSL shader model is 50, 51 or 60 to 66, not " + std::to_string(model));
  if (options.mslVersion < 20000 || options.mslVersion > 30000)
    return refuse("the Metal version is 20000 (2.0) to 30000 (3.0), not " +
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

Status checkLimits(const Backend &backend, const Dim3 &localSize, uint64_t sharedBytes,
                   Location where) {
  const LanguageLimits &limits = backend.limits;
  if (limits.strength == LimitStrength::None)
    return success();
  for (unsigned axis = 0; axis < 3; ++axis)
    if (localSize[axis] > limits.maxSize[axis])
      return overLimit(backend, std::move(where),
                       "workgroup has " + std::to_string(localSize[axis]) + " invocations along " +
                           kAxisName[axis],
                       limits.maxSize[axis]);
  if (localSize.product() > limits.maxInvocations)
    return overLimit(backend, std::move(where),
                     "workgroup has " + std::to_string(localSize.product()) + " invocations",
                     limits.maxInvocations);
  if (sharedBytes > limits.maxSharedBytes)
    return overLimit(backend, std::move(where),
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
  if (Status fits = checkLimits(*backend, request.localSize, sharedBytes, facts->location()); !fits)
    return fits.takeFailure();
  const Emitter emitter = kEmitters[backend - kBackends];
  if (emitter == emitSpirv)
    return emitter(request, *facts);
  std::optional<std::vector<uint32_t>> isolated = facts->isolated();
  if (!isolated)
    return emitter(request, *facts);
  EmitRequest alone = request;
  alone.spirv = *isolated;
  return emitter(alone, *facts);
}

} // namespace tailor
