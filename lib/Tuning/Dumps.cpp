//===- Tuning/Dumps.cpp ---------------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/Dumps.h"

#include "Support/Files.h"
#include "Tuning/Picture.h"
#include "Tuning/TuneSink.h"

#include <charconv>
#include <set>

namespace tailor {

std::optional<DumpRequest> parseDumpRequest(std::string_view text) {
  size_t dot = text.find('.'), equals = text.find('=');
  if (dot == std::string_view::npos || equals == std::string_view::npos || dot > equals ||
      equals + 1 == text.size())
    return std::nullopt;
  auto number = [](std::string_view digits, uint32_t &value) {
    auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() && end == digits.data() + digits.size();
  };
  DumpRequest request;
  if (!number(text.substr(0, dot), request.set) ||
      !number(text.substr(dot + 1, equals - dot - 1), request.binding))
    return std::nullopt;
  request.path = text.substr(equals + 1);
  return request;
}

namespace {

void replaceAll(std::string &text, std::string_view from, const std::string &to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// A name as a part of a file's name.
std::string fileSafe(const std::string &name) {
  std::string safe;
  for (char c : name) {
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                 c == '.' || c == '_' || c == '-';
    if (plain)
      safe += c;
    else if (!safe.empty() && safe.back() != '-')
      safe += '-';
  }
  while (!safe.empty() && safe.back() == '-')
    safe.pop_back();
  return safe;
}

std::string dumpPath(const DumpRequest &dump, const std::string &kernel, const std::string &size,
                     const std::string &device) {
  std::string path = dump.path;
  replaceAll(path, "{kernel}", fileSafe(kernel));
  replaceAll(path, "{size}", fileSafe(size));
  replaceAll(path, "{device}", fileSafe(device));
  return path;
}

Status writeDump(const DumpRequest &dump, const std::string &path, const ProblemSize &size,
                 const vulkan::KernelInstance &instance,
                 const std::vector<vulkan::OutputData> &outputs) {
  for (const vulkan::OutputData &output : outputs) {
    const vulkan::ResourceDesc &desc = instance.resources[output.resource];
    const WorkloadBinding &binding = size.bindings[output.resource];
    if (binding.desc.set != dump.set || binding.desc.binding != dump.binding)
      continue;
    const vulkan::ImageFormat *format =
        desc.dim == vulkan::ImageDim::D2 ? vulkan::findImageFormat(desc.format) : nullptr;
    if (format && vulkan::isImage(desc.kind))
      if (std::optional<std::string> ppm =
              ppmOf(*format, desc.extent.x, desc.extent.y, output.bytes))
        return writeFileAtomically(path, *ppm);
    return writeFileAtomically(
        path, {reinterpret_cast<const char *>(output.bytes.data()), output.bytes.size()});
  }
  return failure(Location::inFile(path), "the winner has no such output to dump");
}

} // namespace

std::vector<std::string> filesInUse(const TuneOptions &options,
                                    std::span<const Workload> workloads) {
  std::vector<std::string> files = options.filesRead;
  for (const Workload &workload : workloads) {
    files.push_back(workload.file);
    for (const ProblemSize &size : workload.sizes)
      for (const WorkloadBinding &binding : size.bindings)
        if (binding.fill.kind == Fill::Kind::File)
          files.push_back(fillPath(workload, binding.fill));
  }
  if (!options.database.empty())
    for (const char *suffix : {"", "-wal", "-shm"})
      files.push_back(options.database + suffix);
  return files;
}

Status checkDumps(const RunPlan &plan, const std::vector<vulkan::DeviceInfo> &devices,
                  const std::vector<std::string> &inUse) {
  std::set<std::string> paths;
  for (const DumpRequest &dump : plan.options.dumps) {
    for (const TunePlace &place : plan.places) {
      const WorkloadBinding *binding = place.size->find(dump.set, dump.binding);
      if (!binding || !binding->desc.output)
        return failure(place.size->location,
                       "set " + std::to_string(dump.set) + " binding " +
                           std::to_string(dump.binding) +
                           " is no output of this workload and cannot be dumped",
                       ErrorKind::Usage);
      for (const vulkan::DeviceInfo &device : devices) {
        std::string path = dumpPath(dump, place.site->kernel->name, place.size->name, device.name);
        if (Status apart = checkOutput(path, inUse); !apart)
          return apart;
        if (!paths.insert(path).second)
          return failure({},
                         "several results would be dumped to '" + dump.path +
                             "'; put {kernel}, {size} or {device} into its name",
                         ErrorKind::Usage);
      }
    }
  }
  return success();
}

void dumpOutputs(const RunPlan &plan, const TuneResult &result, const ProblemSize &size,
                 const vulkan::KernelInstance &instance,
                 const std::vector<vulkan::OutputData> &outputs, TuneSink &sink) {
  for (const DumpRequest &dump : plan.options.dumps) {
    std::string path = dumpPath(dump, result.outcome.kernel, size.name, result.device.name);
    if (Status written = writeDump(dump, path, size, instance, outputs); !written)
      sink.emit(written.takeFailure().diagnostic);
  }
}

} // namespace tailor
