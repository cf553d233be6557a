//===- Tuning/ReflectViews.h - Variables of one descriptor (internal) -------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TUNING_REFLECTVIEWS_H
#define TAILOR_TUNING_REFLECTVIEWS_H

#include "Tuning/Reflect.h"

namespace tailor {

/// Several variables may name one descriptor: a buffer as words and as vectors, an image and its
/// sampler. Joins them to what suits all of them, sorted by set and binding. Fails where nothing
/// does: a descriptor has one kind, dimension and format.
Result<std::vector<ReflectedBinding>> joinViews(std::vector<ReflectedBinding> views,
                                                const std::string &file);

} // namespace tailor

#endif
