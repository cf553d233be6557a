//===- bench/build_bench.cpp - Variants a second, and their memory ---------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `build` is the command's own route (buildKernel): the certificate, then every
// variant in SPIR-V and every language, and the bundle's bytes, which are compared
// with those of the separate files. `wholeVariant` does for each size all that `build` does once
// for all sizes: a clone, the pass `resize`, validation, five cross-compilations. Both run on one
// thread. `variantByProcesses` makes the same from files by starting spirv-val once and spirv-cross
// three times, without the patch.
//
//===----------------------------------------------------------------------===//
#include "BenchModules.h"

#include "Analysis/Certificate.h"
#include "Backends/Backend.h"
#include "Bundle/BundleIO.h"
#include "Bundle/KernelBuilder.h"
#include "IR/Reader.h"
#include "Support/Files.h"
#include "Support/SpirvTools.h"
#include "passes/Resize.h"

#include "benchmark/benchmark.h"
#include "llvm/Support/raw_ostream.h"

#include <array>
#include <cstdlib>
#include <spawn.h>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

extern char **environ;

namespace {

using namespace tailor;

constexpr size_t kKernelWords = 1'000;
constexpr uint32_t kSizes = 1'000; ///< 1x1x1 to 1000x1x1
constexpr std::array<const char *, 5> kLanguages = {"glsl", "essl", "hlsl", "msl", "wgsl"};

/// The authored kernel and its proof, which all its variants share.
struct Kernel {
  Module module;
  Certificate certificate;
};

Result<Kernel> makeKernel(size_t words = kKernelWords) {
  Result<Module> module = readModule(bench::makeKernel(words), "bench.spv");
  if (!module)
    return module.takeFailure();
  Result<EntryPoint> entry = findComputeEntryPoint(*module, "");
  if (!entry)
    return entry.takeFailure();
  Result<Certificate> certificate = certify(*module, *entry);
  if (!certificate)
    return certificate.takeFailure();
  return Kernel{std::move(*module), std::move(*certificate)};
}

Result<std::vector<uint32_t>> patched(const Kernel &kernel, uint32_t size) {
  Module variant = kernel.module.clone();
  Diagnostics diagnostics;
  PassContext context{diagnostics, llvm::nulls(), {}, {}};
  Resize resize({{size, 1, 1}, "", &kernel.certificate});
  Result<Change> change = resize.run(variant, context);
  if (!change)
    return change.takeFailure();
  return variant.words();
}

/// Every size in every language: what a language promises is not what is measured.
const EmitOptions &everySize() {
  static const EmitOptions options = [] {
    EmitOptions made;
    for (const char *limit : {"essl.invocations=1024", "essl.size=1024x1024x64",
                              "wgsl.invocations=1024", "wgsl.size=1024x1024x64"})
      if (Status raised = raiseLimit(made, limit); !raised)
        std::abort();
    return made;
  }();
  return options;
}

Result<std::string> inLanguage(const char *language, const std::vector<uint32_t> &words,
                               uint32_t size) {
  EmitRequest request;
  request.spirv = words;
  request.entryPoint = "main";
  request.localSize = {size, 1, 1};
  request.options = everySize();
  Result<Emitted> made = emit(language, request);
  if (!made)
    return made.takeFailure();
  return std::move(made->code);
}

/// A variant's files. Appends them to `files`.
Status buildVariant(const Kernel &kernel, uint32_t size, std::vector<std::string> &files) {
  Result<std::vector<uint32_t>> words = patched(kernel, size);
  if (!words)
    return words.takeFailure();
  if (Status valid = validateSpirv(*words, "bench.spv"); !valid)
    return valid;
  for (const char *language : kLanguages) {
    Result<std::string> text = inLanguage(language, *words, size);
    if (!text)
      return text.takeFailure();
    files.push_back(std::move(*text));
  }
  files.push_back(bytesOfWords(*words));
  return success();
}

void fail(benchmark::State &state, const Diagnostic &diagnostic) {
  state.SkipWithError(diagnostic.text.c_str());
}

/// The size of the n-th iteration: every size in turn.
uint32_t sizeOf(uint64_t iteration) { return static_cast<uint32_t>(iteration % kSizes) + 1; }

void countVariants(benchmark::State &state) {
  state.counters["variants/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void wholeVariant(benchmark::State &state) {
  Result<Kernel> kernel = makeKernel();
  if (!kernel)
    return fail(state, kernel.diagnostic());
  uint64_t iteration = 0;
  for (auto _ : state) {
    std::vector<std::string> files;
    if (Status built = buildVariant(*kernel, sizeOf(iteration++), files); !built)
      return fail(state, built.diagnostic());
    benchmark::DoNotOptimize(files.data());
  }
  countVariants(state);
}

void patch(benchmark::State &state) {
  Result<Kernel> kernel = makeKernel();
  if (!kernel)
    return fail(state, kernel.diagnostic());
  uint64_t iteration = 0;
  for (auto _ : state) {
    Result<std::vector<uint32_t>> words = patched(*kernel, sizeOf(iteration++));
    if (!words)
      return fail(state, words.diagnostic());
    benchmark::DoNotOptimize(words->data());
  }
}

void validate(benchmark::State &state) {
  std::vector<uint32_t> words = bench::makeKernel(kKernelWords);
  for (auto _ : state)
    if (Status valid = validateSpirv(words, "bench.spv"); !valid)
      return fail(state, valid.diagnostic());
}

void language(benchmark::State &state, const char *name) {
  std::vector<uint32_t> words = bench::makeKernel(kKernelWords);
  for (auto _ : state) {
    Result<std::string> text = inLanguage(name, words, 64);
    if (!text)
      return fail(state, text.diagnostic());
    benchmark::DoNotOptimize(text->data());
  }
}

/// Runs a program to its end; whether it could be started and exited with 0.
bool runs(std::vector<std::string> arguments) {
  std::vector<char *> pointers;
  for (std::string &argument : arguments)
    pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  pid_t child = 0;
  int status = 0;
  return posix_spawnp(&child, pointers[0], nullptr, nullptr, pointers.data(), environ) == 0 &&
         waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// Processor time of every child that has ended.
double childSeconds() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  auto seconds = [](const timeval &time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void variantByProcesses(benchmark::State &state) {
  std::string folder = "/tmp/build_bench-" + std::to_string(getpid());
  std::string in = folder + "/kernel.spv", out = folder + "/kernel.txt";
  Status made = makeFolder(folder);
  if (made)
    made = writeFileAtomically(in, bytesOfWords(bench::makeKernel(kKernelWords)));
  if (!made)
    return fail(state, made.diagnostic());
  double before = childSeconds();
  for (auto _ : state)
    if (!runs({"spirv-val", "--target-env", "vulkan1.0", in}) ||
        !runs({"spirv-cross", "--version", "450", in, "--output", out}) ||
        !runs({"spirv-cross", "--hlsl", "--shader-model", "60", in, "--output", out}) ||
        !runs({"spirv-cross", "--msl", in, "--output", out})) {
      state.SkipWithError("spirv-val or spirv-cross is not there, or refuses the kernel");
      break;
    }
  countVariants(state);
  state.counters["child_cpu_us"] =
      benchmark::Counter((childSeconds() - before) * 1e6, benchmark::Counter::kAvgIterations);
  unlink(in.c_str());
  unlink(out.c_str());
  rmdir(folder.c_str());
}

/// Bytes of the files that `extract` would write.
uint64_t separateBytes(const Bundle &bundle) {
  uint64_t bytes = 0;
  for (const KernelInfo &kernel : bundle.kernels)
    for (const VariantInfo &variant : kernel.variants)
      for (const auto &[target, code] : variant.code)
        bytes += bundle.bytesOf(code).size();
  return bytes;
}

/// A bundle of `range(0)` variants of a kernel with `range(1)` words. The peak is the process's:
/// run one size alone to read it.
void build(benchmark::State &state) {
  Result<Kernel> kernel = makeKernel(static_cast<size_t>(state.range(1)));
  if (!kernel)
    return fail(state, kernel.diagnostic());
  KernelBuildOptions options;
  options.targets.clear();
  for (const Backend &backend : backends())
    options.targets.emplace_back(backend.name);
  options.emit = everySize();
  options.plan.techniques = {Technique::Resize};
  options.plan.maxVariants = 0;
  options.plan.sizes.policy = SizeRequest::Policy::List;
  std::vector<Dim3> &sizes = options.plan.sizes.list;
  for (uint32_t size = 1; sizes.size() < static_cast<size_t>(state.range(0)); ++size)
    sizes.push_back({size, 1, 1});
  size_t variants = 0, bytes = 0, outputs = 0, separate = 0;
  for (auto _ : state) {
    Bundle bundle;
    Diagnostics diagnostics;
    Result<EntryPoint> entry = findComputeEntryPoint(kernel->module, "");
    Result<KernelInfo> built =
        entry ? buildKernel(kernel->module, *entry, "bench", options, bundle, diagnostics)
              : Result<KernelInfo>(entry.takeFailure());
    if (!built)
      return fail(state, built.diagnostic());
    variants += built->variants.size();
    outputs = 0;
    for (const VariantInfo &variant : built->variants)
      outputs += variant.code.size();
    bundle.kernels.push_back(std::move(*built));
    Result<std::string> file = writeBundle(bundle);
    if (!file)
      return fail(state, file.diagnostic());
    bytes = file->size();
    state.PauseTiming();
    separate = separateBytes(bundle);
    state.ResumeTiming();
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["variants/s"] =
      benchmark::Counter(static_cast<double>(variants), benchmark::Counter::kIsRate);
  state.counters["outputs_per_variant"] =
      static_cast<double>(outputs) / static_cast<double>(state.range(0) + 1);
  state.counters["bytes_per_variant"] =
      static_cast<double>(bytes) / static_cast<double>(state.range(0) + 1);
  state.counters["of_separate_files"] = static_cast<double>(bytes) / static_cast<double>(separate);
  state.counters["file_MB"] = static_cast<double>(bytes) / 1e6;
  state.counters["peak_MB"] = static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}

BENCHMARK(build)
    ->Args({56, 1000})
    ->Args({1000, 1000})
    ->Args({1000, 12000})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(wholeVariant)->Unit(benchmark::kMicrosecond);
BENCHMARK(patch)->Unit(benchmark::kMicrosecond);
BENCHMARK(validate)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(language, glsl, "glsl")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(language, essl, "essl")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(language, hlsl, "hlsl")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(language, msl, "msl")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(language, wgsl, "wgsl")->Unit(benchmark::kMicrosecond);
BENCHMARK(variantByProcesses)->Unit(benchmark::kMicrosecond)->UseRealTime();

} // namespace

BENCHMARK_MAIN();
