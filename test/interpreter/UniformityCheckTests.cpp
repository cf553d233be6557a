//===- interpreter/UniformityCheckTests.cpp - No claim that is not so --------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the uniformity analysis says of the kernels of bench/kernels and of
// generated ones, held against runs of them.
//   TAILOR_UNIFORMITY_COUNT  generated kernels of each kind (1000)
//   TAILOR_UNIFORMITY_FIRST  the first seed (1)
//   TAILOR_UNIFORMITY_PRINT  also prints the kernels
//
//===----------------------------------------------------------------------===//
#include "UniformityCheck.h"
#include "differential/BenchKernels.h"

#include "../differential/KernelGenerator.h"
#include "SharedKernelGenerator.h"
#include "interpreter/TestSupport.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <numeric>

using namespace tailor;
using namespace tailor::interp;
using differential::Compiled;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

struct Totals {
  std::array<uint64_t, kNumClaimedSets> compared{};
  uint64_t arrivals = 0, barriers = 0, distrusted = 0;
  uint64_t undefined = 0; ///< kernels that race or leave their buffers: nothing is claimed of them
};

/// Finds elements that two invocations touch, one of them to write, and not by atomics. Barriers
/// are not looked at.
class RaceFinder : public Observer {
public:
  Interest interest() const override {
    Interest wanted;
    wanted.accesses = true;
    return wanted;
  }
  void onAccess(const Access &access) override {
    if (access.space != MemorySpace::StorageBuffer && access.space != MemorySpace::Resource)
      return;
    const bool isAtomic =
        access.kind == AccessKind::Atomic || access.kind == AccessKind::ImageAtomic;
    const bool writes = access.kind == AccessKind::Store || access.kind == AccessKind::ImageWrite;
    const Toucher who{access.group, access.invocation};
    auto [at, isNew] = touched.try_emplace({access.variable, access.byteAddress}, Touched{who});
    Touched &known = at->second;
    known.isShared |= known.first != who;
    known.isWritten |= writes;
    known.isPlain |= !isAtomic;
    known.isAtomic |= isAtomic;
    found |= known.isShared && (known.isWritten || (known.isPlain && known.isAtomic));
  }
  bool found = false;

private:
  using Toucher = std::pair<Dim3, uint32_t>;
  struct Touched {
    Toucher first;
    bool isShared = false, isWritten = false, isPlain = false, isAtomic = false;
  };
  std::map<std::pair<const Instruction *, uint64_t>, Touched> touched;
};

std::unique_ptr<KernelAnalysis> analyze(const Compiled &compiled, const SpecMap &spec) {
  Result<EntryPoint> entry = findComputeEntryPoint(compiled.module, compiled.entryPoint);
  if (!entry)
    return nullptr;
  Result<KernelAnalysis> kernel = KernelAnalysis::create(compiled.module, *entry, spec);
  return kernel ? std::make_unique<KernelAnalysis>(std::move(*kernel)) : nullptr;
}

/// What is wrong in the analysis' claims, after a run of `groups`.
std::vector<std::string> check(const KernelAnalysis &kernel, const std::vector<Dim3> &groups,
                               Inputs &inputs, Totals &totals) {
  UniformityChecker checker(kernel, groups, inputs.subgroupSize);
  Result<RunResult> ran = run(kernel.form(), kernel.size(), groups, inputs, checker);
  if (!ran)
    return {"the run failed: " + textOf(ran.diagnostic())};
  std::vector<std::string> wrong = checker.finish();
  for (unsigned set = 0; set < kNumClaimedSets; ++set)
    totals.compared[set] += checker.compared()[set];
  totals.arrivals += checker.arrivalsChecked();
  totals.barriers += ran->barriers;
  totals.distrusted += kernel.uniformity().synchronizesByAtomics();
  return wrong;
}

void report(const std::string &what, const Totals &totals) {
  std::cout << what << ": compared";
  for (uint64_t count : totals.compared)
    std::cout << " " << count;
  std::cout << " (subgroup, workgroup, dispatch, pack x, y, z), arrivals " << totals.arrivals
            << ", barriers " << totals.barriers << ", kernels distrusted " << totals.distrusted
            << ", not defined " << totals.undefined << "\n";
}

/// Groups in two places of each axis, the last one of the grid among them.
std::vector<Dim3> someGroups(const Dim3 &count) {
  std::vector<Dim3> list;
  for (uint32_t z : std::set<uint32_t>{0, count.z - 1})
    for (uint32_t y : std::set<uint32_t>{0, count.y - 1})
      for (uint32_t x : std::set<uint32_t>{0, count.x - 1})
        list.push_back({x, y, z});
  return list;
}

class UniformityBench : public testing::TestWithParam<std::string> {};

TEST_P(UniformityBench, ClaimsNothingThatIsNotSo) {
  Result<differential::BenchCase> bench = differential::loadBenchCase(GetParam());
  ASSERT_TRUE(bool(bench)) << bench.diagnostic().text;
  const ProblemSize &size = bench->small();
  std::unique_ptr<KernelAnalysis> kernel = analyze(bench->compiled, bench->spec);
  ASSERT_TRUE(kernel);
  Result<Inputs> inputs = inputsOf(bench->workload, size, kernel->size());
  ASSERT_TRUE(bool(inputs)) << inputs.diagnostic().text;
  Totals totals;
  EXPECT_THAT(check(*kernel, someGroups(size.groupsFor(kernel->size())), *inputs, totals),
              IsEmpty());
  EXPECT_NE(totals.compared[static_cast<unsigned>(ClaimedSet::Dispatch)], 0u);
  EXPECT_NE(totals.arrivals, 0u);
}

INSTANTIATE_TEST_SUITE_P(Kernels, UniformityBench, testing::ValuesIn(benchKernels()), testName);

TEST(UniformityGenerated, ClaimsNothingThatIsNotSo) {
  const uint64_t count = numberFrom("TAILOR_UNIFORMITY_COUNT", 1000);
  const uint64_t first = numberFrom("TAILOR_UNIFORMITY_FIRST", 1);
  Totals totals;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    differential::GeneratedKernel generated = differential::generateKernel(seed, 256);
    if (std::getenv("TAILOR_UNIFORMITY_PRINT"))
      std::cout << "// seed " << seed << "\n" << generated.glsl;
    Result<Compiled> compiled = differential::compile(generated.glsl, InputKind::Glsl);
    if (!compiled) { // rare: a function that takes another's variable
      ++totals.undefined;
      continue;
    }
    if (generated.spec.empty()) {
      EXPECT_TRUE(bool(reshape(*compiled, static_cast<differential::Shape>(seed % 3))));
    }
    std::unique_ptr<KernelAnalysis> kernel = analyze(*compiled, generated.spec);
    ASSERT_TRUE(kernel) << "seed " << seed;
    Result<Inputs> inputs =
        inputsOf(generated.workload, generated.workload.sizes.front(), kernel->size());
    ASSERT_TRUE(bool(inputs)) << "seed " << seed;
    // An id that is spelled wrong makes a kernel that races, or leaves its buffers.
    Inputs before = *inputs;
    RaceFinder races;
    if (!run(kernel->form(), kernel->size(), allGroups(generated.groups), before, races) ||
        races.found) {
      ++totals.undefined;
      continue;
    }
    EXPECT_THAT(check(*kernel, someGroups(generated.groups), *inputs, totals), IsEmpty())
        << "seed " << seed << "\n"
        << generated.glsl;
  }
  report("generated", totals);
  EXPECT_LE(totals.undefined, count / 4);
  for (unsigned set = 1; set < kNumClaimedSets; ++set)
    EXPECT_NE(totals.compared[set], 0u) << set;
}

TEST(UniformityShared, ClaimsNothingThatIsNotSo) {
  const uint64_t count = numberFrom("TAILOR_UNIFORMITY_COUNT", 1000);
  const uint64_t first = numberFrom("TAILOR_UNIFORMITY_FIRST", 1);
  Totals totals;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    SharedKernel generated = generateSharedKernel(seed);
    if (std::getenv("TAILOR_UNIFORMITY_PRINT"))
      std::cout << "// seed " << seed << "\n" << generated.glsl;
    Result<Compiled> compiled = differential::compile(generated.glsl, InputKind::Glsl);
    ASSERT_TRUE(bool(compiled)) << compiled.diagnostic().text << "\n" << generated.glsl;
    EXPECT_TRUE(bool(reshape(*compiled, static_cast<differential::Shape>(seed % 3))));
    std::unique_ptr<KernelAnalysis> kernel = analyze(*compiled, {});
    ASSERT_TRUE(kernel) << "seed " << seed;
    EXPECT_THAT(check(*kernel, allGroups(generated.groups), generated.inputs, totals), IsEmpty())
        << "seed " << seed << "\n"
        << generated.glsl;
  }
  report("with barriers", totals);
  EXPECT_NE(totals.barriers, 0u);
  for (unsigned set = 0; set < kNumClaimedSets; ++set)
    EXPECT_NE(totals.compared[set], 0u) << set;
}

// --- the check itself ---

struct Small {
  Small()
      : compiled(*differential::compile(R"(#version 450
layout(local_size_x = 8) in;
layout(push_constant) uniform P { uint n; } p;
layout(set = 0, binding = 0) buffer A { uint a[]; };
void main() {
  uint sum = 0u;
  for (uint i = 0u; i < gl_LocalInvocationID.x + gl_WorkGroupID.x; ++i)
    sum += i;
  a[gl_GlobalInvocationID.x] = sum;
})",
                                        InputKind::Glsl)),
        kernel(analyze(compiled, {})) {
    inputs.numWorkgroups = {2, 1, 1};
  }
  const Instruction &find(spv::Op op) const {
    for (const Block &block : kernel->form().function().blocks())
      for (const Instruction &inst : block.instructions())
        if (inst.opcode() == op)
          return inst;
    std::abort();
  }
  std::vector<std::string> run(UniformityChecker &checker) {
    Inputs copy = inputs;
    auto ran = interp::run(kernel->form(), kernel->size(), allGroups({2, 1, 1}), copy, checker);
    EXPECT_TRUE(bool(ran));
    return checker.finish();
  }
  Compiled compiled;
  std::unique_ptr<KernelAnalysis> kernel;
  Inputs inputs;
};

TEST(UniformityChecker, SeesAWrongClaimAboutAValue) {
  Small small;
  UniformityChecker honest(*small.kernel, allGroups({2, 1, 1}), 32);
  EXPECT_THAT(small.run(honest), IsEmpty());
  for (auto [set, name] :
       {std::pair(ClaimedSet::Workgroup, "workgroup"), std::pair(ClaimedSet::Subgroup, "subgroup"),
        std::pair(ClaimedSet::Dispatch, "dispatch"), std::pair(ClaimedSet::PackX, "pack x")}) {
    UniformityChecker checker(*small.kernel, allGroups({2, 1, 1}), 32);
    checker.claim(small.find(spv::Op::OpULessThan), 0, set);
    std::vector<std::string> wrong = small.run(checker);
    ASSERT_EQ(wrong.size(), 1u) << name;
    EXPECT_THAT(wrong[0], HasSubstr(std::string("OpULessThan is said to be the same over a ") +
                                    name + ", and is"));
  }
}

TEST(UniformityChecker, SeesAWrongClaimThatHoldsInsideAWorkgroup) {
  Small small;
  // WorkgroupId is the second id that is loaded: the same in a group, not over two.
  const Instruction *group = nullptr;
  for (const Block &block : small.kernel->form().function().blocks())
    for (const Instruction &inst : block.instructions())
      if (isValid(inst.result()) && inst.opcode() == spv::Op::OpLoad &&
          small.kernel->uniformity().of(inst.result()) == UniformityScope::Workgroup)
        group = &inst;
  ASSERT_NE(group, nullptr);
  UniformityChecker checker(*small.kernel, allGroups({2, 1, 1}), 32);
  checker.claim(*group, 0, ClaimedSet::Workgroup);
  checker.claim(*group, 0, ClaimedSet::PackY);
  EXPECT_THAT(small.run(checker), IsEmpty());
  UniformityChecker wider(*small.kernel, allGroups({2, 1, 1}), 32);
  wider.claim(*group, 0, ClaimedSet::PackX);
  EXPECT_EQ(small.run(wider).size(), 1u);
}

TEST(UniformityChecker, SeesAWrongClaimAboutControlFlow) {
  Small small;
  UniformityChecker checker(*small.kernel, allGroups({2, 1, 1}), 32);
  checker.claim(*small.find(spv::Op::OpIAdd).parent(), ClaimedSet::Workgroup);
  const Block *body = nullptr;
  for (const Block &block : small.kernel->form().function().blocks())
    if (small.kernel->flow().cycleDepth(block) != 0 && block.successors().size() == 1)
      body = &block;
  ASSERT_NE(body, nullptr);
  checker.claim(*body, ClaimedSet::Workgroup);
  std::vector<std::string> wrong = small.run(checker);
  ASSERT_FALSE(wrong.empty());
  EXPECT_THAT(wrong[0], HasSubstr("is said to be reached alike by a workgroup, and"));
}

} // namespace
