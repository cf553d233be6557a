//===- Support/Result.h - A value or a diagnostic -------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The project throws nothing of its own. A function that can fail returns a
// Result; one that can fail in several ways at once takes a Diagnostics&.
//
//   Result<Module> module = readModule(words, "a.spv");
//   if (!module)
//     return module.takeFailure();
//   use(*module);
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_SUPPORT_RESULT_H
#define TAILOR_SUPPORT_RESULT_H

#include "Support/Diagnostics.h"

#include <cassert>
#include <utility>
#include <variant>

namespace tailor {

/// The failure half of a Result, convertible to a Result of any type.
struct [[nodiscard]] Failure {
  Diagnostic diagnostic;
};

inline Failure failure(Location where, std::string text, ErrorKind kind = ErrorKind::Refused) {
  return {Diagnostic::error(std::move(where), std::move(text), kind)};
}
inline Failure failure(Diagnostic diagnostic) { return {std::move(diagnostic)}; }

template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : state(std::in_place_index<0>, std::move(value)) {}
  Result(Failure failed) : state(std::in_place_index<1>, std::move(failed.diagnostic)) {}

  explicit operator bool() const { return state.index() == 0; }
  T &operator*() & { return get(); }
  const T &operator*() const & { return get(); }
  T &&operator*() && { return std::move(get()); }
  T *operator->() { return &get(); }
  const T *operator->() const { return &get(); }

  const Diagnostic &diagnostic() const {
    assert(!*this && "a Result that holds a value has no diagnostic");
    return std::get<1>(state);
  }
  Failure takeFailure() {
    assert(!*this && "a Result that holds a value has no diagnostic");
    return {std::move(std::get<1>(state))};
  }

private:
  T &get() {
    assert(*this && "reading a failed Result");
    return std::get<0>(state);
  }
  const T &get() const {
    assert(*this && "reading a failed Result");
    return std::get<0>(state);
  }
  std::variant<T, Diagnostic> state;
};

struct Success {};
/// The Result of a function that returns nothing.
using Status = Result<Success>;
inline Status success() { return Success{}; }

} // namespace tailor

#endif
