//===- interpreter/Conversions.cpp - Numbers of one type as another --------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/ScalarOps.h"

#include <cmath>

namespace tailor::interp {

namespace {

/// A function for each pair of widths.
template <template <unsigned, unsigned> class Fn, unsigned From> ScalarFn to(unsigned width) {
  return width == 64   ? Fn<From, 64>::call
         : width == 32 ? Fn<From, 32>::call
         : width == 16 ? Fn<From, 16>::call
                       : Fn<From, 8>::call;
}
template <template <unsigned, unsigned> class Fn> ScalarFn between(unsigned from, unsigned width) {
  return from == 64   ? to<Fn, 64>(width)
         : from == 32 ? to<Fn, 32>(width)
         : from == 16 ? to<Fn, 16>(width)
                      : to<Fn, 8>(width);
}

template <unsigned From, unsigned To> struct ZeroExtend {
  static uint64_t call(uint64_t a, uint64_t, uint64_t, uint64_t, Undefined &) {
    return truncateTo(To, a);
  }
};
template <unsigned From, unsigned To> struct SignExtend {
  static uint64_t call(uint64_t a, uint64_t, uint64_t, uint64_t, Undefined &) {
    return truncateTo(To, static_cast<uint64_t>(signExtend(From, a)));
  }
};
template <unsigned From, unsigned To> struct FloatToFloat {
  static uint64_t call(uint64_t a, uint64_t, uint64_t, uint64_t, Undefined &) {
    return writeFloat(To, readFloat(From, a));
  }
};
template <unsigned From, unsigned To> struct FloatToUnsigned {
  static uint64_t call(uint64_t a, uint64_t, uint64_t, uint64_t, Undefined &undefined) {
    double value = std::trunc(readFloat(From, a));
    if (!(value >= 0 && value < std::ldexp(1.0, To)))
      return undefined();
    return static_cast<uint64_t>(value);
  }
};
template <unsigned From, unsigned To> struct FloatToSigned {
  static uint64_t call(uint64_t a, uint64_t, uint64_t, uint64_t, Undefined &undefined) {
    double value = std::trunc(readFloat(From, a)), limit = std::ldexp(1.0, To - 1);
    if (!(value >= -limit && value < limit))
      return undefined();
    return truncateTo(To, static_cast<uint64_t>(static_cast<int64_t>(value)));
  }
};
/// Straight to the result's type: through a double, 64-bit integers would be rounded twice.
template <unsigned To, typename Int> uint64_t roundedTo(Int value) {
  if constexpr (To == 64)
    return toBits(static_cast<double>(value));
  else if constexpr (To == 32)
    return toBits(static_cast<float>(value));
  else
    return writeFloat(16, static_cast<double>(value));
}
template <unsigned From, unsigned To> struct UnsignedToFloat {
  static uint64_t call(uint64_t a, uint64_t, uint64_t, uint64_t, Undefined &) {
    return roundedTo<To>(a);
  }
};
template <unsigned From, unsigned To> struct SignedToFloat {
  static uint64_t call(uint64_t a, uint64_t, uint64_t, uint64_t, Undefined &) {
    return roundedTo<To>(signExtend(From, a));
  }
};

/// To a half and back; what a half holds only as a denormal becomes a zero of the same sign.
uint64_t quantize(uint64_t a, uint64_t, uint64_t, uint64_t, Undefined &) {
  auto half = halfFromDouble(readFloat(32, a));
  if ((half & 0x7c00) == 0)
    half &= 0x8000;
  return writeFloat(32, vulkan::halfToDouble(half));
}

} // namespace

ScalarFn conversionFunction(spv::Op op, const Shape &operand, const Shape &result) {
  using enum spv::Op;
  switch (op) {
  case OpUConvert:
    return between<ZeroExtend>(operand.width, result.width);
  case OpSConvert:
    return between<SignExtend>(operand.width, result.width);
  case OpFConvert:
    return between<FloatToFloat>(operand.width, result.width);
  case OpConvertFToU:
    return between<FloatToUnsigned>(operand.width, result.width);
  case OpConvertFToS:
    return between<FloatToSigned>(operand.width, result.width);
  case OpConvertUToF:
    return between<UnsignedToFloat>(operand.width, result.width);
  case OpConvertSToF:
    return between<SignedToFloat>(operand.width, result.width);
  case OpQuantizeToF16:
    return quantize;
  default:
    return nullptr;
  }
}

} // namespace tailor::interp
