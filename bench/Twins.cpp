//===- bench/Twins.cpp -----------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Twins.h"

#include "Bundle/KernelBuilder.h"
#include "Frontend/Frontend.h"
#include "IR/Reader.h"
#include "Tuning/Reflect.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

namespace tailor::bench {

namespace fs = std::filesystem;

std::vector<TwinFile> twinFiles(const std::string &bench) {
  std::vector<TwinFile> files;
  std::error_code error;
  for (const auto &entry : fs::directory_iterator(bench + "/twins", error)) {
    const std::string stem = entry.path().stem().string();
    const size_t dot = stem.find('.');
    if (entry.path().extension() == ".comp" && dot != std::string::npos)
      files.push_back({stem.substr(0, dot), stem.substr(dot + 1), entry.path().string()});
  }
  std::sort(files.begin(), files.end(),
            [](const TwinFile &a, const TwinFile &b) { return a.path < b.path; });
  return files;
}

ProblemSize Twin::admitted(const ProblemSize &size) const {
  const Dispatch &dispatch = kernel.variants[1].dispatch;
  ProblemSize result = size;
  if (dispatch.rule != DispatchRule::Exact)
    return result;
  Dim3 groups = size.groupsFor(kernel.authoredSize);
  for (unsigned axis = 0; axis < 3; ++axis)
    while (groups[axis] > 1 && uint64_t{groups[axis]} * dispatch.mul[axis] % dispatch.div[axis])
      --groups[axis];
  if (groups != size.groupsFor(kernel.authoredSize)) {
    result.grid.reset();
    result.groups = groups;
  }
  return result;
}

static std::string kernelPath(const TwinFile &file) {
  const fs::path bench = fs::path(file.path).parent_path().parent_path();
  const std::string path = (bench / "kernels" / file.kernel).string();
  return fs::exists(path + ".comp") ? path + ".comp" : path + ".hlsl";
}

/// `pack-512x1x1+coarsen-128x1x1`: what to ask `build` for, so that it makes this one.
static Result<PlanRequest> requestFor(const std::string &id) {
  PlanRequest request;
  request.techniques.clear();
  request.named = true;
  request.maxVariants = 0;
  request.sizes.policy = SizeRequest::Policy::List;
  for (size_t at = 0; at < id.size();) {
    const size_t end = std::min(id.find('+', at), id.size());
    const std::string step = id.substr(at, end - at);
    const size_t dash = std::min(step.find('-'), step.size());
    const std::string rest = step.substr(std::min(dash + 1, step.size()));
    std::optional<Technique> technique = parseTechnique(step.substr(0, dash));
    std::optional<Dim3> size = parseDim3(rest.substr(0, rest.find('-')));
    if (!technique || !size)
      return failure({}, "'" + id + "' is no id of a variant");
    request.techniques.push_back(*technique);
    request.sizes.list = {*size};
    at = end + 1;
  }
  return request;
}

static Result<Module> compile(const std::string &path, Diagnostics &diagnostics) {
  Result<FrontendResult> shader = loadShader(path, {}, diagnostics);
  if (!shader)
    return shader.takeFailure();
  return readModule(shader->words, shader->fileName);
}

/// Leaves the authored variant and the one of that id, and adds the compiled twin.
static Status keepPair(Twin &twin, const TwinFile &file, Diagnostics &diagnostics) {
  std::vector<VariantInfo> &variants = twin.kernel.variants;
  auto found = std::find_if(variants.begin(), variants.end(),
                            [&](const VariantInfo &variant) { return variant.id == file.variant; });
  if (found == variants.end())
    return failure({}, "kernel '" + file.kernel + "' has no variant '" + file.variant + "'");
  variants = {variants.front(), *found, *found};
  Result<Module> byHand = compile(file.path, diagnostics);
  if (!byHand)
    return byHand.takeFailure();
  const std::vector<uint32_t> words = byHand->words();
  Result<Reflection> reflection = reflect(words, "main", file.path);
  if (!reflection)
    return reflection.takeFailure();
  if (reflection->localSize != variants[1].localSize)
    return failure(Location::inFile(file.path), "the twin has the size " +
                                                    reflection->localSize.str() + ", not " +
                                                    variants[1].localSize.str());
  VariantInfo &last = variants.back();
  last.id = kTwinId;
  last.sharedBytes = 0; // not known, and the driver's business
  std::string bytes(words.size() * sizeof(uint32_t), '\0');
  std::memcpy(bytes.data(), words.data(), bytes.size());
  last.code = {{"spirv", twin.bundle.addBlob(std::move(bytes))}};
  return success();
}

Result<Twin> loadTwin(const TwinFile &file) {
  Diagnostics diagnostics;
  Twin twin;
  const std::string path = kernelPath(file);
  const std::string workloadPath = fs::path(path).replace_extension(".workload.json").string();
  std::optional<Workload> workload = readWorkload(workloadPath, diagnostics);
  if (!workload)
    return failure(Location::inFile(workloadPath), "the workload of the kernel cannot be read");
  twin.workload = *std::move(workload);
  Result<Module> module = compile(path, diagnostics);
  if (!module)
    return module.takeFailure();
  Result<EntryPoint> entry = findComputeEntryPoint(*module, "");
  if (!entry)
    return entry.takeFailure();
  Result<PlanRequest> request = requestFor(file.variant);
  if (!request)
    return request.takeFailure();
  KernelBuildOptions options;
  options.plan = *std::move(request);
  for (const auto &[id, value] : twin.workload.sizes.front().specConstants)
    options.spec[id] = value.bits;
  Result<KernelInfo> kernel =
      buildKernel(*module, *entry, file.kernel, options, twin.bundle, diagnostics);
  if (!kernel)
    return kernel.takeFailure();
  twin.kernel = *std::move(kernel);
  if (Status kept = keepPair(twin, file, diagnostics); !kept)
    return kept.takeFailure();
  return twin;
}

} // namespace tailor::bench
