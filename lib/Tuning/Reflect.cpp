//===- Tuning/Reflect.cpp - Reflection by SPIRV-Cross ---------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning/Reflect.h"

#include "Tuning/ReflectMembers.h"
#include "Tuning/ReflectSize.h"
#include "Tuning/ReflectViews.h"
#include "Vulkan/Device.h"

#include <algorithm>
#include <exception>

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

/// Elements of an array that a template writes out. Push constants must all have a value.
constexpr uint32_t kMaxArrayValues = 16, kMaxPushedValues = 4096;

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

/// Whether the image is one that a workload can give; else what it is.
std::string_view otherImage(const SPIRType::ImageType &image) {
  if (image.dim == spv::DimBuffer)
    return "a texel buffer";
  if (image.ms)
    return "a multisampled image";
  if (image.dim == spv::DimCube && image.arrayed)
    return "an array of cubes";
  if (image.dim == spv::DimRect || image.dim == spv::DimSubpassData)
    return "an image of another dimension";
  return {};
}

/// The descriptors of a variable; none for a length that is computed.
std::optional<uint32_t> descriptorsOf(const Compiler &compiler, const SPIRType &type) {
  if (type.array.empty())
    return 1;
  if (type.array_size_literal[0])
    return type.array[0];
  try {
    return compiler.get_constant(type.array[0]).scalar();
  } catch (const std::exception &) {
    return std::nullopt;
  }
}

class BindingReader {
public:
  BindingReader(const Compiler &compiler, const std::string &file)
      : compiler(compiler), file(file) {}

  Result<ReflectedBinding> read(const Resource &resource, ResourceKind kind) const {
    ReflectedBinding result;
    result.kind = kind;
    result.set = compiler.get_decoration(resource.id, spv::DecorationDescriptorSet);
    result.binding = compiler.get_decoration(resource.id, spv::DecorationBinding);
    result.name = compiler.get_name(resource.id);
    if (vulkan::isBuffer(kind))
      readBuffer(resource, result);
    const SPIRType &type = compiler.get_type(resource.type_id);
    if (type.array.size() > 1)
      return refused(result, "an array of arrays of descriptors");
    std::optional<uint32_t> descriptors = descriptorsOf(compiler, type);
    if (!descriptors)
      return refused(result, "an array of descriptors whose length is computed");
    result.arraySize = *descriptors;
    if (vulkan::isImage(kind))
      if (Status read = readImage(resource, result); !read)
        return read.takeFailure();
    return result;
  }

private:
  Failure refused(const ReflectedBinding &binding, std::string_view what) const {
    return failure(Location::inFile(file),
                   binding.str() + " is " + std::string(what) + ", which no workload can give");
  }

  void readBuffer(const Resource &resource, ReflectedBinding &result) const;
  Status readImage(const Resource &resource, ReflectedBinding &result) const;

  const Compiler &compiler;
  const std::string &file;
};

void BindingReader::readBuffer(const Resource &resource, ReflectedBinding &result) const {
  const SPIRType &block = compiler.get_type(resource.base_type_id);
  // A block without an instance name shows its members: those are what people know.
  if (result.name.empty() && block.member_types.size() == 1)
    result.name = compiler.get_member_name(block.self, 0);
  if (result.name.empty())
    result.name = resource.name;
  result.element = firstScalar(compiler, block);
  if (block.member_types.empty())
    return;
  result.fixedBytes = compiler.get_declared_struct_size(block);
  const SPIRType &last = compiler.get_type(block.member_types.back());
  if (!last.array.empty() && last.array_size_literal.back() && last.array.back() == 0)
    result.runtimeStride = compiler.type_struct_member_array_stride(
        block, static_cast<uint32_t>(block.member_types.size() - 1));
  addMembers(compiler, block, kMaxArrayValues, result.members);
  spirv_cross::Bitset flags = compiler.get_buffer_block_flags(resource.id);
  result.readOnly = flags.get(spv::DecorationNonWritable);
  result.writeOnly = flags.get(spv::DecorationNonReadable);
}

Status BindingReader::readImage(const Resource &resource, ReflectedBinding &result) const {
  const SPIRType &type = compiler.get_type(resource.base_type_id);
  if (std::string_view other = otherImage(type.image); !other.empty())
    return refused(result, other);
  result.dim = dimOf(type.image);
  std::optional<ElementType> texel = elementTypeOf(compiler.get_type(type.image.type));
  if (!texel || vulkan::bytesOf(*texel) == 8)
    return refused(result, "an image of 64-bit texels");
  if (!vulkan::isFloat(*texel))
    result.texel =
        *texel == ElementType::I32 ? vulkan::ComponentType::Sint : vulkan::ComponentType::Uint;
  if (type.image.format != spv::ImageFormatUnknown) {
    const vulkan::ImageFormat *format = vulkan::findImageFormat(uint32_t{type.image.format});
    if (!format)
      return refused(result,
                     "an image of format number " + std::to_string(uint32_t{type.image.format}));
    result.format = format->name;
  }
  result.readOnly = compiler.has_decoration(resource.id, spv::DecorationNonWritable);
  result.writeOnly = compiler.has_decoration(resource.id, spv::DecorationNonReadable);
  return success();
}

Status reflectBindings(const Compiler &compiler, const std::string &file, Reflection &result) {
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
  const BindingReader reader(compiler, file);
  std::vector<ReflectedBinding> views;
  for (const auto &[list, kind] : lists)
    for (const Resource &resource : *list) {
      Result<ReflectedBinding> view = reader.read(resource, kind);
      if (!view)
        return view.takeFailure();
      views.push_back(std::move(*view));
    }
  Result<std::vector<ReflectedBinding>> joined = joinViews(std::move(views), file);
  if (!joined)
    return joined.takeFailure();
  result.bindings = std::move(*joined);
  for (const Resource &resource : all.push_constant_buffers) {
    const SPIRType &block = compiler.get_type(resource.base_type_id);
    if (block.member_types.empty())
      continue;
    result.pushConstantBytes = static_cast<uint32_t>(compiler.get_declared_struct_size(block));
    addMembers(compiler, block, kMaxPushedValues, result.pushConstants);
  }
  return success();
}

/// What the runner cannot give to any module, before its resources are looked at: pointers in a
/// block have no end.
Status checkModule(const Compiler &compiler, const std::string &file) {
  for (spv::Capability capability : compiler.get_declared_capabilities())
    if (!vulkan::mayEnable(static_cast<uint32_t>(capability)))
      return failure(Location::inFile(file), "the module declares capability " +
                                                 std::to_string(capability) +
                                                 ", which the runner does not enable");
  return success();
}

/// A comparison of depths needs an image and a sampler that no workload describes.
Status refuseDepths(std::span<const uint32_t> words, const std::string &file,
                    const Reflection &reflection) {
  const bool samples = std::any_of(
      reflection.bindings.begin(), reflection.bindings.end(), [](const ReflectedBinding &b) {
        return b.kind == ResourceKind::Sampler || b.kind == ResourceKind::CombinedImageSampler;
      });
  for (size_t at = 5; samples && at < words.size() && words[at] >> 16 != 0; at += words[at] >> 16)
    switch (static_cast<spv::Op>(words[at] & 0xffff)) {
    case spv::OpImageSampleDrefImplicitLod:
    case spv::OpImageSampleDrefExplicitLod:
    case spv::OpImageSampleProjDrefImplicitLod:
    case spv::OpImageSampleProjDrefExplicitLod:
    case spv::OpImageDrefGather:
      return failure(Location::atWord(file, static_cast<uint32_t>(at)),
                     "the kernel compares depths by a sampler, which no workload can give");
    default:
      break;
    }
  return success();
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
    if (Status known = checkModule(compiler, file); !known)
      return known.takeFailure();
    if (Status bound = reflectBindings(compiler, file, result); !bound)
      return bound.takeFailure();
    if (Status sampled = refuseDepths(words, file, result); !sampled)
      return sampled.takeFailure();
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
