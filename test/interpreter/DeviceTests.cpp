//===- interpreter/DeviceTests.cpp - Against what a device computes --------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interpreter's outputs beside those of a Vulkan device, for the kernels of
// bench/kernels and for generated ones: integers bit for bit, floats within a
// tolerance, normalized texels within a step. Both the module as it is (with its calls) and
// its canonical form are run.
//   TAILOR_INTERPRETER_COUNT  generated kernels (300)
//   TAILOR_INTERPRETER_FIRST  the first seed (1)
//
//===----------------------------------------------------------------------===//
#include "differential/BenchKernels.h"
#include "interpreter/TestSupport.h"

#include "../differential/KernelGenerator.h"
#include "IR/WorkgroupSize.h"
#include "Tuning/Reflect.h"

#include "gtest/gtest.h"

#include "llvm/ADT/DenseMap.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>

using namespace tailor;
using namespace tailor::differential;
using interp::textOf;

namespace {

SpecMap specOf(const ProblemSize &size) {
  SpecMap spec;
  for (const auto &[id, value] : size.specConstants)
    spec[id] = value.bits;
  return spec;
}

/// How close a resource's elements must be.
vulkan::CompareRule ruleFor(const WorkloadBinding &binding) {
  const vulkan::ImageFormat *format =
      vulkan::isImage(binding.desc.kind) ? vulkan::findImageFormat(binding.desc.format) : nullptr;
  vulkan::ElementType type = binding.element;
  if (format) {
    std::optional<ElementFormat> element = elementFormatOf(*format);
    type = element ? element->type : vulkan::ElementType::U32;
    if (element && element->normalized)
      return vulkan::CompareRule::within(type, 1);
  }
  return vulkan::isFloat(type) ? vulkan::CompareRule::within(type, 1e-5, 2e-4)
                               : vulkan::CompareRule::exact(type);
}

/// The number of differing outputs' texts; each is reported.
void expectSame(const interp::Inputs &inputs, const vulkan::RunResult &expected,
                const ProblemSize &size, const vulkan::KernelInstance &instance, double mayDiffer,
                const std::string &what) {
  for (const vulkan::OutputData &output : expected.outputs) {
    const vulkan::ResourceDesc &desc = instance.resources[output.resource];
    const WorkloadBinding *binding = size.find(desc.set, desc.binding);
    ASSERT_NE(binding, nullptr);
    auto at = inputs.resources.find({desc.set, desc.binding, desc.element});
    ASSERT_NE(at, inputs.resources.end());
    Result<vulkan::Comparison> compared =
        vulkan::compare(output.bytes, at->second.data, ruleFor(*binding));
    ASSERT_TRUE(bool(compared)) << compared.diagnostic().text;
    EXPECT_LE(static_cast<double>(compared->mismatches),
              mayDiffer * static_cast<double>(compared->elements))
        << what << ": " << desc.str() << ": " << compared->str();
  }
}

/// Finds words that two invocations touch, one of them to write, not both atomically: their order
/// is the device's. Workgroup memory is looked at from barrier to barrier, other memory over the
/// whole dispatch.
class RaceFinder : public interp::Observer {
public:
  explicit RaceFinder(uint64_t invocations) : invocations(invocations) {}
  interp::Interest interest() const override {
    interp::Interest wanted;
    wanted.accesses = true;
    wanted.barriers = true;
    return wanted;
  }
  void onBarrier(const interp::Where &, uint32_t) override { shared.clear(); }
  void onAccess(const interp::Access &access) override {
    using enum interp::AccessKind;
    const uint64_t group =
        (uint64_t{access.group.z} << 40) | (uint64_t{access.group.y} << 20) | access.group.x;
    if (access.space == MemorySpace::Workgroup && group != sharedOf) {
      shared.clear();
      sharedOf = group;
    }
    if (access.space != MemorySpace::StorageBuffer && access.space != MemorySpace::Resource &&
        access.space != MemorySpace::Workgroup)
      return;
    auto &words = access.space == MemorySpace::Workgroup ? shared : global;
    const bool writes = access.kind == Store || access.kind == ImageWrite;
    const bool reads =
        access.kind == Load || access.kind == ImageRead || access.kind == ImageSample;
    const uint64_t who = group * invocations + access.invocation + 1;
    const bool image = access.space == MemorySpace::Resource;
    const uint64_t first = image ? access.byteAddress : access.byteAddress / 4;
    const uint64_t last = image ? first : (access.byteAddress + access.bytes - 1) / 4;
    for (uint64_t word = first; word <= last; ++word) {
      Touched &touched = words[{access.variable, word}];
      note(reads ? touched.reader : writes ? touched.writer : touched.atomic, who);
      const uint64_t w = touched.writer, r = touched.reader, a = touched.atomic;
      found |= w == kSeveral || (w != 0 && ((r != 0 && r != w) || (a != 0 && a != w))) ||
               (r != 0 && a != 0 && (r != a || r == kSeveral));
    }
  }
  bool found = false;

private:
  static constexpr uint64_t kSeveral = UINT64_MAX;
  struct Touched {
    uint64_t reader = 0, writer = 0, atomic = 0; ///< 0: nobody
  };
  static void note(uint64_t &before, uint64_t who) {
    before = before == 0 || before == who ? who : kSeveral;
  }
  using Words = llvm::DenseMap<std::pair<const Instruction *, uint64_t>, Touched>;
  uint64_t invocations;
  Words global;
  Words shared;          ///< since the last barrier, of the group `sharedOf`
  uint64_t sharedOf = 0; ///< x, y and z, 20 bits each
};

/// Whether a search like that of bench/kernels/find_first races, without one of its barriers.
bool searchRaces(const std::string &left) {
  std::string text = "layout(local_size_x = 32) in;\n"
                     "layout(std430, set = 0, binding = 0) buffer A { uint a[64]; };\n"
                     "shared uint first;\nvoid main() {\n  uint lane = gl_LocalInvocationIndex;\n"
                     "  if (lane == 0)\n    first = 99;\n  barrier(); // 1\n"
                     "  for (uint base = 0; base < 64; base += 32) {\n"
                     "    if (a[base + lane] == 7)\n      atomicMin(first, base + lane);\n"
                     "    barrier(); // 2\n    uint found = first;\n    barrier(); // 3\n"
                     "    if (found != 99)\n      break;\n  }\n}\n";
  if (!left.empty())
    text.replace(text.find("barrier(); // " + left), 11, "");
  interp::Kernel kernel = interp::Kernel::glsl(text);
  std::vector<uint32_t> a(64);
  a[left == "1" ? 20 : 32 + 20] = 7; // in the first step or in the second
  kernel.setWords(0, a);
  RaceFinder races(32);
  const std::vector<Dim3> groups = {{0, 0, 0}};
  Result<EntryPoint> entry =
      findComputeEntryPoint(kernel.compiled.module, kernel.compiled.entryPoint);
  EXPECT_TRUE(bool(entry));
  Result<interp::RunResult> ran =
      interp::run(kernel.compiled.module, *entry, {32, 1, 1}, groups, kernel.inputs, races);
  EXPECT_TRUE(ran || !left.empty()) << textOf(ran.diagnostic()); // one that races may part lanes
  return races.found;
}

TEST(DeviceBenchRaces, AreFoundWhereABarrierIsMissing) {
  EXPECT_FALSE(searchRaces(""));
  for (const char *left : {"1", "2", "3"})
    EXPECT_TRUE(searchRaces(left)) << left;
}

struct Counts {
  uint64_t steps = 0, racy = 0, undefined = 0, outside = 0;
};

/// Interprets the module (and its canonical form) over all groups and compares. A kernel whose
/// ids are wrong may leave its resources or race: its results are anything, so it is only counted.
void check(const Compiled &compiled, const Workload &workload, const ProblemSize &size,
           double mayDiffer, Counts &counts) {
  Result<EntryPoint> entry = findComputeEntryPoint(compiled.module, compiled.entryPoint);
  ASSERT_TRUE(bool(entry));
  Result<WorkgroupSize> authored = readWorkgroupSize(compiled.module, *entry, specOf(size));
  ASSERT_TRUE(bool(authored)) << authored.diagnostic().text;
  Result<vulkan::KernelInstance> instance = instantiate(workload, size);
  ASSERT_TRUE(bool(instance)) << instance.diagnostic().text;
  const Dim3 groups = size.groupsFor(authored->size);
  std::vector<vulkan::SpecValue> spec;
  for (const auto &[id, value] : size.specConstants)
    spec.push_back({id, value.bits, value.bytes});
  Result<interp::Inputs> inputs = interp::inputsOf(workload, size, authored->size);
  ASSERT_TRUE(bool(inputs));
  interp::Inputs again = *inputs;
  RaceFinder races(authored->size.product());
  interp::Observer nobody;
  Result<interp::RunResult> ran = interp::run(compiled.module, *entry, authored->size,
                                              interp::allGroups(groups), *inputs, races);
  if (!ran && ran.diagnostic().text.find(", which has ") != std::string::npos)
    return void(++counts.outside);
  ASSERT_TRUE(bool(ran)) << textOf(ran.diagnostic());
  counts.steps += ran->steps;
  counts.undefined += ran->undefined;
  counts.racy += races.found;
  if (races.found || ran->undefined != 0)
    return;
  Result<vulkan::RunResult> expected =
      interp::runOnDevice(compiled, *instance, authored->size, groups, spec);
  ASSERT_TRUE(bool(expected)) << expected.diagnostic().text;
  ASSERT_TRUE(expected->violations.empty());
  expectSame(*inputs, *expected, size, *instance, mayDiffer, "the module");

  Result<CanonicalForm> form = CanonicalForm::create(compiled.module, *entry);
  ASSERT_TRUE(bool(form)) << form.diagnostic().text;
  ran = interp::run(*form, authored->size, interp::allGroups(groups), again, nobody);
  ASSERT_TRUE(bool(ran)) << textOf(ran.diagnostic());
  expectSame(again, *expected, size, *instance, mayDiffer, "the canonical form");
  counts.steps += ran->steps;
}

class DeviceBench : public testing::TestWithParam<std::string> {};

TEST_P(DeviceBench, GivesTheSame) {
  if (noDevices())
    GTEST_SKIP() << "no Vulkan device";
  Result<BenchCase> bench = loadBenchCase(GetParam());
  ASSERT_TRUE(bool(bench)) << bench.diagnostic().text;
  // Where a pixel depends on a comparison of floats, a last bit decides.
  const bool chaotic = bench->stem == "mandelbrot" || bench->stem == "raytracer";
  Counts counts;
  check(bench->compiled, bench->workload, bench->small(), chaotic ? 0.01 : 0, counts);
  EXPECT_EQ(counts.racy + counts.undefined + counts.outside, 0u);
  std::cout << bench->stem << ": " << counts.steps << " steps\n";
}
INSTANTIATE_TEST_SUITE_P(All, DeviceBench, testing::ValuesIn(benchKernels()), testName);

TEST(DeviceGenerated, GivesTheSame) {
  if (noDevices())
    GTEST_SKIP() << "no Vulkan device";
  const uint64_t count = numberFrom("TAILOR_INTERPRETER_COUNT", 300);
  const uint64_t first = numberFrom("TAILOR_INTERPRETER_FIRST", 1);
  uint32_t maxInvocations = 0;
  commonMaxSize(maxInvocations);
  Counts counts;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    GeneratedKernel kernel = generateKernel(seed, maxInvocations);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + kernel.glsl);
    Result<Compiled> compiled = compile(kernel.glsl, InputKind::Glsl);
    EXPECT_TRUE(bool(compiled)) << compiled.diagnostic().text;
    if (!compiled)
      continue;
    if (kernel.spec.empty()) {
      Status reshaped = reshape(*compiled, static_cast<Shape>(seed % 3));
      EXPECT_TRUE(bool(reshaped));
    }
    check(*compiled, kernel.workload, kernel.workload.sizes.front(), 0, counts);
    if (HasFatalFailure())
      return;
  }
  std::cout << count << " kernels, " << counts.steps << " steps, " << counts.racy
            << " with a race, " << counts.undefined << " undefined results, " << counts.outside
            << " leave a resource\n";
  EXPECT_LE(counts.racy + counts.outside, count / 3);
}

} // namespace
