//===- languages/msl/ShimTypes.h -- The types of Metal in clang ----------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Read by clang as C++17, and as C++ for OpenCL, where the address spaces are
// real. Vectors are clang's own (`ext_vector_type`), which have the size, the
// alignment, the swizzles and the strict conversions of Metal's. Their
// constructors, `float4(v.xyz, 1.0)`, are macros at the end of metal_stdlib.
//
// Comparisons of clang's vectors give masks of integers, those of Metal vectors of
// bool: the class BoolVector takes the masks.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TEST_LANGUAGES_MSL_SHIMTYPES_H
#define TAILOR_TEST_LANGUAGES_MSL_SHIMTYPES_H

#ifdef __OPENCL_CPP_VERSION__
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define device __global
#define threadgroup __local
#define thread __private
#define constant __constant
#define MSL_RUNS 0
#else
typedef _Float16 half;
#define device
#define threadgroup
#define thread
#define constant const
#define kernel
#define MSL_RUNS 1
#endif

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef __SIZE_TYPE__ size_t;
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;

#define MSL_VECTORS(T)                                                                             \
  typedef T T##2 __attribute__((ext_vector_type(2)));                                              \
  typedef T T##3 __attribute__((ext_vector_type(3)));                                              \
  typedef T T##4 __attribute__((ext_vector_type(4)));
MSL_VECTORS(char)
MSL_VECTORS(uchar)
MSL_VECTORS(short)
MSL_VECTORS(ushort)
MSL_VECTORS(int)
MSL_VECTORS(uint)
MSL_VECTORS(long)
MSL_VECTORS(ulong)
MSL_VECTORS(half)
MSL_VECTORS(float)

namespace metal {

template <class T, int N> using Ext = T __attribute__((ext_vector_type(N)));

template <bool B, class T, class F> struct Choose {
  using Type = T;
};
template <class T, class F> struct Choose<false, T, F> {
  using Type = F;
};
/// Keeps a parameter out of deduction.
template <class T> struct Same {
  using Type = T;
};

template <int N> struct BoolVector;
#define MSL_BOOL_VECTOR(N, ...)                                                                    \
  template <> struct BoolVector<N> {                                                               \
    bool __VA_ARGS__;                                                                              \
    BoolVector() = default;                                                                        \
    template <class T> BoolVector(Ext<T, N> mask) {                                                \
      static_assert(__is_integral(T), "a vector of bool is made of a comparison");                 \
      for (int i = 0; i < N; ++i)                                                                  \
        (&x)[i] = mask[i] != 0;                                                                    \
    }                                                                                              \
    bool at(int i) const { return (&x)[i]; }                                                       \
    void set(int i, bool value) { (&x)[i] = value; }                                               \
    bool operator[](int i) const { return (&x)[i]; }                                               \
  };
MSL_BOOL_VECTOR(2, x, y)
MSL_BOOL_VECTOR(3, x, y, z)
MSL_BOOL_VECTOR(4, x, y, z, w)

/// Metal's name for them. (Not what the templates here deduce from: that would not go through.)
template <class T, int N> struct VectorOf {
  using Type = Ext<T, N>;
};
template <int N> struct VectorOf<bool, N> {
  using Type = BoolVector<N>;
};
template <class T, int N> using vec = typename VectorOf<T, N>::Type;

/// Of a scalar: one component.
template <class T> struct Shape {
  using Element = T;
  static constexpr int kCount = 1;
  static constexpr bool kScalar = true;
  using Bool = bool;
  using Int = int;
  static T at(T value, int) { return value; }
};
template <class T, int N> struct Shape<T __attribute__((ext_vector_type(N)))> {
  using Element = T;
  static constexpr int kCount = N;
  static constexpr bool kScalar = false;
  using Bool = BoolVector<N>;
  using Int = Ext<int, N>;
  static T at(Ext<T, N> value, int i) { return value[i]; }
};
template <int N> struct Shape<BoolVector<N>> {
  using Element = bool;
  static constexpr int kCount = N;
  static constexpr bool kScalar = false;
  using Bool = BoolVector<N>;
  static bool at(BoolVector<N> value, int i) { return value.at(i); }
};

template <class V, class A> void append(thread V &result, thread int &next, A value) {
  for (int i = 0; i < Shape<A>::kCount; ++i)
    result[next++] = static_cast<typename Shape<V>::Element>(Shape<A>::at(value, i));
}

/// What `float4(...)` means: one scalar for all components, or scalars and vectors that have as
/// many components as the result.
template <class V> constexpr V build() { return V(0); }
template <class V, class... A> constexpr V build(A... values) {
  using E = typename Shape<V>::Element;
  constexpr int count = (Shape<A>::kCount + ...);
  if constexpr (sizeof...(A) == 1 && count == 1) {
    return V((static_cast<E>(values), ...));
  } else {
    static_assert(count == Shape<V>::kCount, "as many components as the vector has");
    if constexpr (sizeof...(A) == count) {
      return V{static_cast<E>(values)...};
    } else {
      V result = V(0);
      int next = 0;
      (append(result, next, values), ...);
      return result;
    }
  }
}
template <int N, class... A> BoolVector<N> buildBool(A... values) {
  BoolVector<N> result;
  constexpr int count = (Shape<A>::kCount + ...);
  static_assert(count == 1 || count == N, "as many components as the vector has");
  int next = 0;
  auto add = [&](auto value) {
    for (int i = 0; i < Shape<decltype(value)>::kCount; ++i)
      result.set(next++, static_cast<bool>(Shape<decltype(value)>::at(value, i)));
  };
  (add(values), ...);
  for (; next < N; ++next)
    result.set(next, result.at(0));
  return result;
}

template <int N> BoolVector<N> operator!(BoolVector<N> a) {
  for (int i = 0; i < N; ++i)
    a.set(i, !a.at(i));
  return a;
}
#define MSL_BOOL_OPERATOR(OP)                                                                      \
  template <int N> BoolVector<N> operator OP(BoolVector<N> a, BoolVector<N> b) {                   \
    for (int i = 0; i < N; ++i)                                                                    \
      a.set(i, a.at(i) OP b.at(i));                                                                \
    return a;                                                                                      \
  }
MSL_BOOL_OPERATOR(&&)
MSL_BOOL_OPERATOR(||)
MSL_BOOL_OPERATOR(==)
MSL_BOOL_OPERATOR(!=)

template <class To, class From> constexpr To as_type(From value) {
  static_assert(sizeof(To) == sizeof(From), "as_type keeps the size");
  return __builtin_bit_cast(To, value);
}
/// The value of a function constant that the host gives.
template <class T> constexpr T fromBits(ulong bits) {
  if constexpr (sizeof(T) == 1)
    return static_cast<T>(bits);
  else if constexpr (sizeof(T) == 2)
    return as_type<T>(static_cast<ushort>(bits));
  else if constexpr (sizeof(T) == 4)
    return as_type<T>(static_cast<uint>(bits));
  else
    return as_type<T>(bits);
}

template <class T> struct Packed3 {
  T x, y, z;
  Packed3() = default;
  Packed3(Ext<T, 3> v) : x(v.x), y(v.y), z(v.z) {}
  operator Ext<T, 3>() const { return Ext<T, 3>{x, y, z}; }
  T operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
#if MSL_RUNS
  T &operator[](int i) { return (&x)[i]; }
#else
  device T &operator[](int i) device { return (&x)[i]; }
  threadgroup T &operator[](int i) threadgroup { return (&x)[i]; }
  thread T &operator[](int i) thread { return (&x)[i]; }
#endif
};

template <class T, int C, int R = C> struct matrix {
  Ext<T, R> columns[C];
  matrix() = default;
  explicit matrix(T diagonal) {
    for (int i = 0; i < C; ++i)
      for (int j = 0; j < R; ++j)
        columns[i][j] = i == j ? diagonal : T(0);
  }
  template <class... V> matrix(Ext<T, R> first, V... rest) : columns{first, rest...} {
    static_assert(sizeof...(V) + 1 == C, "as many columns as the matrix has");
  }
#if MSL_RUNS
  Ext<T, R> operator[](int i) const { return columns[i]; }
  Ext<T, R> &operator[](int i) { return columns[i]; }
#else
  // Whatever the address space: clang finds one for each ambiguous for a value.
  Ext<T, R> operator[](int i) const { return columns[i]; }
  Ext<T, R> operator[](int i) const constant { return columns[i]; }
  Ext<T, R> &operator[](int i) { return columns[i]; }
#endif
};

#if MSL_RUNS
template <class T, size_t N> struct array {
  T elements[N];
  T &operator[](size_t i) { return elements[i]; }
  const T &operator[](size_t i) const { return elements[i]; }
};
#else
template <class T, size_t N> struct array {
  T elements[N];
  thread T &operator[](size_t i) thread { return elements[i]; }
  const thread T &operator[](size_t i) const thread { return elements[i]; }
};
#endif

} // namespace metal

using metal::matrix;

#endif
