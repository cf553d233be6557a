//===- Tuning/Reflect.cpp - Reflection by SPIRV-Cross ---------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/Reflect.h"

#include "Tuning/ReflectSize.h"

#include <algorithm>
#include <exception>
#include <spirv_cross/spirv_cross.hpp>
#include <tuple>

namespace tailor {

using spirv_cross::Compiler;
using spirv_cross::Resource;
using spirv_cross::SmallVector;
using spirv_cross::SPIRType;
using vulkan::ElementType;
using vulkan::ResourceKind;

std::string ReflectedBinding::str() const {
  std::string text = "set " + std::to_string(set) + " binding " + std::to_string(binding);
  return name.empty() ? text : text + " ('" + name + "')";
}

namespace {

/// Members that one block lists before it is cut short: templates and checks
/// need names, not every field of a large structure.
constexpr size_t kMaxMembers = 256;
/// Elements of an array that a template writes out. Push constants must all have a value.
constexpr uint32_t kMaxArrayValues = 16, kMaxPushedValues = 4096;

std::optional<ElementType> elementTypeOf(const SPIRType &type) {
  switch (type.basetype) {
  case SPIRType::Boolean:
  case SPIRType::UInt:
    return ElementType::U32;
  case SPIRType::Int:
    return ElementType::I32;
  case SPIRType::SByte:
    return ElementType::I8;
  case SPIRType::UByte:
    return ElementType::U8;
  case SPIRType::Short:
    return ElementType::I16;
  case SPIRType::UShort:
    return ElementType::U16;
  case SPIRType::Int64:
    return ElementType::I64;
  case SPIRType::UInt64:
    return ElementType::U64;
  case SPIRType::Half:
    return ElementType::F16;
  case SPIRType::Float:
    return ElementType::F32;
  case SPIRType::Double:
    return ElementType::F64;
  default:
    return std::nullopt;
  }
}

/// The first scalar inside a type.
ElementType firstScalar(const Compiler &compiler, const SPIRType &type) {
  const SPIRType *inner = &type;
  while (inner->basetype == SPIRType::Struct && !inner->member_types.empty())
    inner = &compiler.get_type(inner->member_types[0]);
  return elementTypeOf(*inner).value_or(ElementType::U32);
}

/// Numeric members of a block, those of structures and of arrays that are no list of values one by
/// one.
class MemberList {
public:
  MemberList(const Compiler &compiler, uint32_t maxArrayValues, std::vector<ReflectedMember> &out)
      : compiler(compiler), maxArrayValues(maxArrayValues), out(out) {}

  void add(const SPIRType &block, const std::string &prefix, uint32_t base) {
    for (uint32_t i = 0; i < block.member_types.size() && out.size() < kMaxMembers; ++i) {
      std::string name = compiler.get_member_name(block.self, i);
      if (name.empty())
        name = "member" + std::to_string(i);
      addMember(block, i, prefix + name, base + compiler.type_struct_member_offset(block, i));
    }
  }

private:
  void addMember(const SPIRType &block, uint32_t index, const std::string &name, uint32_t offset);
  void addElements(const SPIRType &block, uint32_t index, const std::string &name, uint32_t offset);
  void addOne(const SPIRType &block, uint32_t index, const std::string &name, uint32_t offset);

  const Compiler &compiler;
  uint32_t maxArrayValues;
  std::vector<ReflectedMember> &out;
};

void MemberList::addMember(const SPIRType &block, uint32_t index, const std::string &name,
                           uint32_t offset) {
  const SPIRType &type = compiler.get_type(block.member_types[index]);
  if (type.array.empty())
    return addOne(block, index, name, offset);
  const bool isKnown = std::all_of(type.array_size_literal.begin(), type.array_size_literal.end(),
                                   [](bool isLiteral) { return isLiteral; });
  if (!isKnown || type.array.back() == 0) // as long as the buffer
    return;
  std::optional<ElementType> element = elementTypeOf(type);
  // Only a tightly packed array reads as a list of values.
  const uint32_t bytes = element ? vulkan::bytesOf(*element) * type.vecsize : 0;
  if (!element || type.array.size() != 1 || type.columns != 1 ||
      compiler.type_struct_member_array_stride(block, index) != bytes)
    return addElements(block, index, name, offset);
  const uint64_t values = uint64_t{type.array[0]} * type.vecsize;
  if (values > maxArrayValues)
    return;
  out.push_back(
      {name, offset, *element, static_cast<uint32_t>(values), type.array[0] * bytes, true});
}

/// `lights[0].color`, `rows[1]`; of arrays of arrays `m[1][0]`.
void MemberList::addElements(const SPIRType &block, uint32_t index, const std::string &name,
                             uint32_t offset) {
  const SPIRType &type = compiler.get_type(block.member_types[index]);
  uint64_t count = 1; // in memory the last dimension of the declaration moves fastest
  for (uint32_t length : type.array)
    count *= length;
  if (count > maxArrayValues)
    return;
  uint64_t stride = compiler.type_struct_member_array_stride(block, index);
  for (size_t outer = type.array.size(); outer-- > 1;)
    stride /= type.array[outer - 1]; // it is that of the outermost one
  const size_t before = out.size();
  for (uint32_t at = 0; at < count && out.size() < kMaxMembers; ++at) {
    std::string place;
    uint32_t rest = at;
    for (uint32_t length : type.array) {
      place.insert(0, "[" + std::to_string(rest % length) + "]");
      rest /= length;
    }
    addOne(block, index, name + place, offset + static_cast<uint32_t>(at * stride));
  }
  for (size_t at = before; at < out.size(); ++at)
    out[at].inArray = true;
}

/// What is no array, or an element of one.
void MemberList::addOne(const SPIRType &block, uint32_t index, const std::string &name,
                        uint32_t offset) {
  const SPIRType &type = compiler.get_type(block.member_types[index]);
  if (type.basetype == SPIRType::Struct)
    return add(compiler.get_type(type.self), name + ".", offset);
  std::optional<ElementType> element = elementTypeOf(type);
  if (!element || out.size() >= kMaxMembers)
    return;
  const uint32_t bytes = vulkan::bytesOf(*element);
  if (type.columns <= 1) {
    out.push_back({name, offset, *element, type.vecsize, type.vecsize * bytes});
    return;
  }
  const bool isRowMajor =
      compiler.has_member_decoration(block.self, index, spv::DecorationRowMajor);
  const uint32_t vectors = isRowMajor ? type.vecsize : type.columns;
  const uint32_t length = isRowMajor ? type.columns : type.vecsize;
  const uint32_t stride = compiler.type_struct_member_matrix_stride(block, index);
  if (stride == bytes * length) {
    out.push_back({name, offset, *element, vectors * length, vectors * length * bytes});
    return;
  }
  for (uint32_t at = 0; at < vectors; ++at)
    out.push_back({name + "[" + std::to_string(at) + "]", offset + at * stride, *element, length,
                   length * bytes});
}

void addMembers(const Compiler &compiler, const SPIRType &block, uint32_t maxArrayValues,
                std::vector<ReflectedMember> &out) {
  MemberList(compiler, maxArrayValues, out).add(block, "", 0);
}

std::string_view formatName(spv::ImageFormat format) {
  switch (format) {
#define FORMAT(SPIRV, GLSL)                                                                        \
  case spv::ImageFormat##SPIRV:                                                                    \
    return GLSL;
    FORMAT(Rgba32f, "rgba32f")
    FORMAT(Rgba16f, "rgba16f")
    FORMAT(R32f, "r32f")
    FORMAT(Rgba8, "rgba8")
    FORMAT(Rgba8Snorm, "rgba8_snorm")
    FORMAT(Rg32f, "rg32f")
    FORMAT(Rg16f, "rg16f")
    FORMAT(R11fG11fB10f, "r11f_g11f_b10f")
    FORMAT(R16f, "r16f")
    FORMAT(Rgba16, "rgba16")
    FORMAT(Rgb10A2, "rgb10_a2")
    FORMAT(Rg16, "rg16")
    FORMAT(Rg8, "rg8")
    FORMAT(R16, "r16")
    FORMAT(R8, "r8")
    FORMAT(Rgba16Snorm, "rgba16_snorm")
    FORMAT(Rg16Snorm, "rg16_snorm")
    FORMAT(Rg8Snorm, "rg8_snorm")
    FORMAT(R16Snorm, "r16_snorm")
    FORMAT(R8Snorm, "r8_snorm")
    FORMAT(Rgba32i, "rgba32i")
    FORMAT(Rgba16i, "rgba16i")
    FORMAT(Rgba8i, "rgba8i")
    FORMAT(R32i, "r32i")
    FORMAT(Rg32i, "rg32i")
    FORMAT(Rg16i, "rg16i")
    FORMAT(Rg8i, "rg8i")
    FORMAT(R16i, "r16i")
    FORMAT(R8i, "r8i")
    FORMAT(Rgba32ui, "rgba32ui")
    FORMAT(Rgba16ui, "rgba16ui")
    FORMAT(Rgba8ui, "rgba8ui")
    FORMAT(R32ui, "r32ui")
    FORMAT(Rgb10a2ui, "rgb10_a2ui")
    FORMAT(Rg32ui, "rg32ui")
    FORMAT(Rg16ui, "rg16ui")
    FORMAT(Rg8ui, "rg8ui")
    FORMAT(R16ui, "r16ui")
    FORMAT(R8ui, "r8ui")
    FORMAT(R64ui, "r64ui")
    FORMAT(R64i, "r64i")
#undef FORMAT
  default:
    return "";
  }
}

vulkan::ImageDim dimOf(const SPIRType::ImageType &image) {
  switch (image.dim) {
  case spv::Dim1D:
    return image.arrayed ? vulkan::ImageDim::D1Array : vulkan::ImageDim::D1;
  case spv::Dim3D:
    return vulkan::ImageDim::D3;
  case spv::DimCube:
    return vulkan::ImageDim::Cube;
  default:
    return image.arrayed ? vulkan::ImageDim::D2Array : vulkan::ImageDim::D2;
  }
}

ReflectedBinding bindingOf(const Compiler &compiler, const Resource &resource, ResourceKind kind) {
  ReflectedBinding result;
  result.kind = kind;
  result.set = compiler.get_decoration(resource.id, spv::DecorationDescriptorSet);
  result.binding = compiler.get_decoration(resource.id, spv::DecorationBinding);
  result.name = compiler.get_name(resource.id);
  const SPIRType &type = compiler.get_type(resource.type_id);
  for (size_t i = 0; i < type.array.size(); ++i)
    result.arraySize *= type.array_size_literal[i] ? type.array[i] : 1;
  if (vulkan::isBuffer(kind)) {
    const SPIRType &block = compiler.get_type(resource.base_type_id);
    // A block without an instance name shows its members: those are what people know.
    if (result.name.empty() && block.member_types.size() == 1)
      result.name = compiler.get_member_name(block.self, 0);
    if (result.name.empty())
      result.name = resource.name;
    result.element = firstScalar(compiler, block);
    if (block.member_types.empty())
      return result;
    result.fixedBytes = compiler.get_declared_struct_size(block);
    const SPIRType &last = compiler.get_type(block.member_types.back());
    if (!last.array.empty() && last.array_size_literal.back() && last.array.back() == 0)
      result.runtimeStride = compiler.type_struct_member_array_stride(
          block, static_cast<uint32_t>(block.member_types.size() - 1));
    addMembers(compiler, block, kMaxArrayValues, result.members);
    spirv_cross::Bitset flags = compiler.get_buffer_block_flags(resource.id);
    result.readOnly = flags.get(spv::DecorationNonWritable);
    result.writeOnly = flags.get(spv::DecorationNonReadable);
  } else if (kind != ResourceKind::Sampler) {
    const SPIRType &image = compiler.get_type(resource.base_type_id);
    result.dim = dimOf(image.image);
    result.format = formatName(image.image.format);
    result.readOnly = compiler.has_decoration(resource.id, spv::DecorationNonWritable);
    result.writeOnly = compiler.has_decoration(resource.id, spv::DecorationNonReadable);
  }
  return result;
}

void reflectBindings(const Compiler &compiler, Reflection &result) {
  auto active = compiler.get_active_interface_variables();
  spirv_cross::ShaderResources all = compiler.get_shader_resources(active);
  const std::pair<const SmallVector<Resource> *, ResourceKind> lists[] = {
      {&all.storage_buffers, ResourceKind::StorageBuffer},
      {&all.uniform_buffers, ResourceKind::UniformBuffer},
      {&all.storage_images, ResourceKind::StorageImage},
      {&all.separate_images, ResourceKind::SampledImage},
      {&all.separate_samplers, ResourceKind::Sampler},
      {&all.sampled_images, ResourceKind::CombinedImageSampler},
  };
  for (const auto &[list, kind] : lists)
    for (const Resource &resource : *list)
      result.bindings.push_back(bindingOf(compiler, resource, kind));
  std::sort(result.bindings.begin(), result.bindings.end(), [](const auto &a, const auto &b) {
    return std::tie(a.set, a.binding, a.name) < std::tie(b.set, b.binding, b.name);
  });
  for (const Resource &resource : all.push_constant_buffers) {
    const SPIRType &block = compiler.get_type(resource.base_type_id);
    if (block.member_types.empty())
      continue;
    result.pushConstantBytes = static_cast<uint32_t>(compiler.get_declared_struct_size(block));
    addMembers(compiler, block, kMaxPushedValues, result.pushConstants);
  }
}

void reflectSpecConstants(const Compiler &compiler, Reflection &result) {
  for (const spirv_cross::SpecializationConstant &declared :
       compiler.get_specialization_constants()) {
    const spirv_cross::SPIRConstant &constant = compiler.get_constant(declared.id);
    const SPIRType &type = compiler.get_type(constant.constant_type);
    ReflectedSpecConstant entry;
    entry.id = declared.constant_id;
    entry.name = compiler.get_name(declared.id);
    entry.type = elementTypeOf(type).value_or(ElementType::U32);
    entry.isBool = type.basetype == SPIRType::Boolean;
    uint32_t bytes = vulkan::bytesOf(entry.type);
    entry.defaultBits = bytes == 8 ? constant.scalar_u64() : constant.scalar();
    if (bytes < 4)
      entry.defaultBits &= (uint64_t{1} << (8 * bytes)) - 1;
    auto known = std::find_if(result.specConstants.begin(), result.specConstants.end(),
                              [&](const auto &c) { return c.id == entry.id; });
    if (known == result.specConstants.end())
      result.specConstants.push_back(std::move(entry));
    else
      known->differs |= known->defaultBits != entry.defaultBits;
  }
  std::sort(result.specConstants.begin(), result.specConstants.end(),
            [](const auto &a, const auto &b) { return a.id < b.id; });
}

} // namespace

Result<Reflection> reflect(std::span<const uint32_t> words, const std::string &entryPoint,
                           const std::string &file) {
  // SPIRV-Cross reports by exceptions, which end here.
  try {
    Compiler compiler(words.data(), words.size());
    bool found = false;
    for (const spirv_cross::EntryPoint &entry : compiler.get_entry_points_and_stages())
      found |= entry.name == entryPoint && entry.execution_model == spv::ExecutionModelGLCompute;
    if (!found)
      return failure(Location::inFile(file),
                     "the module has no compute entry point '" + entryPoint + "'");
    compiler.set_entry_point(entryPoint, spv::ExecutionModelGLCompute);
    Reflection result;
    result.entryPoint = entryPoint;
    reflectBindings(compiler, result);
    reflectSpecConstants(compiler, result);
    if (Status sized = reflectSize(words, file, result); !sized)
      return sized.takeFailure();
    return result;
  } catch (const std::exception &error) {
    return failure(Location::inFile(file),
                   std::string("the module's resources cannot be read: ") + error.what());
  }
}

} // namespace tailor
