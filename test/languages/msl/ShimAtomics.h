//===- languages/msl/ShimAtomics.h -- Atomics, barriers, subgroups ------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_TEST_LANGUAGES_MSL_SHIMATOMICS_H
#define TAILOR_TEST_LANGUAGES_MSL_SHIMATOMICS_H

namespace metal {

enum memory_order { memory_order_relaxed };

template <class T> struct Atomic {
  T value;
};
using atomic_uint = Atomic<uint>;
using atomic_int = Atomic<int>;

// One invocation runs at a time, so that plain accesses do.
#define MSL_ATOMIC_FETCH(NAME, EXPRESSION)                                                         \
  template <class A>                                                                               \
  auto atomic_fetch_##NAME##_explicit(A *object, decltype(object->value) operand, memory_order) {  \
    const auto old = object->value;                                                                \
    object->value = EXPRESSION;                                                                    \
    return old;                                                                                    \
  }
MSL_ATOMIC_FETCH(add, old + operand)
MSL_ATOMIC_FETCH(sub, old - operand)
MSL_ATOMIC_FETCH(and, old &operand)
MSL_ATOMIC_FETCH(or, old | operand)
MSL_ATOMIC_FETCH(xor, old ^ operand)
MSL_ATOMIC_FETCH(min, old < operand ? old : operand)
MSL_ATOMIC_FETCH(max, old > operand ? old : operand)
template <class A>
auto atomic_exchange_explicit(A *object, decltype(object->value) operand, memory_order) {
  const auto old = object->value;
  object->value = operand;
  return old;
}
template <class A> auto atomic_load_explicit(A *object, memory_order) { return object->value; }
template <class A>
void atomic_store_explicit(A *object, decltype(object->value) operand, memory_order) {
  object->value = operand;
}
template <class A, class T>
bool atomic_compare_exchange_weak_explicit(A *object, T *expected, decltype(object->value) desired,
                                           memory_order, memory_order) {
  const auto old = object->value;
  if (old == *expected) {
    object->value = desired;
    return true;
  }
  *expected = old;
  return false;
}

enum class mem_flags {
  mem_none = 0,
  mem_device = 1,
  mem_threadgroup = 2,
  mem_texture = 4,
  mem_threadgroup_imageblock = 8,
  mem_object_data = 16,
};
constexpr mem_flags operator|(mem_flags a, mem_flags b) {
  return static_cast<mem_flags>(static_cast<int>(a) | static_cast<int>(b));
}

#if MSL_RUNS
/// Gives the processor to the other invocations of the workgroup until all are here; the host
/// sets it. A barrier is told from others by its line.
extern "C" void (*mslBarrier)(unsigned line);
inline void barrierAt(mem_flags, unsigned line) { mslBarrier(line); }
#else
void barrierAt(mem_flags, unsigned line);
#endif

// A subgroup of one invocation, which Metal does not have but does not forbid either.
template <class T> T simd_sum(T x) { return x; }
template <class T> T simd_product(T x) { return x; }
template <class T> T simd_min(T x) { return x; }
template <class T> T simd_max(T x) { return x; }
template <class T> T simd_prefix_inclusive_sum(T x) { return x; }
template <class T> T simd_prefix_exclusive_sum(T) { return T(0); }
template <class T> T simd_broadcast(T x, ushort) { return x; }
template <class T> T simd_broadcast_first(T x) { return x; }
template <class T> T simd_shuffle(T x, ushort) { return x; }
template <class T> T simd_shuffle_xor(T x, ushort) { return x; }
template <class T> T simd_shuffle_up(T x, ushort) { return x; }
template <class T> T simd_shuffle_down(T x, ushort) { return x; }
inline bool simd_is_first() { return true; }
inline bool simd_any(bool x) { return x; }
inline bool simd_all(bool x) { return x; }

} // namespace metal

#endif
