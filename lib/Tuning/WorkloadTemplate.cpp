//===- Tuning/WorkloadTemplate.cpp - A workload to begin with -------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sizes are a guess that runs: 1024 invocations on a line, or 256x256, with
// runtime arrays and images to match, and integer constants whose names sound
// like an extent set to it.
//
//===----------------------------------------------------------------------===//
#include "Tuning/Reflect.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>

namespace tailor {

using vulkan::ElementType;
using vulkan::ResourceKind;

namespace {

struct Guess {
  Dim3 grid;
};

/// What every device binds as one storage buffer (Vulkan 1.0, maxStorageBufferRange).
constexpr uint64_t kMostBytes = uint64_t{1} << 27;

/// The bytes of a buffer, a whole number of the elements that it is compared by.
uint64_t bytesFor(const ReflectedBinding &binding, const Dim3 &grid) {
  const uint64_t whole = std::max(4U, vulkan::bytesOf(binding.element));
  const uint64_t bytes = binding.fixedBytes + binding.runtimeStride * grid.product();
  return std::max<uint64_t>((bytes + whole - 1) / whole * whole, whole);
}

Dim3 gridFor(const Reflection &reflection) {
  if (reflection.localSize.z > 1)
    return {64, 64, 64};
  bool images = std::any_of(reflection.bindings.begin(), reflection.bindings.end(),
                            [](const ReflectedBinding &b) { return vulkan::isImage(b.kind); });
  if (reflection.localSize.y > 1 || images)
    return {256, 256, 1};
  // A device dispatches 65535 groups on an axis at least, and many no more.
  return {reflection.localSize.x > 1 ? 1U << 16 : 1U << 14, 1, 1};
}

/// Smaller where an invocation's share of a runtime array is large.
Guess guessFor(const Reflection &reflection) {
  Dim3 grid = gridFor(reflection);
  for (const ReflectedBinding &binding : reflection.bindings)
    while (binding.runtimeStride != 0 && grid.product() > 1 && bytesFor(binding, grid) > kMostBytes)
      for (uint32_t *extent : {&grid.x, &grid.y, &grid.z})
        *extent = std::max(*extent / 2, 1U);
  return {grid};
}

/// The extent that a name such as "width", "imageHeight", "n" or "count" speaks
/// of, else a neutral 1.
uint64_t integerGuess(const std::string &name, const Guess &guess) {
  std::string lower;
  for (char c : name)
    lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  auto has = [&](const char *part) { return lower.find(part) != std::string::npos; };
  if (has("width") || has("col"))
    return guess.grid.x;
  if (has("height") || has("row"))
    return guess.grid.y > 1 ? guess.grid.y : guess.grid.x;
  if (has("depth"))
    return guess.grid.z;
  if (has("count") || has("size") || has("num") || has("length") || has("total") ||
      (lower.size() == 1 && lower[0] >= 'k' && lower[0] <= 'n'))
    return guess.grid.y > 1 ? guess.grid.x : guess.grid.product();
  return 1;
}

/// The largest value of an integer type, or a smaller one that is large enough for every extent.
uint64_t largestOf(ElementType type) {
  const bool isSigned = nameOf(type)[0] == 'i';
  const uint32_t bits = std::min(vulkan::bytesOf(type) * 8, 32U) - (isSigned ? 1 : 0);
  return (uint64_t{1} << bits) - 1;
}

void writeValue(llvm::json::OStream &json, const ReflectedMember &member, const Guess &guess) {
  json.attribute("offset", int64_t{member.offset});
  json.attribute("name", llvm::json::fixUTF8(member.name));
  json.attribute("type", std::string(nameOf(member.type)));
  auto scalar = [&] {
    if (vulkan::isFloat(member.type))
      json.value(1.0);
    else
      json.value(
          static_cast<int64_t>(std::min(integerGuess(member.name, guess), largestOf(member.type))));
  };
  json.attributeBegin("value");
  if (member.components == 1)
    scalar();
  else
    json.array([&] {
      for (uint32_t i = 0; i < member.components; ++i)
        scalar();
    });
  json.attributeEnd();
}

void writeRandomFill(llvm::json::OStream &json, uint64_t seed, bool isFloat) {
  json.attributeObject("fill", [&] {
    json.attribute("kind", "random");
    json.attribute("seed", static_cast<int64_t>(seed));
    if (isFloat) {
      json.attribute("min", 0);
      json.attribute("max", 1);
    }
  });
}

bool isOutput(const ReflectedBinding &binding) {
  return !binding.readOnly && (binding.kind == ResourceKind::StorageBuffer ||
                               binding.kind == ResourceKind::StorageImage);
}

void writeBuffer(llvm::json::OStream &json, const ReflectedBinding &binding, const Guess &guess,
                 uint64_t seed) {
  json.attribute("bytes", static_cast<int64_t>(bytesFor(binding, guess.grid)));
  if (binding.kind == ResourceKind::UniformBuffer) {
    json.attributeObject("fill", [&] {
      json.attribute("kind", "values");
      json.attributeArray("values", [&] {
        for (const ReflectedMember &member : binding.members)
          json.object([&] { writeValue(json, member, guess); });
      });
    });
    return;
  }
  json.attribute("element", std::string(nameOf(binding.element)));
  if (!binding.writeOnly)
    writeRandomFill(json, seed, vulkan::isFloat(binding.element));
  if (isOutput(binding))
    json.attribute("output", true);
}

/// The format that the module declares, else one of its type of texels that every device has.
std::string formatFor(const ReflectedBinding &binding) {
  if (!binding.format.empty())
    return binding.format;
  return binding.texel == vulkan::ComponentType::Float  ? "rgba8"
         : binding.texel == vulkan::ComponentType::Sint ? "rgba8i"
                                                        : "rgba8ui";
}

/// Whether every device filters images of the format (Vulkan 1.0, "Required Format Support").
bool isFiltered(const std::string &name) {
  const vulkan::ImageFormat *format = vulkan::findImageFormat(name);
  if (!format)
    return false;
  switch (format->type) {
  case vulkan::ComponentType::Uint:
  case vulkan::ComponentType::Sint:
    return false;
  case vulkan::ComponentType::Float:
    return format->componentBytes < 4;
  case vulkan::ComponentType::Unorm:
  case vulkan::ComponentType::Snorm:
    break;
  }
  return format->componentBytes < 2;
}

bool isSampled(const ReflectedBinding &binding) {
  return binding.kind == ResourceKind::SampledImage ||
         binding.kind == ResourceKind::CombinedImageSampler;
}

/// A sampler by itself may come to any image.
std::string filterFor(const ReflectedBinding &binding, const Reflection &reflection) {
  auto filtered = [](const ReflectedBinding &b) {
    return !isSampled(b) || isFiltered(formatFor(b));
  };
  const bool isLinear =
      binding.kind == ResourceKind::Sampler
          ? std::all_of(reflection.bindings.begin(), reflection.bindings.end(), filtered)
          : filtered(binding);
  return isLinear ? "linear" : "nearest";
}

void writeExtent(llvm::json::OStream &json, vulkan::ImageDim dim, const Guess &guess) {
  const bool line = dim == vulkan::ImageDim::D1 || dim == vulkan::ImageDim::D1Array;
  const uint32_t width = guess.grid.x, height = std::max(guess.grid.y, 64U);
  json.attributeArray("extent", [&] {
    if (dim == vulkan::ImageDim::Cube) {
      for (uint32_t extent : {std::max(width, height), std::max(width, height), 6U})
        json.value(int64_t{extent});
      return;
    }
    json.value(int64_t{width});
    json.value(line ? 1 : int64_t{height});
    if (dim == vulkan::ImageDim::D3)
      json.value(int64_t{guess.grid.z});
  });
}

void writeImage(llvm::json::OStream &json, const ReflectedBinding &binding, const Guess &guess,
                uint64_t seed) {
  const std::string format = formatFor(binding);
  json.attribute("format", format);
  if (binding.dim != vulkan::ImageDim::D2)
    json.attribute("dim", std::string(nameOf(binding.dim)));
  writeExtent(json, binding.dim, guess);
  if (!binding.writeOnly) {
    const vulkan::ImageFormat *known = vulkan::findImageFormat(format);
    std::optional<ElementFormat> element;
    if (known)
      element = elementFormatOf(*known);
    if (element)
      writeRandomFill(json, seed, element->normalized || vulkan::isFloat(element->type));
  }
  if (isOutput(binding))
    json.attribute("output", true);
}

void writeBinding(llvm::json::OStream &json, const ReflectedBinding &binding, uint32_t index,
                  const Reflection &reflection, const Guess &guess, uint64_t seed) {
  if (binding.set != 0)
    json.attribute("set", int64_t{binding.set});
  json.attribute("binding", int64_t{binding.binding});
  if (index != 0)
    json.attribute("index", int64_t{index});
  if (!binding.name.empty())
    json.attribute("name", llvm::json::fixUTF8(binding.name));
  json.attribute("kind", std::string(nameOf(binding.kind)));
  if (vulkan::isBuffer(binding.kind))
    writeBuffer(json, binding, guess, seed);
  if (vulkan::isImage(binding.kind))
    writeImage(json, binding, guess, seed);
  if (binding.kind == ResourceKind::Sampler || binding.kind == ResourceKind::CombinedImageSampler)
    json.attribute("filter", filterFor(binding, reflection));
}

double floatOf(const ReflectedSpecConstant &constant) {
  if (constant.type == ElementType::F64)
    return std::bit_cast<double>(constant.defaultBits);
  const auto raw = static_cast<uint32_t>(constant.defaultBits);
  return constant.type == ElementType::F16 ? vulkan::halfToDouble(static_cast<uint16_t>(raw))
                                           : static_cast<double>(std::bit_cast<float>(raw));
}

/// JSON has no other numbers.
bool isFinite(const ReflectedSpecConstant &constant) {
  return !vulkan::isFloat(constant.type) || std::isfinite(floatOf(constant));
}

void writeSpecConstant(llvm::json::OStream &json, const ReflectedSpecConstant &constant) {
  json.attribute("id", int64_t{constant.id});
  if (!constant.name.empty())
    json.attribute("name", llvm::json::fixUTF8(constant.name));
  json.attribute("type", constant.isBool ? "bool" : std::string(nameOf(constant.type)));
  json.attributeBegin("value");
  uint32_t bits = vulkan::bytesOf(constant.type) * 8;
  uint64_t raw = constant.defaultBits;
  if (constant.isBool) {
    json.value(raw != 0);
  } else if (vulkan::isFloat(constant.type)) {
    json.value(floatOf(constant));
  } else if (constant.type == ElementType::U64) {
    json.value(raw);
  } else {
    bool negative = nameOf(constant.type)[0] == 'i' && bits < 64 && (raw >> (bits - 1)) & 1;
    json.value(static_cast<int64_t>(negative ? raw | ~uint64_t{0} << bits : raw));
  }
  json.attributeEnd();
}

} // namespace

Result<std::string> workloadTemplate(const Reflection &reflection, std::string_view kernelName,
                                     const std::string &file) {
  if (!std::any_of(reflection.bindings.begin(), reflection.bindings.end(), isOutput))
    return failure(Location::inFile(file),
                   "the kernel writes to no buffer and no image, so nothing could be compared");
  Guess guess = guessFor(reflection);
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os, 2);
  json.object([&] {
    json.attribute("schema", int64_t{kWorkloadSchema});
    json.attribute("kernel", llvm::json::fixUTF8(kernelName));
    json.attribute("entry", llvm::json::fixUTF8(reflection.entryPoint));
    json.attributeArray("grid", [&] {
      for (uint32_t extent : guess.grid.array())
        json.value(int64_t{extent});
    });
    if (!reflection.pushConstants.empty())
      json.attributeArray("push_constants", [&] {
        for (const ReflectedMember &member : reflection.pushConstants)
          json.object([&] { writeValue(json, member, guess); });
      });
    // Without a value a constant keeps its default: where constants of one id differ there is no
    // other way to say so, nor where it is no number of JSON's.
    std::vector<const ReflectedSpecConstant *> constants;
    for (const ReflectedSpecConstant &constant : reflection.specConstants)
      if (!constant.differs && isFinite(constant))
        constants.push_back(&constant);
    if (!constants.empty())
      json.attributeArray("spec_constants", [&] {
        for (const ReflectedSpecConstant *constant : constants)
          json.object([&] { writeSpecConstant(json, *constant); });
      });
    json.attributeArray("bindings", [&] {
      uint64_t seed = 0;
      for (const ReflectedBinding &binding : reflection.bindings)
        for (uint32_t i = 0; i < std::max(binding.arraySize, 1U); ++i)
          json.object([&] { writeBinding(json, binding, i, reflection, guess, ++seed); });
    });
    json.attribute("compare", "exact");
  });
  os << '\n';
  os.flush();
  return text;
}

} // namespace tailor
