//===- Backends/CrossSupport.h - SPIRV-Cross behind a Result --------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// SPIRV-Cross throws. Nothing of that leaves this boundary.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BACKENDS_CROSSSUPPORT_H
#define TAILOR_BACKENDS_CROSSSUPPORT_H

#include "Backends/Emitters.h"

#include "spirv_cross/spirv_cross.hpp"

#include <exception>
#include <string>
#include <vector>

namespace tailor {

/// How a resource is bound, in the terms of the languages that have no sets:
/// each kind counts its bindings for itself.
enum class BindingKind : uint8_t { UniformBuffer, StorageBuffer, Texture, Image, Sampler };

struct BoundResource {
  BindingKind kind;
  uint32_t id; ///< of the variable
  uint32_t set, binding;
  std::string name;
};

/// The entry point's resources in the order of (set, binding, id).
std::vector<BoundResource> boundResources(const spirv_cross::Compiler &compiler,
                                          const spirv_cross::ShaderResources &resources);

/// Makes `entryPoint` the one that is compiled, and reads its size as the
/// cross-compiler sees it; nothing when that is not a literal.
std::optional<Dim3> selectEntryPoint(spirv_cross::Compiler &compiler,
                                     const std::string &entryPoint);

/// Refuses a kernel in which two resources of one kind would share a number in
/// a language without descriptor sets.
Status refuseSharedBindings(std::string_view language, const ModuleFacts &facts,
                            const std::vector<BoundResource> &resources);

/// SPIRV-Cross writes an opcode that it does not know as a comment, `// unimplemented op 12`: such
/// a text is refused.
Status refuseUnknownOps(std::string_view language, const ModuleFacts &facts, std::string_view text);

/// The words of an exception as our message.
Failure crossFailure(std::string_view language, const ModuleFacts &facts, std::string_view what);

/// Runs `body`, which returns a Result<Emitted>, and turns what it throws
/// into a failure.
template <typename Body>
Result<Emitted> guarded(std::string_view language, const ModuleFacts &facts, Body body) {
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return failure(facts.location(), "out of memory", ErrorKind::Environment);
  } catch (const std::exception &error) {
    return crossFailure(language, facts, error.what());
  }
}

} // namespace tailor

#endif
