//===- languages/wgsl/Dawn.cpp ----------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Dawn.h"

#include "Support/Files.h"
#include "Support/Json.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace tailor::languages {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kSecondsPerProcess = 240;

std::string swiftShaderDriver() {
  const char *files = std::getenv("VK_DRIVER_FILES");
  std::string list = files ? files : "";
  list += ":" TAILOR_SOURCE_DIR "/build/swiftshader/vk_swiftshader_icd.json";
  for (size_t at = 0; at <= list.size();) {
    const size_t end = std::min(list.find(':', at), list.size());
    const std::string file = list.substr(at, end - at);
    if (file.find("swiftshader") != std::string::npos && fs::exists(file))
      return file;
    at = end + 1;
  }
  return {};
}

/// WebGPU's name of a format: rgba8ui is rgba8uint, r32f is r32float, rgba8 is rgba8unorm.
std::string webgpuFormat(const std::string &name) {
  auto endsWith = [&](std::string_view end) {
    return name.size() > end.size() &&
           std::string_view(name).substr(name.size() - end.size()) == end;
  };
  if (endsWith("_snorm"))
    return name.substr(0, name.size() - 6) + "snorm";
  if (endsWith("ui"))
    return name.substr(0, name.size() - 2) + "uint";
  if (endsWith("i"))
    return name.substr(0, name.size() - 1) + "sint";
  if (endsWith("f"))
    return name.substr(0, name.size() - 1) + "float";
  return name + "unorm";
}

std::string webgpuDimension(vulkan::ImageDim dim) {
  switch (dim) {
  case vulkan::ImageDim::D1:
    return "1d";
  case vulkan::ImageDim::D2:
    return "2d";
  case vulkan::ImageDim::D3:
    return "3d";
  case vulkan::ImageDim::D2Array:
    return "2d-array";
  case vulkan::ImageDim::Cube:
    return "cube";
  case vulkan::ImageDim::D1Array:
    break;
  }
  return "none";
}

std::string webgpuAddress(vulkan::AddressMode mode) {
  switch (mode) {
  case vulkan::AddressMode::ClampToEdge:
    return "clamp-to-edge";
  case vulkan::AddressMode::Repeat:
    return "repeat";
  case vulkan::AddressMode::MirroredRepeat:
    return "mirror-repeat";
  case vulkan::AddressMode::ClampToBorder:
    break;
  }
  return "none";
}

uint32_t numberOf(const std::vector<PlaceNumber> &place, std::string_view word) {
  for (const PlaceNumber &each : place)
    if (each.word == word)
      return each.number;
  return UINT32_MAX;
}

/// The contents that a resource has before the dispatch.
std::string contentsOf(const vulkan::ResourceDesc &desc) {
  std::string bytes(desc.dataBytes(), '\0');
  if (desc.fill == vulkan::InitialFill::Bytes)
    std::memcpy(bytes.data(), desc.initial.data(), std::min(bytes.size(), desc.initial.size()));
  if (desc.fill == vulkan::InitialFill::Poison)
    for (size_t at = 0; at < bytes.size(); ++at)
      bytes[at] = static_cast<char>(vulkan::poisonByte(at));
  return bytes;
}

class Folder {
public:
  Folder() {
    static unsigned count = 0;
    path = fs::temp_directory_path() /
           ("tailor-dawn-" + std::to_string(::getpid()) + "-" + std::to_string(count++));
    fs::create_directories(path);
  }
  ~Folder() {
    std::error_code ignored;
    if (!std::getenv("TAILOR_KEEP_DAWN"))
      fs::remove_all(path, ignored);
  }
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;

  fs::path path;
};

class Writer {
public:
  Writer(const Folder &folder, const std::vector<DawnJob> &jobs, DawnBackend backend)
      : folder(folder), jobs(jobs), backend(backend) {}

  Status write() {
    std::string text;
    llvm::raw_string_ostream out(text);
    llvm::json::OStream json(out);
    json.object([&] {
      json.attribute("backend", backend == DawnBackend::Vulkan ? "vulkan" : "opengles");
      json.attributeArray("cases", [&] {
        for (size_t at = 0; at < jobs.size(); ++at)
          json.object([&] { writeCase(json, at); });
      });
    });
    save("cases.json", text);
    return fault.empty() ? success() : Status(failure({}, fault, ErrorKind::Environment));
  }

private:
  void save(const std::string &name, std::string_view bytes) {
    if (Status saved = writeFileAtomically((folder.path / name).string(), bytes); !saved)
      fault = saved.diagnostic().text;
  }

  void writeCase(llvm::json::OStream &json, size_t at) {
    const DawnJob &job = jobs[at];
    const std::string stem = std::to_string(at);
    save(stem + ".wgsl", job.text);
    json.attribute("text", stem + ".wgsl");
    json.attribute("entry", job.interface.entryPoint);
    json.attributeArray("groups", [&] {
      for (uint32_t count : job.groups.array())
        json.value(count);
    });
    json.attributeArray("features", [&] {
      for (const std::string &feature : job.interface.features)
        json.value(feature);
    });
    json.attributeArray("resources", [&] {
      unsigned number = 0;
      for (const PlacedResource &placed : job.interface.resources)
        json.object(
            [&] { writeResource(json, job, placed, stem + "." + std::to_string(number++)); });
      for (const PlacedValues &values : job.interface.values)
        json.object([&] { writeValues(json, job, values, stem + ".values"); });
    });
  }

  void writePlace(llvm::json::OStream &json, const std::string &kind,
                  const std::vector<PlaceNumber> &place) {
    json.attribute("kind", kind);
    json.attribute("group", numberOf(place, "group"));
    json.attribute("binding", numberOf(place, "binding"));
  }

  void writeResource(llvm::json::OStream &json, const DawnJob &job, const PlacedResource &placed,
                     const std::string &name) {
    writePlace(json, placed.kind, placed.place);
    size_t index = 0;
    while (index < job.resources.size() && (job.resources[index].set != placed.set ||
                                            job.resources[index].binding != placed.binding))
      ++index;
    if (index == job.resources.size()) {
      fault = "the workload has no resource for set " + std::to_string(placed.set) + " binding " +
              std::to_string(placed.binding);
      return;
    }
    const vulkan::ResourceDesc &desc = job.resources[index];
    if (placed.kind == "sampler") {
      json.attribute("filter",
                     desc.sampler.filter == vulkan::Filter::Linear ? "linear" : "nearest");
      json.attribute("address", webgpuAddress(desc.sampler.address));
      return;
    }
    save(name + ".bin", contentsOf(desc));
    json.attribute("data", name + ".bin");
    json.attribute("bytes", static_cast<int64_t>(desc.dataBytes()));
    for (size_t output = 0; output < job.outputs.size(); ++output)
      if (job.outputs[output] == index)
        json.attribute("output", name.substr(0, name.find('.')) + ".out." + std::to_string(output));
    if (const vulkan::ImageFormat *format = vulkan::findImageFormat(desc.format)) {
      json.attribute("format", webgpuFormat(desc.format));
      json.attribute("texelBytes", format->texelBytes);
      json.attribute("dimension", webgpuDimension(desc.dim));
      json.attributeArray("extent", [&] {
        for (uint32_t size : desc.extent.array())
          json.value(size);
      });
    }
  }

  void writeValues(llvm::json::OStream &json, const DawnJob &job, const PlacedValues &values,
                   const std::string &name) {
    writePlace(json, values.kind, values.place);
    std::string bytes(std::max<size_t>(values.bytes, job.pushConstants.size()), '\0');
    std::memcpy(bytes.data(), job.pushConstants.data(), job.pushConstants.size());
    save(name + ".bin", bytes);
    json.attribute("data", name + ".bin");
    json.attribute("bytes", static_cast<int64_t>(bytes.size()));
  }

  const Folder &folder;
  const std::vector<DawnJob> &jobs;
  DawnBackend backend;
  std::string fault;
};

std::string quoted(const std::string &text) { return "'" + text + "'"; }

void startNode(const Folder &folder, DawnBackend backend, size_t first) {
  std::string environment = backend == DawnBackend::Vulkan
                                ? "VK_DRIVER_FILES=" + quoted(swiftShaderDriver())
                                : std::string("LIBGL_ALWAYS_SOFTWARE=1 EGL_PLATFORM=surfaceless");
  const std::string command =
      environment + " timeout " + std::to_string(kSecondsPerProcess) + " " + quoted(TAILOR_NODE) +
      " " + quoted(TAILOR_SOURCE_DIR "/test/languages/wgsl/run-wgsl.mjs") + " " +
      quoted(TAILOR_WEBGPU) + " " + quoted(folder.path.string()) + " " + std::to_string(first) +
      " >" + quoted((folder.path / "log").string()) + " 2>&1";
  static_cast<void>(std::system(command.c_str()));
}

/// Fills the outcomes that the file tells of; the number of the case after the last that was begun.
size_t readResults(const Folder &folder, std::vector<DawnOutcome> &outcomes,
                   std::vector<bool> &done) {
  Result<std::string> text = readFile((folder.path / "results.jsonl").string());
  size_t next = 0;
  if (!text)
    return next;
  for (std::string_view rest = *text; !rest.empty();) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    Result<JsonDocument> line = parseJson(rest.substr(0, end), "results.jsonl");
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (!line)
      continue;
    if (const JsonValue *started = line->root.find("started"))
      next = started->magnitude + 1;
    const JsonValue *number = line->root.find("case");
    if (!number || number->magnitude >= outcomes.size())
      continue;
    DawnOutcome &outcome = outcomes[number->magnitude];
    done[number->magnitude] = true;
    if (const JsonValue *error = line->root.find("error"))
      outcome.error = error->string;
    if (const JsonValue *device = line->root.find("device"))
      outcome.device = device->string;
  }
  return next;
}

} // namespace

std::string_view nameOf(DawnBackend backend) {
  return backend == DawnBackend::Vulkan ? "dawn-vulkan" : "dawn-opengles";
}

std::string missingForDawn(DawnBackend backend) {
  if (std::string_view(TAILOR_NODE).empty() || !fs::exists(TAILOR_NODE))
    return "node";
  if (!fs::exists(TAILOR_WEBGPU "/index.js"))
    return "the npm package webgpu (scripts/bootstrap check)";
  if (backend == DawnBackend::Vulkan && swiftShaderDriver().empty())
    return "SwiftShader (scripts/bootstrap swiftshader)";
  return {};
}

DawnJob jobOf(const LanguageCase &made) {
  DawnJob job{made.text, made.interface,     made.problem->instance.resources,
              {},        made.pushConstants, made.groups};
  for (const vulkan::OutputData &output : made.problem->expected.outputs)
    job.outputs.push_back(output.resource);
  return job;
}

Result<std::vector<DawnOutcome>> runInDawn(const std::vector<DawnJob> &jobs, DawnBackend backend) {
  Folder folder;
  if (Status written = Writer(folder, jobs, backend).write(); !written)
    return written.takeFailure();
  std::vector<DawnOutcome> outcomes(jobs.size());
  std::vector<bool> done(jobs.size());
  for (size_t first = 0; first < jobs.size();) {
    startNode(folder, backend, first);
    const size_t next = readResults(folder, outcomes, done);
    if (next <= first) {
      Result<std::string> log = readFile((folder.path / "log").string());
      return failure({}, "node ended before the first case: " + (log ? *log : std::string()),
                     ErrorKind::Environment);
    }
    first = next;
  }
  for (size_t at = 0; at < jobs.size(); ++at) {
    if (!done[at])
      outcomes[at].error = "the process ended, or took too long, while it ran";
    for (size_t output = 0; outcomes[at].error.empty() && output < jobs[at].outputs.size();
         ++output) {
      Result<std::string> bytes = readFile(
          (folder.path / (std::to_string(at) + ".out." + std::to_string(output))).string());
      if (!bytes)
        outcomes[at].error = "an output was not written";
      else
        outcomes[at].outputs.emplace_back(reinterpret_cast<const std::byte *>(bytes->data()),
                                          reinterpret_cast<const std::byte *>(bytes->data()) +
                                              bytes->size());
    }
  }
  return outcomes;
}

} // namespace tailor::languages
