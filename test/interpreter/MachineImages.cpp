//===- interpreter/MachineImages.cpp ----------------------------------------===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "interpreter/Machine.h"
#include "interpreter/Texels.h"

#include <algorithm>
#include <cmath>

namespace tailor::interp {

namespace {

spv::Dim dimOf(const Instruction &imageType) { return static_cast<spv::Dim>(imageType.literal(1)); }
bool isArrayed(const Instruction &imageType) { return imageType.literal(3) != 0; }
/// Coordinates that lie in a layer: 1 to 3.
unsigned axesOf(const Instruction &imageType) {
  switch (dimOf(imageType)) {
  case spv::Dim::Dim1D:
  case spv::Dim::Buffer:
    return 1;
  case spv::Dim::Dim3D:
    return 3;
  default:
    return 2;
  }
}
/// A cube's face, or an array's layer, is the third coordinate.
bool hasLayers(const Instruction &imageType) {
  return isArrayed(imageType) || dimOf(imageType) == spv::Dim::Cube;
}

/// A texel coordinate under an addressing mode; -1 for the border.
int64_t wrap(int64_t at, int64_t size, vulkan::AddressMode mode) {
  switch (mode) {
  case vulkan::AddressMode::ClampToEdge:
    return std::clamp<int64_t>(at, 0, size - 1);
  case vulkan::AddressMode::Repeat:
    return ((at % size) + size) % size;
  case vulkan::AddressMode::MirroredRepeat: {
    const int64_t twice = ((at % (2 * size)) + 2 * size) % (2 * size);
    return twice < size ? twice : 2 * size - 1 - twice;
  }
  case vulkan::AddressMode::ClampToBorder:
    break;
  }
  return at < 0 || at >= size ? -1 : at;
}

} // namespace

/// Finds a texel and reports the access. False at a fault.
bool Machine::find(const Code &code, uint64_t object, const int64_t (&at)[3], const char *what,
                   Texel &texel) {
  if (object >= program.objects.size() || !program.objects[object].resource ||
      !program.objects[object].resource->format)
    return fail(*code.inst, std::string(what) + " of what is no image");
  texel.object = &program.objects[object];
  texel.image = texel.object->resource;
  const Dim3 &extent = texel.image->extent;
  texel.inside = true;
  for (unsigned axis = 0; axis < 3; ++axis)
    texel.inside &= at[axis] >= 0 && at[axis] < static_cast<int64_t>(extent[axis]);
  if (!texel.inside && limits.robustImages) {
    ++result.outside;
    return true;
  }
  if (!texel.inside)
    return fail(*code.inst, std::string(what) + " at (" + std::to_string(at[0]) + ", " +
                                std::to_string(at[1]) + ", " + std::to_string(at[2]) + ") of " +
                                nameOf(*texel.object) + ", which has " + extent.str() + " texels");
  texel.number =
      (static_cast<uint64_t>(at[2]) * extent.y + static_cast<uint64_t>(at[1])) * extent.x +
      static_cast<uint64_t>(at[0]);
  return true;
}

bool Machine::integerCoordinates(const Code &code, int64_t (&at)[3]) {
  const Instruction &type = *code.imageType;
  const Operand &coordinate = operand(code, 1);
  const unsigned axes = axesOf(type), needed = axes + (hasLayers(type) ? 1 : 0);
  if (coordinate.words < needed)
    return fail(*code.inst, "unsupported image coordinate");
  const uint64_t *words = in(coordinate.ref);
  auto component = [&](unsigned index) {
    return signExtend(coordinate.shape->width, words[index]);
  };
  for (unsigned axis = 0; axis < axes; ++axis)
    at[axis] = component(axis);
  if (hasLayers(type))
    at[2] = component(axes);
  if (code.a != kNoIndex)
    for (unsigned axis = 0; axis < axes; ++axis)
      at[axis] += signExtend(operand(code, code.a).shape->width, in(code, code.a)[axis]);
  return true;
}

/// The nearest texel; a border texel is outside of the image.
bool Machine::sampledCoordinates(const Code &code, int64_t (&at)[3]) {
  const Instruction &type = *code.imageType;
  const Operand &coordinate = operand(code, 1);
  const uint64_t object = in(code, 0)[0], samplerObject = in(code, 0)[1];
  const unsigned axes = axesOf(type);
  if (dimOf(type) == spv::Dim::Cube || coordinate.words < axes + (isArrayed(type) ? 1 : 0) ||
      object >= program.objects.size() || samplerObject >= program.objects.size() ||
      !program.objects[object].resource || !program.objects[samplerObject].resource)
    return fail(*code.inst, "unsupported sampling of that image");
  const Dim3 &extent = program.objects[object].resource->extent;
  const vulkan::SamplerDesc &sampler = program.objects[samplerObject].resource->sampler;
  auto component = [&](unsigned index) {
    return readFloat(coordinate.shape->width, in(coordinate.ref)[index]);
  };
  auto rounded = [](double value) {
    return static_cast<int64_t>(std::clamp(std::isnan(value) ? 0.0 : value, -1e15, 1e15));
  };
  for (unsigned axis = 0; axis < axes; ++axis) {
    double texels = component(axis) * (sampler.unnormalized ? 1.0 : extent[axis]);
    int64_t nearest = rounded(std::floor(texels));
    if (code.a != kNoIndex)
      nearest += signExtend(operand(code, code.a).shape->width, in(code, code.a)[axis]);
    at[axis] = wrap(nearest, extent[axis], sampler.address);
  }
  if (isArrayed(type))
    at[2] = std::clamp<int64_t>(rounded(std::nearbyint(component(axes))), 0, extent.z - 1);
  return true;
}

bool Machine::imageRead(const Code &code, bool sampled) {
  int64_t at[3] = {};
  Texel texel;
  if (!(sampled ? sampledCoordinates(code, at) : integerCoordinates(code, at)))
    return false;
  std::fill_n(out(code), code.words, 0);
  if (sampled && (at[0] < 0 || at[1] < 0 || at[2] < 0))
    return true; // transparent black
  if (!find(code, in(code, 0)[0], at, "image read", texel))
    return false;
  if (!texel.inside)
    return true;
  const vulkan::ImageFormat &format = *texel.image->format;
  if (isReported(*texel.object))
    reportRun(code, sampled ? AccessKind::ImageSample : AccessKind::ImageRead, *texel.object,
              {texel.number, format.texelBytes}, 0);
  auto words =
      decodeTexel(format, texel.image->data.data() + texel.number * format.texelBytes, *code.shape);
  std::copy_n(words.begin(), std::min<uint32_t>(code.words, 4), out(code));
  return true;
}

bool Machine::imageWrite(const Code &code) {
  int64_t at[3] = {};
  Texel texel;
  if (!integerCoordinates(code, at) || !find(code, in(code, 0)[0], at, "image write", texel))
    return false;
  if (!texel.inside)
    return true;
  const vulkan::ImageFormat &format = *texel.image->format;
  if (isReported(*texel.object))
    reportRun(code, AccessKind::ImageWrite, *texel.object, {texel.number, format.texelBytes}, 0);
  const Operand &value = operand(code, 2);
  std::array<uint64_t, 4> words{};
  std::copy_n(in(value.ref), std::min<uint32_t>(value.words, 4), words.begin());
  encodeTexel(format, texel.object->resource->data.data() + texel.number * format.texelBytes, words,
              *value.shape);
  return true;
}

/// The four texels around a point, one component of each: (0,1), (1,1), (1,0), (0,0).
bool Machine::imageGather(const Code &code) {
  static constexpr int corners[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
  const Instruction &type = *code.imageType;
  const uint64_t object = in(code, 0)[0], samplerObject = in(code, 0)[1];
  if (dimOf(type) != spv::Dim::Dim2D || object >= program.objects.size() ||
      samplerObject >= program.objects.size() || !program.objects[object].resource ||
      !program.objects[samplerObject].resource)
    return fail(*code.inst, "unsupported gathering from that image");
  const Resource &image = *program.objects[object].resource;
  const vulkan::SamplerDesc &sampler = program.objects[samplerObject].resource->sampler;
  const Operand &coordinate = operand(code, 1);
  const uint64_t component = std::min<uint64_t>(*in(code, 2), 3);
  for (unsigned corner = 0; corner < 4; ++corner) {
    int64_t at[3] = {};
    for (unsigned axis = 0; axis < 2; ++axis) {
      double texels = readFloat(coordinate.shape->width, in(coordinate.ref)[axis]);
      texels = texels * (sampler.unnormalized ? 1.0 : image.extent[axis]) - 0.5;
      int64_t first = static_cast<int64_t>(std::floor(std::clamp(texels, -1e15, 1e15)));
      if (code.a != kNoIndex)
        first += signExtend(operand(code, code.a).shape->width, in(code, code.a)[axis]);
      at[axis] = wrap(first + corners[corner][axis], image.extent[axis], sampler.address);
    }
    if (isArrayed(type))
      at[2] = std::clamp<int64_t>(static_cast<int64_t>(std::nearbyint(
                                      readFloat(coordinate.shape->width, in(coordinate.ref)[2]))),
                                  0, image.extent.z - 1);
    out(code)[corner] = 0;
    if (at[0] < 0 || at[1] < 0)
      continue;
    Texel texel;
    if (!find(code, object, at, "image gather", texel))
      return false;
    if (isReported(*texel.object))
      reportRun(code, AccessKind::ImageSample, *texel.object,
                {texel.number, image.format->texelBytes}, corner);
    out(code)[corner] =
        decodeTexel(*image.format, image.data.data() + texel.number * image.format->texelBytes,
                    *code.shape)[component];
  }
  return true;
}

bool Machine::imageSize(const Code &code) {
  const uint64_t object = in(code, 0)[0];
  if (object >= program.objects.size() || !program.objects[object].resource)
    return fail(*code.inst, "size of what is no image");
  const Dim3 &extent = program.objects[object].resource->extent;
  const Instruction &type = *code.imageType;
  uint64_t words[4] = {1};
  if (code.inst->opcode() == spv::Op::OpImageQuerySize ||
      code.inst->opcode() == spv::Op::OpImageQuerySizeLod) {
    unsigned count = 0;
    for (; count < axesOf(type); ++count)
      words[count] = extent[count];
    if (isArrayed(type))
      words[count] = dimOf(type) == spv::Dim::Cube ? extent.z / 6 : extent.z;
  }
  std::copy_n(words, std::min<uint32_t>(code.words, 4), out(code));
  return true;
}

bool Machine::texelPointer(const Code &code) {
  const uint64_t *pointer = in(code, 0);
  int64_t at[3] = {};
  Texel texel;
  if (!integerCoordinates(code, at) ||
      !find(code, pointer[kPointerObject], at, "texel pointer", texel))
    return false;
  uint64_t *to = out(code);
  to[kPointerObject] = pointer[kPointerObject];
  to[kPointerOffset] = texel.inside ? texel.number * texel.image->format->texelBytes : kBadOffset;
  to[kPointerLayout] = code.b;
  return true;
}

bool Machine::image(const Code &code) {
  switch (code.kind) {
  case Code::Kind::ImageRead:
  case Code::Kind::ImageSample:
    return imageRead(code, code.kind == Code::Kind::ImageSample);
  case Code::Kind::ImageWrite:
    return imageWrite(code);
  case Code::Kind::ImageGather:
    return imageGather(code);
  case Code::Kind::ImageSize:
    return imageSize(code);
  case Code::Kind::TexelPointer:
    return texelPointer(code);
  default:
    return fail(*code.inst, "unsupported " + tailor::nameOf(code.inst->opcode()));
  }
}

} // namespace tailor::interp
