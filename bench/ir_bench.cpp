//===- bench/ir_bench.cpp - Reading, writing, copying, validating ----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What lib/IR costs on generated modules of about 1,000 to 300,000 words. The
// argument is the wanted length; the counter `words` is the module's real one.
//
//===----------------------------------------------------------------------===//
#include "BenchModules.h"
#include "IR/Cfg.h"
#include "IR/Reader.h"
#include "Support/SpirvTools.h"

#include "benchmark/benchmark.h"

namespace {

using namespace tailor;

void report(benchmark::State &state, const std::vector<uint32_t> &words) {
  state.counters["words"] = static_cast<double>(words.size());
  state.counters["words/s"] = benchmark::Counter(static_cast<double>(words.size()) *
                                                     static_cast<double>(state.iterations()),
                                                 benchmark::Counter::kIsRate);
}

void readWords(benchmark::State &state) {
  std::vector<uint32_t> words = bench::makeKernel(static_cast<size_t>(state.range(0)));
  for (auto _ : state) {
    Result<Module> module = readModule(words, "bench.spv");
    if (!module)
      return state.SkipWithError(module.diagnostic().text.c_str());
    benchmark::DoNotOptimize(module->idBound());
  }
  report(state, words);
}

template <typename Action> void onModule(benchmark::State &state, Action action) {
  std::vector<uint32_t> words = bench::makeKernel(static_cast<size_t>(state.range(0)));
  Result<Module> module = readModule(words, "bench.spv");
  if (!module)
    return state.SkipWithError(module.diagnostic().text.c_str());
  if (module->words() != words)
    return state.SkipWithError("the module does not come back as it was");
  for (auto _ : state)
    action(*module);
  report(state, words);
}

void writeWords(benchmark::State &state) {
  onModule(state, [](Module &module) { benchmark::DoNotOptimize(module.words().data()); });
}

void cloneModule(benchmark::State &state) {
  onModule(state, [](Module &module) { benchmark::DoNotOptimize(module.clone().idBound()); });
}

void analyseFlow(benchmark::State &state) {
  onModule(state, [](Module &module) {
    for (auto &function : module.functions())
      benchmark::DoNotOptimize(ControlFlow(*function).isReachable(function->front()));
  });
}

void validateWords(benchmark::State &state) {
  std::vector<uint32_t> words = bench::makeKernel(static_cast<size_t>(state.range(0)));
  for (auto _ : state) {
    Status valid = validateSpirv(words, "bench.spv");
    if (!valid)
      return state.SkipWithError(valid.diagnostic().text.c_str());
  }
  report(state, words);
}

void lengths(benchmark::internal::Benchmark *benchmark) {
  for (int64_t length : {1'000, 12'000, 100'000, 300'000})
    benchmark->Arg(length);
  benchmark->Unit(benchmark::kMicrosecond);
}

BENCHMARK(readWords)->Apply(lengths);
BENCHMARK(writeWords)->Apply(lengths);
BENCHMARK(cloneModule)->Apply(lengths);
BENCHMARK(analyseFlow)->Apply(lengths);
BENCHMARK(validateWords)->Apply(lengths);

} // namespace

BENCHMARK_MAIN();
