//===- Backends/CrossSupport.cpp -------------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/CrossSupport.h"

#include "spirv-tools/libspirv.h"
#include "spirv/unified1/GLSL.std.450.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <sstream>
#include <tuple>

namespace tailor {
namespace {

std::string_view nameOf(BindingKind kind) {
  switch (kind) {
  case BindingKind::UniformBuffer:
    return "uniform buffer";
  case BindingKind::StorageBuffer:
    return "storage buffer";
  case BindingKind::Texture:
    return "texture";
  case BindingKind::Image:
    return "image";
  case BindingKind::Sampler:
    return "sampler";
  }
  return "resource";
}

std::string placeOf(const BoundResource &resource) {
  return "'" + resource.name + "' (set " + std::to_string(resource.set) + ", binding " +
         std::to_string(resource.binding) + ")";
}

} // namespace

std::vector<BoundResource> boundResources(const spirv_cross::Compiler &compiler,
                                          const spirv_cross::ShaderResources &resources) {
  std::vector<BoundResource> list;
  auto add = [&](const spirv_cross::SmallVector<spirv_cross::Resource> &from, BindingKind kind) {
    for (const spirv_cross::Resource &resource : from)
      list.push_back({kind, resource.id,
                      compiler.get_decoration(resource.id, spv::DecorationDescriptorSet),
                      compiler.get_decoration(resource.id, spv::DecorationBinding), resource.name});
  };
  add(resources.uniform_buffers, BindingKind::UniformBuffer);
  add(resources.storage_buffers, BindingKind::StorageBuffer);
  add(resources.sampled_images, BindingKind::Texture);
  add(resources.separate_images, BindingKind::Texture);
  add(resources.storage_images, BindingKind::Image);
  add(resources.separate_samplers, BindingKind::Sampler);
  std::sort(list.begin(), list.end(), [](const BoundResource &a, const BoundResource &b) {
    return std::tie(a.set, a.binding, a.id) < std::tie(b.set, b.binding, b.id);
  });
  return list;
}

std::optional<Dim3> selectEntryPoint(spirv_cross::Compiler &compiler,
                                     const std::string &entryPoint) {
  compiler.set_entry_point(entryPoint, spv::ExecutionModelGLCompute);
  const auto &size =
      compiler.get_entry_point(entryPoint, spv::ExecutionModelGLCompute).workgroup_size;
  if (size.constant != 0 || size.id_x != 0 || size.id_y != 0 || size.id_z != 0)
    return std::nullopt;
  return Dim3{size.x, size.y, size.z};
}

Status refuseSharedBindings(std::string_view language, const ModuleFacts &facts,
                            const std::vector<BoundResource> &resources) {
  for (size_t i = 0; i < resources.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      const BoundResource &a = resources[j], &b = resources[i];
      if (a.kind == b.kind && a.binding == b.binding && a.set != b.set)
        return failure(facts.location(), std::string(language) + " has no descriptor sets, and " +
                                             placeOf(a) + " and " + placeOf(b) +
                                             " would share one " + std::string(nameOf(a.kind)) +
                                             " binding");
    }
  return success();
}

namespace {

/// `a (name: B)` as `what 'B'`, in a message of SPIRV-Cross that has `a` and a number ahead of it.
void nameInsteadOfNumber(std::string &text, std::string_view a, std::string_view what) {
  constexpr std::string_view kName = " (name: ";
  const size_t at = text.find(a), name = text.find(kName, std::min(at, text.size()));
  const size_t close = text.find(')', std::min(name, text.size()));
  if (close == std::string::npos)
    return;
  const size_t from = name + kName.size();
  text.replace(at, close + 1 - at,
               std::string(what) + " '" + text.substr(from, close - from) + "'");
}

/// The number behind the mark of an instruction that SPIRV-Cross has no words for.
std::optional<uint32_t> numberBehind(std::string_view text, std::string_view mark) {
  const size_t at = text.find(mark);
  if (at == std::string_view::npos)
    return std::nullopt;
  uint32_t number = 0;
  const std::string_view rest = text.substr(at + mark.size());
  auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

/// GLSL.std.450, by number from 1 on.
constexpr std::string_view kExtended = R"(
Round RoundEven Trunc FAbs SAbs FSign SSign Floor Ceil Fract Radians Degrees Sin Cos Tan Asin
Acos Atan Sinh Cosh Tanh Asinh Acosh Atanh Atan2 Pow Exp Log Exp2 Log2 Sqrt InverseSqrt
Determinant MatrixInverse Modf ModfStruct FMin UMin SMin FMax UMax SMax FClamp UClamp SClamp
FMix IMix Step SmoothStep Fma Frexp FrexpStruct Ldexp PackSnorm4x8 PackUnorm4x8 PackSnorm2x16
PackUnorm2x16 PackHalf2x16 PackDouble2x32 UnpackSnorm2x16 UnpackUnorm2x16 UnpackHalf2x16
UnpackSnorm4x8 UnpackUnorm4x8 UnpackDouble2x32 Length Distance Cross Normalize FaceForward
Reflect Refract FindILsb FindSMsb FindUMsb InterpolateAtCentroid InterpolateAtSample
InterpolateAtOffset NMin NMax NClamp)";

std::string extendedName(uint32_t number) {
  std::istringstream names{std::string(kExtended)};
  std::string name;
  for (uint32_t at = 0; at < number; ++at)
    if (!(names >> name))
      return std::to_string(number);
  return name;
}

/// The first use of an instruction of GLSL.std.450, whose number is in operand 3.
std::optional<uint32_t> wordOfExtended(const ModuleFacts &facts, uint32_t number) {
  std::optional<uint32_t> found;
  facts.forEachInstruction([&](SpvOp op, std::span<const uint32_t> operands, uint32_t word) {
    if (!found && op == SpvOpExtInst && operands[3] == number)
      found = word;
  });
  return found;
}

Failure cannotSay(std::string_view language, const ModuleFacts &facts, std::optional<uint32_t> word,
                  const std::string &name) {
  return failure(word ? facts.at(*word) : facts.location(),
                 std::string(language) + " cannot express " + name +
                     ", which SPIRV-Cross does not know");
}

} // namespace

Status refuseUnknownOps(std::string_view language, const ModuleFacts &facts,
                        std::string_view text) {
  if (std::optional<uint32_t> op = numberBehind(text, "// unimplemented op ")) {
    const std::optional<OpRef> use = facts.firstUse(static_cast<SpvOp>(*op));
    return cannotSay(language, facts, use ? std::optional(use->word) : std::nullopt,
                     "Op" + std::string(spvOpcodeString(*op)));
  }
  // Of GLSL.std.450: as a comment, or, of what Metal lacks, as a call of a function of that name.
  if (std::optional<uint32_t> number = numberBehind(text, "// unimplemented GLSL op "))
    return cannotSay(language, facts, wordOfExtended(facts, *number),
                     "the instruction " + extendedName(*number) + " of GLSL.std.450");
  constexpr std::string_view kUnsupported = "unsupported_GLSLstd450";
  if (const size_t at = text.find(kUnsupported); at != std::string_view::npos) {
    const std::string_view name = text.substr(at + kUnsupported.size());
    const bool isPack = name.starts_with("Pack");
    return cannotSay(
        language, facts,
        wordOfExtended(facts, isPack ? GLSLstd450PackDouble2x32 : GLSLstd450UnpackDouble2x32),
        isPack ? "PackDouble2x32" : "UnpackDouble2x32");
  }
  constexpr std::string_view kMark = "// unimplemented ";
  const size_t at = text.find(kMark);
  if (at == std::string_view::npos)
    return success();
  const std::string_view op = text.substr(at + kMark.size());
  return cannotSay(language, facts, std::nullopt, std::string(op.substr(0, op.find('\n'))));
}

Failure crossFailure(std::string_view language, const ModuleFacts &facts, std::string_view what) {
  std::string text(what);
  while (!text.empty() && (text.back() == '.' || text.back() == ' ' || text.back() == '\n'))
    text.pop_back();
  // A sentence starts small; an abbreviation stays as it is.
  if (text.size() > 1 && std::islower(static_cast<unsigned char>(text[1])) != 0)
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  nameInsteadOfNumber(text, "HLSL ConstantBuffer<T> ID ", "the constant buffer");
  nameInsteadOfNumber(text, "root constant cbuffer ID ", "the constant buffer");
  nameInsteadOfNumber(text, "cbuffer ID ", "the constant buffer");
  nameInsteadOfNumber(text, "member index ", "member");
  if (text.starts_with("buffer block cannot be expressed as any of std430"))
    text =
        "a block that lies neither as std430 nor as std140 has it, nor as offsets of members say";
  return failure(facts.location(), std::string(language) + " cannot express this kernel: " + text);
}

} // namespace tailor
