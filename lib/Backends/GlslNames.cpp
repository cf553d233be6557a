//===- Backends/GlslNames.cpp - Words that GLSL keeps ----------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/GlslNames.h"

#include "Backends/TextNames.h"

#include <algorithm>
#include <cctype>

namespace tailor {
namespace {

/// The OpenGL Shading Language 4.60.7 and the OpenGL ES Shading Language 3.20.6, 3.6 "Keywords",
/// those kept for the future too; GL_KHR_vulkan_glsl, and the extensions that glslang 12 knows.
/// Types of vectors, matrices, images and samplers are found by their form.
constexpr std::string_view kKeywords = R"(
active asm atomic_uint attribute bool break buffer case cast centroid class coherent common const
continue default discard do double else enum extern external false filter fixed flat float for goto
half highp if in inline inout input int interface invariant layout long lowp mediump namespace
noinline noperspective out output partition patch precise precision public readonly resource
restrict return sample shared short sizeof smooth static struct subroutine superp switch template
this true typedef uint uniform union unsigned using varying void volatile while writeonly
accelerationStructureEXT accelerationStructureNV callableDataEXT callableDataInEXT callableDataInNV
callableDataNV demote devicecoherent explicitInterpAMD fcoopmatNV hitAttributeEXT hitAttributeNV
hitObjectAttributeNV hitObjectNV icoopmatNV ignoreIntersectionEXT nonprivate nonuniformEXT
perprimitiveEXT perprimitiveNV pervertexEXT pervertexNV perviewNV queuefamilycoherent rayPayloadEXT
rayPayloadInEXT rayPayloadInNV rayPayloadNV rayQueryEXT sampler samplerShadow shadercallcoherent
shaderRecordEXT shaderRecordNV spirv_by_reference spirv_decorate spirv_decorate_id
spirv_decorate_string spirv_execution_mode spirv_execution_mode_id spirv_instruction spirv_literal
spirv_storage_class spirv_type subgroupcoherent subpassInput subpassInputMS
taskNV taskPayloadSharedEXT terminateInvocation terminateRayEXT ucoopmatNV workgroupcoherent
defined main VULKAN)";

/// Chapter 8, "Built-In Functions". In GLSL ES no global may be called as one; in GLSL one that is
/// hides the function.
constexpr std::string_view kFunctions = R"(
abs acos acosh all allInvocations allInvocationsEqual any anyInvocation asin asinh atan atanh
atomicAdd atomicAnd atomicCompSwap atomicCounter atomicCounterAdd atomicCounterAnd
atomicCounterCompSwap atomicCounterDecrement atomicCounterExchange atomicCounterIncrement
atomicCounterMax atomicCounterMin atomicCounterOr atomicCounterSubtract atomicCounterXor
atomicExchange atomicLoad atomicMax atomicMin atomicOr atomicStore atomicXor barrier bitCount
bitfieldExtract bitfieldInsert bitfieldReverse ceil clamp controlBarrier cos cosh cross dFdx
dFdxCoarse dFdxFine dFdy dFdyCoarse dFdyFine degrees determinant distance dot equal exp exp2
faceforward findLSB findMSB floatBitsToInt floatBitsToUint floor fma fract frexp fwidth fwidthCoarse
fwidthFine greaterThan greaterThanEqual groupMemoryBarrier imageAtomicAdd imageAtomicAnd
imageAtomicCompSwap imageAtomicExchange imageAtomicLoad imageAtomicMax imageAtomicMin imageAtomicOr
imageAtomicStore imageAtomicXor imageLoad imageSamples imageSize imageStore imulExtended
intBitsToFloat interpolateAtCentroid interpolateAtOffset interpolateAtSample inverse inversesqrt
isinf isnan ldexp length lessThan lessThanEqual log log2 matrixCompMult max memoryBarrier
memoryBarrierAtomicCounter memoryBarrierBuffer memoryBarrierImage memoryBarrierShared min mix mod
modf noise1 noise2 noise3 noise4 normalize not notEqual outerProduct packDouble2x32 packFloat2x16
packHalf2x16 packInt2x32 packSnorm2x16 packSnorm4x8 packUint2x32 packUnorm2x16 packUnorm4x8 pow
radians reflect refract round roundEven shadow1D shadow1DLod shadow1DProj shadow1DProjLod shadow2D
shadow2DLod shadow2DProj shadow2DProjLod sign sin sinh smoothstep sqrt step subpassLoad tan tanh
texelFetch texelFetchOffset texture texture1D texture1DLod texture1DProj texture1DProjLod texture2D
texture2DLod texture2DProj texture2DProjLod texture3D texture3DLod texture3DProj texture3DProjLod
textureCube textureCubeLod textureGather textureGatherOffset textureGatherOffsets textureGrad
textureGradOffset textureLod textureLodOffset textureOffset textureProj textureProjGrad
textureProjGradOffset textureProjLod textureProjLodOffset textureProjOffset textureQueryLevels
textureQueryLod textureSamples textureSize transpose trunc uaddCarry uintBitsToFloat umulExtended
unpackDouble2x32 unpackFloat2x16 unpackHalf2x16 unpackInt2x32 unpackSnorm2x16 unpackSnorm4x8
unpackUint2x32 unpackUnorm2x16 unpackUnorm4x8 usubBorrow)";

bool take(std::string_view &text, std::string_view prefix) {
  if (!text.starts_with(prefix))
    return false;
  text.remove_prefix(prefix.size());
  return true;
}

bool takeOneOf(std::string_view &text, std::string_view letters) {
  if (text.empty() || letters.find(text.front()) == std::string_view::npos)
    return false;
  text.remove_prefix(1);
  return true;
}

bool takeDigits(std::string_view &text) {
  const size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  text.remove_prefix(end);
  return end != 0;
}

/// `vec2`, `uvec4`, `dmat2x3`, `hvec3`; of extensions `float16_t`, `i64vec2`, `f16mat3x2`.
bool isNumberType(std::string_view name) {
  std::string_view rest = name;
  if (take(rest, "float") || take(rest, "uint") || take(rest, "int"))
    return takeDigits(rest) && rest == "_t";
  rest = name;
  if (takeOneOf(rest, "iuf") && !takeDigits(rest))
    rest = name;
  if (rest.size() == name.size())
    takeOneOf(rest, "biudhf");
  const bool isMatrix = rest.starts_with("mat");
  if (!take(rest, "vec") && !take(rest, "mat"))
    return false;
  if (!takeOneOf(rest, "234"))
    return false;
  if (isMatrix && take(rest, "x") && !takeOneOf(rest, "234"))
    return false;
  return rest.empty();
}

/// `sampler2DArrayShadow`, `uimageCube`, `itexture2D`, `usubpassInputMS`.
bool isOpaqueType(std::string_view name) {
  static const std::set<std::string_view> dimensions = wordList(
      "1D 1DArray 2D 2DArray 2DMS 2DMSArray 2DRect 3D 3DRect Buffer Cube CubeArray ExternalOES "
      "External2DY2YEXT");
  if (!name.starts_with("image"))
    takeOneOf(name, "iu");
  if (take(name, "subpassInput"))
    return name.empty() || name == "MS";
  if (!take(name, "sampler") && !take(name, "image") && !take(name, "texture"))
    return false;
  if (name.ends_with("Shadow"))
    name.remove_suffix(std::string_view("Shadow").size());
  return dimensions.contains(name);
}

} // namespace

bool isTakenInGlsl(std::string_view name) {
  static const std::set<std::string_view> keywords = wordList(kKeywords),
                                          functions = wordList(kFunctions);
  // Of GL_KHR_shader_subgroup all functions, and macros.
  const bool isOfExtension =
      (name.starts_with("GL_") || name.starts_with("subgroup")) && !name.ends_with('_');
  return name.starts_with("gl_") || isOfExtension || keywords.contains(name) ||
         functions.contains(name) || isNumberType(name) || isOpaqueType(name);
}

} // namespace tailor
