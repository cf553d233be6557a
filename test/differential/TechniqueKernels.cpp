//===- differential/TechniqueKernels.cpp -----------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TechniqueKernels.h"

#include "passes/PassRegistry.h"
#include "passes/Pipelines.h"

#include "llvm/Support/raw_ostream.h"

#include "gmock/gmock.h"

#include <cstring>

namespace tailor::differential {

static Status runPasses(Module &module, const std::string &entry, const SpecMap &spec,
                        const std::string &pipeline,
                        const std::function<void(PassManager &)> &instead = {}) {
  static const PassRegistry registry;
  PassManagerOptions options;
  options.verifyEach = true;
  PassManager manager(options);
  if (instead)
    instead(manager);
  else if (Status parsed = parsePipeline(pipeline, "test", registry, manager); !parsed)
    return parsed;
  Diagnostics diagnostics;
  PassContext context{diagnostics, llvm::nulls(), spec, entry};
  Result<Change> ran = manager.run(module, context);
  return ran ? success() : Status(ran.takeFailure());
}

static Result<GuardInfo> addGuard(const TechniqueVariant &wanted, const std::string &entryPoint,
                                  Module &module) {
  Result<EntryPoint> entry = findComputeEntryPoint(module, entryPoint);
  if (!entry)
    return entry.takeFailure();
  Result<GridGuard> guard = guardGrid(module, *entry, *wanted.guard, wanted.axes);
  if (!guard)
    return guard.takeFailure();
  if (guard->source == GridSource::PushConstants)
    return GuardInfo{std::string(kGuardPushConstant), guard->offset, kGridBytes, {}};
  return GuardInfo{
      std::string(kGuardSpecConstant), 0, 0, {guard->specIds.begin(), guard->specIds.end()}};
}

static Status add(const TechniqueVariant &wanted, const Module &base, const std::string &entryPoint,
                  Bundle &bundle, KernelInfo &kernel) {
  Module module = base.clone();
  VariantInfo variant;
  for (const bool last : {false, true}) {
    if (wanted.guard && wanted.guardsLast == last) {
      Result<GuardInfo> guard = addGuard(wanted, entryPoint, module);
      if (!guard)
        return guard.takeFailure();
      variant.guard = std::move(*guard);
    }
    if (last)
      break;
    if (Status made = runPasses(module, entryPoint, {}, wanted.pipeline, wanted.lie); !made)
      return made;
  }
  variant.id = wanted.pipeline + (wanted.guard ? " guarded" : "");
  variant.technique = "test";
  variant.localSize = wanted.size;
  variant.sharedBytes = wanted.sharedBytes;
  variant.dispatch = wanted.dispatch;
  std::vector<uint32_t> words = module.words();
  std::string bytes(words.size() * 4, '\0');
  std::memcpy(bytes.data(), words.data(), bytes.size());
  variant.code["spirv"] = bundle.addBlob(std::move(bytes));
  kernel.variants.push_back(std::move(variant));
  return success();
}

TechniqueReport compareTechniques(const Compiled &compiled,
                                  const std::vector<TechniqueVariant> &variants,
                                  const SpecMap &spec, const Workload &workload,
                                  const ProblemSize &size) {
  TechniqueReport report;
  Bundle bundle;
  SizeRequest none;
  none.policy = SizeRequest::Policy::List;
  Result<KernelInfo> kernel = buildVariants(compiled, none, spec, bundle);
  Module base = compiled.module.clone();
  Status ready =
      runPasses(base, compiled.entryPoint, spec, "canonicalize-workgroup-size,select-entry-point");
  if (!kernel || !ready) {
    report.broken.push_back(!kernel ? kernel.diagnostic().text : ready.diagnostic().text);
    return report;
  }
  kernel->variants.resize(1);
  for (const TechniqueVariant &variant : variants)
    if (Status added = add(variant, base, compiled.entryPoint, bundle, *kernel); !added) {
      if (added.diagnostic().kind == ErrorKind::Internal)
        report.broken.push_back(added.diagnostic().text);
      report.refusals.push_back(variant.pipeline + ": " + added.diagnostic().text);
    }
  compareVariants(bundle, *kernel, workload, size, report);
  return report;
}

TechniqueVariant remapped(const Dim3 &authored, const Dim3 &size) {
  return {"remap-ids<size=" + size.str() + ">", size, {DispatchRule::Exact, authored, size, {}}};
}

static TechniqueVariant guarded(TechniqueVariant variant, const Dim3 &authored, GridSource source) {
  variant.guard = source;
  variant.dispatch = {DispatchRule::Guarded, authored, variant.size, {}};
  for (unsigned axis = 0; axis < 3; ++axis)
    variant.axes[axis] = authored[axis] % variant.size[axis] != 0;
  return variant;
}

TechniqueVariant guardedRemap(const Dim3 &authored, const Dim3 &size, GridSource source) {
  return guarded(remapped(authored, size), authored, source);
}

TechniqueVariant guardedResize(const Dim3 &authored, const Dim3 &size, GridSource source) {
  return guarded({"resize<size=" + size.str() + ">", size}, authored, source);
}

TechniqueVariant reordered(std::string pipeline, const Dim3 &size) {
  return {std::move(pipeline), size};
}

void leaveOutLacking(Report &report) {
  size_t lacking = std::erase_if(report.broken, [](const std::string &line) {
    return line.find("the device does not have") != std::string::npos ||
           line.find("the device allows") != std::string::npos;
  });
  EXPECT_LT(lacking, devices().size()) << "nowhere to run";
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

const std::string kIdHead = R"(#version 460
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
#define G gl_WorkGroupID
#define L gl_LocalInvocationID
#define I gl_LocalInvocationIndex
#define C gl_NumWorkGroups
#define Q gl_GlobalInvocationID
#define PLACE ((Q.z * C.y * gl_WorkGroupSize.y + Q.y) * C.x * gl_WorkGroupSize.x + Q.x)
)";

const std::string kAllIds = kIdHead + R"(
uint hash(uvec3 v) { return (v.x * 31u + v.y) * 37u + v.z; }
uint inFunction(uint axis) { return L[axis] * 5u + G[axis]; }
void main() {
  uint sum = I * 7u;
  for (uint axis = 0u; axis < 3u; ++axis)
    sum = sum * 13u + inFunction(axis) + C[axis];
  uvec3 local = L, group = G;
  ivec3 difference = ivec3(gl_GlobalInvocationID) - ivec3(group * gl_WorkGroupSize + local);
  sum = sum * 17u + hash(group) + hash(local.zxy) + uint(difference.x + difference.y + difference.z);
  if ((L.y & 1u) == 1u)
    sum ^= uint(G.x) * 0x10001u;
  a[PLACE] = sum + b[PLACE];
}
)";

std::string sized(const std::string &text, const Dim3 &size) {
  std::string layout = "layout(local_size_x = " + std::to_string(size.x) +
                       ", local_size_y = " + std::to_string(size.y) +
                       ", local_size_z = " + std::to_string(size.z) + ") in;\n";
  std::string whole = text;
  return whole.insert(whole.find('\n') + 1, layout);
}

ProblemSize idProblem(const Dim3 &groups, const Dim3 &authored, uint32_t pushConstantBytes) {
  ProblemSize size;
  size.name = "default";
  size.groups = groups;
  for (uint32_t binding = 0; binding < 2; ++binding) {
    WorkloadBinding buffer;
    buffer.desc.binding = binding;
    buffer.desc.bytes = 4 * authored.product() * groups.product();
    buffer.desc.output = binding == 0;
    buffer.fill.kind = binding == 0 ? Fill::Kind::Poison : Fill::Kind::Random;
    buffer.fill.seed = 7;
    size.bindings.push_back(buffer);
  }
  if (pushConstantBytes != 0) {
    std::vector<std::byte> bytes(pushConstantBytes);
    for (size_t at = 0; at < bytes.size(); ++at)
      bytes[at] = static_cast<std::byte>(at * 11 + 1);
    size.pushConstants.push_back({0, bytes, {}});
  }
  return size;
}

ProblemSize exchangeProblem(const Dim3 &groups, uint32_t invocations) {
  ProblemSize size = idProblem(groups, {invocations, 1, 1});
  size.bindings.front().fill.kind = Fill::Kind::Zero;
  const uint32_t constants[] = {5, 3, 0};
  std::vector<std::byte> bytes(sizeof constants);
  std::memcpy(bytes.data(), constants, sizeof constants);
  size.pushConstants.push_back({0, bytes, {}});
  return size;
}

static const std::string kMeeting = kIdHead + R"(
shared uint t[SIZE];
void main() {
  t[I] = b[PLACE] + L.x * 3u + L.y * 5u + L.z * 7u + G.x * 11u + G.y * 13u;
  barrier();
  uint sum = t[SIZE - 1u - I] * 3u + C.x;
  for (uint step = SIZE / 2u; step > 0u; step /= 2u) {
    barrier();
    uint other = t[(I + step) % SIZE];
    barrier();
    t[I] += other * step;
  }
  barrier();
  a[PLACE] = sum + t[(I * 5u) % SIZE] + I;
}
)";

std::string meetingKernel(const Dim3 &size) {
  std::string text = sized(kMeeting, size);
  const std::string number = std::to_string(size.product()) + "u";
  for (size_t at = 0; (at = text.find("SIZE", at)) != std::string::npos;) {
    const bool alone = at == 0 || (text[at - 1] != 'p' && text[at - 1] != '_');
    if (alone)
      text.replace(at, 4, number);
    else
      at += 4;
  }
  return text;
}

void TechniqueTest::SetUp() {
  if (noDevices())
    GTEST_SKIP() << "no Vulkan device";
}

TechniqueReport TechniqueTest::run(const std::string &text, const ProblemSize &size,
                                   const std::vector<TechniqueVariant> &variants) {
  Result<Compiled> compiled = compile(text, InputKind::Glsl);
  if (!compiled) {
    ADD_FAILURE() << compiled.diagnostic().text << "\n" << text;
    return {};
  }
  Workload workload;
  workload.file = "test";
  workload.sizes.push_back(size);
  TechniqueReport report = compareTechniques(*compiled, variants, {}, workload, size);
  EXPECT_TRUE(report.broken.empty()) << report.text();
  return report;
}

void TechniqueTest::same(const std::string &text, const ProblemSize &size,
                         const std::vector<TechniqueVariant> &variants) {
  TechniqueReport report = run(text, size, variants);
  EXPECT_EQ(report.text(), "");
  EXPECT_THAT(report.refusals, testing::IsEmpty());
  EXPECT_EQ(report.ranExact + report.ranCover, variants.size() * devices().size());
}

} // namespace tailor::differential
