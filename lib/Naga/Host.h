//===- Naga/Host.h - The values that the module sees of its host ----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The module was made for JavaScript: it takes options as objects, and gives
// errors as Error values. What it touches of them is a handful of questions,
// answered here over a list of values; a reference is an index into it.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_NAGA_HOST_H
#define TAILOR_NAGA_HOST_H

#include <naga.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tailor::naga {

struct Value {
  enum class Kind : uint8_t { Undefined, Null, Bool, String, Object, Error };
  Kind kind = Kind::Undefined;
  bool boolean = false;
  std::string text;                                        ///< String, Error
  std::vector<std::pair<std::string, uint32_t>> members{}; ///< Object: names and values
};

/// What the generated code is handed back in every import.
class Host {
public:
  Host();

  static constexpr uint32_t kUndefined = 0, kNull = 1, kTrue = 2, kFalse = 3;

  uint32_t add(Value value);
  /// The error's text that the module left in its table of references.
  std::string takeError(uint32_t tableIndex);
  /// Forgets errors and options. Strings stay: the module keeps those that name options.
  void clear();
  size_t count() const { return values.size(); }

  const Value &at(wasm_rt_externref_t reference) const;
  static wasm_rt_externref_t reference(uint32_t value) {
    return reinterpret_cast<wasm_rt_externref_t>(uintptr_t{value});
  }
  std::string_view bytes(uint32_t address, uint32_t count) const;
  void store32(uint32_t address, uint32_t value);
  /// Copies a text into the module's memory and stores its address and length at `result`.
  void giveText(uint32_t result, wasm_rt_externref_t reference);

  Z_naga_instance_t module{};
  std::string thrown; ///< the words of an error that ended a call

private:
  std::vector<Value> values;
  std::vector<uint32_t> unused; ///< indices
};

} // namespace tailor::naga

/// The imports' side of an instance, by wasm2c's name for it.
struct Z_Z2EZ2Fnaga_bgZ2Ejs_instance_t : tailor::naga::Host {};

#endif
