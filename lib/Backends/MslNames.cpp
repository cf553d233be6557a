//===- Backends/MslNames.cpp - Words that Metal keeps ----------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Backends/MslNames.h"

#include "Backends/TextNames.h"

#include <algorithm>
#include <array>

namespace tailor {
namespace {

/// C++14, 2.11 "Keywords", with those of C++17 and C++20; Metal Shading Language Specification 3.1,
/// chapters 4 "Address Spaces" and 5 "Function and Variable Declarations". `main` is no function of
/// Metal's.
constexpr std::string_view kKeywords = R"(
alignas alignof and and_eq asm assert auto bitand bitor bool break case catch char char16_t char32_t
char8_t class co_await co_return co_yield compl compute concept const const_cast consteval constexpr
constinit continue decltype default delete do double dynamic_cast else enum explicit export extern
false float for friend goto if inline int long main mutable namespace new noexcept not not_eq
nullptr operator or or_eq private protected public register reinterpret_cast requires return short
signed sizeof static static_assert static_cast struct switch template this thread_local throw true
try typedef typeid typename typeof union unsigned using virtual void volatile wchar_t while xor
xor_eq
constant device fragment intersection kernel mesh metal object object_data ray_data thread
threadgroup threadgroup_imageblock vertex visible
INFINITY MAXFLOAT MAXHALF NAN NULL is_function_constant_defined offsetof)";

/// The same, chapter 2 "Data Types", and what stands in chapters 5 and 6 with them. Vectors and
/// matrices are found by their form.
constexpr std::string_view kTypes = R"(
access acceleration_structure address array array_ref atomic atomic_bool atomic_flag atomic_float
atomic_int atomic_uint atomic_ulong bfloat bias command_buffer compare_func component
compute_command compute_pipeline_state coord cull_mode depth2d depth2d_array depth2d_ms
depth2d_ms_array depthcube depthcube_array dispatch_grid_size filter gradient2d gradient3d
gradientcube half imageblock imageblock_data instance_acceleration_structure int16_t int32_t
int64_t int8_t interpolant intersection_function_table intersection_params intersection_query
intersection_result intersection_type intersector level lod_options mag_filter matrix max_anisotropy
mem_flags memory_order memory_order_acq_rel memory_order_acquire memory_order_relaxed
memory_order_release memory_order_seq_cst memory_scope mesh_grid_properties min_filter
min_lod_clamp mip_filter patch_control_point primitive_acceleration_structure primitive_type
ptrdiff_t quadgroup r16snorm r16unorm r8snorm r8unorm ray render_command render_grid
render_pipeline_state rg11b10f rg16snorm rg16unorm rg8snorm rg8unorm rgb10a2 rgb9e5 rgba16snorm
rgba16unorm rgba8snorm rgba8unorm s_address sampler simd_vote simdgroup simdgroup_matrix size_t
sparse_color srgba8unorm t_address texture texture1d texture1d_array texture2d texture2d_array
texture2d_ms texture2d_ms_array texture3d texture_buffer texturecube texturecube_array
triangle_data uchar uint uint16_t uint32_t uint64_t uint8_t ulong ushort vec vertex_value
visible_function_table border_color r_address simd packed_vec triangle_cull_mode world_space_data)";

/// The same, chapter 6 "Metal Standard Library".
constexpr std::string_view kFunctions = R"(
abs absdiff acos acosh addsat align all any as_type asin asinh atan atan2 atan2pi atanh
atomic_compare_exchange_weak_explicit atomic_exchange_explicit atomic_fetch_add_explicit
atomic_fetch_and_explicit atomic_fetch_max_explicit atomic_fetch_min_explicit
atomic_fetch_or_explicit atomic_fetch_sub_explicit atomic_fetch_xor_explicit
atomic_flag_clear_explicit atomic_flag_test_and_set_explicit atomic_init atomic_load_explicit
atomic_max_explicit atomic_min_explicit atomic_store_explicit atomic_thread_fence cbrt ceil clamp
clz copysign cos cosh cospi cross ctz declval determinant dfdx dfdy discard_fragment distance
distance_squared divide dot erf erfc exp exp10 exp2 extract_bits fabs faceforward fast fdim floor
fma fmax fmax3 fmedian3 fmin fmin3 fmod forward fract frexp fwidth get_num_samples
get_sample_position get_thread_index_in_quadgroup hypot ilogb insert_bits isfinite isinf isnan
isnormal isordered isunordered ldexp length length_squared lgamma log log10 log2 mad mad24 madhi
madsat make_filled_simdgroup_matrix max max3 max_component median3 min min3 min_component mix modf
mul24 mulhi nan nanosleep nextafter normalize numeric_limits pack_float_to_snorm2x16
pack_float_to_snorm4x8 pack_float_to_srgb_unorm4x8 pack_float_to_unorm10a2 pack_float_to_unorm2x16
pack_float_to_unorm4x8 pack_float_to_unorm565 pack_half_to_snorm2x16 pack_half_to_snorm4x8
pack_half_to_srgb_unorm4x8 pack_half_to_unorm10a2 pack_half_to_unorm2x16 pack_half_to_unorm4x8
pack_half_to_unorm565 popcount pow powr precise printf quad_all quad_and quad_any
quad_active_threads_mask quad_ballot quad_broadcast quad_broadcast_first quad_is_first
quad_is_helper_thread quad_max quad_min quad_or quad_prefix_exclusive_product
quad_prefix_exclusive_sum quad_prefix_inclusive_product quad_prefix_inclusive_sum quad_product
quad_shuffle quad_shuffle_and_fill_down quad_shuffle_and_fill_up quad_shuffle_down
quad_shuffle_rotate_down quad_shuffle_rotate_up quad_shuffle_up quad_shuffle_xor quad_sum quad_xor
reflect refract remquo reverse_bits rhadd hadd rint rotate round rsqrt saturate select sign
signbit simd_active_threads_mask simd_all simd_and simd_any simd_ballot simd_broadcast
simd_broadcast_first simd_is_first simd_is_helper_thread simd_max simd_min simd_or
simd_prefix_exclusive_product simd_prefix_exclusive_sum simd_prefix_inclusive_product
simd_prefix_inclusive_sum simd_product simd_shuffle simd_shuffle_and_fill_down
simd_shuffle_and_fill_up simd_shuffle_down simd_shuffle_rotate_down simd_shuffle_rotate_up
simd_shuffle_up simd_shuffle_xor simd_sum simd_xor simdgroup_async_copy simdgroup_barrier
simdgroup_event simdgroup_load simdgroup_multiply simdgroup_multiply_accumulate simdgroup_store sin
sincos sinh sinpi smoothstep sqrt step subsat swap tan tanh tanpi tgamma threadgroup_barrier
transpose trunc unpack_snorm2x16_to_float unpack_snorm2x16_to_half unpack_snorm4x8_to_float
unpack_snorm4x8_to_half unpack_srgb_unorm4x8_to_float unpack_srgb_unorm4x8_to_half
unpack_unorm10a2_to_float unpack_unorm10a2_to_half unpack_unorm2x16_to_float
unpack_unorm2x16_to_half unpack_unorm4x8_to_float unpack_unorm4x8_to_half unpack_unorm565_to_float
unpack_unorm565_to_half)";

/// How macros of Metal's headers start (chapter 6, "Math Functions" and "Integer Functions").
constexpr std::array<std::string_view, 14> kMacros{"CHAR_",    "DBL_",  "FLT_",   "FP_",    "HALF_",
                                                   "HUGE_VAL", "INT_",  "LONG_",  "METAL_", "M_",
                                                   "SCHAR_",   "SHRT_", "UCHAR_", "UINT_"};

/// `float3`, `packed_half4`, `simd_float4x4`, `simdgroup_float8x8`, `vector_uint2`.
bool isNumberType(std::string_view name) {
  static const std::set<std::string_view> scalars = wordList(
      "bool char uchar short ushort int uint long ulong half float double bfloat size_t ptrdiff_t");
  for (const std::string_view prefix : {"packed_", "simd_", "simdgroup_", "vector_", "matrix_"})
    if (name.starts_with(prefix)) {
      name.remove_prefix(prefix.size());
      break;
    }
  const size_t digit = std::min(name.find_first_of("2348"), name.size());
  const std::string_view size = name.substr(digit);
  return scalars.contains(name.substr(0, digit)) &&
         (size.size() <= 1 || (size.size() == 3 && size[1] == 'x'));
}

bool isMacro(std::string_view name) {
  return !name.ends_with('_') && std::any_of(kMacros.begin(), kMacros.end(),
                                             [&](auto prefix) { return name.starts_with(prefix); });
}

} // namespace

bool isTakenInMsl(std::string_view name) {
  static const std::set<std::string_view> keywords = wordList(kKeywords), types = wordList(kTypes),
                                          functions = wordList(kFunctions);
  return keywords.contains(name) || types.contains(name) || functions.contains(name) ||
         isNumberType(name) || isMacro(name);
}

} // namespace tailor
