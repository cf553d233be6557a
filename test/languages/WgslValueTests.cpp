//===- languages/WgslValueTests.cpp - Values that WGSL would look at -------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels with constants that a compiler of WGSL computes ahead of time, in code
// that never runs and in code that does, and with subgroup operations on numbers
// of the other sign, are run by Dawn on SwiftShader.
//
//===----------------------------------------------------------------------===//
#include "wgsl/Dawn.h"

#include "../differential/BenchKernels.h"
#include "../unit/Backends/AssemblyKernel.h"
#include "../unit/Backends/Shaders.h"

#include "Naga/Naga.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cstring>

namespace tailor::languages {
namespace {

using Words = std::vector<uint32_t>;

const Words kInput = {7, 0x80000000, 3, 0xfffffff0, 1, 0x7fffffff, 200, 0x3f800000};

struct Kernel {
  std::string source; ///< SPIR-V text
  Words expected;
  std::string name = "k.spvasm";
};

/// A kernel whose body makes %r of %u, an element of the buffer, %i and %f, the same bits.
std::string kernelOf(const std::string &body, const std::string &globals = {}) {
  std::string kernel = test::assemblyKernel("%u = OpLoad %uint %p\n%i = OpBitcast %int %u\n"
                                            "%f = OpBitcast %float %u\n" +
                                            body + "\nOpStore %p %r\nOpReturn");
  kernel.insert(kernel.find("%main = OpFunction"), globals);
  return kernel;
}

/// The operation, whose result is %x, where the kernel never comes.
Kernel neverRun(const std::string &operation) {
  return {kernelOf("%c = OpUGreaterThan %bool %u3 %u100\nOpSelectionMerge %m None\n"
                   "OpBranchConditional %c %dead %m\n%dead = OpLabel\n" +
                   operation +
                   "\nOpBranch %m\n%m = OpLabel\n"
                   "%r = OpPhi %uint %u %entry %x %dead"),
          kInput};
}

Words inputAs(uint32_t (*made)(uint32_t)) {
  Words result = kInput;
  std::transform(result.begin(), result.end(), result.begin(), made);
  return result;
}

/// Over two subgroups of four invocations, which SwiftShader has.
Kernel overSubgroups(const std::string &operation, uint32_t first, uint32_t second) {
  std::string kernel = kernelOf(operation);
  kernel.insert(kernel.find("%std"),
                "OpCapability GroupNonUniform\nOpCapability GroupNonUniformArithmetic\n");
  Words expected(8, first);
  std::fill(expected.begin() + 4, expected.end(), second);
  return {kernel, expected};
}

std::vector<Kernel> kernels() {
  std::vector<Kernel> made;
  for (const char *operation :
       {"%x = OpShiftLeftLogical %uint %u %u100", "%x = OpShiftRightLogical %uint %u200 %u100",
        "%x = OpUDiv %uint %u %u0", "%x = OpUMod %uint %u %u0", "%x = OpUDiv %uint %u7 %u0",
        "%x = OpBitFieldUExtract %uint %u %u5 %u100", "%x = OpBitFieldUExtract %uint %u %u100 %u5",
        "%x = OpBitFieldInsert %uint %u %u7 %u100 %u1",
        "%x = OpExtInst %uint %std UClamp %u %u7 %u3",
        "%n = OpConvertUToF %float %u0\n%q = OpFDiv %float %n %n\n%x = OpBitcast %uint %q",
        "%l = OpExtInst %float %std Ldexp %f %u200\n%x = OpBitcast %uint %l"})
    made.push_back(neverRun(operation));
  // Products that overflow where they are computed ahead of time.
  const std::string million =
      "%big = OpConstant %uint 1000000\n%least = OpConstant %int -2147483648\n"
      "%one = OpConstant %int 1\n"
      "%max = OpConstant %float 0x1.fffffep+127\n"
      "%min = OpConstant %float -0x1.fffffep+127\n";
  made.push_back({kernelOf("%k = OpIMul %uint %big %big\n%r = OpIAdd %uint %k %u", million),
                  inputAs([](uint32_t u) { return u + 3567587328U; })});
  made.push_back({kernelOf("%k = OpISub %int %least %one\n%s = OpIAdd %int %k %i\n"
                           "%r = OpBitcast %uint %s",
                           million),
                  inputAs([](uint32_t u) { return u + 0x7fffffffU; })});
  made.push_back({kernelOf("%s = OpIAdd %int %least %i\n%r = OpBitcast %uint %s", million),
                  inputAs([](uint32_t u) { return u + 0x80000000U; })});
  // The largest floats, compared with numbers that are below them.
  made.push_back({kernelOf("%g1 = OpConvertUToF %float %u\n%ca = OpFOrdLessThan %bool %g1 %max\n"
                           "%cb = OpFOrdLessThan %bool %min %g1\n%c = OpLogicalAnd %bool %ca %cb\n"
                           "%r = OpSelect %uint %c %u1 %u0",
                           million),
                  Words(8, 1)});
  made.push_back({kernelOf("%l = OpExtInst %float %std FMin %max %f2\n%r = OpBitcast %uint %l",
                           million + "%f2 = OpConstant %float 2\n"),
                  Words(8, 0x40000000)});
  made.push_back(overSubgroups("%r = OpGroupNonUniformSMin %uint %u3 Reduce %u", 0x80000000, 1));
  made.push_back(overSubgroups("%r = OpGroupNonUniformSMax %uint %u3 Reduce %u", 7, 0x7fffffff));
  made.push_back(overSubgroups("%s = OpGroupNonUniformUMin %int %u3 Reduce %i\n"
                               "%r = OpBitcast %uint %s",
                               3, 1));
  made.push_back(overSubgroups("%s = OpGroupNonUniformUMax %int %u3 Reduce %i\n"
                               "%r = OpBitcast %uint %s",
                               0xfffffff0, 0x7fffffff));
  // Read as WGSL, which has to come to a version of SPIR-V with subgroups.
  Kernel wgsl = overSubgroups("", 0xfffffff0, 0x7fffffff);
  wgsl.source = "enable subgroups;\n"
                "@group(0) @binding(0) var<storage, read_write> a: array<u32>;\n"
                "@compute @workgroup_size(8)\n"
                "fn main(@builtin(global_invocation_id) g: vec3<u32>) {\n"
                "  a[g.x] = subgroupMax(a[g.x]);\n}\n";
  wgsl.name = "k.wgsl";
  made.push_back(wgsl);
  // Its result has a type that naga gives a name.
  for (const char *type : {"u32", "i32"}) {
    std::string source =
        "@group(0) @binding(0) var<storage, read_write> a: array<atomic<TYPE>>;\n"
        "@compute @workgroup_size(8)\n"
        "fn main(@builtin(global_invocation_id) g: vec3<u32>) {\n"
        "  let x = atomicCompareExchangeWeak(&a[g.x], 7, 100);\n"
        "  let y = atomicCompareExchangeWeak(&a[g.x], 1, x.old_value + 10);\n"
        "  if (!y.exchanged && !x.exchanged) { atomicAdd(&a[g.x], y.old_value); }\n"
        "}\n";
    source.replace(source.find("TYPE"), 4, type);
    Words expected = inputAs([](uint32_t u) { return u + u; });
    expected[0] = 100;
    expected[4] = 11;
    made.push_back({source, expected, "k.wgsl"});
  }
  return made;
}

TEST(WgslValues, DawnTakesAndComputesThem) {
  std::string what = naga::isAvailable() ? missingForDawn(DawnBackend::Vulkan) : "naga";
  if (!what.empty()) {
    missing(what);
    return;
  }
  const std::vector<Kernel> all = kernels();
  std::vector<DawnJob> jobs;
  for (const Kernel &kernel : all) {
    const Words words = test::compile(kernel.source, kernel.name);
    Result<Emitted> made = emit("wgsl", {words, "main", {8, 1, 1}, kernel.name, {}});
    ASSERT_TRUE(made) << made.diagnostic().text << "\n" << kernel.source;
    DawnJob job;
    job.text = std::move(made->code);
    job.interface = std::move(made->interface);
    vulkan::ResourceDesc buffer;
    buffer.bytes = kInput.size() * sizeof(uint32_t);
    buffer.fill = vulkan::InitialFill::Bytes;
    buffer.initial.resize(buffer.bytes);
    std::memcpy(buffer.initial.data(), kInput.data(), buffer.bytes);
    buffer.output = true;
    job.resources.push_back(buffer);
    job.outputs = {0};
    job.groups = {1, 1, 1};
    jobs.push_back(std::move(job));
  }
  Result<std::vector<DawnOutcome>> outcomes = runInDawn(jobs, DawnBackend::Vulkan);
  ASSERT_TRUE(bool(outcomes)) << outcomes.diagnostic().text;
  for (size_t at = 0; at < jobs.size(); ++at) {
    const DawnOutcome &outcome = (*outcomes)[at];
    ASSERT_EQ(outcome.error, "") << jobs[at].text;
    ASSERT_EQ(outcome.outputs.size(), 1U);
    Words result(kInput.size());
    ASSERT_EQ(outcome.outputs[0].size(), result.size() * sizeof(uint32_t));
    std::memcpy(result.data(), outcome.outputs[0].data(), outcome.outputs[0].size());
    EXPECT_EQ(result, all[at].expected) << jobs[at].text;
  }
}

} // namespace
} // namespace tailor::languages
