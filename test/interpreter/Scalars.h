//===- interpreter/Scalars.h - Values as bit patterns ----------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every scalar of a value stands in a word of its own: the bits of its type,
// zero-extended. Booleans are 0 or 1.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_INTERPRETER_SCALARS_H
#define TAILOR_INTERPRETER_SCALARS_H

#include "Tuning/Fill.h"
#include "Vulkan/Compare.h"

#include "llvm/ADT/ArrayRef.h"

#include "spirv/unified1/spirv.hpp11"

#include <bit>
#include <cstdint>
#include <type_traits>

namespace tailor::interp {

/// Counts results that SPIR-V leaves undefined.
struct Undefined {
  uint64_t count = 0;
  /// The value that an undefined result has here.
  uint64_t operator()() {
    ++count;
    return 0;
  }
};

/// A 16-bit float, computed with as a float: the rounding is right for single operations.
struct Half {
  uint16_t bits = 0;
  Half() = default;
  explicit Half(double value) : bits(halfFromDouble(value)) {}
  explicit operator float() const { return static_cast<float>(vulkan::halfToDouble(bits)); }
};

/// The type in which a float of type T is computed.
template <typename T> using Compute = std::conditional_t<std::is_same_v<T, Half>, float, T>;

template <typename T> T fromBits(uint64_t bits) {
  if constexpr (std::is_same_v<T, Half>) {
    Half half;
    half.bits = static_cast<uint16_t>(bits);
    return half;
  } else if constexpr (sizeof(T) == 8) {
    return std::bit_cast<T>(bits);
  } else if constexpr (sizeof(T) == 4) {
    return std::bit_cast<T>(static_cast<uint32_t>(bits));
  } else {
    return static_cast<T>(bits);
  }
}
template <typename T> uint64_t toBits(T value) {
  if constexpr (std::is_same_v<T, bool>)
    return value ? 1 : 0;
  else if constexpr (std::is_same_v<T, Half>)
    return value.bits;
  else if constexpr (sizeof(T) == 8)
    return std::bit_cast<uint64_t>(value);
  else if constexpr (sizeof(T) == 4)
    return std::bit_cast<uint32_t>(value);
  else
    return static_cast<std::make_unsigned_t<T>>(value);
}

inline uint64_t truncateTo(unsigned width, uint64_t bits) {
  return width >= 64 ? bits : bits & ((uint64_t{1} << width) - 1);
}
inline int64_t signExtend(unsigned width, uint64_t bits) {
  unsigned unused = width >= 64 ? 0 : 64 - width;
  return static_cast<int64_t>(bits << unused) >> unused;
}

/// A float of that width as a double, exactly, and back, rounded to nearest.
inline double readFloat(unsigned width, uint64_t bits) {
  return width == 64   ? fromBits<double>(bits)
         : width == 32 ? static_cast<double>(fromBits<float>(bits))
                       : vulkan::halfToDouble(static_cast<uint16_t>(bits));
}
inline uint64_t writeFloat(unsigned width, double value) {
  return width == 64   ? toBits(value)
         : width == 32 ? toBits(static_cast<float>(value))
                       : halfFromDouble(value);
}

/// Calls `call` with a value of the float type of that width.
template <typename Call> auto withFloatType(unsigned width, Call call) {
  return width == 64 ? call(double{}) : width == 32 ? call(float{}) : call(Half{});
}

/// One scalar result from up to four scalars.
using ScalarFn = uint64_t (*)(uint64_t a, uint64_t b, uint64_t c, uint64_t d, Undefined &undefined);

/// The form of a value: a scalar, a vector, a matrix, or something else.
struct Shape {
  enum class Scalar : uint8_t { Bool, Int, Float, Other };
  Scalar scalar = Scalar::Other;
  bool isSigned = false;
  uint8_t width = 0;    ///< bits of a scalar; 1 for booleans, 0 for Other
  uint32_t rows = 1;    ///< components of a vector or column; 1 for scalars
  uint32_t columns = 1; ///< of a matrix
  uint32_t words = 0;   ///< of the value
};

struct Operand64 {
  const uint64_t *words;
  const Shape *shape;
};

/// A result that is no function of single components.
struct WholeArgs {
  llvm::ArrayRef<Operand64> in;
  uint64_t *out;
  const Shape *shape; ///< of the result
  Undefined *undefined;
};
using WholeFn = void (*)(const WholeArgs &args);

/// A pure instruction's function; both null where it is not known.
struct PureFn {
  ScalarFn scalar = nullptr;
  WholeFn whole = nullptr;
};

// Arithmetic.cpp, Conversions.cpp
/// `operand`: the shape of the first operand (of the second for OpSelect).
ScalarFn scalarFunction(spv::Op op, const Shape &operand, const Shape &result);
ScalarFn conversionFunction(spv::Op op, const Shape &operand, const Shape &result);
// Products.cpp
WholeFn wholeFunction(spv::Op op);
// ExtInst.cpp: of GLSL.std.450
ScalarFn extScalarFunction(uint32_t number, const Shape &operand);
// ExtInstWhole.cpp
WholeFn extWholeFunction(uint32_t number);

} // namespace tailor::interp

#endif
