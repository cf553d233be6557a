//===- Vulkan/Runner.cpp - Runs and checks candidates -------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Vulkan/Runner.h"

#include "Vulkan/Candidates.h"
#include "Vulkan/RunnerImpl.h"

#include <algorithm>
#include <chrono>

namespace tailor::vulkan {

namespace {

/// Seconds a single checked dispatch may take, compilation included.
constexpr double kRunTimeout = 60;

Failure named(Failure failed, const std::string &name) {
  failed.diagnostic.text = "candidate '" + name + "': " + failed.diagnostic.text;
  return failed;
}

/// Specialization values laid out for the driver.
struct Specialization {
  std::vector<VkSpecializationMapEntry> entries;
  std::vector<std::byte> data;
  VkSpecializationInfo info{};

  explicit Specialization(const std::vector<SpecValue> &values) {
    for (const SpecValue &value : values) {
      entries.push_back({value.specId, static_cast<uint32_t>(data.size()), value.bytes});
      for (uint32_t i = 0; i != 8; ++i) // every value starts at a multiple of 8
        data.push_back(static_cast<std::byte>(value.bits >> (8 * i) & 0xff));
    }
    info.mapEntryCount = static_cast<uint32_t>(entries.size());
    info.pMapEntries = entries.data();
    info.dataSize = data.size();
    info.pData = data.data();
  }
  Specialization(const Specialization &) = delete;
  Specialization &operator=(const Specialization &) = delete;
};

Result<OwnedPipelineLayout> makeLayout(Device::Impl &gpu, const Bindings &bindings,
                                       size_t pushConstantBytes) {
  VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0,
                            static_cast<uint32_t>(pushConstantBytes)};
  VkPipelineLayoutCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  info.setLayoutCount = static_cast<uint32_t>(bindings.setLayouts().size());
  info.pSetLayouts = bindings.setLayouts().data();
  info.pushConstantRangeCount = pushConstantBytes != 0 ? 1 : 0;
  info.pPushConstantRanges = &range;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkResult result = vkCreatePipelineLayout(gpu.device, &info, nullptr, &layout);
  if (result != VK_SUCCESS)
    return gpu.failed("making the pipeline layout", result);
  return OwnedPipelineLayout(gpu, layout);
}

Result<OwnedPipeline> compile(Device::Impl &gpu, const Candidate &candidate,
                              VkPipelineLayout layout) {
  VkShaderModuleCreateInfo moduleInfo{};
  moduleInfo.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  moduleInfo.codeSize = candidate.words.size() * sizeof(uint32_t);
  moduleInfo.pCode = candidate.words.data();
  VkShaderModule raw = VK_NULL_HANDLE;
  VkResult result = vkCreateShaderModule(gpu.device, &moduleInfo, nullptr, &raw);
  if (result != VK_SUCCESS)
    return gpu.failed("handing the module to the driver", result);
  OwnedShader module(gpu, raw);

  Specialization specialization(candidate.specConstants);
  VkPipelineShaderStageRequiredSubgroupSizeCreateInfo subgroup{};
  subgroup.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO;
  subgroup.requiredSubgroupSize = candidate.requiredSubgroupSize;
  VkComputePipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  if (candidate.requiredSubgroupSize != 0 && gpu.info.features.subgroupSizeControl)
    info.stage.pNext = &subgroup;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = raw;
  info.stage.pName = candidate.entryPoint.c_str();
  info.stage.pSpecializationInfo = candidate.specConstants.empty() ? nullptr : &specialization.info;
  info.layout = layout;
  // By the specification this flag must not change what is compiled.
  if (gpu.info.features.pipelineExecutableInfo)
    info.flags |= VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;
  VkPipeline pipeline = VK_NULL_HANDLE;
  // No cache: a candidate must not profit from one that was compiled before it.
  result = vkCreateComputePipelines(gpu.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
  OwnedPipeline owned(gpu, pipeline);
  if (result != VK_SUCCESS)
    return gpu.failed("compiling the pipeline", result);
  return owned;
}

} // namespace

void Prepared::bind(VkCommandBuffer commands, const Bindings &bindings, Ranges ranges) const {
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.get());
  bindings.bind(commands, layout.get(), ranges);
  if (!pushConstants.empty())
    vkCmdPushConstants(commands, layout.get(), VK_SHADER_STAGE_COMPUTE_BIT, 0,
                       static_cast<uint32_t>(pushConstants.size()), pushConstants.data());
}

void dispatchBarrier(VkCommandBuffer commands) {
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                       VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &barrier, 0, nullptr, 0,
                       nullptr);
}

Runner::Runner(std::unique_ptr<Impl> impl) : state(std::move(impl)) {}
Runner::~Runner() = default;
const Device &Runner::device() const { return *state->device; }
const KernelInstance &Runner::instance() const { return state->instance; }

Result<std::unique_ptr<Runner>> Runner::create(std::shared_ptr<Device> device,
                                               KernelInstance instance, Location where) {
  Diagnostics diags;
  checkInstance(instance, diags);
  if (diags.hasErrors()) {
    Diagnostic first = diags.all().front();
    first.location = where;
    for (size_t i = 1; i != diags.all().size(); ++i)
      first.addNote(where, diags.all()[i].text);
    return failure(std::move(first));
  }
  auto impl = std::make_unique<Impl>();
  impl->device = std::move(device);
  impl->instance = std::move(instance);
  auto pool = makeCommandPool(impl->gpu());
  if (!pool)
    return pool.takeFailure();
  impl->pool = *std::move(pool);
  auto submitter = Submitter::create(impl->gpu(), impl->pool.get());
  if (!submitter)
    return submitter.takeFailure();
  impl->submitter = *std::move(submitter);
  auto bindings = Bindings::create(impl->gpu(), impl->instance, impl->pool.get());
  if (!bindings) {
    Failure failed = bindings.takeFailure();
    failed.diagnostic.location = std::move(where);
    return failed;
  }
  impl->bindings = std::make_unique<Bindings>(*std::move(bindings));
  return std::unique_ptr<Runner>(new Runner(std::move(impl)));
}

Result<PipelineId> Runner::prepare(const Candidate &candidate) {
  auto scan = checkCandidate(candidate, state->instance, state->device->info());
  if (!scan)
    return scan.takeFailure();
  auto prepared = std::make_unique<Prepared>();
  prepared->name = candidate.name;
  prepared->groups = candidate.groups;
  prepared->checkRanges = scan->asksForLength ? Ranges::Exact : Ranges::Wide;
  prepared->pushConstants =
      candidate.pushConstants ? *candidate.pushConstants : state->instance.pushConstants;
  prepared->pushConstants.resize((prepared->pushConstants.size() + 3) / 4 * 4);
  auto layout = makeLayout(state->gpu(), *state->bindings, prepared->pushConstants.size());
  if (!layout)
    return named(layout.takeFailure(), candidate.name);
  prepared->layout = *std::move(layout);
  auto pipeline = compile(state->gpu(), candidate, prepared->layout.get());
  if (!pipeline)
    return named(pipeline.takeFailure(), candidate.name);
  prepared->pipeline = *std::move(pipeline);
  prepared->figures =
      readFigures(state->gpu().executables, state->gpu().device, prepared->pipeline.get());
  state->pipelines.push_back(std::move(prepared));
  return PipelineId{static_cast<uint32_t>(state->pipelines.size() - 1)};
}

void Runner::release(PipelineId pipeline) {
  const Prepared *prepared = state->find(pipeline);
  if (!prepared)
    return;
  if (state->warm && state->warm->pipeline == prepared)
    state->warm.reset();
  state->pipelines[pipeline.index].reset();
}

std::vector<PipelineFigure> Runner::figuresOf(PipelineId pipeline) const {
  const Prepared *prepared = state->find(pipeline);
  return prepared ? prepared->figures : std::vector<PipelineFigure>{};
}

Result<RunResult> Runner::runOnce(PipelineId pipeline) {
  Prepared *prepared = state->find(pipeline);
  if (!prepared)
    return failure({}, "a pipeline that was never prepared, or was released, cannot run",
                   ErrorKind::Internal);
  if (state->device->lost())
    return named(failure({}, "device '" + state->device->info().name + "' was lost before",
                         ErrorKind::Environment),
                 prepared->name);
  auto commands = state->submitter.begin();
  if (!commands)
    return named(commands.takeFailure(), prepared->name);
  state->bindings->restore(*commands);
  prepared->bind(*commands, *state->bindings, prepared->checkRanges);
  prepared->dispatch(*commands);
  state->bindings->collect(*commands);
  if (Status ran = state->submitter.endAndRun(kRunTimeout, "the dispatch"); !ran)
    return named(ran.takeFailure(), prepared->name);
  RunResult result;
  result.violations = state->bindings->readGuards();
  auto outputs = state->bindings->readOutputs();
  if (!outputs)
    return named(outputs.takeFailure(), prepared->name);
  result.outputs = *std::move(outputs);
  return result;
}

Result<double> Runner::tryPart(PipelineId pipeline, uint32_t parts) {
  Prepared *prepared = state->find(pipeline);
  if (!prepared || parts == 0)
    return failure({}, "a pipeline that was never prepared, or was released, cannot run",
                   ErrorKind::Internal);
  Dim3 part = prepared->groups;
  uint32_t &longest = part.x >= part.y && part.x >= part.z ? part.x
                      : part.y >= part.z                   ? part.y
                                                           : part.z;
  const auto whole = static_cast<double>(longest);
  longest = std::max(1U, longest / parts);
  double seconds = 0;
  for (unsigned turn = 0; turn != 2; ++turn) {
    if (state->device->lost())
      return named(failure({}, "device '" + state->device->info().name + "' was lost before",
                           ErrorKind::Environment),
                   prepared->name);
    auto commands = state->submitter.begin();
    if (!commands)
      return named(commands.takeFailure(), prepared->name);
    if (turn == 0)
      state->bindings->restore(*commands);
    else
      dispatchBarrier(*commands);
    prepared->bind(*commands, *state->bindings, Ranges::Exact);
    vkCmdDispatch(*commands, part.x, part.y, part.z);
    const auto start = std::chrono::steady_clock::now();
    if (Status ran = state->submitter.endAndRun(kRunTimeout, "the dispatch"); !ran)
      return named(ran.takeFailure(), prepared->name);
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  return seconds * 1e9 * whole / static_cast<double>(longest);
}

} // namespace tailor::vulkan
