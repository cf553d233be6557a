//===- languages/WgslBarrierTests.cpp - Barriers that Dawn takes -----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels made at random, with barriers behind branches, loops, switches, breaks
// and returns on values of every kind: what our rules of uniformity let through,
// Dawn must take. They are compiled by Dawn, and not run.
//
//   TAILOR_BARRIER_KERNELS=N  how many
//
//===----------------------------------------------------------------------===//
#include "wgsl/Dawn.h"

#include "../differential/BenchKernels.h"
#include "../unit/Backends/Shaders.h"

#include "Naga/Naga.h"

#include "gtest/gtest.h"

#include <random>

namespace tailor::languages {
namespace {

class KernelWriter {
public:
  explicit KernelWriter(uint32_t seed) : random(seed) {}

  std::string write() {
    text = "#version 450\nlayout(local_size_x = 32) in;\n"
           "layout(set = 0, binding = 0) buffer B { int b[]; };\n"
           "layout(set = 0, binding = 1) readonly buffer C { int c[]; };\n"
           "layout(push_constant) uniform P { int n; } p;\n"
           "shared int s[32]; shared int flag;\n"
           "int twice(int x) { if (x == 3) return x; return 2 * x; }\n"
           "void main() {\n  int v0 = 0, v1 = 1, v2 = 2, v3 = c[0];\n";
    block(3, false, false);
    block(2, false, false);
    return text + "  b[gl_GlobalInvocationID.x] = v0 + v1 + v2 + v3;\n}\n";
  }

private:
  uint32_t below(uint32_t bound) { return random() % bound; }
  std::string number() { return std::to_string(below(4)); }
  std::string variable() { return "v" + number(); }

  std::string value() {
    switch (below(11)) {
    case 0:
      return "p.n";
    case 1:
      return "int(gl_WorkGroupID.x)";
    case 2:
      return "int(gl_LocalInvocationIndex)";
    case 3:
      return "s[" + number() + "]";
    case 4:
      return "b[" + number() + "]";
    case 5:
      return variable() + " + 1";
    case 6:
      return "c[" + number() + "]";
    case 7:
      return "c[gl_LocalInvocationIndex]";
    case 8:
      return "flag";
    case 9:
      return "twice(" + variable() + ")";
    default:
      return "7";
    }
  }
  std::string condition() { return value() + (below(2) != 0 ? " > " : " == ") + number(); }

  void block(unsigned depth, bool inLoop, bool inSwitch) {
    for (uint32_t count = 1 + below(4); count > 0; --count)
      statement(depth, inLoop, inSwitch);
  }

  void statement(unsigned depth, bool inLoop, bool inSwitch) {
    const uint32_t kind = below(100);
    if (kind < 20)
      text += "barrier();\n";
    else if (kind < 38)
      text += variable() + " = " + value() + ";\n";
    else if (kind < 44)
      text += "s[gl_LocalInvocationIndex] = " + variable() + ";\n";
    else if (kind < 50)
      text += "if (gl_LocalInvocationIndex == 0) flag = " + value() + ";\n";
    else if (kind < 80 && depth > 0)
      nested(kind, depth, inLoop, inSwitch);
    else if (kind < 87 && (inLoop || inSwitch))
      text +=
          "if (" + condition() + ") " + (inLoop && below(2) != 0 ? "continue" : "break") + ";\n";
    else if (kind < 89)
      text += "if (" + condition() + ") return;\n";
    else
      text += "b[gl_GlobalInvocationID.x] = " + variable() + ";\n";
  }

  void nested(uint32_t kind, unsigned depth, bool inLoop, bool inSwitch) {
    if (kind < 65) {
      text += "if (" + condition() + ") {\n";
      block(depth - 1, inLoop, inSwitch);
      if (below(3) == 0) {
        text += "} else {\n";
        block(depth - 1, inLoop, inSwitch);
      }
    } else if (kind < 75) {
      const std::string counter = "i" + std::to_string(counters++);
      text +=
          "for (int " + counter + " = 0; " + counter + " < " + value() + "; ++" + counter + ") {\n";
      block(depth - 1, true, false);
    } else {
      text += "switch (" + value() + ") {\ncase 1:\n";
      block(depth - 1, inLoop, true);
      text += "break;\ndefault:\n";
      block(depth - 1, inLoop, true);
    }
    text += "}\n";
  }

  std::mt19937 random;
  std::string text;
  unsigned counters = 0;
};

TEST(WgslBarriers, DawnTakesWhatIsLetThrough) {
  std::string what = naga::isAvailable() ? missingForDawn(DawnBackend::Vulkan) : "naga";
  if (!what.empty()) {
    missing(what);
    return;
  }
  std::vector<DawnJob> jobs;
  size_t refused = 0, withBarriers = 0;
  const uint64_t count = numberFrom("TAILOR_BARRIER_KERNELS", 120);
  for (uint32_t seed = 0; seed < count; ++seed) {
    const std::string source = KernelWriter(seed).write();
    Result<Emitted> made = emit("wgsl", {test::module(source), "main", {32, 1, 1}, "k.comp", {}});
    if (!made) {
      EXPECT_NE(made.diagnostic().text.find("come to this barrier"), std::string::npos)
          << made.diagnostic().text << "\n"
          << source;
      ++refused;
      continue;
    }
    withBarriers += made->code.find("workgroupBarrier();") != std::string::npos ? 1 : 0;
    DawnJob job;
    job.text = std::move(made->code);
    job.interface = std::move(made->interface);
    for (uint32_t binding : {0u, 1u}) {
      vulkan::ResourceDesc buffer;
      buffer.binding = binding;
      buffer.bytes = 256;
      job.resources.push_back(buffer);
    }
    job.pushConstants.resize(4);
    job.groups = {0, 0, 0};
    jobs.push_back(std::move(job));
  }
  // Both ways must be tried.
  EXPECT_GT(withBarriers, count / 10);
  EXPECT_GT(refused, count / 10);
  Result<std::vector<DawnOutcome>> outcomes = runInDawn(jobs, DawnBackend::Vulkan);
  ASSERT_TRUE(bool(outcomes)) << outcomes.diagnostic().text;
  for (size_t at = 0; at < jobs.size(); ++at)
    EXPECT_EQ((*outcomes)[at].error, "") << jobs[at].text;
}

} // namespace
} // namespace tailor::languages
