//===- Tuning/Search.cpp ---------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/Search.h"

#include "IR/Reader.h"
#include "IR/WorkgroupSize.h"
#include "Support/Hash.h"
#include "Tuning/QuirkRules.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace tailor {

using vulkan::ResourceDesc;

namespace {

const ResourceDesc *findResource(const vulkan::KernelInstance &instance, uint32_t set,
                                 uint32_t binding) {
  for (const ResourceDesc &desc : instance.resources)
    if (desc.set == set && desc.binding == binding && desc.element == 0)
      return &desc;
  return nullptr;
}

/// The 32-bit value at a byte offset; nullopt past the end.
std::optional<uint32_t> wordAt(std::span<const std::byte> bytes, uint64_t offset) {
  if (offset + 4 > bytes.size())
    return std::nullopt;
  uint32_t value = 0;
  std::memcpy(&value, bytes.data() + offset, 4);
  return value;
}

std::optional<uint32_t> bufferWord(const ResourceDesc &desc, uint32_t offset) {
  switch (desc.fill) {
  case vulkan::InitialFill::Zero:
    return uint64_t{offset} + 4 <= desc.bytes ? std::optional<uint32_t>(0) : std::nullopt;
  case vulkan::InitialFill::Bytes:
    return wordAt(desc.initial, offset);
  case vulkan::InitialFill::Poison:
    return std::nullopt;
  }
  return std::nullopt;
}

/// A component of what the shader's size query gives; nullopt for one that the query does not have.
std::optional<uint32_t> imageSize(const ResourceDesc &desc, uint32_t component) {
  switch (desc.dim) {
  case vulkan::ImageDim::D1:
    return component < 1 ? std::optional(desc.extent.x) : std::nullopt;
  case vulkan::ImageDim::D1Array: // the layers are third in the extent, second in the query
    if (component == 1)
      return desc.extent.z;
    return component < 1 ? std::optional(desc.extent.x) : std::nullopt;
  case vulkan::ImageDim::D2:
  case vulkan::ImageDim::Cube: // a face's size, without the faces
    return component < 2 ? std::optional(desc.extent[component]) : std::nullopt;
  case vulkan::ImageDim::D2Array:
  case vulkan::ImageDim::D3:
    return component < 3 ? std::optional(desc.extent[component]) : std::nullopt;
  }
  return std::nullopt;
}

} // namespace

std::optional<uint32_t> leafValue(const UniformExpr &leaf, const ProblemSize &size,
                                  const vulkan::KernelInstance &instance) {
  const auto &params = leaf.params;
  const ResourceDesc *desc = nullptr;
  switch (leaf.op) {
  case UniformExpr::Op::Constant:
    return params[0];
  case UniformExpr::Op::SpecConstant: {
    auto given = size.specConstants.find(params[0]);
    return given == size.specConstants.end() ? params[1]
                                             : static_cast<uint32_t>(given->second.bits);
  }
  case UniformExpr::Op::PushConstant:
    return wordAt(instance.pushConstants, params[0]);
  case UniformExpr::Op::BufferValue:
    desc = findResource(instance, params[0], params[1]);
    if (!desc || !vulkan::isBuffer(desc->kind))
      return std::nullopt;
    return bufferWord(*desc, params[2]);
  case UniformExpr::Op::ImageSize:
    desc = findResource(instance, params[0], params[1]);
    if (!desc || !vulkan::isImage(desc->kind))
      return std::nullopt;
    return imageSize(*desc, params[2]);
  case UniformExpr::Op::ArrayLength:
    desc = findResource(instance, params[0], params[1]);
    if (!desc || !vulkan::isBuffer(desc->kind) || params[3] == 0 || desc->bytes < params[2])
      return std::nullopt;
    return static_cast<uint32_t>((desc->bytes - params[2]) / params[3]);
  default:
    return std::nullopt; // not a leaf
  }
}

Result<std::vector<uint32_t>> wordsOf(const Bundle &bundle, const KernelInfo &kernel,
                                      const VariantInfo &variant) {
  auto code = variant.code.find("spirv");
  if (code == variant.code.end() || !bundle.has(code->second))
    return failure({}, "the bundle has no SPIR-V for variant '" + variant.id + "' of kernel '" +
                           kernel.name + "'; build it with --targets spirv");
  const std::string bytes = bundle.bytesOf(code->second);
  if (bytes.size() % 4 != 0)
    return failure({}, "the SPIR-V of variant '" + variant.id + "' of kernel '" + kernel.name +
                           "' is no whole number of words");
  std::vector<uint32_t> words(bytes.size() / 4);
  for (size_t i = 0; i < words.size(); ++i)
    for (unsigned b = 0; b < 4; ++b)
      words[i] |= uint32_t{static_cast<uint8_t>(bytes[4 * i + b])} << (8 * b);
  return words;
}

std::string variantSetHash(const Bundle &bundle, const KernelInfo &kernel) {
  std::string text = kernel.entryPoint + '\n';
  for (const VariantInfo &variant : kernel.variants) {
    auto code = variant.code.find("spirv");
    text += variant.id + ' ';
    if (code != variant.code.end() && bundle.has(code->second))
      text += sha256Hex(std::string_view(bundle.bytesOf(code->second)));
    text += '\n';
  }
  return sha256Hex(std::string_view(text));
}

namespace {

/// The authored module under the workload's constants must have the size that the bundle was built
/// for.
Status checkAuthoredSize(const DispatchSite &site) {
  Result<std::vector<uint32_t>> words =
      wordsOf(site.bundle, site.kernel, site.kernel.variants.front());
  if (!words)
    return success(); // which says more when the module is to run
  Result<Module> module = readModule(*words, site.kernel.name);
  if (!module)
    return module.takeFailure();
  Result<EntryPoint> entry = findComputeEntryPoint(*module, site.kernel.entryPoint);
  if (!entry)
    return entry.takeFailure();
  const std::map<uint32_t, uint64_t> &built = site.kernel.variants.front().specConstants;
  SpecMap values(built.begin(), built.end());
  for (const auto &[id, value] : site.size.specConstants)
    values[id] = value.bits;
  Result<WorkgroupSize> size = readWorkgroupSize(*module, *entry, values);
  if (!size)
    return size.takeFailure();
  if (size->size == site.kernel.authoredSize)
    return success();
  return failure(site.size.location,
                 "the workload gives kernel '" + site.kernel.name + "' the size " +
                     size->size.str() + ", the bundle was built for " +
                     site.kernel.authoredSize.str() + "; build it again with --spec");
}

/// The constants that the host still has to set in a module: the workload's,
/// then those that the bundle was built under.
std::vector<vulkan::SpecValue> specValues(const Reflection &module, const ProblemSize &size,
                                          const VariantInfo &variant) {
  std::vector<vulkan::SpecValue> values;
  for (const ReflectedSpecConstant &constant : module.specConstants) {
    uint32_t bytes = vulkan::bytesOf(constant.type);
    auto given = size.specConstants.find(constant.id);
    auto host = variant.specConstants.find(constant.id);
    if (given != size.specConstants.end())
      values.push_back({constant.id, given->second.bits, bytes});
    else if (host != variant.specConstants.end())
      values.push_back({constant.id, host->second, bytes});
  }
  return values;
}

/// The value that a variant has frozen where the host left it none to set; nullopt where that is
/// not one value: constants of one id keep their own defaults.
std::optional<uint64_t> builtValue(const DispatchSite &site, uint32_t id) {
  const std::map<uint32_t, uint64_t> &built = site.kernel.variants.front().specConstants;
  if (auto given = built.find(id); given != built.end())
    return given->second;
  for (const ReflectedSpecConstant &constant : site.reflection.specConstants)
    if (constant.id == id && !constant.differs)
      return constant.defaultBits;
  return std::nullopt;
}

/// A workload value that the variant has frozen to something else, or nullopt. (What a
/// respecialized variant has in the place of the size's constants follows from its size; that it
/// may is declared.)
std::optional<std::string> frozenElsewhere(const DispatchSite &site, const Reflection &variant) {
  for (const auto &[id, value] : site.size.specConstants) {
    bool isOpen =
        std::any_of(variant.specConstants.begin(), variant.specConstants.end(),
                    [wanted = id](const ReflectedSpecConstant &c) { return c.id == wanted; });
    if (!isOpen && builtValue(site, id) != value.bits)
      return "specialization constant " + std::to_string(id) +
             " is fixed in the bundle to another value; build it with --spec";
  }
  return std::nullopt;
}

/// The workload's push constants, as long as the module's block: what no value covers (the padding
/// behind a matrix's last row, arrays that are left out) is zero.
void supplyPushConstants(const DispatchSite &site, vulkan::Candidate &candidate) {
  if (site.instance.pushConstants.size() >= candidate.requiredPushConstantBytes)
    return;
  candidate.pushConstants = site.instance.pushConstants;
  candidate.pushConstants->resize(candidate.requiredPushConstantBytes);
}

/// Hands a guarded variant the logical grid, where it expects it.
void supplyGrid(const DispatchSite &site, const VariantInfo &variant, const Dim3 &groups,
                vulkan::Candidate &candidate) {
  if (!variant.guard)
    return;
  const GuardInfo &guard = *variant.guard;
  std::array<uint32_t, 3> grid{}; // below 2^31 an axis, as the rule has it
  for (unsigned axis = 0; axis < 3; ++axis)
    grid[axis] = groups[axis] * site.kernel.authoredSize[axis];
  if (guard.kind == kGuardSpecConstant) {
    for (unsigned axis = 0; axis < 3 && axis < guard.specIds.size(); ++axis)
      candidate.specConstants.push_back({guard.specIds[axis], grid[axis], 4});
    return;
  }
  std::vector<std::byte> block = candidate.pushConstants.value_or(site.instance.pushConstants);
  block.resize(std::max<size_t>(block.size(), size_t{guard.offset} + sizeof grid));
  std::memcpy(block.data() + guard.offset, grid.data(), sizeof grid);
  candidate.pushConstants = std::move(block);
}

std::string firstErrorOf(const Diagnostics &diags) {
  for (const Diagnostic &diagnostic : diags.all())
    if (diagnostic.severity == Severity::Error)
      return diagnostic.text;
  return "";
}

/// A specialization constant that the workload leaves alone has the value that the bundle was built
/// under.
std::optional<uint32_t> boundLeaf(const UniformExpr &leaf, const DispatchSite &site) {
  const std::map<uint32_t, uint64_t> &host = site.kernel.variants[0].specConstants;
  if (leaf.op == UniformExpr::Op::SpecConstant && !site.size.specConstants.contains(leaf.params[0]))
    if (auto built = host.find(leaf.params[0]); built != host.end())
      return static_cast<uint32_t>(built->second);
  return leafValue(leaf, site.size, site.instance);
}

Result<vulkan::Candidate> candidateFor(const DispatchSite &site, const VariantInfo &variant,
                                       const Dim3 &groups) {
  Result<Dim3> own =
      variantGroups(variant.dispatch, site.kernel.authoredSize, groups, site.limits.maxGroups);
  if (!own)
    return own.takeFailure();
  Status covered = checkCover(variant.dispatch, groups, site.kernel.authoredSize,
                              [&](const UniformExpr &leaf) { return boundLeaf(leaf, site); });
  if (!covered)
    return covered.takeFailure();
  Result<std::vector<uint32_t>> words = wordsOf(site.bundle, site.kernel, variant);
  if (!words)
    return words.takeFailure();
  Result<Reflection> module =
      reflect(*words, site.kernel.entryPoint, site.kernel.name + "." + variant.id);
  if (!module)
    return module.takeFailure();
  if (std::optional<std::string> why = frozenElsewhere(site, *module))
    return failure({}, *why);

  vulkan::Candidate candidate;
  candidate.name = site.kernel.name + "." + variant.id;
  candidate.entryPoint = site.kernel.entryPoint;
  candidate.groups = *own;
  candidate.localSize = variant.localSize;
  candidate.sharedBytes = variant.sharedBytes;
  candidate.specConstants = specValues(*module, site.size, variant);
  // Vulkan wants whole words.
  candidate.requiredPushConstantBytes = (module->pushConstantBytes + 3) / 4 * 4;
  supplyPushConstants(site, candidate);
  supplyGrid(site, variant, groups, candidate);
  candidate.words = std::move(*words);
  Diagnostics limits;
  vulkan::checkLimits(candidate, site.instance.pushConstants.size(), site.limits, limits);
  if (limits.hasErrors())
    return failure({}, firstErrorOf(limits));
  return candidate;
}

} // namespace

Result<Selection> selectVariants(const DispatchSite &site) {
  if (Status same = checkAuthoredSize(site); !same)
    return same.takeFailure();
  Selection selection;
  Dim3 groups = site.size.groupsFor(site.kernel.authoredSize);
  for (size_t i = 0; i < site.kernel.variants.size(); ++i) {
    Result<vulkan::Candidate> candidate = candidateFor(site, site.kernel.variants[i], groups);
    if (candidate && i != 0)
      if (auto why = forbiddenBy(site.quirks, site.kernel, *candidate, site.instance))
        candidate = failure({}, *why);
    if (candidate) {
      selection.selected.push_back({i, std::move(*candidate)});
      continue;
    }
    if (i == 0) {
      Failure failed = candidate.takeFailure();
      failed.diagnostic.text = "the authored kernel '" + site.kernel.name +
                               "' cannot run with this workload: " + failed.diagnostic.text;
      if (!failed.diagnostic.location.known())
        failed.diagnostic.location = site.size.location;
      return failed;
    }
    selection.leftOut.push_back({i, candidate.diagnostic().text});
  }
  return selection;
}

Choice chooseWinner(std::span<const CandidateTime> times, size_t authored) {
  const CandidateTime &base = times[authored];
  auto noiseOf = [&](const CandidateTime &time) {
    return std::max({2 * base.spread, 2 * time.spread, base.drift, time.drift, kLeastGain});
  };
  auto mayWin = [](const CandidateTime &time) {
    return time.verified || time.evidence == Evidence::Proven;
  };
  auto beatsAuthored = [&](const CandidateTime &time) {
    return mayWin(time) && time.medianNs * (1 + noiseOf(time)) < base.medianNs;
  };
  Choice choice;
  choice.index = authored;
  const CandidateTime *best = nullptr,
                      *nearest = nullptr; // of those that win; of those that do not
  for (size_t i = 0; i < times.size(); ++i) {
    if (i == authored || !mayWin(times[i]) || times[i].medianNs >= base.medianNs)
      continue;
    const CandidateTime *&leader = beatsAuthored(times[i]) ? best : nearest;
    if (!leader || times[i].medianNs < leader->medianNs)
      leader = &times[i];
  }
  if (!best) {
    choice.tie = nearest != nullptr;
    choice.noise = nearest ? noiseOf(*nearest) : 0;
    return choice;
  }
  for (size_t i = 0; i < times.size(); ++i) {
    if (i == authored || !beatsAuthored(times[i]) ||
        times[i].medianNs > best->medianNs * (1 + kLeastGain))
      continue;
    choice.index = i;
    choice.noise = noiseOf(times[i]);
    break;
  }
  return choice;
}

} // namespace tailor
