//===- bench/analysis_bench.cpp - What it costs to know a kernel -----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The stages of lib/Analysis on generated modules of about 1,000 to 300,000
// words, and all of them together. `peak` is the largest resident size of the
// process so far, over the module's bytes: run one length alone for it, with
// --benchmark_filter=everything/300000.
//
//===----------------------------------------------------------------------===//
#include "Analysis/AccessPatterns.h"
#include "Analysis/Barriers.h"
#include "Analysis/Certificate.h"
#include "Analysis/KernelAnalysis.h"
#include "Analysis/SharedMemory.h"
#include "Analysis/Work.h"
#include "BenchModules.h"
#include "IR/Reader.h"

#include "benchmark/benchmark.h"

#include <sys/resource.h>

namespace {

using namespace tailor;

struct Input {
  std::vector<uint32_t> words;
  std::optional<Module> module;
  std::optional<EntryPoint> entry;
  explicit Input(benchmark::State &state)
      : words(bench::makeKernel(static_cast<size_t>(state.range(0)))) {
    Result<Module> read = readModule(words, "bench.spv");
    if (!read)
      return;
    module.emplace(std::move(*read));
    entry = module->entryPoints().front();
  }
};

void report(benchmark::State &state, const Input &input) {
  state.counters["words"] = static_cast<double>(input.words.size());
  state.counters["words/s"] = benchmark::Counter(static_cast<double>(input.words.size()) *
                                                     static_cast<double>(state.iterations()),
                                                 benchmark::Counter::kIsRate);
}

void canonicalForm(benchmark::State &state) {
  Input input(state);
  for (auto _ : state) {
    Result<CanonicalForm> form = CanonicalForm::create(*input.module, *input.entry);
    if (!form)
      return state.SkipWithError(form.diagnostic().text.c_str());
    benchmark::DoNotOptimize(form->module().idBound());
  }
  report(state, input);
}

/// The canonical form, control flow, ids and affine expressions.
void foundation(benchmark::State &state) {
  Input input(state);
  for (auto _ : state) {
    Result<KernelAnalysis> kernel = KernelAnalysis::create(*input.module, *input.entry);
    if (!kernel)
      return state.SkipWithError(kernel.diagnostic().text.c_str());
    benchmark::DoNotOptimize(kernel->affine().symbols().size());
  }
  report(state, input);
}

/// One question to a kernel whose foundation is laid anew, untimed, each time.
template <typename Question> void ask(benchmark::State &state, Question question) {
  Input input(state);
  for (auto _ : state) {
    state.PauseTiming();
    Result<KernelAnalysis> kernel = KernelAnalysis::create(*input.module, *input.entry);
    if (!kernel)
      return state.SkipWithError(kernel.diagnostic().text.c_str());
    state.ResumeTiming();
    question(*kernel);
  }
  report(state, input);
}

void uniformity(benchmark::State &state) {
  ask(state, [](const KernelAnalysis &kernel) {
    for (const Block &block : kernel.form().function().blocks())
      benchmark::DoNotOptimize(kernel.uniformity().control(block));
  });
}
void accesses(benchmark::State &state) {
  ask(state,
      [](const KernelAnalysis &kernel) { benchmark::DoNotOptimize(findAccesses(kernel).size()); });
}
void barriers(benchmark::State &state) {
  ask(state, [](const KernelAnalysis &kernel) {
    benchmark::DoNotOptimize(gatherBarriers(kernel).barriers.size());
  });
}
void work(benchmark::State &state) {
  ask(state, [](const KernelAnalysis &kernel) {
    benchmark::DoNotOptimize(measureWork(kernel).intensity);
  });
}
void certificate(benchmark::State &state) {
  ask(state, [](const KernelAnalysis &kernel) {
    benchmark::DoNotOptimize(certify(kernel).facts.sharedBytes);
  });
}

/// From words to the certificate and all facts: what `analyze` does but for printing.
void everything(benchmark::State &state) {
  Input input(state);
  for (auto _ : state) {
    Result<Module> module = readModule(input.words, "bench.spv");
    Result<KernelAnalysis> kernel = KernelAnalysis::create(*module, module->entryPoints().front());
    if (!kernel)
      return state.SkipWithError(kernel.diagnostic().text.c_str());
    benchmark::DoNotOptimize(certify(*kernel).facts.sharedBytes);
    benchmark::DoNotOptimize(findAccesses(*kernel).size());
    benchmark::DoNotOptimize(analyzeSharedMemory(*kernel).totalBytes);
    benchmark::DoNotOptimize(gatherBarriers(*kernel).barriers.size());
    benchmark::DoNotOptimize(measureWork(*kernel).intensity);
  }
  report(state, input);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["peak"] = static_cast<double>(usage.ru_maxrss) * 1024.0 /
                           (4.0 * static_cast<double>(input.words.size()));
  state.counters["peakMB"] = static_cast<double>(usage.ru_maxrss) / 1024.0;
}

void lengths(benchmark::internal::Benchmark *benchmark) {
  for (int64_t length : {1'000, 12'000, 100'000, 300'000})
    benchmark->Arg(length);
  benchmark->Unit(benchmark::kMillisecond);
}

BENCHMARK(canonicalForm)->Apply(lengths);
BENCHMARK(foundation)->Apply(lengths);
BENCHMARK(uniformity)->Apply(lengths);
BENCHMARK(accesses)->Apply(lengths);
BENCHMARK(barriers)->Apply(lengths);
BENCHMARK(work)->Apply(lengths);
BENCHMARK(certificate)->Apply(lengths);
BENCHMARK(everything)->Apply(lengths);

} // namespace

BENCHMARK_MAIN();
