//===- Naga/Runtime.cpp - Memory, tables and traps for wasm2c's code ------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Naga/Runtime.h"

#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <pthread.h>

extern "C" {
thread_local uint32_t wasm_rt_call_stack_depth = 0;
thread_local const char *tailorNagaStackLimit = nullptr;
}

namespace tailor::naga {
namespace {

constexpr uint32_t kPageBytes = 65536;
/// 1 GiB: no shader needs it, and a runaway one ends here.
constexpr uint32_t kMaxPages = 16384;
/// Below every frame of the module there must be room for what it calls and for one frame more.
constexpr size_t kStackMargin = size_t{512} << 10;

thread_local Landing *landing = nullptr;

/// Signatures in the order of their first registration; the same for every instance.
struct FunctionTypes {
  std::mutex mutex;
  std::vector<std::vector<uint32_t>> list;
};
FunctionTypes &functionTypes() {
  static FunctionTypes types;
  return types;
}

} // namespace

void setStackLimit() {
  static thread_local const char *limit = [] {
    pthread_attr_t attributes;
    void *low = nullptr;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
      return static_cast<const char *>(nullptr);
    pthread_attr_getstack(&attributes, &low, &size);
    pthread_attr_destroy(&attributes);
    return static_cast<const char *>(low) + kStackMargin;
  }();
  tailorNagaStackLimit = limit;
  wasm_rt_call_stack_depth = 0;
}

Landing *exchangeLanding(Landing *next) {
  Landing *before = landing;
  landing = next;
  return before;
}

void leave(Trap trap) {
  landing->trap = trap;
  std::longjmp(landing->place, 1);
}

} // namespace tailor::naga

using tailor::naga::leave;
using tailor::naga::Trap;

extern "C" {

bool wasm_rt_is_initialized(void) { return true; }

void wasm_rt_trap(wasm_rt_trap_t reason) {
  leave(reason == WASM_RT_TRAP_EXHAUSTION ? Trap::Stack : Trap::Fault);
}

uint32_t wasm_rt_register_func_type(uint32_t params, uint32_t results, ...) {
  std::vector<uint32_t> signature{params};
  va_list list;
  va_start(list, results);
  for (uint32_t i = 0; i < params + results; ++i)
    signature.push_back(static_cast<uint32_t>(va_arg(list, int)));
  va_end(list);
  tailor::naga::FunctionTypes &types = tailor::naga::functionTypes();
  std::lock_guard lock(types.mutex);
  for (size_t i = 0; i < types.list.size(); ++i)
    if (types.list[i] == signature)
      return static_cast<uint32_t>(i + 1);
  types.list.push_back(std::move(signature));
  return static_cast<uint32_t>(types.list.size());
}

void wasm_rt_allocate_memory(wasm_rt_memory_t *memory, uint32_t pages, uint32_t maxPages) {
  memory->max_pages = maxPages < tailor::naga::kMaxPages ? maxPages : tailor::naga::kMaxPages;
  memory->data =
      static_cast<uint8_t *>(std::calloc(size_t{pages}, size_t{tailor::naga::kPageBytes}));
  if (!memory->data)
    leave(Trap::Memory);
  memory->pages = pages;
  memory->size = pages * tailor::naga::kPageBytes;
}

uint32_t wasm_rt_grow_memory(wasm_rt_memory_t *memory, uint32_t pages) {
  const uint32_t before = memory->pages;
  // Rust aborts where there is no memory, which tells nothing of the cause.
  if (pages > memory->max_pages - before)
    leave(Trap::Memory);
  const size_t size = size_t{before + pages} * tailor::naga::kPageBytes;
  auto *data = static_cast<uint8_t *>(std::realloc(memory->data, size));
  if (!data)
    leave(Trap::Memory);
  std::memset(data + memory->size, 0, size - memory->size);
  memory->data = data;
  memory->pages = before + pages;
  memory->size = static_cast<uint32_t>(size);
  return before;
}

void wasm_rt_free_memory(wasm_rt_memory_t *memory) {
  std::free(memory->data);
  *memory = {};
}

void wasm_rt_allocate_funcref_table(wasm_rt_funcref_table_t *table, uint32_t size,
                                    uint32_t maxSize) {
  table->data = static_cast<wasm_rt_funcref_t *>(std::calloc(size, sizeof(wasm_rt_funcref_t)));
  if (!table->data)
    leave(Trap::Memory);
  table->size = size;
  table->max_size = maxSize;
}

void wasm_rt_free_funcref_table(wasm_rt_funcref_table_t *table) {
  std::free(static_cast<void *>(table->data));
  *table = {};
}

void wasm_rt_allocate_externref_table(wasm_rt_externref_table_t *table, uint32_t size,
                                      uint32_t maxSize) {
  table->data = static_cast<wasm_rt_externref_t *>(std::calloc(size, sizeof(wasm_rt_externref_t)));
  if (!table->data)
    leave(Trap::Memory);
  table->size = size;
  table->max_size = maxSize;
}

uint32_t wasm_rt_grow_externref_table(wasm_rt_externref_table_t *table, uint32_t by,
                                      wasm_rt_externref_t value) {
  const uint32_t before = table->size;
  if (by > table->max_size - before)
    return UINT32_MAX;
  auto *data = static_cast<wasm_rt_externref_t *>(std::realloc(
      static_cast<void *>(table->data), (size_t{before} + by) * sizeof(wasm_rt_externref_t)));
  if (!data)
    leave(Trap::Memory);
  for (uint32_t i = 0; i < by; ++i)
    data[before + i] = value;
  table->data = data;
  table->size = before + by;
  return before;
}

void wasm_rt_free_externref_table(wasm_rt_externref_table_t *table) {
  std::free(static_cast<void *>(table->data));
  *table = {};
}

} // extern "C"
