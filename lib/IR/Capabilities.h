//===- IR/Capabilities.h - Capabilities that nothing needs -------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A capability permits and does nothing else, so that one that no instruction
// needs can go. It should: a device must have it to take the module. naga
// declares all of 16-bit storage for every text with `enable f16;`, the inputs
// and outputs of vertices and fragments among them, which hardly any device has.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_IR_CAPABILITIES_H
#define TAILOR_IR_CAPABILITIES_H

#include "IR/Module.h"

namespace tailor {

/// Removes those of StorageInputOutput16, StoragePushConstant16, UniformAndStorageBuffer16BitAccess
/// and StorageBuffer16BitAccess under which the module has nothing: no pointer into that memory
/// leads to a 16-bit number. Returns whether the module has changed.
bool dropUnusedStorage16(Module &module);

} // namespace tailor

#endif
