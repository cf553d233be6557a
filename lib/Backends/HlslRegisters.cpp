//===- Backends/HlslRegisters.cpp ------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/HlslRegisters.h"

#include "Support/TextScan.h"
#include <algorithm>

namespace tailor {
namespace {

using spirv_cross::SPIRType;

/// Takes `[4]` and the like off the end of a declaration; their product.
uint32_t takeDimensions(std::string_view &declaration) {
  uint32_t count = 1;
  while (declaration.ends_with(']')) {
    const size_t open = declaration.rfind('[');
    if (open == std::string_view::npos)
      return count;
    std::string_view length = declaration.substr(open + 1);
    count *= takeNumber(length).value_or(0);
    declaration = declaration.substr(0, open);
  }
  return count;
}

std::optional<HlslRegister> registerIn(std::string_view line) {
  constexpr std::string_view word = " : register(";
  const size_t at = line.find(word);
  if (at == std::string_view::npos || line.front() == ' ' || line.front() == '\t')
    return std::nullopt;
  HlslRegister found;
  std::string_view declaration = line.substr(0, at), place = line.substr(at + word.size());
  found.writes = declaration.find("RW") != std::string_view::npos;
  found.count = takeDimensions(declaration);
  found.name = declaration.substr(declaration.find_last_of(' ') + 1);
  if (place.empty())
    return std::nullopt;
  found.letter = place.front();
  place.remove_prefix(1);
  std::optional<uint32_t> number = takeNumber(place);
  if (!number)
    return std::nullopt;
  found.number = *number;
  constexpr std::string_view space = ", space";
  if (place.starts_with(space)) {
    place.remove_prefix(space.size());
    std::optional<uint32_t> set = takeNumber(place);
    if (!set)
      return std::nullopt;
    found.space = *set;
    found.hasSpace = true;
  }
  return place.starts_with(')') ? std::optional(found) : std::nullopt;
}

std::string kindOf(const spirv_cross::CompilerHLSL &compiler, const BoundResource &resource,
                   char letter) {
  const SPIRType &type = compiler.get_type_from_variable(spirv_cross::VariableID(resource.id));
  const bool isTexels =
      (type.basetype == SPIRType::Image || type.basetype == SPIRType::SampledImage) &&
      type.image.dim == spv::DimBuffer;
  switch (resource.kind) {
  case BindingKind::UniformBuffer:
    return "uniform_buffer";
  case BindingKind::StorageBuffer:
    return "storage_buffer";
  case BindingKind::Texture:
    return isTexels ? "texel_buffer" : letter == 's' ? "sampler" : "texture";
  case BindingKind::Image:
    return isTexels ? "texel_buffer" : "image";
  case BindingKind::Sampler:
    return "sampler";
  }
  return "";
}

std::vector<PlaceNumber> placeOf(const HlslRegister &found) {
  std::vector<PlaceNumber> place{{std::string(1, found.letter), found.number}};
  if (found.hasSpace)
    place.push_back({"space", found.space});
  return place;
}

} // namespace

std::vector<HlslRegister> registersInHlsl(std::string_view text) {
  std::vector<HlslRegister> list;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    if (end != 0)
      if (std::optional<HlslRegister> found = registerIn(text.substr(0, end)))
        list.push_back(std::move(*found));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return list;
}

std::string registerLetters(const spirv_cross::CompilerHLSL &compiler,
                            const BoundResource &resource) {
  const spirv_cross::VariableID id(resource.id);
  switch (resource.kind) {
  case BindingKind::UniformBuffer:
    return "b";
  case BindingKind::StorageBuffer:
    return compiler.get_buffer_block_flags(id).get(spv::DecorationNonWritable) ? "t" : "u";
  case BindingKind::Texture: {
    const SPIRType &type = compiler.get_type_from_variable(id);
    return type.basetype == SPIRType::SampledImage && type.image.dim != spv::DimBuffer ? "ts" : "t";
  }
  case BindingKind::Image:
    return compiler.has_decoration(id, spv::DecorationNonWritable) ? "t" : "u";
  case BindingKind::Sampler:
    return "s";
  }
  return "";
}

uint32_t elementsOf(const spirv_cross::CompilerHLSL &compiler, const BoundResource &resource) {
  const SPIRType &type = compiler.get_type_from_variable(spirv_cross::VariableID(resource.id));
  uint64_t count = 1;
  for (size_t at = 0; at < type.array.size(); ++at)
    count *= type.array_size_literal[at] ? type.array[at] : 0;
  return static_cast<uint32_t>(std::min<uint64_t>(count, UINT32_MAX));
}

Status fillInterface(const spirv_cross::CompilerHLSL &compiler, const ModuleFacts &facts,
                     const std::vector<BoundResource> &bound, std::string_view text,
                     LanguageInterface &interface) {
  std::vector<HlslRegister> left = registersInHlsl(text);
  auto take = [&](char letter, uint32_t number, uint32_t space) -> std::optional<HlslRegister> {
    auto at = std::find_if(left.begin(), left.end(), [&](const HlslRegister &each) {
      return each.letter == letter && each.number == number &&
             (!each.hasSpace || each.space == space);
    });
    if (at == left.end())
      return std::nullopt;
    HlslRegister found = std::move(*at);
    left.erase(at);
    return found;
  };
  // Ours first: they stand where no binding of the kernel is.
  for (PlacedValues &values : interface.values) {
    const uint32_t space = values.place.size() > 1 ? values.place[1].number : 0;
    std::optional<HlslRegister> found = take('b', values.place[0].number, space);
    if (!found)
      return failure(facts.location(), "the hlsl text does not declare " + values.what,
                     ErrorKind::Internal);
    values.name = found->name;
    values.place = placeOf(*found);
  }
  for (const BoundResource &resource : bound)
    for (char letter : registerLetters(compiler, resource))
      if (std::optional<HlslRegister> found = take(letter, resource.binding, resource.set))
        interface.resources.push_back({kindOf(compiler, resource, letter), found->name,
                                       resource.set, resource.binding, found->count, found->writes,
                                       placeOf(*found)});
  if (!left.empty())
    return failure(facts.location(),
                   "the hlsl text declares '" + left.front().name +
                       "' in a register of no resource of the module",
                   ErrorKind::Internal);
  std::sort(interface.resources.begin(), interface.resources.end(),
            [](const PlacedResource &a, const PlacedResource &b) {
              return std::tie(a.set, a.binding, a.kind) < std::tie(b.set, b.binding, b.kind);
            });
  return success();
}

} // namespace tailor
