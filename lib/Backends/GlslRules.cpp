//===- Backends/GlslRules.cpp - Declarations that GLSL cannot say ----------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/GlslRules.h"

#include <algorithm>
#include <array>

namespace tailor {
namespace {

using Inst = GlslScan::Inst;

struct FormatName {
  SpvImageFormat format;
  std::string_view name;
  bool isEs; ///< GLSL ES 3.10 specification, 4.4.7 "Format Layout Qualifiers"
};
constexpr FormatName kFormats[] = {
    {SpvImageFormatRgba32f, "rgba32f", true},
    {SpvImageFormatRgba16f, "rgba16f", true},
    {SpvImageFormatR32f, "r32f", true},
    {SpvImageFormatRgba8, "rgba8", true},
    {SpvImageFormatRgba8Snorm, "rgba8_snorm", true},
    {SpvImageFormatRg32f, "rg32f", false},
    {SpvImageFormatRg16f, "rg16f", false},
    {SpvImageFormatR11fG11fB10f, "r11f_g11f_b10f", false},
    {SpvImageFormatR16f, "r16f", false},
    {SpvImageFormatRgba16, "rgba16", false},
    {SpvImageFormatRgb10A2, "rgb10_a2", false},
    {SpvImageFormatRg16, "rg16", false},
    {SpvImageFormatRg8, "rg8", false},
    {SpvImageFormatR16, "r16", false},
    {SpvImageFormatR8, "r8", false},
    {SpvImageFormatRgba16Snorm, "rgba16_snorm", false},
    {SpvImageFormatRg16Snorm, "rg16_snorm", false},
    {SpvImageFormatRg8Snorm, "rg8_snorm", false},
    {SpvImageFormatR16Snorm, "r16_snorm", false},
    {SpvImageFormatR8Snorm, "r8_snorm", false},
    {SpvImageFormatRgba32i, "rgba32i", true},
    {SpvImageFormatRgba16i, "rgba16i", true},
    {SpvImageFormatRgba8i, "rgba8i", true},
    {SpvImageFormatR32i, "r32i", true},
    {SpvImageFormatRg32i, "rg32i", false},
    {SpvImageFormatRg16i, "rg16i", false},
    {SpvImageFormatRg8i, "rg8i", false},
    {SpvImageFormatR16i, "r16i", false},
    {SpvImageFormatR8i, "r8i", false},
    {SpvImageFormatRgba32ui, "rgba32ui", true},
    {SpvImageFormatRgba16ui, "rgba16ui", true},
    {SpvImageFormatRgba8ui, "rgba8ui", true},
    {SpvImageFormatR32ui, "r32ui", true},
    {SpvImageFormatRgb10a2ui, "rgb10_a2ui", false},
    {SpvImageFormatRg32ui, "rg32ui", false},
    {SpvImageFormatRg16ui, "rg16ui", false},
    {SpvImageFormatRg8ui, "rg8ui", false},
    {SpvImageFormatR16ui, "r16ui", false},
    {SpvImageFormatR8ui, "r8ui", false},
};

const FormatName *findFormat(SpvImageFormat format) {
  for (const FormatName &each : kFormats)
    if (each.format == format)
      return &each;
  return nullptr;
}

/// Modes that promise how floats behave: the text would lose the promise.
constexpr std::pair<SpvExecutionMode, std::string_view> kFloatModes[] = {
    {SpvExecutionModeDenormPreserve, "DenormPreserve"},
    {SpvExecutionModeDenormFlushToZero, "DenormFlushToZero"},
    {SpvExecutionModeSignedZeroInfNanPreserve, "SignedZeroInfNanPreserve"},
    {SpvExecutionModeRoundingModeRTE, "RoundingModeRTE"},
    {SpvExecutionModeRoundingModeRTZ, "RoundingModeRTZ"},
};

class DeclarationRules {
public:
  DeclarationRules(const GlslProfile &profile, const ModuleFacts &facts, const GlslScan &scan)
      : profile(profile), facts(facts), scan(scan) {}

  Status run() {
    for (const Inst &inst : scan.instructions())
      if (Status fine = checkGlobal(inst); !fine)
        return fine;
    for (const GlslScan::Resource &resource : scan.resources())
      if (Status fine = checkResource(resource); !fine)
        return fine;
    return checkOffsets();
  }

private:
  Failure cannot(uint32_t word, std::string_view what) const {
    return profile.cannot(facts.at(word), what);
  }

  Status checkGlobal(const Inst &inst) {
    switch (inst.op) {
    case SpvOpCapability:
      if (static_cast<SpvCapability>(inst.operand(0)) ==
          SpvCapabilityWorkgroupMemoryExplicitLayoutKHR)
        return cannot(inst.word, "workgroup memory with offsets of its own");
      return success();
    case SpvOpExecutionMode:
    case SpvOpExecutionModeId:
      return checkMode(inst);
    case SpvOpTypeFloat:
    case SpvOpTypeInt:
      return checkWidth(inst);
    case SpvOpDecorate:
      // Below ES 3.20 there is no `precise`, and SPIRV-Cross leaves it out.
      if (profile.es && profile.version < 320 &&
          static_cast<SpvDecoration>(inst.operand(1)) == SpvDecorationNoContraction)
        return cannot(inst.word, "arithmetic that must not be contracted (NoContraction), "
                                 "which GLSL ES has from 3.20 on");
      return success();
    case SpvOpFunctionParameter:
      return checkParameter(inst);
    case SpvOpVariable:
      // SPIRV-Cross would declare both, whoever uses them.
      if (static_cast<SpvStorageClass>(inst.operand(2)) == SpvStorageClassPushConstant &&
          ++pushConstantBlocks > 1)
        return cannot(inst.word, "two blocks of push constants");
      return success();
    default:
      return success();
    }
  }

  /// OpenGL Shading Language 4.50, 4.4.5: a member lies behind the members before it.
  Status checkOffsets() {
    const std::pair<uint32_t, uint32_t> *before = nullptr;
    uint32_t offsetBefore = 0;
    for (const auto &[member, at] : scan.allMemberOffsets()) {
      const bool isBlock = scan.hasDecoration(member.first, SpvDecorationBlock) ||
                           scan.hasDecoration(member.first, SpvDecorationBufferBlock);
      if (isBlock && before && before->first == member.first && at.offset < offsetBefore)
        return cannot(at.word, "a block whose members are not in the order of their offsets (" +
                                   scan.name(member.first) + ")");
      before = &member;
      offsetBefore = at.offset;
    }
    return success();
  }

  Status checkMode(const Inst &inst) {
    if (inst.operand(0) != facts.entryId())
      return success();
    const auto mode = static_cast<SpvExecutionMode>(inst.operand(1));
    if (mode == SpvExecutionModeLocalSize || mode == SpvExecutionModeLocalSizeHint)
      return success();
    for (const auto &[floatMode, name] : kFloatModes)
      if (mode == floatMode)
        return cannot(inst.word, "the execution mode " + std::string(name));
    return cannot(inst.word, "the execution mode " + std::to_string(inst.operand(1)));
  }

  /// GLSL has no pointers: SPIRV-Cross writes an inout, which copies what it stands for in and out.
  /// That is another thing for memory that others see.
  Status checkParameter(const Inst &parameter) {
    const Inst &type = scan.def(parameter.operand(0));
    if (type.op != SpvOpTypePointer)
      return success();
    switch (static_cast<SpvStorageClass>(type.operand(1))) {
    case SpvStorageClassFunction:
    case SpvStorageClassPrivate:
    case SpvStorageClassUniformConstant:
      return success();
    default:
      return cannot(parameter.word, "a pointer to memory that invocations share as the argument of "
                                    "a function");
    }
  }

  Status checkWidth(const Inst &inst) {
    const bool isFloat = inst.op == SpvOpTypeFloat;
    const uint32_t width = inst.operand(1);
    // GLSL has doubles since 4.00, and 64-bit integers through an extension of OpenGL's; GLSL ES
    // has neither, and OpenGL has nothing smaller than 32 bits.
    if (profile.vulkan || width == 32 || (width == 64 && !profile.es))
      return success();
    return cannot(inst.word, std::to_string(width) + "-bit " + (isFloat ? "floats" : "integers"));
  }

  Status checkResource(const GlslScan::Resource &resource) {
    if (profile.isOpenGl() && resource.isRuntimeArray)
      return cannot(resource.word,
                    "an array of resources without a length (" + scan.name(resource) + ")");
    const Inst *image = &scan.def(resource.type);
    if (image->op == SpvOpTypeSampledImage)
      image = &scan.def(image->operand(1));
    return image->op == SpvOpTypeImage ? checkImage(resource, *image) : success();
  }

  Status checkImage(const GlslScan::Resource &resource, const Inst &image) {
    const bool isStorage = image.operand(6) == 2;
    const auto dim = static_cast<SpvDim>(image.operand(2));
    const auto format = static_cast<SpvImageFormat>(image.operand(7));
    const std::string of = " (" + scan.name(resource) + ")";
    if (profile.isOpenGl() && scan.def(image.operand(1)).operand(1) == 64)
      return cannot(resource.word, "images of 64-bit integers" + of);
    if (dim == SpvDimSubpassData)
      return cannot(resource.word, "subpass inputs" + of);
    if (isStorage && format != SpvImageFormatUnknown && !findFormat(format))
      return cannot(resource.word, "this image format" + of);
    return profile.es ? checkEsImage(resource, image, dim, format, isStorage) : success();
  }

  Status checkEsImage(const GlslScan::Resource &resource, const Inst &image, SpvDim dim,
                      SpvImageFormat format, bool isStorage) {
    const std::string of = " (" + scan.name(resource) + ")";
    const bool isArrayed = image.operand(4) != 0, isMultisampled = image.operand(5) != 0;
    const std::string from320 = ", which GLSL ES has from 3.20 on" + of;
    if (dim == SpvDim1D || dim == SpvDimRect)
      return cannot(resource.word,
                    (dim == SpvDim1D ? "one-dimensional images" : "rectangle images") + of);
    if (isMultisampled && isStorage)
      return cannot(resource.word, "multisampled storage images" + of);
    if (profile.version < 320 && dim == SpvDimCube && isArrayed)
      return cannot(resource.word, "arrays of cube images" + from320);
    if (profile.version < 320 && isMultisampled && isArrayed)
      return cannot(resource.word, "arrays of multisampled images" + from320);
    if (isStorage && format == SpvImageFormatUnknown)
      return cannot(resource.word, "storage images without a format" + of);
    if (isStorage && !isEsFormat(format))
      return cannot(resource.word, "the image format " + std::string(glslFormatName(format)) + of);
    return success();
  }

  const GlslProfile &profile;
  const ModuleFacts &facts;
  const GlslScan &scan;
  unsigned pushConstantBlocks = 0;
};

} // namespace

std::string_view glslFormatName(SpvImageFormat format) {
  const FormatName *found = findFormat(format);
  return found ? found->name : std::string_view();
}

bool isEsFormat(SpvImageFormat format) {
  const FormatName *found = findFormat(format);
  return found && found->isEs;
}

bool isEsReadWriteFormat(SpvImageFormat format) {
  return format == SpvImageFormatR32f || format == SpvImageFormatR32i ||
         format == SpvImageFormatR32ui;
}

Status checkGlslDeclarations(const GlslProfile &profile, const ModuleFacts &facts,
                             const GlslScan &scan) {
  return DeclarationRules(profile, facts, scan).run();
}

} // namespace tailor
