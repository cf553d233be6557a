//===- Backends/OrderPhis.h - Phis that a text can write one by one -------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The phis of a block take their values at one time, a text writes one after the
// other. Where one takes the value of another that is written before it, SPIRV-Cross
// 1.3.239 makes a copy, `_12_copy`, which it does not declare where it writes the
// block twice. Here phis change places until none needs a copy, and where they
// take each other's values, the copy is an instruction ahead of the branch.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_BACKENDS_ORDERPHIS_H
#define TAILOR_BACKENDS_ORDERPHIS_H

#include "passes/Pass.h"

namespace tailor {

Change orderPhis(Module &module);

} // namespace tailor

#endif
