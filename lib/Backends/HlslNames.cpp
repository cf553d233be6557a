//===- Backends/HlslNames.cpp - Words that HLSL keeps ----------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/HlslNames.h"

#include "Backends/TextNames.h"

#include <algorithm>
#include <cctype>

namespace tailor {
namespace {

/// HLSL reference, "Keywords" and "Reserved Words"; what DXC adds to them, C++'s own included, and
/// glslang's HLSL (`layout`).
/// Vectors and matrices are found by their form.
constexpr std::string_view kKeywords = R"(
AppendStructuredBuffer BlendState Buffer ByteAddressBuffer CompileShader ComputeShader
ConstantBuffer ConsumeStructuredBuffer DepthStencilState DepthStencilView DomainShader
FeedbackTexture2D FeedbackTexture2DArray GeometryShader Hullshader HullShader InputPatch LineStream
NULL OutputPatch PixelShader PointStream RasterizerOrderedBuffer RasterizerOrderedByteAddressBuffer
RasterizerOrderedStructuredBuffer RasterizerOrderedTexture1D RasterizerOrderedTexture1DArray
RasterizerOrderedTexture2D RasterizerOrderedTexture2DArray RasterizerOrderedTexture3D
RasterizerState RayDesc RayQuery RaytracingAccelerationStructure RenderTargetView
ResourceDescriptorHeap RWBuffer RWByteAddressBuffer RWStructuredBuffer RWTexture1D
RWTexture1DArray RWTexture2D RWTexture2DArray RWTexture2DMS RWTexture2DMSArray RWTexture3D
SamplerComparisonState SamplerDescriptorHeap SamplerState StateObjectConfig StructuredBuffer
SubobjectToExportsAssociation SubpassInput SubpassInputMS Texture1D Texture1DArray Texture2D
Texture2DArray Texture2DMS Texture2DMSArray Texture3D TextureBuffer TextureCube TextureCubeArray
TriangleStream VertexShader
alignas alignof asm asm_fragment auto bool break case catch cbuffer centroid char char16_t char32_t
class column_major compile compile_fragment const const_cast constexpr continue decltype default
delete discard do double dword dynamic_cast else enum explicit export extern false float for friend
fxgroup globallycoherent goto groupshared half if in indices inline inout int int8_t4_packed
interface line lineadj linear long main layout matrix mutable VULKAN namespace new nointerpolation
noexcept noperspective nullptr operator out packoffset pass payload pixelfragment point precise
primitives private protected public register reinterpret_cast return row_major sample sampler
sampler1D sampler2D sampler3D samplerCUBE sampler_state shared short signed sizeof snorm stateblock
stateblock_state static static_assert static_cast string struct switch tbuffer technique technique10
technique11 template texture texture1D texture2D texture3D textureCUBE texture_cube this
thread_local throw triangle triangleadj true try typedef typeid typename uint uint8_t4_packed
uniform union unorm unroll unsigned using vector vertexfragment vertices virtual vk void volatile
wchar_t while)";

/// Words that FXC reads in any case.
constexpr std::string_view kAnyCase = R"(
asm decl pass pixelshader technique technique10 technique11 texture1d texture2d texture3d
texturecube vector matrix string sampler vertexshader geometryshader computeshader)";

/// HLSL reference, "Intrinsic Functions" and those of shader models 6.0 to 6.6.
constexpr std::string_view kFunctions = R"(
AllMemoryBarrier AllMemoryBarrierWithGroupSync CheckAccessFullyMapped D3DCOLORtoUBYTE4
DeviceMemoryBarrier DeviceMemoryBarrierWithGroupSync EvaluateAttributeAtCentroid
EvaluateAttributeAtSample EvaluateAttributeCentroid EvaluateAttributeSnapped
GetAttributeAtVertex GetRenderTargetSampleCount GetRenderTargetSamplePosition
GroupMemoryBarrier GroupMemoryBarrierWithGroupSync InterlockedAdd InterlockedAnd
InterlockedCompareExchange InterlockedCompareExchangeFloatBitwise InterlockedCompareStore
InterlockedCompareStoreFloatBitwise InterlockedExchange InterlockedMax InterlockedMin
InterlockedOr InterlockedXor IsHelperLane NonUniformResourceIndex Process2DQuadTessFactorsAvg
Process2DQuadTessFactorsMax Process2DQuadTessFactorsMin ProcessIsolineTessFactors
ProcessQuadTessFactorsAvg ProcessQuadTessFactorsMax ProcessQuadTessFactorsMin
ProcessTriTessFactorsAvg ProcessTriTessFactorsMax ProcessTriTessFactorsMin QuadAll QuadAny
QuadReadAcrossDiagonal QuadReadAcrossX QuadReadAcrossY QuadReadLaneAt WaveActiveAllEqual
WaveActiveAllTrue WaveActiveAnyTrue WaveActiveBallot WaveActiveBitAnd WaveActiveBitOr
WaveActiveBitXor WaveActiveCountBits WaveActiveMax WaveActiveMin WaveActiveProduct WaveActiveSum
WaveGetLaneCount WaveGetLaneIndex WaveIsFirstLane WaveMatch WaveMultiPrefixBitAnd
WaveMultiPrefixBitOr WaveMultiPrefixBitXor WaveMultiPrefixCountBits WaveMultiPrefixProduct
WaveMultiPrefixSum WavePrefixCountBits WavePrefixProduct WavePrefixSum WaveReadLaneAt
WaveReadLaneFirst
abort abs acos all and any asdouble asfloat asfloat16 asin asint asint16 asuint asuint16 atan atan2
ceil clamp clip cos cosh countbits cross ddx ddx_coarse ddx_fine ddy ddy_coarse ddy_fine degrees
determinant distance dot dot2add dot4add_i8packed dot4add_u8packed dst errorf exp exp2 f16tof32
f32tof16 faceforward firstbithigh firstbitlow floor fma fmod frac frexp fwidth isfinite isinf isnan
ldexp length lerp lit log log10 log2 mad max min modf msad4 mul noise normalize or pack_clamp_s8
pack_clamp_u8 pack_s8 pack_u8 pow printf radians rcp reflect refract reversebits round rsqrt
saturate select sign sin sincos sinh smoothstep source_mark sqrt step tan tanh tex1D tex1Dbias
tex1Dgrad tex1Dlod tex1Dproj tex2D tex2Dbias tex2Dgrad tex2Dlod tex2Dproj tex3D tex3Dbias tex3Dgrad
tex3Dlod tex3Dproj texCUBE texCUBEbias texCUBEgrad texCUBElod texCUBEproj transpose trunc
unpack_s8s16 unpack_s8s32 unpack_u8u16 unpack_u8u32)";

/// `float3`, `min16uint4`, `int64_t2`, `float3x4`, `float16_t`.
bool isNumberType(std::string_view name) {
  static const std::set<std::string_view> scalars =
      wordList("bool int uint float half double dword min16float min10float min16int min12int "
               "min16uint int16_t int32_t int64_t uint16_t uint32_t uint64_t float16_t float32_t "
               "float64_t unorm snorm");
  if (scalars.contains(name))
    return true;
  auto isCount = [](char c) { return c >= '1' && c <= '4'; };
  if (name.size() > 3 && name[name.size() - 2] == 'x' && isCount(name.back()) &&
      isCount(name[name.size() - 3]))
    return scalars.contains(name.substr(0, name.size() - 3));
  return !name.empty() && isCount(name.back()) && scalars.contains(name.substr(0, name.size() - 1));
}

/// As SPIRV-Cross writes vectors of 64-bit integers: see hlslTypeOf.
bool isGlslLongVector(std::string_view name) {
  return name.size() == 7 && (name.starts_with("i64vec") || name.starts_with("u64vec")) &&
         name[6] >= '2' && name[6] <= '4';
}

} // namespace

std::string hlslTypeOf(std::string_view word) {
  if (!isGlslLongVector(word))
    return std::string(word);
  return (word[0] == 'u' ? "uint64_t" : "int64_t") + std::string(1, word[6]);
}

bool isTakenInHlsl(std::string_view name) {
  static const std::set<std::string_view> keywords = wordList(kKeywords),
                                          functions = wordList(kFunctions),
                                          anyCase = wordList(kAnyCase);
  // glslang has its macros in HLSL too.
  const bool isMacro = name.starts_with("GL_") && !name.ends_with('_');
  if (isMacro || keywords.contains(name) || functions.contains(name) || isNumberType(name) ||
      isGlslLongVector(name))
    return true;
  std::string small(name);
  std::transform(small.begin(), small.end(), small.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return anyCase.contains(small);
}

} // namespace tailor
