//===- Backends/GlslNames.cpp - Names that GLSL has taken ------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/GlslNames.h"

#include "Backends/GlslRules.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace tailor {
namespace {

/// Functions of GLSL ES, which no global may be called there, and the text's own.
constexpr std::array<std::string_view, 5> kFunctions{"atomicAnd", "barrier", "clamp", "determinant",
                                                     "main"};
/// A structure of such a name would stand where a layout qualifier does.
constexpr std::array<std::string_view, 19> kLayoutWords{
    "align",  "binding",      "buffer_reference", "column_major", "component",
    "index",  "local_size_x", "local_size_y",     "local_size_z", "location",
    "offset", "packed",       "push_constant",    "row_major",    "scalar",
    "set",    "shared",       "std140",           "std430"};

bool isOneOf(const auto &words, std::string_view name) {
  return std::find(words.begin(), words.end(), name) != words.end();
}

bool isDigits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [](unsigned char c) { return std::isdigit(c) != 0; });
}

bool take(std::string_view &text, std::string_view prefix) {
  if (!text.starts_with(prefix))
    return false;
  text.remove_prefix(prefix.size());
  return true;
}

/// `float16_t`, `uint8_t`, `i64vec2`, `f16mat3x2`: types of extensions.
bool isSizedType(std::string_view name) {
  std::string_view rest = name;
  if (take(rest, "float") || take(rest, "uint") || take(rest, "int"))
    return rest.ends_with("_t") && isDigits(rest.substr(0, rest.size() - 2));
  if (!take(rest, "f") && !take(rest, "u") && !take(rest, "i"))
    return false;
  const std::string_view bits =
      rest.substr(0, std::min(rest.find_first_not_of("0123456789"), rest.size()));
  rest.remove_prefix(bits.size());
  return isDigits(bits) && (rest.starts_with("vec") || rest.starts_with("mat"));
}

/// Types of GLSL for Vulkan: `sampler`, `utexture2DArray`, `subpassInputMS`.
bool isOpaqueType(std::string_view name) {
  constexpr std::array<std::string_view, 11> kDimensions{
      "1D",     "1DArray", "2D",     "2DArray", "2DMS",     "2DMSArray",
      "2DRect", "3D",      "Buffer", "Cube",    "CubeArray"};
  if (name == "sampler" || name == "samplerShadow")
    return true;
  if (name.starts_with("i") || name.starts_with("u"))
    name.remove_prefix(1);
  if (take(name, "subpassInput"))
    return name.empty() || name == "MS";
  return take(name, "texture") && isOneOf(kDimensions, name);
}

bool isFormat(std::string_view name) {
  for (uint32_t format = 0; format <= SpvImageFormatR8ui; ++format)
    if (!name.empty() && glslFormatName(static_cast<SpvImageFormat>(format)) == name)
      return true;
  return false;
}

} // namespace

bool isTakenInGlsl(std::string_view name, NamedThing thing) {
  switch (thing) {
  case NamedThing::Member:
    return isSizedType(name) || isOpaqueType(name);
  case NamedThing::Structure:
    return isTakenInGlsl(name, NamedThing::Other) || isOneOf(kLayoutWords, name) || isFormat(name);
  case NamedThing::Other:
    break;
  }
  return isOneOf(kFunctions, name) || isSizedType(name) || isOpaqueType(name);
}

void renameTaken(spirv_cross::CompilerGLSL &compiler, const ModuleFacts &facts,
                 const GlslScan &scan) {
  for (const auto &[id, name] : scan.allNames()) {
    const NamedThing thing =
        scan.def(id).op == SpvOpTypeStruct ? NamedThing::Structure : NamedThing::Other;
    if (id != facts.entryId() && isTakenInGlsl(name, thing))
      compiler.set_name(id, name + "_");
  }
  for (const auto &[member, name] : scan.allMemberNames())
    if (isTakenInGlsl(name, NamedThing::Member))
      compiler.set_member_name(member.first, member.second, name + "_");
}

} // namespace tailor
