//===- passes/DeclareAccess.h - Who reads and writes which resource ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decorates storage buffers and storage images with what the kernel does to them:
// NonWritable where it never writes, and, for images alone, NonReadable where it
// never reads. Languages that put the access into the type of a resource (WGSL:
// `read`, `write`, `read_write`) take it from there, and take less of the device
// for less.
//
// Atomic loads count as writes, and so does everything that the pass does not know.
// A resource that is handed to a function counts as read and written: inline first.
// Buffers are never declared NonReadable, and what a module declares already stays.
//
// Not handled: arrays of resources count as one.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_PASSES_DECLAREACCESS_H
#define TAILOR_PASSES_DECLAREACCESS_H

#include "passes/PassArguments.h"

#include <array>

namespace tailor {

/// What the pass does, for backends; whether it added a decoration.
bool declareAccess(Module &module);

class DeclareAccess final : public Pass {
public:
  struct Options {};
  static constexpr std::array<OptionInfo, 0> kOptions{};

  static Result<std::unique_ptr<Pass>> create(PassArguments &arguments);
  static const PassInfo &passInfo();
  const PassInfo &info() const override { return passInfo(); }
  Result<Change> run(Module &module, PassContext &context) override;
};

} // namespace tailor

#endif
