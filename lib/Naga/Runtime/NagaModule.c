/*===- Naga/Runtime/NagaModule.c - What wasm2c made, as one file to compile -===
 *
 * Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===
 *
 * A function that is first declared static stays so: the compiler then drops
 * the exports that nobody here calls, with the readers and writers of other
 * languages behind them, before it spends time on them.
 */
#include <wasm-rt.h>

struct Z_naga_instance_t;
struct wasm_multi_iii;
struct wasm_multi_iiii;

static struct wasm_multi_iii Z_nagaZ_parseGlsl(struct Z_naga_instance_t *, uint32_t, uint32_t,
                                               wasm_rt_externref_t);
static struct wasm_multi_iiii Z_nagaZ_writeGlsl(struct Z_naga_instance_t *, uint32_t, uint32_t,
                                                wasm_rt_externref_t);
static struct wasm_multi_iiii Z_nagaZ_writeHlsl(struct Z_naga_instance_t *, uint32_t, uint32_t,
                                                wasm_rt_externref_t);
static struct wasm_multi_iiii Z_nagaZ_writeMsl(struct Z_naga_instance_t *, uint32_t, uint32_t,
                                               wasm_rt_externref_t);

#include <naga.c>
