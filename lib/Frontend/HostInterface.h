//===- Frontend/HostInterface.h - What a host gives a module --------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_FRONTEND_HOSTINTERFACE_H
#define TAILOR_FRONTEND_HOSTINTERFACE_H

#include "IR/Module.h"
#include "Support/Result.h"

namespace tailor {

/// Whether a host that serves `authored` serves `other` with the same calls: the same compute entry
/// points by name, the same descriptors by set and binding, each of one kind and layout, the same
/// push-constant block, and the same specialization constants by SpecId and type. Names of
/// variables and defaults of specialization constants may differ. What a module declares counts,
/// used or not. A failure (Refused) is located at the variable or constant of `other`, or at its
/// file, and says in notes what each side has.
Status checkSameInterface(const Module &authored, const Module &other);

} // namespace tailor

#endif
