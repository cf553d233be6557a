//===- interpreter/ExtInst.cpp - GLSL.std.450, component by component ------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/ScalarOps.h"

#include "spirv/unified1/GLSL.std.450.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tailor::interp {

namespace {

using U = uint64_t;
using S = int64_t;

// Where both are zeros of different signs, or one is NaN, either answer is allowed for FMin;
// NMin takes the number.
constexpr auto kMin = [](auto a, auto b) { return b < a ? b : a; };
constexpr auto kMax = [](auto a, auto b) { return a < b ? b : a; };
constexpr auto kClamp = [](auto x, auto low, auto high) { return kMin(kMax(x, low), high); };

/// Transcendental functions of floats are computed in double and rounded: their true values.
#define TAILOR_TRUE(expression)                                                                    \
  floatOp<[](auto x) {                                                                             \
    const double a = static_cast<double>(x);                                                       \
    return static_cast<decltype(x)>(expression);                                                   \
  }>(width)

ScalarFn trigonometry(uint32_t number, unsigned width) {
  switch (number) {
  case GLSLstd450Radians:
    return TAILOR_TRUE(a * (std::numbers::pi / 180));
  case GLSLstd450Degrees:
    return TAILOR_TRUE(a * (180 / std::numbers::pi));
  case GLSLstd450Sin:
    return TAILOR_TRUE(std::sin(a));
  case GLSLstd450Cos:
    return TAILOR_TRUE(std::cos(a));
  case GLSLstd450Tan:
    return TAILOR_TRUE(std::tan(a));
  case GLSLstd450Asin:
    return TAILOR_TRUE(std::asin(a));
  case GLSLstd450Acos:
    return TAILOR_TRUE(std::acos(a));
  case GLSLstd450Atan:
    return TAILOR_TRUE(std::atan(a));
  case GLSLstd450Sinh:
    return TAILOR_TRUE(std::sinh(a));
  case GLSLstd450Cosh:
    return TAILOR_TRUE(std::cosh(a));
  case GLSLstd450Tanh:
    return TAILOR_TRUE(std::tanh(a));
  case GLSLstd450Asinh:
    return TAILOR_TRUE(std::asinh(a));
  case GLSLstd450Acosh:
    return TAILOR_TRUE(std::acosh(a));
  case GLSLstd450Atanh:
    return TAILOR_TRUE(std::atanh(a));
  case GLSLstd450Atan2:
    return floatOp<[](auto y, auto x) { return std::atan2(y, x); }>(width);
  default:
    return nullptr;
  }
}

ScalarFn exponentials(uint32_t number, unsigned width) {
  switch (number) {
  case GLSLstd450Exp:
    return TAILOR_TRUE(std::exp(a));
  case GLSLstd450Log:
    return TAILOR_TRUE(std::log(a));
  case GLSLstd450Exp2:
    return TAILOR_TRUE(std::exp2(a));
  case GLSLstd450Log2:
    return TAILOR_TRUE(std::log2(a));
  case GLSLstd450Sqrt:
    return TAILOR_TRUE(std::sqrt(a));
  case GLSLstd450InverseSqrt:
    return TAILOR_TRUE(1 / std::sqrt(a));
  case GLSLstd450Pow:
    return floatOp<[](auto x, auto y) {
      return static_cast<decltype(x)>(std::pow(static_cast<double>(x), static_cast<double>(y)));
    }>(width);
  default:
    return nullptr;
  }
}

#undef TAILOR_TRUE

ScalarFn rounding(uint32_t number, unsigned width) {
  switch (number) {
  case GLSLstd450Round: // halves may go either way
  case GLSLstd450RoundEven:
    return floatOp<[](auto a) { return std::nearbyint(a); }>(width);
  case GLSLstd450Trunc:
    return floatOp<[](auto a) { return std::trunc(a); }>(width);
  case GLSLstd450Floor:
    return floatOp<[](auto a) { return std::floor(a); }>(width);
  case GLSLstd450Ceil:
    return floatOp<[](auto a) { return std::ceil(a); }>(width);
  case GLSLstd450Fract:
    return floatOp<[](auto a) { return a - std::floor(a); }>(width);
  case GLSLstd450FAbs:
    return floatOp<[](auto a) { return std::fabs(a); }>(width);
  case GLSLstd450FSign:
    return floatOp<[](auto a) {
      return std::isnan(a) || a == 0 ? a : std::copysign(decltype(a){1}, a);
    }>(width);
  default:
    return nullptr;
  }
}

ScalarFn choosing(uint32_t number, unsigned width) {
  switch (number) {
  case GLSLstd450FMin:
    return floatOp<[](auto a, auto b) { return kMin(a, b); }>(width);
  case GLSLstd450FMax:
    return floatOp<[](auto a, auto b) { return kMax(a, b); }>(width);
  case GLSLstd450NMin:
    return floatOp<[](auto a, auto b) { return std::fmin(a, b); }>(width);
  case GLSLstd450NMax:
    return floatOp<[](auto a, auto b) { return std::fmax(a, b); }>(width);
  case GLSLstd450FClamp:
    return floatOp<[](auto x, auto a, auto b) { return kClamp(x, a, b); }>(width);
  case GLSLstd450NClamp:
    return floatOp<[](auto x, auto a, auto b) { return std::fmin(std::fmax(x, a), b); }>(width);
  case GLSLstd450FMix:
    return floatOp<[](auto x, auto y, auto a) { return x * (1 - a) + y * a; }>(width);
  case GLSLstd450Step:
    return floatOp<[](auto edge, auto x) { return static_cast<decltype(x)>(x < edge ? 0 : 1); }>(
        width);
  case GLSLstd450SmoothStep:
    return floatOp<[](auto low, auto high, auto x) {
      using T = decltype(x);
      T t = kClamp((x - low) / (high - low), T{0}, T{1});
      return t * t * (3 - 2 * t);
    }>(width);
  case GLSLstd450Fma: // fused or not is the implementation's choice
    return floatOp<[](auto a, auto b, auto c) { return a * b + c; }>(width);
  default:
    return nullptr;
  }
}

template <typename T>
uint64_t ldexpOf(uint64_t a, uint64_t exponent, uint64_t, uint64_t, Undefined &) {
  auto by = static_cast<int>(std::clamp<int64_t>(signExtend(32, exponent), -5000, 5000));
  return toBits(static_cast<T>(std::ldexp(static_cast<Compute<T>>(fromBits<T>(a)), by)));
}

/// The highest bit that differs from the sign; -1 where none does.
constexpr auto kFindSMsb = [](S a) {
  return a == 0 || a == -1 ? U(-1) : U(63 - std::countl_zero(U(a < 0 ? ~a : a)));
};

ScalarFn integers(uint32_t number, unsigned width) {
  switch (number) {
  case GLSLstd450SAbs:
    return signedOp<[](S a) { return a < 0 ? U{0} - U(a) : U(a); }>(width);
  case GLSLstd450SSign:
    return signedOp<[](S a) { return S(a > 0) - S(a < 0); }>(width);
  case GLSLstd450UMin:
    return unsignedOp<[](U a, U b) { return kMin(a, b); }>(width);
  case GLSLstd450UMax:
    return unsignedOp<[](U a, U b) { return kMax(a, b); }>(width);
  case GLSLstd450UClamp:
    return unsignedOp<[](U x, U a, U b) { return kClamp(x, a, b); }>(width);
  case GLSLstd450SMin:
    return signedOp<[](S a, S b) { return kMin(a, b); }>(width);
  case GLSLstd450SMax:
    return signedOp<[](S a, S b) { return kMax(a, b); }>(width);
  case GLSLstd450SClamp:
    return signedOp<[](S x, S a, S b) { return kClamp(x, a, b); }>(width);
  case GLSLstd450FindILsb:
    return unsignedOp<[](U a) { return a == 0 ? U(-1) : U(std::countr_zero(a)); }>(width);
  case GLSLstd450FindUMsb:
    return unsignedOp<[](U a) { return a == 0 ? U(-1) : U(63 - std::countl_zero(a)); }>(width);
  case GLSLstd450FindSMsb:
    return signedOp<kFindSMsb>(width);
  default:
    return nullptr;
  }
}

} // namespace

ScalarFn extScalarFunction(uint32_t number, const Shape &operand) {
  const unsigned width = operand.width;
  if (operand.scalar == Shape::Scalar::Int)
    return integers(number, width);
  if (operand.scalar != Shape::Scalar::Float)
    return nullptr;
  if (number == GLSLstd450Ldexp)
    return width == 64 ? ldexpOf<double> : width == 32 ? ldexpOf<float> : ldexpOf<Half>;
  for (auto *table : {trigonometry, exponentials, rounding, choosing})
    if (ScalarFn fn = table(number, width))
      return fn;
  return nullptr;
}

} // namespace tailor::interp
