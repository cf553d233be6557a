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

namespace tailor {

using vulkan::ElementType;
using vulkan::ResourceKind;

namespace {

struct Guess {
  Dim3 grid;
};

Guess guessFor(const Reflection &reflection) {
  if (reflection.localSize.z > 1)
    return {{64, 64, 64}};
  bool images = std::any_of(reflection.bindings.begin(), reflection.bindings.end(),
                            [](const ReflectedBinding &b) { return vulkan::isImage(b.kind); });
  if (reflection.localSize.y > 1 || images)
    return {{256, 256, 1}};
  // A device dispatches 65535 groups on an axis at least, and many no more.
  return {{reflection.localSize.x > 1 ? 1U << 16 : 1U << 14, 1, 1}};
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

void writeValue(llvm::json::OStream &json, const ReflectedMember &member, const Guess &guess) {
  json.attribute("offset", int64_t{member.offset});
  json.attribute("name", member.name);
  json.attribute("type", std::string(nameOf(member.type)));
  auto scalar = [&] {
    if (vulkan::isFloat(member.type))
      json.value(1.0);
    else
      json.value(static_cast<int64_t>(integerGuess(member.name, guess)));
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

void writeBuffer(llvm::json::OStream &json, const ReflectedBinding &binding, const Guess &guess,
                 uint64_t seed) {
  uint64_t bytes = binding.fixedBytes + binding.runtimeStride * guess.grid.product();
  json.attribute("bytes", static_cast<int64_t>(std::max<uint64_t>(bytes, 4)));
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
  if (!binding.readOnly)
    json.attribute("output", true);
}

void writeImage(llvm::json::OStream &json, const ReflectedBinding &binding, const Guess &guess,
                uint64_t seed) {
  std::string format = binding.format.empty() ? "rgba8" : binding.format;
  json.attribute("format", format);
  if (binding.dim != vulkan::ImageDim::D2)
    json.attribute("dim", std::string(nameOf(binding.dim)));
  json.attributeArray("extent", [&] {
    bool line = binding.dim == vulkan::ImageDim::D1 || binding.dim == vulkan::ImageDim::D1Array;
    bool deep = binding.dim == vulkan::ImageDim::D3;
    json.value(int64_t{guess.grid.x});
    json.value(line ? 1 : int64_t{std::max(guess.grid.y, 64U)});
    if (binding.dim == vulkan::ImageDim::Cube)
      json.value(6);
    else if (deep)
      json.value(int64_t{guess.grid.z});
  });
  if (!binding.writeOnly) {
    const vulkan::ImageFormat *known = vulkan::findImageFormat(format);
    std::optional<ElementFormat> element;
    if (known)
      element = elementFormatOf(*known);
    if (element)
      writeRandomFill(json, seed, element->normalized || vulkan::isFloat(element->type));
  }
  if (binding.kind == ResourceKind::StorageImage && !binding.readOnly)
    json.attribute("output", true);
}

void writeBinding(llvm::json::OStream &json, const ReflectedBinding &binding, uint32_t index,
                  const Guess &guess, uint64_t seed) {
  if (binding.set != 0)
    json.attribute("set", int64_t{binding.set});
  json.attribute("binding", int64_t{binding.binding});
  if (index != 0)
    json.attribute("index", int64_t{index});
  if (!binding.name.empty())
    json.attribute("name", binding.name);
  json.attribute("kind", std::string(nameOf(binding.kind)));
  if (vulkan::isBuffer(binding.kind))
    writeBuffer(json, binding, guess, seed);
  if (vulkan::isImage(binding.kind))
    writeImage(json, binding, guess, seed);
  if (binding.kind == ResourceKind::Sampler || binding.kind == ResourceKind::CombinedImageSampler)
    json.attribute("filter", "linear");
}

void writeSpecConstant(llvm::json::OStream &json, const ReflectedSpecConstant &constant) {
  json.attribute("id", int64_t{constant.id});
  if (!constant.name.empty())
    json.attribute("name", constant.name);
  json.attribute("type", constant.isBool ? "bool" : std::string(nameOf(constant.type)));
  json.attributeBegin("value");
  uint32_t bits = vulkan::bytesOf(constant.type) * 8;
  uint64_t raw = constant.defaultBits;
  if (constant.isBool) {
    json.value(raw != 0);
  } else if (constant.type == ElementType::F32) {
    json.value(static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(raw))));
  } else if (constant.type == ElementType::F64) {
    json.value(std::bit_cast<double>(raw));
  } else if (constant.type == ElementType::F16) {
    json.value(vulkan::halfToDouble(static_cast<uint16_t>(raw)));
  } else if (constant.type == ElementType::U64) {
    json.value(raw);
  } else {
    bool negative = nameOf(constant.type)[0] == 'i' && bits < 64 && (raw >> (bits - 1)) & 1;
    json.value(static_cast<int64_t>(negative ? raw | ~uint64_t{0} << bits : raw));
  }
  json.attributeEnd();
}

} // namespace

std::string workloadTemplate(const Reflection &reflection, std::string_view kernelName) {
  Guess guess = guessFor(reflection);
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os, 2);
  json.object([&] {
    json.attribute("schema", int64_t{kWorkloadSchema});
    json.attribute("kernel", llvm::StringRef(kernelName.data(), kernelName.size()));
    json.attribute("entry", reflection.entryPoint);
    json.attributeArray("grid", [&] {
      for (uint32_t extent : guess.grid.array())
        json.value(int64_t{extent});
    });
    if (!reflection.pushConstants.empty())
      json.attributeArray("push_constants", [&] {
        for (const ReflectedMember &member : reflection.pushConstants)
          json.object([&] { writeValue(json, member, guess); });
      });
    // Where constants of one id differ, no value is what the module has without one.
    std::vector<const ReflectedSpecConstant *> constants;
    for (const ReflectedSpecConstant &constant : reflection.specConstants)
      if (!constant.differs)
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
          json.object([&] { writeBinding(json, binding, i, guess, ++seed); });
    });
    json.attribute("compare", "exact");
  });
  os << '\n';
  return os.str();
}

} // namespace tailor
