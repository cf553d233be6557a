//===- Naga/Runtime/wasm-rt.h - What wasm2c's code asks of its host -------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The header that the C code of wasm2c (wabt 1.0.32) includes by this name, in
// place of the one that wabt installs. That one takes over SIGSEGV for the whole
// process to find accesses outside the memory, and counts calls, not bytes of
// stack, in a variable that all threads share. Here every access is compared
// with the size of the memory, the stack with the end of the thread's own, and
// nothing is global.
//
//===----------------------------------------------------------------------===//
#ifndef TAILOR_NAGA_RUNTIME_WASM_RT_H
#define TAILOR_NAGA_RUNTIME_WASM_RT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#define TAILOR_NAGA_THREAD_LOCAL thread_local
#else
#define TAILOR_NAGA_THREAD_LOCAL _Thread_local
#endif

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define wasm_rt_memcpy __builtin_memcpy
#define wasm_rt_unreachable __builtin_unreachable

/* Compare every access. */
#define WASM_RT_MEMCHECK_SIGNAL_HANDLER 0

/* Every function begins with `if (++wasm_rt_call_stack_depth > WASM_RT_MAX_CALL_STACK_DEPTH) trap`
   and ends with `--`: the limit is none above the thread's stack limit, and 0 below it. */
#define WASM_RT_USE_STACK_DEPTH_COUNT 1
extern TAILOR_NAGA_THREAD_LOCAL uint32_t wasm_rt_call_stack_depth;
/* The address under which no frame may begin. */
extern TAILOR_NAGA_THREAD_LOCAL const char *tailorNagaStackLimit;
#define WASM_RT_MAX_CALL_STACK_DEPTH                                                               \
  ((const char *)__builtin_frame_address(0) < tailorNagaStackLimit ? 0u : UINT32_MAX)

typedef enum {
  WASM_RT_TRAP_NONE,
  WASM_RT_TRAP_OOB,
  WASM_RT_TRAP_INT_OVERFLOW,
  WASM_RT_TRAP_DIV_BY_ZERO,
  WASM_RT_TRAP_INVALID_CONVERSION,
  WASM_RT_TRAP_UNREACHABLE,
  WASM_RT_TRAP_CALL_INDIRECT,
  WASM_RT_TRAP_UNCAUGHT_EXCEPTION,
  WASM_RT_TRAP_EXHAUSTION,
} wasm_rt_trap_t;

typedef enum {
  WASM_RT_I32,
  WASM_RT_I64,
  WASM_RT_F32,
  WASM_RT_F64,
  WASM_RT_FUNCREF,
  WASM_RT_EXTERNREF,
} wasm_rt_type_t;

typedef void (*wasm_rt_function_ptr_t)(void);

typedef struct {
  uint32_t func_type;
  wasm_rt_function_ptr_t func;
  void *module_instance;
} wasm_rt_funcref_t;

/* A value of the host: a number, which our host code knows how to look up. */
typedef void *wasm_rt_externref_t;

static const wasm_rt_funcref_t wasm_rt_funcref_null_value = {0, 0, 0};
static const wasm_rt_externref_t wasm_rt_externref_null_value = 0;

typedef struct {
  uint8_t *data;
  uint32_t pages, max_pages; /* of 65536 bytes */
  uint32_t size;             /* bytes */
} wasm_rt_memory_t;

typedef struct {
  wasm_rt_funcref_t *data;
  uint32_t max_size, size;
} wasm_rt_funcref_table_t;

typedef struct {
  wasm_rt_externref_t *data;
  uint32_t max_size, size;
} wasm_rt_externref_table_t;

bool wasm_rt_is_initialized(void);
/* Ends the call that is running: it returns to whoever entered the module. */
__attribute__((noreturn)) void wasm_rt_trap(wasm_rt_trap_t reason);
uint32_t wasm_rt_register_func_type(uint32_t params, uint32_t results, ...);
void wasm_rt_allocate_memory(wasm_rt_memory_t *memory, uint32_t pages, uint32_t maxPages);
/* The pages before; UINT32_MAX where there is no room. */
uint32_t wasm_rt_grow_memory(wasm_rt_memory_t *memory, uint32_t pages);
void wasm_rt_free_memory(wasm_rt_memory_t *memory);
void wasm_rt_allocate_funcref_table(wasm_rt_funcref_table_t *table, uint32_t size,
                                    uint32_t maxSize);
void wasm_rt_free_funcref_table(wasm_rt_funcref_table_t *table);
void wasm_rt_allocate_externref_table(wasm_rt_externref_table_t *table, uint32_t size,
                                      uint32_t maxSize);
uint32_t wasm_rt_grow_externref_table(wasm_rt_externref_table_t *table, uint32_t by,
                                      wasm_rt_externref_t value);
void wasm_rt_free_externref_table(wasm_rt_externref_table_t *table);

#ifdef __cplusplus
}
#endif

#endif
