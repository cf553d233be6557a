//===- languages/msl/ShimFunctions.h -- Metal's arithmetic ---------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TEST_LANGUAGES_MSL_SHIMFUNCTIONS_H
#define TAILOR_TEST_LANGUAGES_MSL_SHIMFUNCTIONS_H

namespace metal {

#define MSL_UNARY(NAME, BUILTIN)                                                                   \
  template <class T> T NAME(T x) { return BUILTIN(x); }
MSL_UNARY(ceil, __builtin_elementwise_ceil)
MSL_UNARY(floor, __builtin_elementwise_floor)
MSL_UNARY(trunc, __builtin_elementwise_trunc)
MSL_UNARY(round, __builtin_elementwise_round)
MSL_UNARY(rint, __builtin_elementwise_roundeven)
MSL_UNARY(sqrt, __builtin_elementwise_sqrt)
MSL_UNARY(sin, __builtin_elementwise_sin)
MSL_UNARY(cos, __builtin_elementwise_cos)
MSL_UNARY(tan, __builtin_elementwise_tan)
MSL_UNARY(exp, __builtin_elementwise_exp)
MSL_UNARY(exp2, __builtin_elementwise_exp2)
MSL_UNARY(log, __builtin_elementwise_log)
MSL_UNARY(log2, __builtin_elementwise_log2)
MSL_UNARY(reverse_bits, __builtin_elementwise_bitreverse)

template <class T> T abs(T x) {
  static_assert(static_cast<typename Shape<T>::Element>(-1) < 0, "abs of a signed type");
  return __builtin_elementwise_abs(x);
}
template <class T> T fabs(T x) { return __builtin_elementwise_abs(x); }
template <class T> T max(T a, T b) { return __builtin_elementwise_max(a, b); }
template <class T> T min(T a, T b) { return __builtin_elementwise_min(a, b); }
template <class T> T fmax(T a, T b) { return __builtin_elementwise_max(a, b); }
template <class T> T fmin(T a, T b) { return __builtin_elementwise_min(a, b); }
template <class T> T clamp(T x, T low, T high) { return min(max(x, low), high); }
template <class T> T saturate(T x) { return clamp(x, T(0), T(1)); }
template <class T> T pow(T a, T b) { return __builtin_elementwise_pow(a, b); }
template <class T> T powr(T a, T b) { return __builtin_elementwise_pow(a, b); }
template <class T> T fma(T a, T b, T c) { return __builtin_elementwise_fma(a, b, c); }
template <class T> T copysign(T a, T b) { return __builtin_elementwise_copysign(a, b); }
template <class T> T rsqrt(T x) { return T(1) / sqrt(x); }
template <class T> T fract(T x) { return x - floor(x); }
template <class T> T fmod(T a, T b) { return a - b * trunc(a / b); }
template <class T> T mix(T a, T b, T t) { return a + (b - a) * t; }
template <class T, int N> Ext<T, N> mix(Ext<T, N> a, Ext<T, N> b, T t) { return a + (b - a) * t; }
template <class T> T radians(T x) { return x * T(0.01745329252); }

/// Per component, for what has no builtin.
template <class T, class F> T each(T x, F function) {
  if constexpr (Shape<T>::kScalar) {
    return function(x);
  } else {
    for (int i = 0; i < Shape<T>::kCount; ++i)
      x[i] = function(x[i]);
    return x;
  }
}
template <class T> T sign(T x) {
  return each(x, [](auto v) { return decltype(v)((v > 0) - (v < 0)); });
}
template <class T> T step(T edge, T x) {
  if constexpr (Shape<T>::kScalar) {
    return x < edge ? T(0) : T(1);
  } else {
    for (int i = 0; i < Shape<T>::kCount; ++i)
      x[i] = x[i] < edge[i] ? 0 : 1;
    return x;
  }
}
template <class T> T smoothstep(T a, T b, T x) {
  const T t = saturate((x - a) / (b - a));
  return t * t * (T(3) - T(2) * t);
}
#define MSL_LIBRARY(NAME)                                                                          \
  extern "C" float NAME##f(float);                                                                 \
  template <class T> T NAME(T x) {                                                                 \
    return each(x, [](auto v) { return decltype(v)(NAME##f(v)); });                                \
  }
MSL_LIBRARY(asin)
MSL_LIBRARY(acos)
MSL_LIBRARY(atan)
MSL_LIBRARY(sinh)
MSL_LIBRARY(cosh)
MSL_LIBRARY(tanh)
MSL_LIBRARY(log10)
extern "C" float atan2f(float, float);
extern "C" float ldexpf(float, int);
inline float atan2(float y, float x) { return atan2f(y, x); }
inline float ldexp(float x, int e) { return ldexpf(x, e); }
#if MSL_RUNS
extern "C" float frexpf(float, int *);
inline float frexp(float x, int &e) { return frexpf(x, &e); }
inline float modf(float x, float &whole) {
  whole = trunc(x);
  return x - whole;
}
#else
float frexp(float x, thread int &e);
float modf(float x, thread float &whole);
#endif

template <class T> T dot(Ext<T, 2> a, Ext<T, 2> b) { return a.x * b.x + a.y * b.y; }
template <class T> T dot(Ext<T, 3> a, Ext<T, 3> b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
template <class T> T dot(Ext<T, 4> a, Ext<T, 4> b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
template <class T, int N> T length(Ext<T, N> a) { return sqrt(dot(a, a)); }
template <class T, int N> T length_squared(Ext<T, N> a) { return dot(a, a); }
template <class T, int N> T distance(Ext<T, N> a, Ext<T, N> b) { return length(a - b); }
template <class T, int N> Ext<T, N> normalize(Ext<T, N> a) { return a / length(a); }
template <class T> Ext<T, 3> cross(Ext<T, 3> a, Ext<T, 3> b) {
  return a.yzx * b.zxy - a.zxy * b.yzx;
}
template <class T, int N> Ext<T, N> reflect(Ext<T, N> i, Ext<T, N> n) {
  return i - n * (T(2) * dot(n, i));
}
template <class T, int N> Ext<T, N> refract(Ext<T, N> i, Ext<T, N> n, T eta) {
  const T d = dot(n, i), k = T(1) - eta * eta * (T(1) - d * d);
  return k < T(0) ? Ext<T, N>(T(0)) : i * eta - n * (eta * d + sqrt(k));
}

template <class T, int N> bool any(Ext<T, N> mask) {
  static_assert(__is_integral(T), "any of a comparison");
  return any(BoolVector<N>(mask));
}
template <class T, int N> bool all(Ext<T, N> mask) {
  static_assert(__is_integral(T), "all of a comparison");
  return all(BoolVector<N>(mask));
}
template <int N> bool any(BoolVector<N> b) {
  bool result = false;
  for (int i = 0; i < N; ++i)
    result |= b.at(i);
  return result;
}
template <int N> bool all(BoolVector<N> b) {
  bool result = true;
  for (int i = 0; i < N; ++i)
    result &= b.at(i);
  return result;
}
/// b where c, else a
template <class T> T select(T a, T b, typename Same<typename Shape<T>::Bool>::Type c) {
  if constexpr (Shape<T>::kScalar) {
    return c ? b : a;
  } else {
    for (int i = 0; i < Shape<T>::kCount; ++i)
      a[i] = c.at(i) ? b[i] : a[i];
    return a;
  }
}
inline bool isnan(float x) { return x != x; }
inline bool isinf(float x) { return __builtin_elementwise_abs(x) == __builtin_inff(); }
template <int N> BoolVector<N> isnan(Ext<float, N> x) { return x != x; }
template <int N> BoolVector<N> isinf(Ext<float, N> x) {
  return __builtin_elementwise_abs(x) == Ext<float, N>(__builtin_inff());
}

template <class T> T popcount(T x) {
  return each(x, [](auto v) {
    return static_cast<decltype(v)>(sizeof v > 4 ? __builtin_popcountl(v)
                                                 : __builtin_popcount(static_cast<uint>(v)));
  });
}
template <class T> T clz(T x) {
  return each(
      x, [](auto v) { return decltype(v)(v == 0 ? 32 : __builtin_clz(static_cast<uint>(v))); });
}
template <class T> T ctz(T x) {
  return each(
      x, [](auto v) { return decltype(v)(v == 0 ? 32 : __builtin_ctz(static_cast<uint>(v))); });
}
template <class T> T extract_bits(T x, uint offset, uint bits) {
  return each(x, [=](auto v) {
    if (bits == 0)
      return decltype(v)(0);
    const auto up = static_cast<uint>(v) << (32 - offset - bits);
    return decltype(v)(static_cast<decltype(v)>(up) >> (32 - bits));
  });
}
template <class T> T insert_bits(T base, T insert, uint offset, uint bits) {
  const uint mask = bits >= 32 ? ~0u : ((1u << bits) - 1) << offset;
  return (base & T(mask)) == base && mask == ~0u
             ? insert
             : T((base & T(~mask)) | ((insert << T(offset)) & T(mask)));
}
inline uint mulhi(uint a, uint b) { return uint((ulong(a) * b) >> 32); }
inline int mulhi(int a, int b) { return int((long(a) * b) >> 32); }

// Packing
inline float unit(float x, float low) { return x < low ? low : x > 1 ? 1.0f : x; }
inline uint pack_float_to_unorm4x8(Ext<float, 4> v) {
  uint result = 0;
  for (int i = 0; i < 4; ++i)
    result |= uint(rint(unit(v[i], 0) * 255.0f)) << (8 * i);
  return result;
}
inline uint pack_float_to_snorm4x8(Ext<float, 4> v) {
  uint result = 0;
  for (int i = 0; i < 4; ++i)
    result |= (uint(int(rint(unit(v[i], -1) * 127.0f))) & 255u) << (8 * i);
  return result;
}
inline uint pack_float_to_unorm2x16(Ext<float, 2> v) {
  return uint(rint(unit(v.x, 0) * 65535.0f)) | uint(rint(unit(v.y, 0) * 65535.0f)) << 16;
}
inline Ext<float, 4> unpack_unorm4x8_to_float(uint v) {
  return Ext<float, 4>{float(v & 255u), float(v >> 8 & 255u), float(v >> 16 & 255u),
                       float(v >> 24)} /
         255.0f;
}
inline Ext<float, 2> unpack_unorm2x16_to_float(uint v) {
  return Ext<float, 2>{float(v & 65535u), float(v >> 16)} / 65535.0f;
}

// Matrices
template <class T, int C, int R> Ext<T, R> operator*(matrix<T, C, R> m, Ext<T, C> v) {
  Ext<T, R> sum = m.columns[0] * v[0];
  for (int i = 1; i < C; ++i)
    sum += m.columns[i] * v[i];
  return sum;
}
template <class T, int C, int R> matrix<T, R, C> transpose(matrix<T, C, R> m) {
  matrix<T, R, C> result;
  for (int i = 0; i < C; ++i)
    for (int j = 0; j < R; ++j)
      result.columns[j][i] = m.columns[i][j];
  return result;
}
template <class T, int C, int R> Ext<T, C> operator*(Ext<T, R> v, matrix<T, C, R> m) {
  return transpose(m) * v;
}
template <class T, int C, int R, int K>
matrix<T, K, R> operator*(matrix<T, C, R> a, matrix<T, K, C> b) {
  matrix<T, K, R> result;
  for (int i = 0; i < K; ++i)
    result.columns[i] = a * b.columns[i];
  return result;
}
template <class T, int C, int R> matrix<T, C, R> operator*(matrix<T, C, R> m, T s) {
  for (int i = 0; i < C; ++i)
    m.columns[i] *= s;
  return m;
}

// The same functions under the names that choose a precision.
#define MSL_PRECISIONS(NAME)                                                                       \
  namespace fast {                                                                                 \
  using metal::NAME;                                                                               \
  }                                                                                                \
  namespace precise {                                                                              \
  using metal::NAME;                                                                               \
  }
MSL_PRECISIONS(max)
MSL_PRECISIONS(min)
MSL_PRECISIONS(clamp)
MSL_PRECISIONS(saturate)
MSL_PRECISIONS(normalize)
MSL_PRECISIONS(length)
MSL_PRECISIONS(distance)
MSL_PRECISIONS(sqrt)
MSL_PRECISIONS(rsqrt)
MSL_PRECISIONS(exp)
MSL_PRECISIONS(exp2)
MSL_PRECISIONS(log)
MSL_PRECISIONS(log2)
MSL_PRECISIONS(pow)
MSL_PRECISIONS(powr)
MSL_PRECISIONS(sin)
MSL_PRECISIONS(cos)
MSL_PRECISIONS(tan)
MSL_PRECISIONS(tanh)
MSL_PRECISIONS(sinh)
MSL_PRECISIONS(cosh)
MSL_PRECISIONS(atan2)
MSL_PRECISIONS(fma)

} // namespace metal

#endif
